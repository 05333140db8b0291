#include "tasks/lanes/regular.hpp"

#include "analysis/effects.hpp"
#include "frontend/loop_task.hpp"
#include "frontend/tree_walker.hpp"

namespace cilk2chan {
namespace {

// What is called deeper than this counts as irregular. The library's own functions for elements of
// its containers call each other ten deep.
constexpr unsigned deepest_call = 16;

class irregular_finder : public tree_walker {
 public:
  explicit irregular_finder(call_effects& calls) : calls_(calls) {}

  std::string found;

  bool VisitWhileStmt(clang::WhileStmt*) override {
    return no("a loop in it ends at different times");
  }
  bool VisitDoStmt(clang::DoStmt* loop) override {
    return runs_once(loop) || no("a loop in it ends at different times");
  }
  bool VisitGotoStmt(clang::GotoStmt*) override { return no("it jumps"); }
  bool TraverseForStmt(clang::ForStmt* loop) override {
    ++loops_;
    const bool go_on = tree_walker::TraverseForStmt(loop);
    --loops_;
    return go_on;
  }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* loop) override {
    ++loops_;
    const bool go_on = tree_walker::TraverseCXXForRangeStmt(loop);
    --loops_;
    return go_on;
  }
  bool TraverseSwitchStmt(clang::SwitchStmt* choice) override {
    const unsigned outside = loops_;
    loops_ = 0;
    const bool go_on = tree_walker::TraverseSwitchStmt(choice);
    loops_ = outside;
    return go_on;
  }
  bool VisitBreakStmt(clang::BreakStmt*) override {
    return loops_ == 0 || no("a loop in it ends at different times");
  }
  bool VisitReturnStmt(clang::ReturnStmt*) override {
    return loops_ == 0 || no("a loop in it ends at different times");
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
    if (definition == nullptr || !definition->hasBody()) {
      const bool regular = callee != nullptr &&
                           (callee->getBuiltinID() != 0 || calls_.of(callee) != call_effect::any);
      return regular || no(callee == nullptr ? "it calls a function through a pointer"
                                             : "it calls '" + callee->getNameAsString() + "'");
    }
    if (callers_.contains(definition))
      return no("'" + callee->getNameAsString() + "' calls itself");
    if (callers_.size() == deepest_call) return no("it calls '" + callee->getNameAsString() + "'");
    callers_.insert(definition);
    const unsigned outside = loops_;
    loops_ = 0;
    const bool go_on = TraverseStmt(definition->getBody());
    loops_ = outside;
    callers_.remove(definition);
    return go_on;
  }

 private:
  bool no(const std::string& why) {
    found = why;
    return false;
  }

  call_effects& calls_;
  llvm::SetVector<const clang::FunctionDecl*> callers_;
  unsigned loops_ = 0;
};

}  // namespace

std::string irregular_part(const task_function& loop, call_effects& calls) {
  irregular_finder finder(calls);
  finder.look_through(loop.body());
  return finder.found;
}

}  // namespace cilk2chan
