#include "tasks/checks/check.hpp"

#include "analysis/allocations.hpp"  // has_effects_in_sizes
#include "diagnostics/refusals.hpp"
#include "frontend/children.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/AST/StmtCXX.h>  // CoroutineBodyStmt
#include <llvm/ADT/DenseSet.h>

#include <algorithm>
#include <set>

namespace cilk2chan {
namespace {

class checker {
 public:
  checker(program& source, const survey& facts, const function_set* left_out, bool all = false)
      : source_(source),
        survey_(facts),
        left_out_(left_out),
        all_(all),
        diagnostics_(source.context->getDiagnostics()) {}

  bool run() {
    if (left_out_ == nullptr) check_keywords();
    find_tasks();
    // If a function itself is refused, messages about its statements do not help.
    if (all_ || !diagnostics_.hasErrorOccurred()) {
      for (std::size_t i = 0; i < source_.tasks.size(); ++i) {
        task_function* const task = source_.tasks[i].get();
        if (task->loop != nullptr) {
          take_loops(*task);
          continue;
        }
        const auto& facts = survey_.facts.find(task->definition->getCanonicalDecl())->second;
        check_contents(source_, *task, facts);
        check_statements(source_, *task, facts);
        check_allocations(source_, *task);
        if (left_out_ != nullptr && source_.is_c()) check_c(source_, definition_of(*task));
        take_loops(*task);
      }
      check_addresses();
      add_leaves();
    }
    if (left_out_ == nullptr && source_.is_c()) check_c(source_);
    return !diagnostics_.hasErrorOccurred();
  }

 private:
  // A loop follows the function or loop around it, whose frame has to be known first.
  void take_loops(task_function& task) {
    auto loops = std::move(task.loops);
    for (auto& each : loops) {
      choose_name(*each, task.name + "_loop");
      source_.tasks.push_back(std::move(each));
    }
  }

  void choose_name(task_function& task, const std::string& name) {
    task.name = name;
    const auto& identifiers = source_.context->Idents;
    while (identifiers.find(task.name) != identifiers.end() || !names_.insert(task.name).second) {
      task.name += '_';
    }
  }

  void check_keywords() {
    llvm::DenseSet<clang::SourceLocation> spawns;
    const auto note = [&](const clang::UnaryOperator* node) {
      spawns.insert(source_.sources().getImmediateMacroCallerLoc(node->getOperatorLoc()));
    };
    for (const auto& [function, facts] : survey_.facts) {
      for (const auto* node : facts.spawns) note(node);
    }
    for (const auto* node : survey_.spawns_outside) {
      note(node);
      refuse(diagnostics_, node->getOperatorLoc(), refusals::spawn_outside);
    }
    for (const keyword_use& use : source_.keywords) {
      if (use.location.isMacroID()) {
        refuse(diagnostics_, use.location, refusals::spawn_in_macro);
      } else if (use.word == keyword::reducer) {
        refuse(diagnostics_, use.location, refusals::reducer);
      } else if (use.word == keyword::spawn && !spawns.contains(use.location)) {
        refuse(diagnostics_, use.location, refusals::spawn_without_call);
      }
    }
  }

  // Tasks are the functions that spawn, and the functions that run in tasks and call functions that
  // spawn, because a task cannot wait in the middle of a call.
  void find_tasks() {
    function_set spawning;
    for (const auto* function : survey_.order) {
      const auto& facts = survey_.facts.find(function)->second;
      if (left_out_ != nullptr && left_out_->contains(function)) continue;
      const clang::SourceLocation parallel = facts.parallel();
      if (parallel.isValid() && (acceptable(facts, parallel) || (all_ && is_plain(facts)))) {
        spawning.insert(function);
      }
    }
    for (bool grew = true; grew;) {
      grew = false;
      in_tasks_ = reachable(spawning);
      for (const auto* function : survey_.order) {
        if (spawning.contains(function) || !in_tasks_.contains(function)) continue;
        const auto& facts = survey_.facts.find(function)->second;
        for (const auto* call : facts.calls) {
          if (!spawning.contains(call->getDirectCallee()->getCanonicalDecl())) continue;
          if (!acceptable(facts, call->getExprLoc())) {
            if (all_) break;
            return;
          }
          grew = spawning.insert(function).second || grew;
          break;
        }
      }
    }
    for (const auto* function : survey_.order) {
      if (spawning.contains(function)) add_task(survey_.facts.find(function)->second.definition);
    }
  }

  function_set reachable(const function_set& roots) const {
    function_set seen = roots;
    std::vector<const clang::FunctionDecl*> waiting(roots.begin(), roots.end());
    while (!waiting.empty()) {
      const auto found = survey_.facts.find(waiting.back());
      waiting.pop_back();
      if (found == survey_.facts.end()) continue;
      for (const auto* call : found->second.calls) {
        const auto* callee = call->getDirectCallee()->getCanonicalDecl();
        if (seen.insert(callee).second) waiting.push_back(callee);
      }
    }
    return seen;
  }

