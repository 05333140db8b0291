#include "openmp/front_end.hpp"

#include "frontend/expand.hpp"
#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "host_code/no_header.hpp"
#include "openmp/directives.hpp"

#include <clang/AST/DeclOpenMP.h>
#include <clang/Frontend/CompilerInstance.h>

#include <map>

namespace cilk2chan::openmp {
namespace {

// A function of the program, or an instance of a template, in which OpenMP's rules are known.
class function_finder : public tree_walker {
 public:
  explicit function_finder(const parsed_file& source) : source_(source) {}

  std::map<unsigned, const clang::FunctionDecl*> found;  // by where they begin
  clang::SourceLocation thread_private;

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const override { return true; }
  bool VisitDecl(clang::Decl* one) override {
    if (llvm::isa<clang::OMPThreadPrivateDecl>(one) && thread_private.isInvalid())
      thread_private = one->getLocation();
    return true;
  }
  bool VisitFunctionDecl(clang::FunctionDecl* one) override {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(one);
    const bool lambda = method != nullptr && method->getParent()->isLambda();
    if (one->isThisDeclarationADefinition() && one->hasBody() && !lambda &&
        !one->isDependentContext() && source_.in_main_file(one->getLocation()))
      found.try_emplace(source_.offset(one->getBody()->getBeginLoc()), one);
    return true;
  }

 private:
  const parsed_file& source_;
};

class openmp_consumer : public clang::ASTConsumer {
 public:
  openmp_consumer(parsed_file& source, std::string& text, std::set<unsigned>& hidden)
      : source_(source), text_(text), hidden_(hidden) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    function_finder finder(source_);
    for (clang::Decl* one : context.getTranslationUnitDecl()->decls()) {
      if (!source_.sources.isInSystemHeader(one->getLocation())) finder.TraverseDecl(one);
    }
    file_changes out(source_);
    if (finder.thread_private.isValid())
      out.refuse(finder.thread_private, refusals::openmp_thread_private);
    final_tasks finals(out, finder.found);
    std::vector<directive_translator> made;
    made.reserve(finder.found.size());
    for (const auto& [at, function] : finder.found) made.emplace_back(out, finals, function).run();
    finals.change_text();
    refuse_helpers(out, finder, made);
    refuse_numbers(out, finder, made);
    hidden_ = source_.hidden;
    if (out.found) text_ = out.result();
  }

 private:
  // A function that only waits would wait for its caller's tasks, which a `cilk_sync` does not. Of
  // other files callers are not known: then it is one that has called nothing before it waits, and
  // so can mean no other tasks.
  void refuse_helpers(file_changes& out, const function_finder& finder,
                      const std::vector<directive_translator>& made) {
    std::size_t at = 0;
    for (const auto& [offset, function] : finder.found) {
      const directive_translator& waiting = made[at++];
      if (waiting.waits.isInvalid() || waiting.makes_tasks) continue;
      const bool elsewhere =
          waiting.waits_before_calls && function->isExternallyVisible() && !function->isMain();
      if (elsewhere || llvm::any_of(made, [&](const directive_translator& other) {
            return other.makes_tasks && other.called.contains(function->getCanonicalDecl());
          }))
        out.refuse(waiting.waits, refusals::openmp_waits_for_caller, function->getName());
    }
  }

  // A function that a team's threads call does not know which of them it runs in.
  void refuse_numbers(file_changes& out, const function_finder& finder,
                      const std::vector<directive_translator>& made) {
    llvm::DenseSet<const clang::FunctionDecl*> reached;
    const auto reach = [&](const clang::FunctionDecl* one, const auto& self) -> void {
      if (!reached.insert(one).second) return;
      std::size_t at = 0;
      for (const auto& [offset, function] : finder.found) {
        const directive_translator& each = made[at++];
        if (function->getCanonicalDecl() != one) continue;
        if (each.asks_for_thread.isValid())
          out.refuse(each.asks_for_thread, refusals::openmp_thread_number, function->getName());
        for (const clang::FunctionDecl* next : each.all_called) self(next, self);
      }
    };
    for (const directive_translator& each : made) {
      for (const clang::FunctionDecl* one : each.called_by_team) reach(one, reach);
    }
  }

  parsed_file& source_;
  std::string& text_;
  std::set<unsigned>& hidden_;
};

class openmp_action : public clang::ASTFrontendAction {
 public:
  openmp_action(std::string& text, std::set<unsigned>& hidden) : text_(text), hidden_(hidden) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    source_ = std::make_unique<parsed_file>(compiler.getASTContext(), compiler.getPreprocessor());
    return std::make_unique<openmp_consumer>(*source_, text_, hidden_);
  }

 private:
  std::string& text_;
  std::set<unsigned>& hidden_;
  std::unique_ptr<parsed_file> source_;
};

}  // namespace

std::optional<std::string> as_cilk(const host_code::source_file& file) {
  host_code::source_file now = file;
  std::set<unsigned> asked;
  for (int tries = 0; tries < 8; ++tries) {
    host_code::expansion expanded =
        host_code::expand(now, asked, host_code::report_no_header, {.openmp = true});
    if (expanded.fine && !expanded.has_cilk) return now.text;
    if (expanded.fine) now.text = std::move(expanded.text);
    std::string text = now.text;
    std::string messages;
    asked.clear();
    std::vector<std::string> more = options_to_parse_words();
    more.insert(more.end(),
                {"-fopenmp", "-Wno-unknown-pragmas", "-Wno-pragma-once-outside-header"});
    const bool fine =
        host_code::run_frontend(now, std::make_unique<openmp_action>(text, asked), more, messages);
    if (!fine) {
      llvm::errs() << messages;
      return std::nullopt;
    }
    if (asked.empty()) return text;
  }
  llvm::errs() << file.name
               << ": error: a macro that is not written in this file hides a part of "
                  "an OpenMP directive's statement\n";
  return std::nullopt;
}

unsigned line_of_directive(llvm::StringRef text) {
  for (unsigned line = 1; !text.empty(); ++line) {
    llvm::StringRef one;
    std::tie(one, text) = text.split('\n');
    one = one.ltrim();
    if (!one.consume_front("#")) continue;
    one = one.ltrim();
    if (!one.consume_front("pragma")) continue;
    one = one.ltrim();
    if (one.consume_front("omp") && (one.empty() || one.front() == ' ' || one.front() == '\t'))
      return line;
  }
  return 0;
}

}  // namespace cilk2chan::openmp
