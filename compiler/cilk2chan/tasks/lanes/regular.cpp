#include "tasks/lanes/regular.hpp"

#include "frontend/loop_task.hpp"
#include "frontend/tree_walker.hpp"

namespace cilk2chan {
namespace {

// What is called deeper than this counts as irregular.
constexpr unsigned deepest_call = 3;

class irregular_finder : public tree_walker {
 public:
  irregular_finder(call_effects& calls, unsigned depth) : calls_(calls), depth_(depth) {}

  std::string found;

  bool VisitWhileStmt(clang::WhileStmt*) override {
    return no("a loop in it ends at different times");
  }
  bool VisitDoStmt(clang::DoStmt*) override { return no("a loop in it ends at different times"); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt*) override {
    return no("a loop in it ends at different times");
  }
  bool VisitGotoStmt(clang::GotoStmt*) override { return no("it jumps"); }
  bool TraverseForStmt(clang::ForStmt* loop) override {
    ++loops_;
    const bool go_on = tree_walker::TraverseForStmt(loop);
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
    if (definition == nullptr || !definition->hasBody())
      return calls_.of(callee) != call_effect::any ||
             no(callee == nullptr ? "it calls a function through a pointer"
                                  : "it calls '" + callee->getNameAsString() + "'");
    if (depth_ == deepest_call) return no("it calls '" + callee->getNameAsString() + "'");
    irregular_finder inner(calls_, depth_ + 1);
    inner.TraverseStmt(definition->getBody());
    return inner.found.empty() || no(inner.found);
  }

 private:
  bool no(const std::string& why) {
    found = why;
    return false;
  }

  call_effects& calls_;
  unsigned depth_;
  unsigned loops_ = 0;
};

}  // namespace

std::string irregular_part(const task_function& loop, call_effects& calls) {
  irregular_finder finder(calls, 0);
  finder.look_through(loop.body());
  return finder.found;
}

}  // namespace cilk2chan
