#include "analysis/allocations.hpp"

#include "frontend/children.hpp"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/Builtins.h>

namespace cilk2chan {
namespace {

// The call of alloca whose result is `value`, or null; not of its kinds with an alignment.
const clang::CallExpr* alloca_call(const clang::Expr* value) {
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts());
  return call != nullptr && is_alloca(call) && call->getNumArgs() == 1 ? call : nullptr;
}

}  // namespace

bool is_alloca(const clang::CallExpr* call) {
  const clang::FunctionDecl* callee = call->getDirectCallee();
  switch (callee == nullptr ? 0U : callee->getBuiltinID()) {
    case clang::Builtin::BIalloca:
    case clang::Builtin::BI__builtin_alloca:
    case clang::Builtin::BI__builtin_alloca_uninitialized:
    case clang::Builtin::BI__builtin_alloca_with_align:
    case clang::Builtin::BI__builtin_alloca_with_align_uninitialized: return true;
    default: return false;
  }
}

const clang::VariableArrayType* variable_array(const clang::VarDecl* variable) {
  return llvm::dyn_cast<clang::VariableArrayType>(variable->getType().getCanonicalType());
}

bool has_effects_in_sizes(const clang::ASTContext& context, const clang::ParmVarDecl* parameter) {
  clang::QualType type = parameter->getOriginalType().getCanonicalType();
  while (type->isVariablyModifiedType()) {
    if (const auto* array = context.getAsArrayType(type)) {
      const auto* varies = llvm::dyn_cast<clang::VariableArrayType>(array);
      const clang::Expr* size = varies == nullptr ? nullptr : varies->getSizeExpr();
      if (size != nullptr && size->HasSideEffects(context)) return true;
      type = array->getElementType();
    } else {
      type = type->getPointeeType();
      if (type.isNull()) return true;
    }
  }
  return false;
}

std::optional<allocation> allocation_in(const clang::Stmt* statement) {
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (expression == nullptr) return std::nullopt;
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(bare(expression));
  if (binary == nullptr || binary->getOpcode() != clang::BO_Assign) return std::nullopt;
  if (!binary->getLHS()->getType()->isPointerType()) return std::nullopt;
  const clang::CallExpr* call = alloca_call(binary->getRHS());
  if (call == nullptr) return std::nullopt;
  return allocation{nullptr, binary->getLHS(), call};
}

std::optional<allocation> allocation_in(const clang::VarDecl* variable) {
  if (!variable->hasLocalStorage()) return std::nullopt;
  if (const auto* array = variable_array(variable)) {
    // C++ has an initial value for objects of any class.
    const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable->getInit());
    const bool constructs =
        variable->getInit() != nullptr &&
        (made == nullptr || !made->getConstructor()->isTrivial() || made->getNumArgs() != 0);
    const bool plain = array->getSizeExpr() != nullptr && !constructs &&
                       !array->getElementType()->isVariablyModifiedType();
    return plain ? std::optional(allocation{variable, nullptr, nullptr}) : std::nullopt;
  }
  if (variable->getInit() == nullptr || !variable->getType()->isPointerType()) return std::nullopt;
  const clang::CallExpr* call = alloca_call(variable->getInit());
  return call == nullptr ? std::nullopt : std::optional(allocation{variable, nullptr, call});
}

const clang::Expr* size_of(const allocation& memory) {
  // The canonical type has the same expression for the size.
  return memory.call != nullptr ? memory.call->getArg(0)
                                : variable_array(memory.variable)->getSizeExpr();
}

clang::QualType pointer_type(const clang::ASTContext& context, const allocation& memory) {
  if (memory.place != nullptr) return memory.place->getType();
  const auto* array = variable_array(memory.variable);
  return array == nullptr
             ? memory.variable->getType()
             : context.getPointerType(
                   context.getAsArrayType(memory.variable->getType())->getElementType());
}

}  // namespace cilk2chan
