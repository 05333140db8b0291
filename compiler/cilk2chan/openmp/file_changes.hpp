#pragma once

#include "diagnostics/refusals.hpp"  // refusal
#include "frontend/parsed_file.hpp"

#include <clang/AST/DeclOpenMP.h>
#include <clang/AST/StmtOpenMP.h>

#include <map>
#include <string>
#include <vector>

namespace cilk2chan::openmp {

/// The changes that make Cilk of a file's OpenMP. Line numbers stay.
class file_changes {
 public:
  explicit file_changes(parsed_file& source) : source(source) {}

  parsed_file& source;
  bool found = false;        // a directive that was translated
  bool in_template = false;  // types are those of one instance
  /// What the calls of a function without parameters are written as now.
  std::map<std::string, std::string> calls;

  /// Behind earlier insertions at the same offset.
  void insert(unsigned offset, const std::string& text) {
    edits_.push_back({offset, offset, text});
  }
  void replace(text_range range, const std::string& text) {
    edits_.push_back({range.begin, range.end, text});
  }
  /// Writes `text` in place of the directive's lines.
  void replace_directive(const clang::OMPExecutableDirective* directive, const std::string& text);
  /// Puts text at the beginning of a statement, which becomes a block if it is none.
  void insert_in_block(const clang::Stmt* code, const std::string& text);
  /// Puts text at the end of that statement, inside of its block, once all in it is translated.
  void insert_at_end(const clang::Stmt* code, const std::string& text);
  /// Puts text behind that statement, once all in it is translated.
  void end_block(const clang::Stmt* code, const std::string& text);
  /// Puts a declaration before the outermost declaration that the function is in.
  void insert_before(const clang::FunctionDecl* function, const std::string& text);
  /// Puts a declaration before all text, once.
  void insert_at_start(const std::string& text);

  /// The lines of a directive, from its `#`. Refuses `_Pragma` and macros.
  [[nodiscard]] text_range lines_of(const clang::OMPExecutableDirective* directive);
  /// Where a statement begins, with its directive.
  [[nodiscard]] unsigned begin_of(const clang::Stmt* code);
  /// Where a statement ends, with its semicolon and all directives in it.
  [[nodiscard]] unsigned end_of(const clang::Stmt* code);
  /// The text of an expression.
  [[nodiscard]] std::string text_of(const clang::Expr* value);
  /// `type name`, as a declaration in the function; nothing where the type cannot be written.
  [[nodiscard]] std::string declared(clang::QualType type, const std::string& name);
  /// A declaration of `name` with the type of a variable, or of an expression of this text.
  [[nodiscard]] std::string like(const clang::VarDecl* variable, const std::string& name);
  [[nodiscard]] std::string like(const clang::Expr* value, const std::string& name);
  /// A number that no other call returns.
  unsigned next_number() { return ++numbers_; }

  void refuse(clang::SourceLocation where, const refusal& why, llvm::StringRef name = {});
  void refuse(const clang::OMPExecutableDirective* directive, const refusal& why,
              llvm::StringRef name = {}) {
    refuse(directive->getBeginLoc(), why, name);
  }

  /// The text with all changes.
  [[nodiscard]] std::string result() const;

 private:
  struct edit {
    unsigned begin;
    unsigned end;
    std::string text;
  };

  std::vector<edit> edits_;
  std::vector<const clang::Stmt*> closing_;  // that became blocks
  std::string start_;
  unsigned numbers_ = 0;
};

/// The statement that a directive stands before; null if it stands alone.
[[nodiscard]] const clang::Stmt* statement_of(const clang::OMPExecutableDirective* directive);

/// The directive's name, as `taskloop`.
[[nodiscard]] std::string name_of(const clang::OMPExecutableDirective* directive);

}  // namespace cilk2chan::openmp
