#include "frontend/keywords.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/CharInfo.h>   // isAsciiIdentifierContinue
#include <clang/Lex/Lexer.h>        // getImmediateMacroName
#include <clang/Lex/MacroInfo.h>    // MacroDefinition
#include <llvm/ADT/StringSwitch.h>  // names to keywords

namespace cilk2chan {

std::optional<keyword> keyword_of(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<keyword>>(name)
      .Cases("cilk_spawn", "_Cilk_spawn", keyword::spawn)
      .Cases("cilk_sync", "_Cilk_sync", keyword::sync)
      .Cases("cilk_for", "_Cilk_for", keyword::for_)
      .Cases("cilk_scope", "_Cilk_scope", keyword::scope)
      .Cases("cilk_reducer", "_Hyperobject", keyword::reducer)
      .Case(block_word, keyword::block)
      .Default(std::nullopt);
}

unsigned word_length(llvm::StringRef text, unsigned offset) {
  const llvm::StringRef word = text.substr(offset).take_while(
      [](char c) { return clang::isAsciiIdentifierContinue(static_cast<unsigned char>(c)); });
  return static_cast<unsigned>(word.size());
}

std::vector<std::string> keyword_options() {
  return {"-D_Cilk_spawn=", "-D_Cilk_sync=((void)0)", "-D_Cilk_for=for",
          "-D_Cilk_scope=", "-D_Hyperobject(...)=",
          // The file of the tasks has the members and templates of which plain forms were made.
          "-D" + block_word.str() + "="};
}

std::vector<std::string> options_to_keep_words() {
  return {"-DCHANNELS_CILK_WORDS", "-U_Cilk_spawn",  "-U_Cilk_sync",         "-U_Cilk_for",
          "-U_Cilk_scope",         "-U_Hyperobject", "-U" + block_word.str()};
}

std::vector<std::string> options_to_parse_words() {
  return {"-DCHANNELS_CILK_PARSE", "-U_Cilk_spawn", "-D_Cilk_spawn=__extension__",
          // Without a condition: variables that the block sets are set behind it.
          "-U" + block_word.str(), "-D" + block_word.str() + "=for (;;)", "-U_Hyperobject",
          R"(-D_Hyperobject(...)=[[clang::annotate_type("cilk_reducer", #__VA_ARGS__)]])"};
}

void keyword_recorder::MacroExpands(const clang::Token& name,
                                    const clang::MacroDefinition& definition,
                                    clang::SourceRange range, const clang::MacroArgs*) {
  const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
  if (identifier == nullptr) return;
  const auto word = keyword_of(identifier->getName());
  if (!word) return;
  // A program that takes a keyword out itself, as cilk/cilk_stub.h does, does not use it.
  const clang::MacroInfo* macro = definition.getMacroInfo();
  const bool taken_out = macro != nullptr && macro->tokens_empty() &&
                         (*word == keyword::spawn || *word == keyword::sync);
  if (!taken_out) uses_.push_back({*word, range.getBegin()});
}

namespace {

bool expanded_from(clang::SourceLocation location, keyword word,
                   const clang::SourceManager& sources) {
  return location.isMacroID() && keyword_of(clang::Lexer::getImmediateMacroName(
                                     location, sources, clang::LangOptions())) == word;
}

}  // namespace

llvm::DenseSet<clang::SourceLocation> scope_statements(const std::vector<keyword_use>& uses,
                                                       const clang::ASTContext& context) {
  llvm::DenseSet<clang::SourceLocation> found;
  for (const keyword_use& use : uses) {
    if (use.word != keyword::scope) continue;
    const clang::SourceManager& sources = context.getSourceManager();
    const auto next = clang::Lexer::findNextToken(sources.getExpansionLoc(use.location), sources,
                                                  context.getLangOpts());
    if (next) found.insert(next->getLocation());
  }
  return found;
}

bool is_spawn(const clang::UnaryOperator* node, const clang::SourceManager& sources) {
  return node->getOpcode() == clang::UO_Extension &&
         expanded_from(node->getOperatorLoc(), keyword::spawn, sources);
}

bool is_parallel_for(clang::SourceLocation place, const clang::SourceManager& sources) {
  return expanded_from(place, keyword::for_, sources);
}

bool is_spawned_block(clang::SourceLocation place, const clang::SourceManager& sources) {
  return expanded_from(place, keyword::block, sources);
}

bool is_sync(const clang::Stmt* node, const clang::SourceManager& sources) {
  const auto* parens = llvm::dyn_cast<clang::ParenExpr>(node);
  return parens != nullptr && expanded_from(parens->getLParen(), keyword::sync, sources);
}

}  // namespace cilk2chan
