#include "analysis/constant_members.hpp"

#include "frontend/tree_walker.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>

#include <algorithm>

namespace cilk2chan {
namespace {

class constant_finder {
 public:
  explicit constant_finder(const clang::ASTContext& context) : context_(context) {}

  // A constructor or destructor, or what one calls. Functions that are being looked at are taken
  // for fine.
  bool becomes_constant(const clang::FunctionDecl* function) {
    if (function->isConstexpr() || function->isTrivial()) return false;
    const clang::FunctionDecl* definition = function->getDefinition();
    if (definition == nullptr || definition->isDefaulted() || definition->isDeleted() ||
        definition->isMain() || definition->isVariadic() || definition->isVirtualAsWritten())
      return false;
    const clang::FunctionDecl* written = definition->getTemplateInstantiationPattern();
    if (written == nullptr) written = definition;
    // Its only declaration says so, then.
    const bool is_single = written->getBody() != nullptr && !written->isOutOfLine() &&
                           written->getPreviousDecl() == nullptr &&
                           written->getMostRecentDecl() == written &&
                           written->getLocation().isFileID() &&
                           context_.getSourceManager().isInMainFile(written->getLocation());
    if (!is_single) return false;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
    if (method != nullptr && method->getParent()->getNumVBases() != 0) return false;
    if (refused_.contains(definition)) return false;
    if (!open_.insert(definition)) return true;
    if (is_plain(definition)) return true;
    open_.remove(definition);
    refused_.insert(definition);
    return false;
  }
  [[nodiscard]] std::vector<const clang::FunctionDecl*> found() const {
    return {open_.begin(), open_.end()};
  }

  bool is_literal(clang::QualType type) {
    if (type->isDependentType() || type->isLiteralType(context_)) return true;
    type = context_.getBaseElementType(type);
    if (type->isLiteralType(context_)) return true;
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition()) return false;
    record = record->getDefinition();
    if (record->getNumVBases() != 0) return false;
    if (!seen_.insert(record).second) return true;
    const auto is_fine = [&](const clang::FunctionDecl* one) {
      return one->isTrivial() || one->isConstexpr() || one->isDefaulted() || becomes_constant(one);
    };
    if (record->getDestructor() != nullptr && !is_fine(record->getDestructor())) return false;
    const bool has_constructor =
        record->isAggregate() || std::ranges::any_of(record->ctors(), [&](const auto* one) {
          return !one->isCopyOrMoveConstructor() && is_fine(one);
        });
    return has_constructor &&
           std::ranges::all_of(record->fields(),
                               [&](const auto* one) { return is_literal(one->getType()); }) &&
           std::ranges::all_of(record->bases(),
                               [&](const auto& one) { return is_literal(one.getType()); });
  }

 private:
  // Finds what may not stand in a constexpr function.
  class obstacle_finder : public tree_walker {
   public:
    explicit obstacle_finder(constant_finder& around) : around_(around) {}
    bool found = false;

    [[nodiscard]] bool shouldVisitImplicitCode() const override { return true; }
    bool VisitStmt(clang::Stmt* one) override {
      if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(one)) {
        const clang::CastKind kind = cast->getCastKind();
        if (kind == clang::CK_BitCast || kind == clang::CK_LValueBitCast ||
            kind == clang::CK_IntegralToPointer || kind == clang::CK_PointerToIntegral)
          return look(false);
      }
      return look(!llvm::isa<clang::GotoStmt, clang::LabelStmt, clang::AsmStmt, clang::CXXTryStmt,
                             clang::CXXThrowExpr, clang::CXXReinterpretCastExpr,
                             clang::CXXDynamicCastExpr, clang::AtomicExpr, clang::LambdaExpr>(one));
    }
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      return look(callee != nullptr && is_fine(callee));
    }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
      return look(is_fine(made->getConstructor()));
    }
    bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      return look(variable == nullptr || variable->hasLocalStorage() || variable->isConstexpr());
    }
    bool VisitVarDecl(clang::VarDecl* variable) override {
      return look(variable->hasLocalStorage() && around_.is_literal(variable->getType()));
    }

   private:
    bool is_fine(const clang::FunctionDecl* one) {
      return one->isConstexpr() || one->isTrivial() || one->isDefaulted() ||
             one->isReplaceableGlobalAllocationFunction() || around_.becomes_constant(one);
    }
    bool look(bool fine) {
      found = found || !fine;
      return !found;
    }

    constant_finder& around_;
  };

  bool is_plain(const clang::FunctionDecl* definition) {
    for (const clang::ParmVarDecl* one : definition->parameters()) {
      if (!one->getType()->isReferenceType() && !is_literal(one->getType())) return false;
    }
    obstacle_finder obstacles(*this);
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(definition)) {
      for (const clang::CXXCtorInitializer* one : made->inits()) {
        if (!obstacles.found) obstacles.look_through(one->getInit());
      }
    }
    if (!obstacles.found) obstacles.look_through(definition->getBody());
    return !obstacles.found;
  }

  const clang::ASTContext& context_;
  llvm::SetVector<const clang::FunctionDecl*> open_;
  llvm::DenseSet<const clang::FunctionDecl*> refused_;
  llvm::DenseSet<const clang::CXXRecordDecl*> seen_;
};

}  // namespace

std::vector<const clang::FunctionDecl*> that_become_constant(const clang::ASTContext& context,
                                                             const clang::FunctionDecl* function) {
  const bool special = llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function);
  constant_finder finder(context);
  if (!special || !context.getLangOpts().CPlusPlus20 || !finder.becomes_constant(function))
    return {};
  return finder.found();
}

bool is_literal_on_devices(const clang::ASTContext& context, clang::QualType type) {
  return type->isLiteralType(context) ||
         (context.getLangOpts().CPlusPlus20 && constant_finder(context).is_literal(type));
}

}  // namespace cilk2chan
