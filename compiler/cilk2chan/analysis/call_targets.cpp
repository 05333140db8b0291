#include "analysis/call_targets.hpp"

#include "frontend/tree_walker.hpp"

#include <algorithm>

namespace cilk2chan {

const clang::DeclRefExpr* name_of_function(const clang::Expr* value) {
  for (const clang::Expr* before = nullptr; before != value;) {
    before = value;
    value = value->IgnoreParenCasts();
    if (const auto* given = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(value))
      value = given->getReplacement();
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(value);
    if (unary != nullptr &&
        (unary->getOpcode() == clang::UO_AddrOf || unary->getOpcode() == clang::UO_Deref) &&
        name_of_function(unary->getSubExpr()) != nullptr)
      value = unary->getSubExpr();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value);
  return name != nullptr && llvm::isa<clang::FunctionDecl>(name->getDecl()) ? name : nullptr;
}

const clang::FunctionDecl* named_function(const clang::Expr* value) {
  const clang::DeclRefExpr* name = name_of_function(value);
  return name == nullptr ? nullptr : llvm::cast<clang::FunctionDecl>(name->getDecl());
}

namespace {

call_targets::type function_type(const clang::ASTContext& context, clang::QualType function) {
  if (function.isNull() || function->isDependentType()) return nullptr;
  const auto* known = function->getAs<clang::FunctionProtoType>();
  if (known == nullptr || known->isVariadic()) return nullptr;
  auto& changes = const_cast<clang::ASTContext&>(context);
  const clang::QualType plain =
      changes.getFunctionTypeWithExceptionSpec(clang::QualType(known, 0), clang::EST_None);
  return plain.getCanonicalType()->castAs<clang::FunctionProtoType>();
}

}  // namespace

call_targets::type type_pointed_to(const clang::ASTContext& context, const clang::Expr* value) {
  const clang::QualType type = value->getType();
  if (type.isNull() || type->isDependentType()) return nullptr;
  if (type->isFunctionType()) return function_type(context, type);
  return type->isFunctionPointerType() ? function_type(context, type->getPointeeType()) : nullptr;
}

call_targets::type type_called(const clang::ASTContext& context, const clang::CallExpr* call) {
  if (llvm::isa<clang::CXXOperatorCallExpr>(call) || named_function(call->getCallee()) != nullptr)
    return nullptr;
  return type_pointed_to(context, call->getCallee());
}

bool is_of_library(const clang::ASTContext& context, const clang::FunctionDecl* callee) {
  return callee != nullptr && context.getSourceManager().isInSystemHeader(callee->getLocation());
}

// Notes which functions have their addresses taken, and the types of calls through pointers.
class target_finder : public tree_walker {
 public:
  target_finder(clang::ASTContext& context, call_targets& found)
      : context_(context), found_(found) {}

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const override { return true; }
  [[nodiscard]] bool shouldVisitImplicitCode() const override { return true; }

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const auto* name = name_of_function(call->getCallee())) called_.insert(name);
    if (const auto type = type_called(context_, call)) found_.called_.insert(type);
    if (const auto* method = virtual_callee(call); method != nullptr && !call->isTypeDependent())
      found_.called_virtually_.insert(method);
    if (!is_of_library(context_, call->getDirectCallee())) return true;
    for (const clang::Expr* one : call->arguments()) {
      if (const auto type = type_pointed_to(context_, one)) found_.called_.insert(type);
    }
    return true;
  }
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr* choice) override {
    return choice->isResultDependent() || TraverseStmt(choice->getResultExpr());
  }
  bool VisitExpr(clang::Expr* value) override {
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) note(cast);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (function != nullptr && !called_.contains(name)) add(function, function->getType());
    return true;
  }

 private:
  // A function may be called as what its address is cast to.
  void note(const clang::CastExpr* cast) {
    const clang::DeclRefExpr* name =
        cast->getType()->isFunctionPointerType() ? name_of_function(cast->getSubExpr()) : nullptr;
    if (name != nullptr && !called_.contains(name))
      add(llvm::cast<clang::FunctionDecl>(name->getDecl()), cast->getType()->getPointeeType());
  }
  void add(const clang::FunctionDecl* function, clang::QualType as) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (function->isTemplated() || (method != nullptr && method->isInstance())) return;
    if (const auto type = function_type(context_, as))
      found_.addressed_[function->getCanonicalDecl()].insert(type);
  }

  clang::ASTContext& context_;
  call_targets& found_;
  llvm::DenseSet<const clang::DeclRefExpr*> called_;
};

call_targets::call_targets(clang::ASTContext& context) : virtual_(context) {
  target_finder finder(context, *this);
  for (clang::Decl* one : context.getTranslationUnitDecl()->decls()) {
    if (!context.getSourceManager().isInSystemHeader(one->getLocation())) finder.TraverseDecl(one);
  }
  list_candidates();
}

void call_targets::list_candidates() {
  for (const auto& [function, types] : addressed_) {
    for (const type one : types) {
      if (!called_.contains(one)) continue;
      by_type_[one].push_back(function);
      candidates_.insert(function);
    }
  }
  for (const clang::CXXMethodDecl* called : called_virtually_) {
    for (const virtual_target& one : virtual_.of(called)) candidates_.insert(one.method);
  }
}

void call_targets::choose(llvm::function_ref<std::string(const clang::FunctionDecl*)> why_not) {
  // A function that is dropped may have been the only target of another one's call.
  while (drop_some(why_not)) {
  }
}

bool call_targets::drop_some(llvm::function_ref<std::string(const clang::FunctionDecl*)> why_not) {
  bool any = false;
  for (const clang::FunctionDecl* function : candidates_) {
    if (dropped_.contains(function)) continue;
    const std::string why = why_not(function);
    if (why.empty()) continue;
    dropped_[function] = why;
    for (auto& [type, functions] : by_type_) std::erase(functions, function);
    any = true;
  }
  return any;
}

const call_targets::function_list& call_targets::of(type called) const {
  static const function_list none;
  const auto found = by_type_.find(called);
  return found == by_type_.end() ? none : found->second;
}

std::vector<virtual_target> call_targets::of(const clang::CXXMethodDecl* called) const {
  std::vector<virtual_target> found = virtual_.of(called);
  std::erase_if(found, [&](const virtual_target& one) { return dropped_.contains(one.method); });
  return found;
}

bool call_targets::misses_some(const clang::CXXMethodDecl* called) const {
  return virtual_.may_find_others(called) ||
         std::ranges::any_of(virtual_.of(called), [&](const virtual_target& one) {
           const auto why = dropped_.find(one.method);
           return why != dropped_.end() && why->second != called_as_task;
         });
}

std::string call_targets::explanation() const {
  std::string text;
  for (const clang::FunctionDecl* function : candidates_) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    const char* how =
        method != nullptr && method->isVirtual() ? " by a virtual call" : " through a pointer";
    text += function->getQualifiedNameAsString() + ": tasks on a device ";
    const auto why = dropped_.find(function);
    if (why == dropped_.end()) {
      text += std::string("may call it") + how;
    } else if (why->second == called_as_task) {
      text += called_as_task;
    } else {
      text += std::string("cannot call it") + how + ": " + why->second;
    }
    text += "\n";
  }
  return text;
}

}  // namespace cilk2chan
