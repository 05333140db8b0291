#include "host_code/rewriting.hpp"

#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace cilk2chan::host_code {
namespace {

struct raw_token {
  unsigned begin;
  unsigned end;
  llvm::StringRef text;
};

std::vector<raw_token> tokens_of(const parsed_file& source, text_range range) {
  const llvm::StringRef all = source.text();
  const clang::SourceLocation start =
      source.sources.getLocForStartOfFile(source.sources.getMainFileID());
  clang::Lexer lexer(start, source.context.getLangOpts(), all.begin(), all.begin() + range.begin,
                     all.end());
  std::vector<raw_token> tokens;
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    const unsigned begin = source.sources.getFileOffset(token.getLocation());
    if (token.is(clang::tok::eof) || begin >= range.end) return tokens;
    tokens.push_back(
        {begin, begin + token.getLength(), all.slice(begin, begin + token.getLength())});
  }
}

// One variable of a declaration, and where it stands in the text.
struct declarator {
  const clang::VarDecl* variable = nullptr;
  unsigned name = 0;  // offset
  text_range value;   // of a spawn: from behind the declarator to the end of the initialiser
};

class declaration {
 public:
  declaration(parsed_file& source, const clang::DeclStmt* statement) : source_(source) {
    all_ = source.range(statement);
    for (const clang::Decl* one : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr || !source.in_main_file(variable->getLocation()) ||
          variable->getLocation().isMacroID()) {
        if (variable != nullptr) source.hide(variable->getLocation());
        broken_ = true;
        return;
      }
      declarator& made = variables_.emplace_back();
      made.variable = variable;
      made.name = source.offset(variable->getLocation());
      find_value(made);
    }
    if (all_.end == 0 || variables_.empty()) broken_ = true;
    if (!broken_) specifiers_ = {all_.begin, start_of_declarator(variables_.front())};
  }

  bool can(const clang::VarDecl* variable) const {
    if (broken_) return false;
    const auto own = std::ranges::find(variables_, variable, &declarator::variable);
    if (own == variables_.end() || own->value.end == 0) return false;
    // Specifiers that declare a type cannot be written twice.
    if (variables_.size() > 1 && source_.text(specifiers_).find('{') != std::string::npos)
      return false;
    if (variables_.size() > 1 && variable->getType()->getContainedAutoType() != nullptr &&
        own->variable != variables_.front().variable) {
      return !own->variable->getType()->isPointerType();
    }
    if (variable->getType().isConstQualified() && constants(*own).empty()) return false;
    return !(variable->isConstexpr() || variable->getType()->isReferenceType());
  }

  std::vector<declarator> variables_;
  text_range specifiers_;

  // The `const` tokens of the variable itself. They go away when its value is assigned later.
  std::vector<raw_token> constants(const declarator& one) const {
    std::vector<raw_token> found;
    const auto tokens = tokens_of(source_, {all_.begin, one.name});
    const auto star = std::find_if(tokens.rbegin(), tokens.rend(),
                                   [](const raw_token& token) { return token.text == "*"; });
    const unsigned after =
        star == tokens.rend() || !one.variable->getType()->isPointerType() ? 0 : star->begin;
    for (const raw_token& token : tokens) {
      if (token.text == "const" && token.begin >= after) found.push_back(token);
    }
    return found;
  }

 private:
  void find_value(declarator& made) {
    const clang::Expr* value = made.variable->getInit();
    if (value == nullptr) return;
    const unsigned after_name = made.name + static_cast<unsigned>(made.variable->getName().size());
    if (made.variable->getInitStyle() != clang::VarDecl::CInit) {
      unsigned end = source_.range(made.variable->getSourceRange()).end;
      if (end <= after_name) return;
      // Of `int x(f())` Clang's range ends before the last parenthesis.
      int open = 0;
      for (const raw_token& token : tokens_of(source_, {after_name, end}))
        open += token.text == "(" ? 1 : token.text == ")" ? -1 : 0;
      if (open > 0) end = source_.next_token(end) + 1;
      made.value = {after_name, end};
      return;
    }
    const text_range range = source_.range(value);
    if (range.end == 0) return;
    const auto tokens = tokens_of(source_, {after_name, range.begin});
    const auto equals = std::find_if(tokens.rbegin(), tokens.rend(),
                                     [](const raw_token& token) { return token.text == "="; });
    if (equals == tokens.rend()) return;
    const std::size_t before = source_.text().take_front(equals->begin).find_last_not_of(" \t");
    made.value = {static_cast<unsigned>(before) + 1, range.end};
  }

  // Walks back from the name over `*`, `&` and their qualifiers.
  unsigned start_of_declarator(const declarator& first) const {
    const auto tokens = tokens_of(source_, {all_.begin, first.name});
    unsigned start = first.name;
    unsigned tentative = first.name;
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token) {
      const bool operation =
          token->text == "*" || token->text == "&" || token->text == "&&" || token->text == "(";
      const bool qualifier = token->text == "const" || token->text == "volatile" ||
                             token->text == "restrict" || token->text == "__restrict";
      if (!operation && !qualifier) break;
      tentative = token->begin;
      if (operation) start = tentative;
    }
    return start;
  }

  parsed_file& source_;
  text_range all_;
  bool broken_ = false;
};

}  // namespace

bool can_take_apart(rewriting& out, const spawn_site& site) {
  return declaration(out.source, site.statement).can(site.variable);
}

void rewrite_declaration(rewriting& out, const clang::DeclStmt* statement,
                         const std::vector<const spawn_site*>& given,
                         const std::function<std::string(const spawn_site&)>& spawn) {
  const declaration taken(out.source, statement);
  const auto site_of = [&](const clang::VarDecl* variable) -> const spawn_site* {
    const auto found = std::ranges::find(given, variable, &spawn_site::variable);
    return found == given.end() ? nullptr : *found;
  };
  const auto is_auto = [](const spawn_site* site) {
    return site != nullptr && site->variable->getType()->getContainedAutoType() != nullptr;
  };
  // Declares a variable with the type of the call that sets it.
  const auto deduced = [&out](const spawn_site* site) {
    const std::string call = out.render_line(site->node->getSubExpr());
    return (out.source.is_c() ? "__typeof__(" + call + ") "
                              : "channels::cilk::decayed<decltype(" + call + ")> ");
  };
  const text_range specifiers = taken.specifiers_;
  for (std::size_t i = 0; i < taken.variables_.size(); ++i) {
    const declarator& one = taken.variables_[i];
    const spawn_site* site = site_of(one.variable);
    if (site == nullptr) continue;
    if (i == 0 && is_auto(site)) {
      out.text.replace({specifiers.begin, one.name}, [deduced, site] { return deduced(site); }, 5);
    } else if (one.variable->getType().isConstQualified()) {
      for (const raw_token& token : taken.constants(one)) {
        out.text.replace({token.begin, token.end}, [] { return std::string(); }, 6);
      }
    }
    out.text.replace(one.value, [spawn, site] { return "; " + spawn(*site); }, 5);
    if (i + 1 == taken.variables_.size()) continue;
    const spawn_site* next = site_of(taken.variables_[i + 1].variable);
    const unsigned comma = out.source.next_token(one.value.end);
    out.text.replace(
        {comma, comma + 1},
        [&out, deduced, specifiers, next, is_auto] {
          if (is_auto(next)) return "; " + deduced(next);
          return "; " + one_line(out.source, out.text.render(specifiers)).value_or("") + " ";
        },
        5);
  }
}

}  // namespace cilk2chan::host_code
