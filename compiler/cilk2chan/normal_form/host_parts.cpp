#include "normal_form/host_parts.hpp"

#include "analysis/effects.hpp"
#include "analysis/loop_forms.hpp"
#include "frontend/tree_walker.hpp"
#include "normal_form/regions.hpp"
#include "normal_form/shared_loops.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>
#include <map>

namespace cilk2chan {
namespace {

using function_set = llvm::DenseSet<const clang::FunctionDecl*>;

// Whether code loops for a number of times that is not written there, or calls what does.
class loop_finder : public tree_walker {
 public:
  explicit loop_finder(const clang::ASTContext& context) : context_(context) {}
  bool found = false;

  bool VisitForStmt(clang::ForStmt* loop) override {
    found = found || !has_fixed_limit(context_, loop);
    return !found;
  }
  bool VisitWhileStmt(clang::WhileStmt*) override { return !(found = true); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt*) override { return !(found = true); }
  bool VisitDoStmt(clang::DoStmt* loop) override {
    found = found || !runs_once(loop);
    return !found;
  }
  bool VisitCallExpr(clang::CallExpr* call) override { return look_into(call->getDirectCallee()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return look_into(made->getConstructor());
  }

 private:
  bool look_into(const clang::FunctionDecl* callee) {
    const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
    if (definition != nullptr && definition->hasBody() && seen_.insert(definition).second)
      TraverseStmt(definition->getBody());
    return !found;
  }

  const clang::ASTContext& context_;
  function_set seen_;
};

// What a function has in its parallel parts and outside of them.
class part_reader : public tree_walker {
 public:
  part_reader(parsed_file& source, const clang::FunctionDecl* definition, call_edges& edges,
              const function_set& spawns)
      : source_(source), definition_(definition), edges_(edges), spawns_(spawns) {
    for (const parallel_region& one : parallel_regions(source, definition)) {
      is_cut = is_cut && !one.statements.empty();
      regions_.insert(one.statements.begin(), one.statements.end());
    }
    is_cut = is_cut && !regions_.empty();
    look_through(definition->getBody());
  }

  bool is_cut = true;     // all of its parallel parts can be
  bool works = false;     // it has long work outside of them
  function_set in_tasks;  // functions that parallel parts name, and others that no call names
  function_set called;    // those that calls outside name

  bool TraverseStmt(clang::Stmt* code) override {
    if (!regions_.contains(code)) return tree_walker::TraverseStmt(code);
    ++inside_;
    const bool go_on = tree_walker::TraverseStmt(code);
    --inside_;
    return go_on;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    if (inside_ > 0 || works || has_region(loop)) return true;
    works = !has_fixed_limit(source_.context, loop) &&
            !find_shared_loop(source_, definition_, loop,
                              [this](const auto* one) { return spawns_.contains(one); });
    return true;
  }
  bool VisitWhileStmt(clang::WhileStmt* loop) override { return note_loop(loop); }
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) override { return note_loop(loop); }
  bool VisitDoStmt(clang::DoStmt* loop) override { return runs_once(loop) || note_loop(loop); }
  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const auto* name = name_of_function(call->getCallee())) named_by_calls_.insert(name);
    if (virtual_callee(call) != nullptr) {
      for (const virtual_target& one : edges_.of_virtual(call)) in_tasks.insert(one.method);
    } else if (call->getDirectCallee() == nullptr) {
      const auto& targets = edges_.of_pointer(call);
      in_tasks.insert(targets.begin(), targets.end());
    }
    note(call->getDirectCallee());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    note(made->getConstructor());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (function != nullptr && !named_by_calls_.contains(name))
      in_tasks.insert(function->getCanonicalDecl());
    return true;
  }

