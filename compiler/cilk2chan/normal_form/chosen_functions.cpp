#include "normal_form/chosen_functions.hpp"

#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "normal_form/guards.hpp"
#include "normal_form/hidden_types.hpp"
#include "normal_form/host_parts.hpp"
#include "normal_form/regions.hpp"
#include "normal_form/shared_loops.hpp"
#include "tasks/checks/check.hpp"

#include <algorithm>
#include <optional>

namespace cilk2chan {
namespace {

class instance_finder : public tree_walker {
 public:
  explicit instance_finder(const parsed_file& source) : source_(source) {}

  llvm::MapVector<const clang::FunctionDecl*, instance> found;  // by canonical declaration

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const override { return true; }

  bool TraverseDecl(clang::Decl* declaration) override {
    auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    const bool whole = function != nullptr && function->isThisDeclarationADefinition() &&
                       function->doesThisDeclarationHaveABody() && !function->isTemplated() &&
                       source_.in_main_file(function->getLocation());
    if (!whole) return tree_walker::TraverseDecl(declaration);
    instance* const outer = current_;
    const bool first = !found.contains(function->getCanonicalDecl());
    instance made{function, false};
    current_ = &made;
    const bool go_on = tree_walker::TraverseDecl(declaration);
    current_ = outer;
    if (first) found[function->getCanonicalDecl()] = made;
    return go_on;
  }
  // Its call operators are functions; what they spawn counts for the function around, too.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    for (clang::Expr* one : lambda->capture_inits()) TraverseStmt(one);
    instance* const outer = current_;
    for (const clang::CXXMethodDecl* one : call_operators(lambda->getLambdaClass())) {
      instance made{one, false};
      current_ = &made;
      TraverseStmt(one->getBody());
      found[one->getCanonicalDecl()] = made;
      if (outer != nullptr) outer->spawns = outer->spawns || made.spawns;
    }
    current_ = outer;
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (current_ != nullptr && is_spawn(node, source_.sources)) current_->spawns = true;
    return true;
  }
  bool VisitForStmt(clang::ForStmt* node) override {
    const bool parallel = is_parallel_for(node->getForLoc(), source_.sources) ||
                          is_spawned_block(node->getForLoc(), source_.sources);
    if (current_ != nullptr && parallel) current_->spawns = true;
    return true;
  }

 private:
  const parsed_file& source_;
  instance* current_ = nullptr;
};

// What stands in the regions of a function.
class region_walker : public tree_walker {
 public:
  region_walker(parsed_file& source, const clang::FunctionDecl* function) {
    for (const parallel_region& one : parallel_regions(source, function)) {
      for (const clang::Stmt* each : one.statements) look_through(each);
    }
  }

  llvm::DenseSet<const clang::Expr*> found;

