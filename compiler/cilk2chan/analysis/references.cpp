#include "analysis/references.hpp"

#include "analysis/atomic_members.hpp"
#include "analysis/complex_numbers.hpp"
#include "analysis/library_calls.hpp"
#include "analysis/reducer_types.hpp"  // reducer_of
#include "analysis/shared_members.hpp"
#include "frontend/spelling.hpp"  // hidden_mark
#include "frontend/tree_walker.hpp"

#include <clang/AST/Attr.h>

namespace cilk2chan {
namespace {

class visitor : public tree_walker {
 public:
  visitor(const clang::ASTContext& context, references& found) : context_(context), found_(found) {}

  // NOLINTNEXTLINE(readability-identifier-naming)
  [[nodiscard]] bool shouldVisitImplicitCode() const override { return true; }

  bool VisitCallExpr(clang::CallExpr* call) override {
    note_pointers(call);
    if (atomic_object(call) != nullptr) found_.atomic_calls.push_back(call);
    if (!shared_objects(call).empty()) found_.shared_calls.push_back(call);
    if (const auto* callee = call->getDirectCallee()) {
      add(callee);
      if (virtual_callee(call) != nullptr) {
        found_.virtual_calls.push_back(call);
      } else {
        found_.called.insert(callee->getCanonicalDecl());
      }
      if (uses_view(callee)) note(found_.reducer, call->getExprLoc());
      called_.insert(call->getCallee()->IgnoreParenImpCasts());
      // These call the function that they get, and keep no address.
      const clang::IdentifierInfo* name = callee->getIdentifier();
      if (name != nullptr && (name->isStr("qsort") || name->isStr("bsearch"))) {
        for (const clang::Expr* one : call->arguments()) called_.insert(one->IgnoreParenCasts());
      }
    }
    return true;
  }
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr* choice) override {
    // What is not chosen needs a declaration, and no address.
    for (const clang::Expr* one : choice->getAssocExprs()) {
      const clang::DeclRefExpr* name = name_of_function(one);
      if (name != nullptr && one != choice->getResultExpr()) called_elsewhere_.insert(name);
    }
    return tree_walker::TraverseGenericSelectionExpr(choice);
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl())) {
      if (called_.contains(name) || called_elsewhere_.contains(name))
        found_.called.insert(function->getCanonicalDecl());
      add(function);
      if (!called_.contains(name)) {
        found_.addressed.insert(function->getCanonicalDecl());
        const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
        const bool of_object = method != nullptr && method->isInstance();
        if (!called_elsewhere_.contains(name) && !of_object) found_.names.push_back(name);
      }
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl())) {
      add(variable, name->getLocation());
    } else if (llvm::isa<clang::BindingDecl>(name->getDecl()) &&
               name->getDecl()->getDeclContext()->isFileContext()) {
      note(found_.binding, name->getLocation());
    }
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* names) override {
    for (const clang::NamedDecl* one : names->decls()) {
      const auto* known = one->getUnderlyingDecl()->getAsFunction();
      if (known != nullptr) add(known);
    }
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto* declaration = member->getMemberDecl();
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) add(function);
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
      add(variable, member->getMemberLoc());
    if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(declaration)) {
      if (reducer_of(field)) note(found_.reducer, member->getMemberLoc());
    }
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    add(made->getConstructor());
    add_destructor(made->getType());
    return true;
  }
  bool VisitInitListExpr(clang::InitListExpr* list) override {
    // The standard library may call what a plain form has in the place of a lambda.
    const clang::CXXRecordDecl* record =
        list->getType().isNull() ? nullptr : list->getType()->getAsCXXRecordDecl();
    if (record == nullptr || record->getIdentifier() == nullptr ||
        !record->getName().starts_with(hidden_mark))
      return true;
    for (const clang::CXXMethodDecl* one : record->methods()) {
      if (one->getOverloadedOperator() == clang::OO_Call) add(one);
    }
    return true;
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr* made) override {
    if (made->getOperatorNew() != nullptr) add(made->getOperatorNew());
    return true;
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* ended) override {
    if (ended->getOperatorDelete() != nullptr) add(ended->getOperatorDelete());
    add_destructor(ended->getDestroyedType());
    return true;
  }
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr* argument) override {
    return TraverseStmt(argument->getExpr());
  }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr* value) override {
    return value->getExpr() == nullptr || TraverseStmt(value->getExpr());
  }
  bool VisitExpr(clang::Expr* value) override {
    found_.rows = found_.rows || is_pointer_to_rows(value->getType());
    found_.complex = found_.complex || calculates_with_complex(value);
    return true;
  }
  bool VisitStmt(clang::Stmt* code) override {
    found_.complex = found_.complex || !complex_conditions(code).empty();
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    found_.rows = found_.rows || is_pointer_to_rows(variable->getType());
    if (holds_reducer(variable)) note(found_.reducer, variable->getLocation());
    if (variable->isStaticLocal() && !is_constant(context_, variable) &&
        !is_constant_object(context_, variable))
      found_.kept = variable;
    add_destructor(variable->getType());
    return true;
  }

 private:
  static bool is_pointer_to_rows(clang::QualType type) {
    return !type.isNull() && type->isPointerType() && type->isVariablyModifiedType();
  }
  void note_pointers(const clang::CallExpr* call) {
    if (type_called(context_, call) != nullptr) found_.pointer_calls.push_back(call);
    if (const auto* name = name_of_function(call->getCallee())) called_.insert(name);
    if (!is_of_library(context_, call->getDirectCallee())) return;
    for (const clang::Expr* one : call->arguments()) {
      if (const clang::DeclRefExpr* name = name_of_function(one)) {
        called_elsewhere_.insert(name);
      } else if (type_pointed_to(context_, one) != nullptr) {
        found_.called_by_library.push_back(one);
      }
    }
  }
  void add(const clang::FunctionDecl* function) {
    found_.functions.insert(function->getCanonicalDecl());
  }
  void add(const clang::VarDecl* variable, clang::SourceLocation where) {
    if (holds_reducer(variable)) note(found_.reducer, where);
    if (variable->hasGlobalStorage() && !variable->isStaticLocal())
      found_.variables.insert(variable->getCanonicalDecl());
  }
  void add_destructor(clang::QualType type) {
    if (type.isNull() || type->isDependentType()) return;
    const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition()) return;
    if (const auto* destructor = record->getDestructor()) add(destructor);
  }
  static void note(clang::SourceLocation& first, clang::SourceLocation where) {
    if (first.isInvalid()) first = where;
  }

  const clang::ASTContext& context_;
  references& found_;
  llvm::DenseSet<const clang::Expr*> called_;
  llvm::DenseSet<const clang::Expr*> called_elsewhere_;
};