  bool acceptable(const function_facts& facts, clang::SourceLocation where) {
    const clang::FunctionDecl* function = facts.definition;
    const auto is_coroutine = [&] {
      return llvm::isa<clang::CoroutineBodyStmt>(function->getBody());
    };
    // The name and the end decide: the result's type may be a macro, such as C's `bool`.
    const bool in_macro = function->getLocation().isMacroID() || function->getEndLoc().isMacroID();
    // Of two kinds that `main` may have, only the first is told unless all are.
    const bool loop_in_main =
        function->isMain() && (facts.spawns.empty() || (all_ && !facts.loops.empty()));
    const std::pair<bool, const refusal*> obstacles[] = {
        {facts.spawns_in_lambda, &refusals::spawn_in_lambda},
        {function->isMain() && !facts.spawns.empty(), &refusals::spawn_in_main},
        {loop_in_main, &refusals::loop_in_main},
        {llvm::isa<clang::CXXMethodDecl>(function), &refusals::spawn_in_member},
        {function->isOverloadedOperator(), &refusals::spawn_in_operator},
        {function->isTemplated(), &refusals::spawn_in_template},
        {function->isVariadic(), &refusals::variadic_function},
        {function->isConstexpr(), &refusals::constexpr_function},
        {is_coroutine(), &refusals::coroutine},
        {in_macro, &refusals::spawn_in_macro},
        {!in_macro && !source_.sources().isInMainFile(function->getLocation()),
         &refusals::spawn_in_header}};
    bool fine = true;
    for (const auto& [stands, why] : obstacles) {
      if (!stands || (!fine && !all_)) continue;
      const bool loop = why == &refusals::loop_in_main && !facts.loops.empty();
      refuse(diagnostics_, loop ? facts.loops.front()->getForLoc() : where, *why,
             name_of(function));
      fine = false;
    }
    return fine;
  }

  // Whether a function that is refused as a whole can be looked into all the same. Of `main` only
  // the part with the spawn would become a task, and of a lambda nothing is known here.
  static bool is_plain(const function_facts& facts) {
    const clang::FunctionDecl* function = facts.definition;
    return !facts.spawns_in_lambda && !function->isMain() && !function->isTemplated() &&
           !llvm::isa<clang::CoroutineBodyStmt>(function->getBody());
  }

  static clang::FunctionDecl* definition_of(const task_function& task) {
    return const_cast<clang::FunctionDecl*>(task.definition);
  }

  task_function* add_task(const clang::FunctionDecl* function) {
    auto task = std::make_unique<task_function>();
    task->definition = function;
    choose_name(*task, function->getNameAsString() + "_task");
    task_function* added = task.get();
    source_.by_function[function->getCanonicalDecl()] = added;
    source_.tasks.push_back(std::move(task));
    check_signature(function);
    return added;
  }

  void check_signature(const clang::FunctionDecl* function) {
    if (!function->hasPrototype()) {
      // In C, the definition `int f() {...}` is the same as `int f(void) {...}`.
      if (!function->isThisDeclarationADefinition() || function->getNumParams() > 0) {
        refuse(diagnostics_, function->getLocation(), refusals::old_style_definition,
               name_of(function));
      }
    }
    if (!function->getReturnType()->isVoidType()) {
      check_type(source_, function->getReturnType(), function->getLocation(), name_of(function));
    }
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      check_type(source_, parameter->getType(), parameter->getLocation(), name_of(parameter));
      if (has_effects_in_sizes(*source_.context, parameter))
        refuse(diagnostics_, parameter->getLocation(), refusals::effect_in_size,
               name_of(parameter));
    }
  }

  // A pointer to a function that spawns could be called where a lane cannot wait.
  void check_addresses() {
    for (const auto* function : survey_.order) {
      if (!in_tasks_.contains(function)) continue;
      for (const auto* name : survey_.facts.find(function)->second.addresses) {
        const auto* named = llvm::cast<clang::FunctionDecl>(name->getDecl());
        if (source_.task_of(named) != nullptr) {
          refuse(diagnostics_, name->getLocation(), refusals::spawner_address, name_of(named));
        }
      }
    }
  }

  void add_leaves() {
    const std::size_t first_leaf = source_.tasks.size();
    for (std::size_t i = 0; i < first_leaf; ++i) {
      std::vector<const child_call*> children;
      for (const auto& entry : source_.tasks[i]->children) children.push_back(entry.second.get());
      // Emitted text may not depend on the map's order, which is that of addresses.
      std::ranges::sort(children, [](const auto* a, const auto* b) {
        return a->node()->getBeginLoc() < b->node()->getBeginLoc();
      });
      for (const child_call* child : children) {
        if (child->callee != nullptr && source_.task_of(child->callee) == nullptr) {
          add_task(child->callee)->leaf = true;
        }
      }
    }
    std::rotate(source_.tasks.begin(),
                source_.tasks.begin() + static_cast<std::ptrdiff_t>(first_leaf),
                source_.tasks.end());
  }

  program& source_;
  const survey& survey_;
  const function_set* left_out_;  // null: everything has to be accepted
  bool all_;                      // find everything that is refused
  clang::DiagnosticsEngine& diagnostics_;
  function_set in_tasks_;
  std::set<std::string> names_;
};

}  // namespace

bool check(program& source, const survey& facts) { return checker(source, facts, nullptr).run(); }

bool check_tasks(program& source, const survey& facts, const function_set& left_out) {
  return checker(source, facts, &left_out).run();
}

void list_obstacles(program& source, const survey& facts) {
  const function_set none;
  (void)checker(source, facts, &none, true).run();
}

}  // namespace cilk2chan
