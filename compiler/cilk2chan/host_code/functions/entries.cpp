#include "host_code/functions/entries.hpp"

#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/type_text.hpp"
#include "tasks/task_plan.hpp"

#include <clang/Lex/Lexer.h>

#include <utility>

namespace cilk2chan::host_code {
namespace {

// A name that can be used anywhere in the file. The qualified name of something in an unnamed
// namespace leaves the unnamed namespace out.
std::string name_everywhere(const parsed_file& source, const clang::NamedDecl* declaration,
                            const std::string& own) {
  if (source.is_c()) return own;
  std::string around = declaration->getQualifiedNameAsString();
  around.erase(around.size() - declaration->getNameAsString().size());
  constexpr llvm::StringRef unnamed = "(anonymous namespace)::";
  for (std::size_t at = around.find(unnamed.str()); at != std::string::npos;
       at = around.find(unnamed.str(), at))
    around.erase(at, unnamed.size());
  return "::" + around + own;
}

class entry_rewriter : public tree_walker {
 public:
  explicit entry_rewriter(rewriting& out) : out_(out), source_(out.source) {}

  void run() {
    for (const task_entry& entry : out_.plan->entries) {
      const std::string name = source_.unused_name(entry.function->getNameAsString() + "_entry");
      if (!declare(entry, name)) continue;
      out_.entries[entry.function] = name_everywhere(source_, entry.function, name);
    }
    for (clang::Decl* one : source_.context.getTranslationUnitDecl()->decls()) {
      if (source_.in_main_file(one->getLocation())) TraverseDecl(one);
    }
  }

  bool TraverseFunctionDecl(clang::FunctionDecl* function) override {
    // A function with a task form runs as host code only when it was called as host code, and so do
    // the functions that it calls.
    if (out_.plan->tasks.contains(function->getCanonicalDecl())) return true;
    const clang::FunctionDecl* outer = std::exchange(around_, function);
    const bool go_on = tree_walker::TraverseFunctionDecl(function);
    around_ = outer;
    return go_on;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (function == nullptr) return true;
    const auto found = out_.entries.find(function->getCanonicalDecl());
    if (found == out_.entries.end()) return true;
    if (name->getBeginLoc().isMacroID() || !source_.in_main_file(name->getLocation())) return true;
    if (source_.offset(name->getBeginLoc()) < declared_at_[found->first]) return true;
    out_.calls_through_entries[source_.offset(name->getBeginLoc())] = {function, around_};
    out_.text.replace(source_.range(name), [entry = found->second] { return entry; }, 8);
    return true;
  }

 private:
  // Declares the entry right behind the function's first declaration: all types that it needs are
  // known there, and most uses come later.
  bool declare(const task_entry& entry, const std::string& name) {
    const clang::FunctionDecl* first = nullptr;
    for (const clang::FunctionDecl* one : entry.function->redecls()) {
      if (!one->getDeclContext()->getRedeclContext()->isFileContext() ||
          !one->getLexicalDeclContext()->isFileContext())
        continue;
      if (!source_.sources.isInMainFile(source_.sources.getExpansionLoc(one->getLocation()))) {
        return declare_after_header(*one, entry, name);
      }
      if (first == nullptr ||
          source_.sources.isBeforeInTranslationUnit(one->getLocation(), first->getLocation()))
        first = one;
    }
    if (first == nullptr || first->getEndLoc().isMacroID()) return false;
    unsigned at = source_.range(first->getSourceRange()).end;
    if (at == 0) return false;
    if (!first->isThisDeclarationADefinition()) {
      // `int f(int), g(int);`
      at = source_.next_token(at);
      if (source_.text()[at] != ';') return false;
      ++at;
    }
    const std::string text = " " + declaration(*first, entry, name);
    out_.text.insert(at, [text] { return text; });
    declared_at_[entry.function] = at;
    return true;
  }

  bool declare_after_header(const clang::FunctionDecl& first, const task_entry& entry,
                            const std::string& name) {
    const clang::SourceManager& sources = source_.sources;
    clang::SourceLocation where = sources.getExpansionLoc(first.getLocation());
    while (where.isValid() && !sources.isInMainFile(where))
      where = sources.getIncludeLoc(sources.getFileID(where));
    if (where.isInvalid()) return false;
    const std::size_t end = source_.text().find('\n', sources.getFileOffset(where));
    if (end == llvm::StringRef::npos) return false;
    const auto at = static_cast<unsigned>(end) + 1;
    const std::string text = out_.own_lines() + declaration(first, entry, name) + "\n" +
                             (out_.lines ? source_.line_directive(at) : "");
    out_.text.insert(at, [text] { return text; });
    declared_at_[entry.function] = at;
    return true;
  }