// Finds the program's functions that a function of the library calls, such as the comparison that a
// class has for `std::sort`.
class program_calls_finder : public library_walker {
 public:
  program_calls_finder(const clang::ASTContext& context, references& found)
      : library_walker(context), found_(found) {}

 private:
  bool enters(const clang::FunctionDecl* function) override {
    if (is_in_library(context(), function)) return function->getBuiltinID() == 0;
    found_.functions.insert(function->getCanonicalDecl());
    found_.called.insert(function->getCanonicalDecl());
    return false;
  }

  references& found_;
};

// Whether an object of the type is nothing but numbers.
bool has_numbers_only(const clang::ASTContext& context, clang::QualType type) {
  type = context.getBaseElementType(type).getCanonicalType();
  if (type.isVolatileQualified()) return false;
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (record == nullptr)
    return (type->isArithmeticType() || type->isEnumeralType()) && !type->isAnyComplexType();
  const auto* of_cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (record->getDefinition() == nullptr || record->isUnion() ||
      !type.isTriviallyCopyableType(context))
    return false;
  if (of_cxx != nullptr) {
    if (of_cxx->getNumVBases() != 0 || of_cxx->isPolymorphic()) return false;
    for (const clang::CXXBaseSpecifier& base : of_cxx->bases()) {
      if (!has_numbers_only(context, base.getType())) return false;
    }
  }
  return llvm::all_of(record->fields(), [&](const clang::FieldDecl* field) {
    return !field->isMutable() && has_numbers_only(context, field->getType());
  });
}

}  // namespace

const references& reference_finder::of(const clang::FunctionDecl* function) {
  std::unique_ptr<references>& found = known_[function->getCanonicalDecl()];
  if (found != nullptr) return *found;
  found = std::make_unique<references>();
  references& result = *found;
  const clang::FunctionDecl* definition = function->getDefinition();
  if (definition == nullptr) return result;
  const clang::ASTContext& context = definition->getASTContext();
  if (is_in_library(context, definition)) {
    if (targets_ != nullptr) program_calls_finder(context, result).follow(definition);
    return result;
  }
  visitor(context, result).look_through(definition);
  // It has the places of reducers, and no views.
  if (is_plain_form(definition)) result.reducer = {};
  if (const clang::FunctionDecl* group = group_form(definition)) result.functions.insert(group);
  if (targets_ != nullptr) find_targets(context, result);
  return result;
}

