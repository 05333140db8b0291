#include "analysis/complex_numbers.hpp"

#include <clang/AST/Decl.h>
#include <llvm/ADT/StringSwitch.h>

namespace cilk2chan {
namespace {

bool is_complex(const clang::Expr* value) {
  return value != nullptr && value->getType()->isAnyComplexType();
}

bool is_of_double_or_float(clang::QualType type) {
  if (const auto* complex = type->getAs<clang::ComplexType>()) type = complex->getElementType();
  return type->isSpecificBuiltinType(clang::BuiltinType::Double) ||
         type->isSpecificBuiltinType(clang::BuiltinType::Float);
}

}  // namespace

bool is_complex_operation(const clang::Expr* value) {
  if (const auto* two = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    if (two->getOpcode() == clang::BO_Assign || two->getOpcode() == clang::BO_Comma) return false;
    return is_complex(two->getLHS()) || is_complex(two->getRHS());
  }
  if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    switch (one->getOpcode()) {
      case clang::UO_Real:
      case clang::UO_Imag:
      case clang::UO_AddrOf:
      case clang::UO_Deref:
      case clang::UO_Extension: return false;
      default: return is_complex(one->getSubExpr());
    }
  }
  const auto* cast = llvm::dyn_cast<clang::CastExpr>(value);
  if (cast == nullptr) return false;
  switch (cast->getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_ToVoid: return false;
    default: return is_complex(cast) || is_complex(cast->getSubExpr());
  }
}

llvm::SmallVector<const clang::Expr*, 2> complex_conditions(const clang::Stmt* code) {
  llvm::SmallVector<const clang::Expr*, 2> found;
  const auto add = [&](const clang::Expr* condition) {
    if (is_complex(condition)) found.push_back(condition);
  };
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) add(branch->getCond());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(code)) add(loop->getCond());
  if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(code)) add(loop->getCond());
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) add(loop->getCond());
  if (const auto* either = llvm::dyn_cast<clang::AbstractConditionalOperator>(code))
    add(either->getCond());
  if (const auto* one = llvm::dyn_cast<clang::UnaryOperator>(code);
      one != nullptr && one->getOpcode() == clang::UO_LNot)
    add(one->getSubExpr());
  if (const auto* two = llvm::dyn_cast<clang::BinaryOperator>(code);
      two != nullptr && two->isLogicalOp()) {
    add(two->getLHS());
    add(two->getRHS());
  }
  return found;
}

llvm::StringRef complex_function(const clang::FunctionDecl* function) {
  const clang::IdentifierInfo* identifier =
      function == nullptr ? nullptr : function->getIdentifier();
  if (identifier == nullptr || function->getNumParams() == 0 || function->isDefined()) return {};
  const clang::QualType type = function->getParamDecl(0)->getType();
  if (!type->isAnyComplexType() || !is_of_double_or_float(type)) return {};
  llvm::StringRef name = identifier->getName();
  name.consume_front("__builtin_");
  if (type->getAs<clang::ComplexType>()->getElementType()->isSpecificBuiltinType(
          clang::BuiltinType::Float) &&
      !name.consume_back("f"))
    return {};
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Case("creal", "real")
      .Case("cimag", "imag")
      .Case("conj", "conj")
      .Case("cproj", "proj")
      .Case("cabs", "abs")
      .Case("carg", "arg")
      .Case("cexp", "exp")
      .Case("clog", "log")
      .Case("csqrt", "sqrt")
      .Case("cpow", "pow")
      .Default("");
}

bool calculates_with_complex(const clang::Expr* value) {
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value))
    return call->getBuiltinCallee() == clang::Builtin::BI__builtin_complex ||
           !complex_function(call->getDirectCallee()).empty();
  return llvm::isa<clang::ImaginaryLiteral>(value) || is_complex_operation(value);
}

}  // namespace cilk2chan
