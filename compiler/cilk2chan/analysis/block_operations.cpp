#include "analysis/block_operations.hpp"

#include <clang/AST/Decl.h>
#include <clang/Basic/Builtins.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>

namespace cilk2chan {
namespace {

std::optional<block_operation::kind> kind_of(const clang::FunctionDecl* callee) {
  if (callee == nullptr || callee->getBuiltinID() == 0 || callee->getIdentifier() == nullptr)
    return std::nullopt;
  llvm::StringRef name = callee->getName();
  name.consume_front("__builtin_");
  using kind = block_operation::kind;
  return llvm::StringSwitch<std::optional<kind>>(name)
      .Case("memcpy", kind::copies)
      .Case("memmove", kind::moves)
      .Case("memset", kind::fills)
      .Default(std::nullopt);
}

}  // namespace

std::optional<block_operation> block_operation_of(const clang::ASTContext& context,
                                                  const clang::Stmt* code) {
  const auto* value = llvm::dyn_cast<clang::Expr>(code);
  if (value == nullptr) return std::nullopt;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts());
  if (call == nullptr || call->getNumArgs() != 3) return std::nullopt;
  const auto what = kind_of(call->getDirectCallee());
  if (!what) return std::nullopt;
  const bool plain = std::ranges::none_of(call->arguments(), [&](const clang::Expr* one) {
    return one->HasSideEffects(context) || one->isInstantiationDependent();
  });
  if (!plain || call->getArg(2)->isEvaluatable(context)) return std::nullopt;
  return block_operation{*what, call->getArg(0), call->getArg(1), call->getArg(2)};
}

}  // namespace cilk2chan
