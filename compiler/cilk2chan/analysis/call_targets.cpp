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
    if (!is_of_library(context_, call->getDirectCallee())) return true;
    for (const clang::Expr* one : call->arguments()) {
      if (const auto type = type_pointed_to(context_, one)) found_.called_.insert(type);
    }
    return true;
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

call_targets::call_targets(clang::ASTContext& context) {
  target_finder finder(context, *this);
  for (clang::Decl* one : context.getTranslationUnitDecl()->decls()) {
    if (!context.getSourceManager().isInSystemHeader(one->getLocation())) finder.TraverseDecl(one);
  }
  for (const auto& [function, types] : addressed_) {
    for (const type one : types) {
      if (called_.contains(one)) by_type_[one].push_back(function);
    }
  }
}

void call_targets::choose(llvm::function_ref<std::string(const clang::FunctionDecl*)> why_not) {
  // A function that is dropped may have been the only target of another one's call.
  while (drop_some(why_not)) {
  }
}

bool call_targets::drop_some(llvm::function_ref<std::string(const clang::FunctionDecl*)> why_not) {
  bool any = false;
  for (const auto& [function, types] : addressed_) {
    const bool wanted =
        std::ranges::any_of(types, [&](const type one) { return called_.contains(one); });
    if (!wanted || dropped_.contains(function)) continue;
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

bool call_targets::may_be_called(const clang::FunctionDecl* function) const {
  return std::ranges::any_of(by_type_, [&](const auto& one) {
    return std::ranges::find(one.second, function) != one.second.end();
  });
}

std::string call_targets::explanation() const {
  std::string text;
  for (const auto& [function, types] : addressed_) {
    const auto why = dropped_.find(function);
    if (why != dropped_.end()) {
      text += function->getNameAsString() +
              ": tasks on a device cannot call it through a pointer: " + why->second + "\n";
    } else if (may_be_called(function)) {
      text += function->getNameAsString() + ": tasks on a device may call it through a pointer\n";
    }
  }
  return text;
}

}  // namespace cilk2chan
