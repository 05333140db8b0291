#include "analysis/virtual_targets.hpp"

#include "frontend/tree_walker.hpp"

#include <clang/AST/CXXInheritance.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/VTableBuilder.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace cilk2chan {
namespace {

const clang::MemberExpr* unqualified_member(const clang::CallExpr* call) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  return member == nullptr || member->hasQualifier() ? nullptr : member;
}

// Where the part of an object that is a `base` begins; nothing if there is none, more than one, or
// if it is shared by others.
std::optional<clang::CharUnits> offset_of(const clang::ASTContext& context,
                                          const clang::CXXRecordDecl* object,
                                          const clang::CXXRecordDecl* base) {
  clang::CharUnits at = clang::CharUnits::Zero();
  if (object->getCanonicalDecl() == base->getCanonicalDecl()) return at;
  clang::CXXBasePaths paths;
  if (!object->isDerivedFrom(base, paths) || paths.getDetectedVirtual() != nullptr ||
      paths.isAmbiguous(context.getCanonicalType(context.getRecordType(base))))
    return {};
  for (const clang::CXXBasePathElement& step : paths.front()) {
    const auto* part = step.Base->getType()->getAsCXXRecordDecl();
    at += context.getASTRecordLayout(step.Class).getBaseClassOffset(part);
  }
  return at;
}

}  // namespace

const clang::CXXMethodDecl* virtual_callee(const clang::CallExpr* call) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  if (method == nullptr || !method->isVirtual() || unqualified_member(call) == nullptr)
    return nullptr;
  return method->getCanonicalDecl();
}

const clang::CXXMethodDecl* sure_target(const clang::CallExpr* call) {
  const clang::CXXMethodDecl* method = virtual_callee(call);
  if (method == nullptr) return nullptr;
  auto* named = const_cast<clang::CXXMethodDecl*>(method);
  return named->getDevirtualizedMethod(unqualified_member(call)->getBase(), false);
}

// Notes the classes of the program's own files.
class class_finder : public tree_walker {
 public:
  explicit class_finder(virtual_targets& found) : found_(found) {}

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) override {
    if (record->isThisDeclarationADefinition() && !record->isDependentType() &&
        !record->isInvalidDecl() && record->isPolymorphic() &&
        record->getDeclContext()->getRedeclContext()->isFileContext())
      found_.classes_.push_back(record);
    return true;
  }

 private:
  virtual_targets& found_;
};

virtual_targets::virtual_targets(clang::ASTContext& context) : context_(context) {
  if (!context.getLangOpts().CPlusPlus) return;
  class_finder finder(*this);
  for (clang::Decl* one : context.getTranslationUnitDecl()->decls()) {
    if (!context.getSourceManager().isInSystemHeader(one->getLocation())) finder.TraverseDecl(one);
  }
}

std::vector<virtual_target> virtual_targets::of(const clang::CXXMethodDecl* method) const {
  std::vector<virtual_target> found;
  const clang::CXXRecordDecl* base = method->getParent();
  auto* named = const_cast<clang::CXXMethodDecl*>(method);
  auto& tables = llvm::cast<clang::ItaniumVTableContext>(*context_.getVTableContext());
  for (const clang::CXXRecordDecl* one : classes_) {
    if (one->isAbstract()) continue;
    const auto offset = offset_of(context_, one, base->getDefinition());
    if (!offset) continue;
    const clang::CXXMethodDecl* target = named->getCorrespondingMethodInClass(one);
    if (target == nullptr || target->isPureVirtual()) continue;
    const clang::VTableLayout& layout = tables.getVTableLayout(one);
    const auto point = layout.getAddressPoint(clang::BaseSubobject(base->getDefinition(), *offset));
    const std::size_t words = layout.getVTableOffset(point.VTableIndex) + point.AddressPointIndex;
    found.push_back({one, target->getCanonicalDecl(), words * sizeof(void*)});
  }
  return found;
}

bool virtual_targets::may_find_others(const clang::CXXMethodDecl* method) const {
  const clang::CXXRecordDecl* base = method->getParent()->getDefinition();
  return std::ranges::any_of(classes_, [&](const clang::CXXRecordDecl* one) {
    return !one->isAbstract() && one->isDerivedFrom(base) && !offset_of(context_, one, base);
  });
}

llvm::SetVector<const clang::CXXMethodDecl*> virtual_targets::family_of(
    const clang::CXXMethodDecl* method) const {
  llvm::SetVector<const clang::CXXMethodDecl*> family;
  family.insert(method->getCanonicalDecl());
  for (std::size_t before = 0; before != family.size();) {
    before = family.size();
    for (std::size_t i = 0; i < family.size(); ++i) {
      for (const clang::CXXMethodDecl* one : family[i]->overridden_methods())
        family.insert(one->getCanonicalDecl());
    }
    for (const clang::CXXRecordDecl* record : classes_) {
      for (const clang::CXXMethodDecl* one : record->methods()) {
        const bool overrides = std::ranges::any_of(
            one->overridden_methods(),
            [&](const auto* base) { return family.contains(base->getCanonicalDecl()); });
        if (overrides) family.insert(one->getCanonicalDecl());
      }
    }
  }
  return family;
}

std::string table_symbol(clang::ASTContext& context, const clang::CXXRecordDecl* object) {
  const std::unique_ptr<clang::MangleContext> mangler(context.createMangleContext());
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::cast<clang::ItaniumMangleContext>(*mangler).mangleCXXVTable(object, out);
  return text;
}

}  // namespace cilk2chan
