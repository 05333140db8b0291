#include "tasks/parallel_loops.hpp"

#include "analysis/breakable_walker.hpp"
#include "analysis/loop_forms.hpp"
#include "diagnostics/refusals.hpp"
#include "frontend/keywords.hpp"
#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/checks/check.hpp"  // name_of

namespace cilk2chan {
namespace {

// Refuses what a loop's body may not contain, and collects the variables that the loop declares.
class loop_reader : public breakable_walker {
 public:
  explicit loop_reader(const program& source)
      : diagnostics_(source.context->getDiagnostics()), sources_(source.sources()) {}

  llvm::DenseSet<const clang::VarDecl*> declared;

  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.insert(variable);
    return true;
  }
  bool VisitReturnStmt(clang::ReturnStmt* node) override {
    return no(node->getReturnLoc(), refusals::loop_return);
  }
  bool VisitBreakStmt(clang::BreakStmt* node) override {
    return inner_ > 0 || no(node->getBreakLoc(), refusals::loop_break);
  }

 private:
  // A `break` may leave a loop or `switch` in the body; it may not leave a `cilk_for`.
  bool inside(const clang::Stmt* code, llvm::function_ref<bool()> walk) override {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(code);
    const int outer = inner_;
    inner_ = loop != nullptr && is_parallel(loop, sources_) ? 0 : inner_ + 1;
    const bool go_on = walk();
    inner_ = outer;
    return go_on;
  }
  bool no(clang::SourceLocation where, const refusal& why) {
    refuse(diagnostics_, where, why);
    return true;
  }

  clang::DiagnosticsEngine& diagnostics_;
  const clang::SourceManager& sources_;
  int inner_ = 0;
};

class use_collector : public tree_walker {
 public:
  explicit use_collector(const loop_task& loop) : loop_(loop) {}

  std::vector<const clang::VarDecl*> used;

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && variable->hasLocalStorage() && !loop_.variables.contains(variable))
      used.push_back(variable);
    return true;
  }

 private:
  const loop_task& loop_;
};

}  // namespace

bool is_parallel(const clang::ForStmt* loop, const clang::SourceManager& sources) {
  return is_parallel_for(loop->getForLoc(), sources);
}

std::string grain_before(const clang::SourceManager& sources, const clang::ForStmt* loop) {
  const auto [file, offset] = sources.getDecomposedLoc(sources.getExpansionLoc(loop->getForLoc()));
  llvm::StringRef before = sources.getBufferData(file).take_front(offset).rtrim();
  llvm::StringRef line = before.substr(before.rfind('\n') + 1).trim();
  if (!line.consume_front("#")) return {};
  for (const char* word : {"pragma", "cilk", "grainsize"}) {
    line = line.ltrim();
    if (!line.consume_front(word)) return {};
  }
  line = line.ltrim();
  line.consume_front("=");
  return line.trim().str();
}

std::unique_ptr<loop_task> read_loop(const program& source, const clang::ForStmt* loop) {
  const auto no = [&](clang::SourceLocation where, const refusal& why, const std::string& name) {
    refuse(source.context->getDiagnostics(), where, why, name);
  };
  const auto form = find_form(*source.context, loop, no);
  if (!form) return nullptr;
  const clang::QualType type = form->variable->getType();
  const auto* head = llvm::dyn_cast<clang::DeclStmt>(loop->getInit());
  const bool counts =
      (type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType()) ||
      type->isPointerType();
  if (head == nullptr || !head->isSingleDecl() || !counts) {
    no(loop->getForLoc(), refusals::loop_variable_in_task, name_of(form->variable));
    return nullptr;
  }
  auto made = std::make_unique<loop_task>();
  made->node = loop;
  made->form = *form;
  made->grain = grain_before(source.sources(), loop);
  loop_reader reader(source);
  reader.look_through(loop->getBody());
  made->variables = std::move(reader.declared);
  made->variables.insert(form->variable);
  return made;
}

std::vector<const clang::VarDecl*> captured_by(const loop_task& loop) {
  use_collector collector(loop);
  collector.look_through(loop.node->getBody());
  return std::move(collector.used);
}

std::string loop_name(const program& source, const task_function& task) {
  const unsigned line = source.sources().getPresumedLineNumber(task.loop->node->getForLoc());
  return shown_name(task.definition) + " (cilk_for in line " + std::to_string(line) + ")";
}

bool can_count_again(const program& source, const loop_task& loop) {
  const clang::ASTContext& context = *source.context;
  return !loop.form.variable->getInit()->HasSideEffects(context) &&
         !loop.form.limit->HasSideEffects(context) &&
         (loop.form.step == nullptr || !loop.form.step->HasSideEffects(context));
}

}  // namespace cilk2chan