 private:
  bool note_loop(const clang::Stmt* loop) {
    works = works || (inside_ == 0 && !has_region(loop));
    return true;
  }
  void note(const clang::FunctionDecl* callee) {
    if (callee == nullptr) return;
    callee = callee->getCanonicalDecl();
    (inside_ > 0 ? in_tasks : called).insert(callee);
    if (inside_ > 0 || works || spawns_.contains(callee)) return;
    const clang::FunctionDecl* definition = callee->getDefinition();
    if (definition == nullptr || !definition->hasBody()) return;
    loop_finder look(source_.context);
    look.look_through(definition->getBody());
    works = look.found;
  }
  bool has_region(const clang::Stmt* code) const {
    if (code == nullptr) return false;
    return regions_.contains(code) ||
           std::ranges::any_of(code->children(), [&](const auto* one) { return has_region(one); });
  }

  parsed_file& source_;
  const clang::FunctionDecl* definition_;
  call_edges& edges_;
  const function_set& spawns_;
  llvm::DenseSet<const clang::Stmt*> regions_;
  llvm::DenseSet<const clang::DeclRefExpr*> named_by_calls_;
  int inside_ = 0;
};

}  // namespace

function_set functions_with_host_parts(
    parsed_file& source, const llvm::MapVector<const clang::FunctionDecl*, instance>& found,
    reference_finder& references, call_edges& edges, const function_set& spawns,
    const named_functions& refused) {
  const auto add_reached = [&](function_set& from) {
    std::vector<const clang::FunctionDecl*> waiting(from.begin(), from.end());
    while (!waiting.empty()) {
      const clang::FunctionDecl* function = waiting.back();
      waiting.pop_back();
      const auto add = [&](const clang::FunctionDecl* one) {
        if (from.insert(one).second) waiting.push_back(one);
      };
      for (const clang::FunctionDecl* one : references.of(function).functions) add(one);
      if (!found.contains(function)) continue;
      for (const clang::FunctionDecl* one : edges.of(function)) add(one);
    }
  };
  const auto calls_itself = [&](const clang::FunctionDecl* function) {
    function_set below;
    const auto& named = references.of(function).functions;
    below.insert(named.begin(), named.end());
    for (const clang::FunctionDecl* one : edges.of(function)) below.insert(one);
    add_reached(below);
    return below.contains(function);
  };

  std::map<const clang::FunctionDecl*, part_reader, declared_before> parts;
  function_set candidates;
  for (const auto& [function, one] : found) {
    if (!one.spawns || !can_be_cut(one.definition)) continue;
    const auto& read =
        parts.try_emplace(function, source, one.definition, edges, spawns).first->second;
    const unsigned line = source.line_of(one.definition->getLocation());
    if (read.is_cut && !function->isMain() && !calls_itself(function) &&
        !refused.contains({function->getNameAsString(), line}))
      candidates.insert(function);
  }
  for (;;) {
    function_set chosen;
    for (bool changed = true; changed;) {
      changed = false;
      for (const clang::FunctionDecl* one : candidates) {
        const part_reader& read = parts.at(one);
        const bool calls_one =
            llvm::any_of(read.called, [&](const auto* each) { return chosen.contains(each); });
        if (read.works || calls_one) changed = chosen.insert(one).second || changed;
      }
    }
    function_set in_tasks;
    for (const auto& [function, one] : found) {
      if (!one.spawns) continue;
      const auto read = parts.find(function);
      const bool is_cut = read != parts.end() && (function->isMain() || chosen.contains(function));
      if (is_cut) {
        in_tasks.insert(read->second.in_tasks.begin(), read->second.in_tasks.end());
      } else {
        const auto& named = references.of(function).functions;
        in_tasks.insert(named.begin(), named.end());
        for (const clang::FunctionDecl* each : edges.of(function)) in_tasks.insert(each);
      }
    }
    add_reached(in_tasks);
    const std::size_t before = candidates.size();
    for (const clang::FunctionDecl* one : chosen) {
      if (in_tasks.contains(one)) candidates.erase(one);
    }
    if (candidates.size() == before) return chosen;
  }
}

}  // namespace cilk2chan