  std::string declaration(const clang::FunctionDecl& function, const task_entry& entry,
                          const std::string& name) const {
    const std::string label = " __asm__(\"" + entry.entry + "\");";
    if (source_.is_c())
      return "extern __typeof__(" + function.getNameAsString() + ") " + name + label;
    const clang::PrintingPolicy policy(source_.context.getLangOpts());
    std::string parameters;
    for (const clang::ParmVarDecl* parameter : function.parameters()) {
      std::string one;
      parameter->getType().getCanonicalType().getAsStringInternal(one, policy);
      if (parameter->hasDefaultArg() && !parameter->hasUninstantiatedDefaultArg())
        one += " = " + text_of(parameter->getDefaultArgRange());
      parameters += (parameters.empty() ? "" : ", ") + one;
    }
    std::string text = name + "(" + parameters + ")";
    function.getReturnType().getCanonicalType().getAsStringInternal(text, policy);
    return "extern \"C\" " + without_unnamed(text) + label;
  }

  std::string text_of(clang::SourceRange range) const {
    const llvm::StringRef text =
        clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range), source_.sources,
                                    source_.context.getLangOpts());
    return one_line(source_, text.str()).value_or("");
  }

  rewriting& out_;
  parsed_file& source_;
  const clang::FunctionDecl* around_ = nullptr;
  std::map<const clang::FunctionDecl*, unsigned> declared_at_;
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

// Declares a second symbol for a function or variable of this file.
class symbol_aliases {
 public:
  explicit symbol_aliases(const parsed_file& source) : source_(source) {}

  std::string function(const std::string& symbol, const std::string& other) {
    return linkage() + "void " + next() + "(void) __asm__(\"" + other + "\")" + alias(symbol);
  }
  // A class may have no table: then nothing makes objects of it. An alias of one would be an error.
  std::string table(const std::string& symbol, const std::string& other) {
    const std::string table = next();
    return linkage() + "const char " + table + " __asm__(\"" + symbol +
           "\") __attribute__((__weak__));\n" + linkage() +
           "__attribute__((__visibility__(\"hidden\"), __used__)) const char* const " + next() +
           " __asm__(\"" + other + "\") = &" + table + ";\n";
  }
  std::string variable(const clang::VarDecl* variable, const std::string& symbol,
                       const std::string& other) {
    const std::string reachable = name_everywhere(source_, variable, variable->getNameAsString());
    return linkage() + "__typeof__(" + reachable + ") " + next() + " __asm__(\"" + other + "\")" +
           alias(symbol);
  }

 private:
  std::string linkage() const { return source_.is_c() ? "extern " : "extern \"C\" "; }
  std::string next() { return "cilk_alias_" + std::to_string(++number_); }
  static std::string alias(const std::string& symbol) {
    return " __attribute__((__alias__(\"" + symbol + "\"), __visibility__(\"hidden\")));\n";
  }

  const parsed_file& source_;
  unsigned number_ = 0;
};

// A constructor tells the runtime which functions stay host code: when the program starts it is
// known whether it runs through channels.
std::string telling(const parsed_file& source, const std::string& lines) {
  const std::string linkage = source.is_c() ? "" : "extern \"C\" ";
  return linkage + "void channels_cilk_stays(const char* functions);\n" +
         "__attribute__((__constructor__)) static void cilk_stays(void) {\n  channels_cilk_stays(" +
         lines + ");\n}\n";
}

}  // namespace

void rewrite_entries(rewriting& out) {
  if (out.plan != nullptr && !out.plan->entries.empty()) out.keep<entry_rewriter>().run();
}

std::string epilogue(const rewriting& out) {
  if (out.plan == nullptr) return {};
  const task_plan& plan = *out.plan;
  std::string stay;
  // The program has the first reason of each; the compiler tells all (--explain).
  for (const staying_function& one : plan.stay)
    stay += quoted(one.line(one.reasons.front()) + "\n") + " ";
  if (stay.empty()) stay = "\"\"";
  std::string text = "\n" + out.own_lines();
  if (plan.entries.empty()) return text + telling(out.source, stay);
  symbol_aliases names(out.source);
  std::string none;
  text += "#if defined(CHANNELS_CILK_NO_TASKS)\n";
  for (const task_entry& one : plan.entries) {
    text += names.function(one.symbol, one.entry);
    none += quoted(shown_name(one.function) + ": stays on the host, depth-first: ") +
            " CHANNELS_CILK_NO_TASKS " + quoted("\n") + " ";
  }
  text += telling(out.source, stay + " " + none) + "#else\n";
  for (const task_entry& one : plan.entries) text += names.function(one.symbol, one.host);
  for (const shared_symbol& one : plan.shared) {
    if (llvm::isa<clang::CXXRecordDecl>(one.declaration)) {
      text += names.table(one.symbol, one.shared);
      continue;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(one.declaration);
    text += variable != nullptr ? names.variable(variable, one.symbol, one.shared)
                                : names.function(one.symbol, one.shared);
  }
  return text + telling(out.source, stay) + "#endif\n";
}

}  // namespace cilk2chan::host_code