void reference_finder::find_targets(const clang::ASTContext& context, references& found) const {
  llvm::DenseSet<const clang::FunctionDecl*> named = found.addressed;
  for (const clang::CallExpr* call : found.virtual_calls) named.insert(virtual_callee(call));
  found.functions.remove_if([&](const clang::FunctionDecl* one) {
    return named.contains(one) && !found.called.contains(one);
  });
  const auto add = [&](call_targets::type called) {
    for (const clang::FunctionDecl* one : targets_->of(called)) found.functions.insert(one);
  };
  for (const clang::CallExpr* call : found.pointer_calls) add(type_called(context, call));
  for (const clang::Expr* one : found.called_by_library) add(type_pointed_to(context, one));
  for (const clang::CallExpr* call : found.virtual_calls) {
    if (const clang::CXXMethodDecl* sure = sure_target(call)) {
      found.functions.insert(sure->getCanonicalDecl());
      continue;
    }
    for (const virtual_target& one : targets_->of(virtual_callee(call)))
      found.functions.insert(one.method);
  }
}

references reference_finder::in(const clang::Decl* declaration) {
  references result;
  visitor(declaration->getASTContext(), result).look_through(declaration);
  return result;
}

llvm::SetVector<const clang::FunctionDecl*> reference_finder::reach(
    const clang::FunctionDecl* function) {
  llvm::SetVector<const clang::FunctionDecl*> seen;
  seen.insert(function->getCanonicalDecl());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto& called = of(seen[i]).functions;
    seen.insert(called.begin(), called.end());
  }
  return seen;
}

const clang::FunctionDecl* as_written(const clang::FunctionDecl* function) {
  const auto* pattern = function->getTemplateInstantiationPattern();
  return (pattern == nullptr ? function : pattern)->getCanonicalDecl();
}

llvm::StringRef group_form_name(const clang::FunctionDecl* function) {
  for (const auto* one : function->getMostRecentDecl()->specific_attrs<clang::AnnotateAttr>()) {
    llvm::StringRef text = one->getAnnotation();
    if (text.consume_front("channels_group_leaf:")) return text;
  }
  return {};
}

const clang::FunctionDecl* group_form(const clang::FunctionDecl* function) {
  const llvm::StringRef name = group_form_name(function);
  if (name.empty()) return nullptr;
  clang::ASTContext& context = function->getASTContext();
  const clang::FunctionDecl* leaf = function->getCanonicalDecl();
  for (const clang::NamedDecl* one :
       function->getDeclContext()->getRedeclContext()->lookup(&context.Idents.get(name))) {
    const clang::FunctionDecl* form = one->getAsFunction();
    if (form == nullptr || !context.hasSameType(form->getType(), leaf->getType())) continue;
    form = form->getCanonicalDecl();
    if (context.getSourceManager().isBeforeInTranslationUnit(form->getLocation(),
                                                             leaf->getLocation()))
      return form;
  }
  return nullptr;
}

bool is_constant_object(const clang::ASTContext& context, const clang::VarDecl* variable) {
  const clang::QualType element = context.getBaseElementType(variable->getType());
  const clang::VarDecl* definition = variable->getDefinition();
  return element.isConstQualified() && definition != nullptr && definition->hasInit() &&
         !element->isDependentType() && !definition->getInit()->isValueDependent() &&
         has_numbers_only(context, element) && definition->hasConstantInitialization();
}

bool is_constant(const clang::ASTContext& context, const clang::VarDecl* variable) {
  const clang::QualType element = context.getBaseElementType(variable->getType());
  if (!element.isConstQualified() || element.isVolatileQualified()) return false;
  if (!element->isArithmeticType() && !element->isEnumeralType()) return false;
  // Nor has C++ a constant for what C writes as a sum.
  if (element->isAnyComplexType()) return false;
  const clang::VarDecl* definition = variable->getDefinition();
  return definition != nullptr && definition->hasInit() &&
         !definition->getType()->isDependentType() && definition->hasConstantInitialization();
}

}  // namespace cilk2chan
