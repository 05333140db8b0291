#include "frontend/keywords.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/Lex/Lexer.h>        // getImmediateMacroName
#include <clang/Lex/MacroInfo.h>    // MacroDefinition
#include <llvm/ADT/StringSwitch.h>  // names to keywords

#include <optional>

namespace cilk2chan {

void keyword_recorder::MacroExpands(const clang::Token& name, const clang::MacroDefinition&,
                                    clang::SourceRange range, const clang::MacroArgs*) {
  const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
  if (identifier == nullptr) return;
  const auto word = llvm::StringSwitch<std::optional<keyword>>(identifier->getName())
                        .Case("cilk_spawn", keyword::spawn)
                        .Case("cilk_sync", keyword::sync)
                        .Case("cilk_for", keyword::for_)
                        .Case("cilk_scope", keyword::scope)
                        .Case("cilk_reducer", keyword::reducer)
                        .Default(std::nullopt);
  if (word) uses_.push_back({*word, range.getBegin()});
}

namespace {

bool expanded_from(clang::SourceLocation location, llvm::StringRef macro,
                   const clang::SourceManager& sources) {
  return location.isMacroID() &&
         clang::Lexer::getImmediateMacroName(location, sources, clang::LangOptions()) == macro;
}

}  // namespace

bool is_spawn(const clang::UnaryOperator* node, const clang::SourceManager& sources) {
  return node->getOpcode() == clang::UO_Extension &&
         expanded_from(node->getOperatorLoc(), "cilk_spawn", sources);
}

bool is_parallel_for(clang::SourceLocation keyword, const clang::SourceManager& sources) {
  return expanded_from(keyword, "cilk_for", sources);
}

bool is_sync(const clang::Stmt* node, const clang::SourceManager& sources) {
  const auto* parens = llvm::dyn_cast<clang::ParenExpr>(node);
  return parens != nullptr && expanded_from(parens->getLParen(), "cilk_sync", sources);
}

}  // namespace cilk2chan