  bool VisitCallExpr(clang::CallExpr* call) override { return found.insert(call), true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override { return found.insert(name), true; }
};

// Whether lanes can share loops of a task.
bool has_shared_loops(const parsed_file& source, const task_plan& plan) {
  const auto spawns = [&](const clang::FunctionDecl* each) { return plan.tasks.contains(each); };
  return std::any_of(plan.tasks.begin(), plan.tasks.end(), [&](const clang::FunctionDecl* one) {
    const clang::FunctionDecl* definition = one->getDefinition();
    return definition != nullptr && shares_loops(source, definition, spawns);
  });
}

}  // namespace

chosen_functions::chosen_functions(parsed_file& source, const task_plan& plan,
                                   reference_finder& references, bool shares_loops,
                                   const named_functions& kept)
    : edges(source, references),
      plan_(plan),
      references_(references),
      shares_loops_(shares_loops),
      calculates_(shares_loops && source.is_c()) {
  // For devices, some may have to do that the host is better at.
  if (plan.stay.empty() && !shares_loops && !has_more_to_say()) return;
  instance_finder finder(source);
  // Headers of the system spawn nothing, and are long.
  for (clang::Decl* one : source.context.getTranslationUnitDecl()->decls()) {
    if (!source.sources.isInSystemHeader(one->getLocation())) finder.TraverseDecl(one);
  }
  found = std::move(finder.found);
  // All tasks of a file are in one namespace: if those there are have one, they get a plain form,
  // too.
  all_ = std::ranges::any_of(plan.tasks, [](const clang::FunctionDecl* one) {
    return !one->getDeclContext()->getRedeclContext()->isTranslationUnit();
  });
  find_old_c(source);
  find_reaching();
  if (shares_loops)
    on_host = functions_with_host_parts(source, found, references, edges, reaching_, kept);
  if (plan.stay.empty() && on_host.empty() && !has_more_to_say() &&
      !has_shared_loops(source, plan)) {
    found.clear();
    return;
  }
  take_back(source, kept);
  for (const auto& [function, one] : found) {
    if (one.spawns && is_left(function)) below_.insert(function);
  }
  add_reached(below_);
  if (below_.empty()) found.clear();
}

// What calls an instance that host code cannot tell from others, and is no task anyway, is one as a
// whole, unless it is such an instance, too.
void chosen_functions::find_entered(const parsed_file& source) {
  function_set in_tasks;
  std::vector<const clang::FunctionDecl*> untold;
  for (const auto& [function, one] : found) {
    // Tasks are only parts of these.
    const bool in_part = one.definition->isMain() ||
                         llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function);
    if (!one.spawns || !is_left(function) || in_part) continue;
    if (can_be_told(source, one.definition))
      in_tasks.insert(function);
    else
      untold.push_back(function);
  }
  add_reached(in_tasks);
  function_set seen(untold.begin(), untold.end());
  while (!untold.empty()) {
    const clang::FunctionDecl* called = untold.back();
    untold.pop_back();
    if (in_tasks.contains(called)) continue;
    for (const auto& [function, one] : found) {
      if (seen.contains(function) || one.definition->isMain() || !is_left(function) ||
          !references_.of(function).functions.contains(called))
        continue;
      seen.insert(function);
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
      if ((method != nullptr && method->getParent()->isLambda()) ||
          !can_be_told(source, one.definition))
        untold.push_back(function);
      else
        entered_.insert(function);
    }
  }
  function_set more = entered_;
  add_reached(more);
  below_.insert(more.begin(), more.end());
}

bool chosen_functions::needs_words(const clang::FunctionDecl* function) {
  const references& found = references_.of(function);
  return found.rows || (found.complex && calculates_);
}

// Where all that spawns is a task as it stands, plain forms can be better only where there are
// calls through pointers, or what `needs_words`.
bool chosen_functions::has_more_to_say() {
  function_set reached = plan_.tasks;
  add_reached(reached);
  return std::any_of(reached.begin(), reached.end(), [&](const clang::FunctionDecl* one) {
    return !references_.of(one).pointer_calls.empty() || needs_words(one);
  });
}

// A device's compiler gets what tasks call as C++.
void chosen_functions::find_old_c(parsed_file& source) {
  if (!source.is_c() || !shares_loops_) return;
  program file;
  file.context = &source.context;
  for (const auto& [function, one] : found) {
    if (one.spawns) continue;
    error_collector errors(source.context.getDiagnostics());
    check_c(file, const_cast<clang::FunctionDecl*>(one.definition));
    if (!errors.found.empty()) differs_.insert(function);
  }
}

void chosen_functions::find_reaching() {
  for (const auto& [function, one] : found) {
    if (one.spawns) reaching_.insert(function);
    // What uses reducers has a form in which their places are its views.
    if (!references_.of(function).reducer.isValid()) continue;
    has_reducers = true;
    reaching_.insert(function);
  }
  add_callers();
  const function_set in_statements = reaching_;
  for (const auto& [function, one] : found) {
    if (needs_words(function) || differs_.contains(function)) reaching_.insert(function);
  }
  add_callers();
  for (const clang::FunctionDecl* one : reaching_) {
    if (!in_statements.contains(one)) leaves.insert(one);
  }
}

