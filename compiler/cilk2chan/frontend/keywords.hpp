#pragma once

#include <clang/AST/Expr.h>             // UnaryOperator
#include <clang/Basic/SourceManager.h>  // source_manager queries
#include <clang/Lex/PPCallbacks.h>      // macro expansions

#include <vector>

namespace cilk2chan {

enum class keyword { spawn, sync, for_, scope, reducer };

/// One place where the program uses a Cilk keyword.
struct keyword_use {
  keyword word;
  clang::SourceLocation location;
};

/// Records every use of a Cilk keyword while the file is preprocessed. The syntax tree does not
/// show uses in places where a keyword has no meaning.
class keyword_recorder : public clang::PPCallbacks {
 public:
  explicit keyword_recorder(std::vector<keyword_use>& uses) : uses_(uses) {}
  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange range, const clang::MacroArgs* arguments) override;

 private:
  std::vector<keyword_use>& uses_;
};

/// Whether the operator is `cilk_spawn`, whose macro expands to `__extension__`.
[[nodiscard]] bool is_spawn(const clang::UnaryOperator* node, const clang::SourceManager& sources);

/// Whether the `for` at this place is a `cilk_for`, whose macro expands to it.
[[nodiscard]] bool is_parallel_for(clang::SourceLocation keyword,
                                   const clang::SourceManager& sources);

/// Whether the statement is `cilk_sync`, whose macro expands to `((void)0)`.
[[nodiscard]] bool is_sync(const clang::Stmt* node, const clang::SourceManager& sources);

}  // namespace cilk2chan
