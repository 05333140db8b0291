#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <optional>

namespace cilk2chan {

/// A statement that copies or fills a block of memory: `memcpy`, `memmove` or `memset`, without use
/// of its result, of a number of bytes that is not written there.
struct block_operation {
  enum class kind { copies, moves, fills };

  kind what = kind::copies;
  const clang::Expr* to = nullptr;
  const clang::Expr* from = nullptr;  // for `fills`: the value of each byte
  const clang::Expr* bytes = nullptr;
};

/// Nothing if the statement is something else, or if an argument has effects.
[[nodiscard]] std::optional<block_operation> block_operation_of(const clang::ASTContext& context,
                                                                const clang::Stmt* code);

}  // namespace cilk2chan
