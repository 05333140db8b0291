#include "tasks/lanes/division.hpp"

#include "analysis/effects.hpp"  // falls_through
#include "frontend/keywords.hpp"

namespace cilk2chan {
namespace {

class division_finder {
 public:
  division_finder(const together& how,
                  const std::function<bool(const clang::FunctionDecl*)>& can_divide)
      : how_(how), can_divide_(can_divide), calls_(how.place.source) {
    calls_.allow(how.has_form);
  }

  const clang::Stmt* run(const clang::Stmt* code) {
    look(code);
    return fine_ ? found_ : nullptr;
  }

 private:
  // Memory is not read: parts that have begun may have changed it.
  bool only_computes(const clang::Stmt* code) {
    if (code == nullptr) return true;
    const code_effects does = effects_of(code, calls_, how_.place.owns);
    return does.can_all() && !does.loads && !does.jumps;
  }

  void look(const clang::Stmt* code) {
    if (code == nullptr || !fine_ || ended_) return;
    // Nothing has been spawned on the way here, and nothing is behind it.
    if (how_.task != nullptr && is_sync(code, how_.place.source.sources())) return;
    if (!has_lanes(how_, code) && !suspends_in(how_, code)) {
      fine_ = only_computes(code);
      ended_ = !falls_through(code);
      return;
    }
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) {
      for (auto each = list->body_begin(); each != list->body_end() && !ended_; ++each) {
        ended_ = spawns_behind(how_, calls_, {each, list->body_end()});
        look(*each);
      }
      return;
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) return choose(branch);
    if (suspends_in(how_, code) && !has_lanes(how_, code)) {
      ended_ = true;  // a leaf does not come here
      return;
    }
    const auto loop = how_.loops.lanes.find(llvm::dyn_cast<clang::ForStmt>(code));
    if (loop != how_.loops.lanes.end()) return take(code, loop->second.is_divisible());
    const auto* call = llvm::dyn_cast<clang::CallExpr>(code);
    const clang::FunctionDecl* callee = call == nullptr ? nullptr : call->getDirectCallee();
    bool plain = callee != nullptr && can_divide_(callee);
    for (unsigned i = 0; plain && i < call->getNumArgs(); ++i)
      plain = only_computes(call->getArg(i)) && !has_lanes(how_, call->getArg(i));
    take(code, plain);
  }
  void choose(const clang::IfStmt* branch) {
    fine_ = fine_ && branch->getInit() == nullptr && branch->getConditionVariable() == nullptr &&
            only_computes(branch->getCond()) && !has_lanes(how_, branch->getCond());
    bool any_goes_on = false;
    for (const clang::Stmt* arm : {branch->getThen(), branch->getElse()}) {
      look(arm);
      any_goes_on = any_goes_on || !ended_;
      ended_ = false;
    }
    ended_ = !any_goes_on;
  }
  void take(const clang::Stmt* code, bool can) {
    fine_ = fine_ && can && found_ == nullptr;
    found_ = code;
  }

  const together& how_;
  const std::function<bool(const clang::FunctionDecl*)>& can_divide_;
  call_effects calls_;
  const clang::Stmt* found_ = nullptr;
  bool fine_ = true;
  bool ended_ = false;  // what follows is not come to
};

}  // namespace

const clang::Stmt* find_division(
    const together& how, const clang::Stmt* code,
    const std::function<bool(const clang::FunctionDecl*)>& can_divide) {
  return division_finder(how, can_divide).run(code);
}

}  // namespace cilk2chan
