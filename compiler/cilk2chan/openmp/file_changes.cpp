#include "openmp/file_changes.hpp"

#include "frontend/writer.hpp"           // line_directive
#include "host_code/rewriting.hpp"       // end_of_statement
#include "normal_form/hidden_types.hpp"  // has_hidden_type
#include "normal_form/plain_types.hpp"

#include <algorithm>

namespace cilk2chan::openmp {
namespace {

// The end of the line at `at`, which a backslash or a comment may have made longer.
unsigned end_of_line(llvm::StringRef text, unsigned at) {
  for (bool comment = false; at < text.size(); ++at) {
    if (comment) {
      comment = !(text[at] == '/' && text[at - 1] == '*');
    } else if (text.substr(at).starts_with("/*")) {
      comment = true;
      ++at;
    } else if (text[at] == '\n' && text[at - 1] != '\\') {
      break;
    }
  }
  return at;
}

std::string lines_in(llvm::StringRef text) {
  return std::string(static_cast<std::size_t>(text.count('\n')), '\n');
}

}  // namespace

const clang::Stmt* statement_of(const clang::OMPExecutableDirective* directive) {
  return directive->hasAssociatedStmt() && directive->getAssociatedStmt() != nullptr
             ? directive->getRawStmt()
             : nullptr;
}

std::string name_of(const clang::OMPExecutableDirective* directive) {
  return llvm::omp::getOpenMPDirectiveName(directive->getDirectiveKind()).str();
}

void file_changes::refuse(clang::SourceLocation where, const refusal& why, llvm::StringRef name) {
  cilk2chan::refuse(source.context.getDiagnostics(), source.sources.getExpansionLoc(where), why,
                    name);
}

text_range file_changes::lines_of(const clang::OMPExecutableDirective* directive) {
  const clang::SourceLocation where = directive->getBeginLoc();
  const llvm::StringRef text = source.text();
  const unsigned at = where.isMacroID() ? 0 : source.offset(where);
  const std::size_t line = text.take_front(at).rfind('\n') + 1;
  const std::size_t hash = text.find_first_not_of(" \t", line);
  if (where.isMacroID() || hash == llvm::StringRef::npos || text[hash] != '#') {
    refuse(where, refusals::openmp_operator);
    return {at, at};
  }
  return {static_cast<unsigned>(hash), end_of_line(text, static_cast<unsigned>(hash))};
}

void file_changes::replace_directive(const clang::OMPExecutableDirective* directive,
                                     const std::string& text) {
  found = true;
  const text_range lines = lines_of(directive);
  replace(lines, text + lines_in(source.text().slice(lines.begin, lines.end)));
}

void file_changes::insert_in_block(const clang::Stmt* code, const std::string& text) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code);
  if (block != nullptr) {
    source.hide(block->getLBracLoc());
    if (!text.empty()) insert(source.offset(block->getLBracLoc()) + 1, " " + text);
    return;
  }
  insert(source.offset(code->getBeginLoc()), "{ " + text);
  closing_.push_back(code);
}

void file_changes::insert_at_end(const clang::Stmt* code, const std::string& text) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code);
  if (block == nullptr) return insert(end_of(code), text);
  source.hide(block->getRBracLoc());
  insert(source.offset(block->getRBracLoc()), text + " ");
}

void file_changes::end_block(const clang::Stmt* code, const std::string& text) {
  const bool closes = std::ranges::find(closing_, code) != closing_.end();
  insert(end_of(code), (closes ? " }" : "") + text);
}

void file_changes::insert_before(const clang::FunctionDecl* function, const std::string& text) {
  const clang::Decl* outermost = function;
  for (const clang::DeclContext* at = function->getLexicalDeclContext();
       at != nullptr && !at->isFileContext(); at = at->getLexicalParent())
    outermost = llvm::cast<clang::Decl>(at);
  insert(source.offset(outermost->getBeginLoc()), text);
}

void file_changes::insert_at_start(const std::string& text) {
  if (start_.find(text) == std::string::npos) start_ += text;
}

unsigned file_changes::begin_of(const clang::Stmt* code) {
  if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(code))
    return lines_of(directive).begin;
  source.hide(code->getBeginLoc());
  return source.offset(code->getBeginLoc());
}

unsigned file_changes::end_of(const clang::Stmt* code) {
  if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(code)) {
    const clang::Stmt* inner = statement_of(directive);
    return inner == nullptr ? lines_of(directive).end : end_of(inner);
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code))
    return end_of(branch->getElse() != nullptr ? branch->getElse() : branch->getThen());
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) return end_of(loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(code)) return end_of(loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(code))
    return end_of(loop->getBody());
  if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(code))
    return end_of(label->getSubStmt());
  return host_code::end_of_statement(source, code);
}

std::string file_changes::text_of(const clang::Expr* value) {
  std::string text = source.text(source.range(value->IgnoreImplicit()->getSourceRange()));
  for (const auto& [call, written] : calls) {
    for (std::size_t at = 0; (at = text.find(call + "()", at)) != std::string::npos;)
      text.replace(at, call.size() + 2, written);
  }
  return text;
}

std::string file_changes::declared(clang::QualType type, const std::string& name) {
  const auto text =
      plain_type(source.context, type.getNonReferenceType().getUnqualifiedType(), name);
  return !text || in_template || has_hidden_type(*text) ? "" : *text;
}

std::string file_changes::like(const clang::VarDecl* variable, const std::string& name) {
  const std::string text = declared(variable->getType(), name);
  return text.empty() ? "__typeof__(" + variable->getNameAsString() + ") " + name : text;
}

std::string file_changes::like(const clang::Expr* value, const std::string& name) {
  const std::string text = declared(value->getType().getAtomicUnqualifiedType(), name);
  return text.empty() ? "__typeof__(" + text_of(value) + ") " + name : text;
}

std::string file_changes::result() const {
  std::vector<edit> sorted = edits_;
  std::ranges::stable_sort(sorted, {}, &edit::begin);
  std::string text;
  unsigned at = 0;
  for (const edit& one : sorted) {
    if (one.begin < at) continue;
    text += source.text().slice(at, one.begin).str() + one.text;
    at = one.end;
  }
  text += source.text().substr(at).str();
  if (start_.empty()) return text;
  const auto name = source.sources.getBufferName(
      source.sources.getLocForStartOfFile(source.sources.getMainFileID()));
  return start_ + "\n" + line_directive(name.str(), 1) + text;
}

}  // namespace cilk2chan::openmp
