#include "analysis/liveness.hpp"

#include "frontend/tree_walker.hpp"

#include <clang/Analysis/Analyses/LiveVariables.h>
#include <clang/Analysis/AnalysisDeclContext.h>
#include <clang/Analysis/CFG.h>

namespace cilk2chan {
namespace {

class variable_collector : public tree_walker {
 public:
  variable_set declared;
  std::vector<const clang::Stmt*> parts;

  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.insert(variable);
    return true;
  }
  bool VisitStmt(clang::Stmt* node) override {
    parts.push_back(node);
    return true;
  }
};

class live_after : public clang::LiveVariables::Observer {
 public:
  explicit live_after(std::map<const clang::Stmt*, variable_set>& after) : after_(after) {}

  void observeStmt(const clang::Stmt* node, const clang::CFGBlock*,
                   const clang::LiveVariables::LivenessValues& live) override {
    variable_set& kept = after_[node];
    for (const clang::VarDecl* variable : live.liveDecls) kept.insert(variable);
  }

 private:
  std::map<const clang::Stmt*, variable_set>& after_;
};

}  // namespace

liveness::liveness(const program& source, const task_function& task) {
  (void)source;
  clang::AnalysisDeclContextManager manager(task.definition->getASTContext());
  auto& options = manager.getCFGBuildOptions();
  options.setAllAlwaysAdd();
  options.PruneTriviallyFalseEdges = false;
  clang::AnalysisDeclContext* context = manager.getContext(task.definition);
  auto* live = context->getAnalysis<clang::LiveVariables>();
  if (live == nullptr) return;
  live_after observer(after_);
  live->runOnAllBlocks(observer);

  variable_collector all;
  all.look_through(task.definition);
  for (const auto& [node, unused] : after_) {
    for (const clang::VarDecl* variable : all.declared) {
      if (live->isLive(node, variable)) before_[node].insert(variable);
    }
  }
}

variable_set liveness::before(const statement_part& piece) const {
  variable_collector inside;
  if (piece.variable != nullptr) {
    inside.look_through(piece.variable);
  } else {
    inside.look_through(piece.statement);
  }
  variable_set needed;
  for (const clang::Stmt* part : inside.parts) {
    const auto found = before_.find(part);
    if (found != before_.end()) needed.insert(found->second.begin(), found->second.end());
  }
  for (const clang::VarDecl* variable : inside.declared) needed.erase(variable);
  return needed;
}

variable_set liveness::behind(const clang::Stmt* statement) const {
  variable_collector inside;
  inside.look_through(statement);
  variable_set needed;
  for (const clang::Stmt* part : inside.parts) {
    const auto found = after_.find(part);
    if (found != after_.end()) needed.insert(found->second.begin(), found->second.end());
  }
  for (const clang::VarDecl* variable : inside.declared) needed.erase(variable);
  return needed;
}

variable_set liveness::after(const clang::Expr* node) const {
  const auto found = after_.find(node->IgnoreParens());
  return found == after_.end() ? variable_set() : found->second;
}

}  // namespace cilk2chan
