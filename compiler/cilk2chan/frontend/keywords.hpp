#pragma once

#include <clang/AST/Expr.h>             // UnaryOperator
#include <clang/Basic/SourceManager.h>  // source_manager queries
#include <clang/Lex/PPCallbacks.h>      // macro expansions
#include <llvm/ADT/DenseSet.h>

#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

/// `block` is a `cilk_spawn` before a block, as `expand` writes it.
enum class keyword { spawn, sync, for_, scope, reducer, block };

/// What `expand` writes in the place of a `cilk_spawn` that stands before a block. To the parser it
/// is the head of a loop, so that the block is the body of a statement.
inline constexpr llvm::StringLiteral block_word = "cilk_spawn_block";

/// The variable that the front end for OpenMP declares at the beginning of a block which does one
/// thing as a whole.
inline constexpr llvm::StringLiteral parts_variable = "cilk_omp_parts";

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

/// The keyword of this name, in either of its spellings; `_Hyperobject` is `cilk_reducer`.
[[nodiscard]] std::optional<keyword> keyword_of(llvm::StringRef name);

/// The length of the identifier at `offset`, in characters.
[[nodiscard]] unsigned word_length(llvm::StringRef text, unsigned offset);

/// Options for Clang and gcc that make keywords of the words that Cilk compilers know without a
/// header, `_Cilk_spawn` and its like. To the compiler they mean what `cilk_spawn` and its like
/// mean in cilk/cilk.h. Every compiler of a program gets them.
[[nodiscard]] std::vector<std::string> keyword_options();
/// What the two passes of host code add: in the first the words stay as they are, and in the second
/// the syntax tree shows all of them.
[[nodiscard]] std::vector<std::string> options_to_keep_words();
[[nodiscard]] std::vector<std::string> options_to_parse_words();

/// Where the statements of each `cilk_scope` begin.
[[nodiscard]] llvm::DenseSet<clang::SourceLocation> scope_statements(
    const std::vector<keyword_use>& uses, const clang::ASTContext& context);

/// Whether the operator is `cilk_spawn`, whose macro expands to `__extension__`.
[[nodiscard]] bool is_spawn(const clang::UnaryOperator* node, const clang::SourceManager& sources);

/// Whether the `for` at this place is a `cilk_for`, whose macro expands to it.
[[nodiscard]] bool is_parallel_for(clang::SourceLocation place,
                                   const clang::SourceManager& sources);

/// Whether the `for` at this place is the spawn of a block.
[[nodiscard]] bool is_spawned_block(clang::SourceLocation place,
                                    const clang::SourceManager& sources);

/// Whether the statement is `cilk_sync`, whose macro expands to `((void)0)`.
[[nodiscard]] bool is_sync(const clang::Stmt* node, const clang::SourceManager& sources);

}  // namespace cilk2chan