// Also instances of a template that call nothing of the kind, where another one does: to the plan
// they are that template.
void chosen_functions::add_callers() {
  function_set templates;
  const auto is_of_template = [&](const clang::FunctionDecl* one) {
    return one->isTemplateInstantiation() && templates.contains(as_written(one));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [function, one] : found) {
      if (reaching_.contains(function)) {
        if (function->isTemplateInstantiation())
          changed = templates.insert(as_written(function)).second || changed;
        continue;
      }
      const auto& called = references_.of(function).functions;
      const auto reaches = [&](const auto* each) { return reaching_.contains(each); };
      if (is_of_template(function) || std::ranges::any_of(called, reaches) ||
          std::ranges::any_of(edges.of(function), reaches))
        changed = reaching_.insert(function).second || changed;
    }
  }
}

void chosen_functions::take_back(parsed_file& source, const named_functions& kept) {
  function_set in_tasks;
  for (const auto& [function, one] : found) {
    if (one.spawns) in_tasks.insert(function);
    const unsigned line = source.line_of(one.definition->getLocation());
    if (!kept.contains({function->getNameAsString(), line})) continue;
    for (const clang::FunctionDecl* each : references_.reach(function)) fixed_.insert(each);
  }
  add_reached(in_tasks);
  const auto spawns = [&](const clang::FunctionDecl* each) { return reaching_.contains(each); };
  for (const auto& [function, one] : found) {
    if (shares_loops_ && one.spawns && !fixed_.contains(function) &&
        plan_.tasks.contains(function) && cilk2chan::shares_loops(source, one.definition, spawns))
      back_.insert(function);
  }
  for (const auto& [function, one] : found) {
    if (!in_tasks.contains(function) || fixed_.contains(function)) continue;
    const references& from = references_.of(function);
    if (needs_words(function) || differs_.contains(function)) back_.insert(function);
    // The rest of `main` is host code.
    std::optional<region_walker> part;
    if (function->isMain()) part.emplace(source, one.definition);
    const auto is_host_code = [&](const clang::Expr* value) {
      return part && !part->found.contains(value);
    };
    const auto add = [&, caller = function](const clang::FunctionDecl* target) {
      back_.insert(caller);
      back_.insert(target);
    };
    for (const clang::DeclRefExpr* name : from.names) {
      const auto* named = llvm::cast<clang::FunctionDecl>(name->getDecl()->getCanonicalDecl());
      const bool fine = reaching_.contains(named) && !fixed_.contains(named);
      if (fine && !is_host_code(name)) add(named);
    }
    for (const clang::CallExpr* call : from.pointer_calls) {
      if (!is_host_code(call)) std::ranges::for_each(targets_of(call), add);
    }
  }
  // With whatever calls them.
  for (bool changed = !back_.empty(); changed;) {
    changed = false;
    for (const auto& [function, one] : found) {
      if (back_.contains(function)) continue;
      const auto& named = references_.of(function).functions;
      if (std::ranges::any_of(named, [&](const auto* each) { return back_.contains(each); }))
        changed = back_.insert(function).second || changed;
    }
  }
}

call_targets::function_list chosen_functions::targets_of(const clang::CallExpr* call) {
  call_targets::function_list targets = edges.of_pointer(call);
  std::erase_if(targets, [&](const clang::FunctionDecl* one) {
    return !reaching_.contains(one) || fixed_.contains(one);
  });
  return targets;
}

void chosen_functions::add_reached(function_set& from) {
  std::vector<const clang::FunctionDecl*> waiting(from.begin(), from.end());
  while (!waiting.empty()) {
    const clang::FunctionDecl* function = waiting.back();
    waiting.pop_back();
    const auto add = [&](const clang::FunctionDecl* one) {
      if (from.insert(one).second) waiting.push_back(one);
    };
    for (const clang::FunctionDecl* one : references_.of(function).functions) add(one);
    if (!found.contains(function)) continue;
    for (const clang::FunctionDecl* one : edges.of(function)) add(one);
  }
}

}  // namespace cilk2chan
