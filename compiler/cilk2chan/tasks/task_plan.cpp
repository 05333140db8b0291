#include "tasks/task_plan.hpp"

#include "diagnostics/error_collector.hpp"
#include "diagnostics/refusals.hpp"
#include "tasks/checks/check.hpp"
#include "tasks/device/check.hpp"
#include "tasks/explain.hpp"
#include "tasks/graph.hpp"
#include "tasks/task_unit.hpp"

#include <algorithm>

namespace cilk2chan {
namespace {

const refusal& refusal_of(const keyword_use& use) {
  switch (use.word) {
    case keyword::reducer: return refusals::reducer;
    case keyword::block: return refusals::spawned_block;
    default: return refusals::spawn_in_macro;
  }
}

class planner {
 public:
  planner(clang::ASTContext& context, const std::vector<keyword_use>& keywords,
          const planned_file& file)
      : context_(context),
        sources_(context.getSourceManager()),
        keywords_(keywords),
        file_(file),
        facts_(take_survey(context)) {}

  task_plan run() {
    leave_out_keywords();
    leave_out_reducers();
    // Ends, because each round leaves out at least one function.
    while (!candidates().empty()) {
      leave_out_callers();
      if (candidates().empty() || attempt()) break;
    }
    if (left_out_.empty() && plan_.text.empty()) return {};
    list_the_rest();
    return std::move(plan_);
  }

 private:
  void leave_out(const clang::FunctionDecl* function, clang::SourceLocation where,
                 const std::string& what) {
    function = function->getCanonicalDecl();
    if (set_.insert(function).second) left_out_[function] = {where, what};
  }

  void leave_out_keywords() {
    for (const keyword_use& use : keywords_) {
      const clang::FunctionDecl* function = around(use.location);
      if (function == nullptr) continue;
      const bool parallel =
          use.word == keyword::for_ || use.word == keyword::spawn || use.word == keyword::block;
      if (parallel) parallel_.insert(function->getCanonicalDecl());
      const bool fine = use.word != keyword::reducer && use.word != keyword::block;
      if (!fine || use.location.isMacroID())
        leave_out(function, use.location, refusal_of(use).error);
    }
  }

  void leave_out_reducers() {
    for (const clang::FunctionDecl* function : facts_.order) {
      const references& found = finder_.of(function);
      if (found.reducer.isValid()) leave_out(function, found.reducer, reasons::reducer_used);
      if (found.binding.isValid())
        leave_out(function, found.binding, refusals::structured_binding.error);
    }
  }

  // Functions that spawn and are not left out.
  std::vector<const clang::FunctionDecl*> candidates() const {
    std::vector<const clang::FunctionDecl*> list;
    for (const clang::FunctionDecl* function : facts_.order) {
      if (facts_.facts.find(function)->second.parallel().isValid() && !set_.contains(function))
        list.push_back(function);
    }
    return list;
  }

  // Leaves out the callers of functions that are left out: a task cannot wait for host code that
  // spawns.
  void leave_out_callers() {
    const function_set before = set_;
    for (const clang::FunctionDecl* function : candidates()) {
      for (const clang::FunctionDecl* reached : finder_.reach(function)) {
        const clang::FunctionDecl* callee = as_written(reached);
        if (callee == function || !before.contains(callee)) continue;
        callers_of_.try_emplace(function, callee);
        // The first callee in the source, so that the message does not depend on the set's order.
        const clang::FunctionDecl*& first = callers_of_[function];
        if (sources_.isBeforeInTranslationUnit(callee->getLocation(), first->getLocation()))
          first = callee;
      }
      const auto found = callers_of_.find(function);
      if (found == callers_of_.end()) continue;
      leave_out(
          function, function->getDefinition()->getLocation(),
          reasons::calls_host_code(found->second->getNameAsString()) + why_not(found->second));
    }
  }

  // Why a callee that spawns nothing stays on the host. Those that spawn have a line of their own.
  std::string why_not(const clang::FunctionDecl* function) const {
    const auto found = left_out_.find(function->getCanonicalDecl());
    if (found == left_out_.end() || !facts_.facts.find(function)->second.spawns.empty()) return {};
    return ": " + text_of(found->second);
  }

  std::string text_of(const obstacle& one) const {
    return place_of(sources_, one.where) + one.what;
  }

  // Tries to make tasks of all candidates. Leaves some of them out if that fails.
  bool attempt() {
    program source;
    source.context = &context_;
    source.keywords = keywords_;
    task_plan made;
    std::vector<obstacle> obstacles;
    std::vector<finished_task> tasks;
    {
      error_collector errors(context_.getDiagnostics());
      if (check_tasks(source, facts_, set_)) {
        for (const auto& task : source.tasks) tasks.push_back(finish_task(source, *task));
      }
      if (errors.found.empty()) made = write(source, tasks);
      if (errors.found.empty() && !file_.devices.empty()) {
        check_device(source, tasks, finder_);
        if (errors.found.empty()) write_for_devices(source, tasks, made);
      }
      obstacles = std::move(errors.found);
    }
    if (obstacles.empty()) {
      plan_ = std::move(made);
      return true;
    }
    const std::size_t before = set_.size();
    for (const obstacle& one : obstacles) {
      const clang::FunctionDecl* function = around(one.where);
      if (function != nullptr) leave_out(function, one.where, one.what);
    }
    if (set_.size() > before) return false;
    // No message belongs to a candidate: all of them stay.
    for (const clang::FunctionDecl* function : candidates())
      leave_out(function, obstacles.front().where, obstacles.front().what);
    return false;
  }

  task_plan write(const program& source, const std::vector<finished_task>& tasks) {
    task_plan made = write_task_unit(source, tasks, finder_, file_, unit_kind::host);
    llvm::raw_string_ostream explanation(made.explanation);
    explain(source, tasks, explanation);
    made.graph = graph_of(source, tasks);
    return made;
  }

  void write_for_devices(const program& source, const std::vector<finished_task>& tasks,
                         task_plan& made) {
    task_plan other = write_task_unit(source, tasks, finder_, file_, unit_kind::device);
    made.device_text = std::move(other.text);
    made.explanation += other.explanation;
    for (const shared_symbol& one : other.shared) {
      const bool known = std::ranges::any_of(made.shared, [&](const shared_symbol& each) {
        return each.declaration == one.declaration;
      });
      if (!known) made.shared.push_back(one);
    }
  }

  // The function that a place belongs to, as the survey knows it.
  const clang::FunctionDecl* around(clang::SourceLocation where) const {
    if (where.isInvalid()) return nullptr;
    where = sources_.getFileLoc(where);
    const clang::FunctionDecl* best = nullptr;
    for (const clang::FunctionDecl* function : facts_.order) {
      const clang::FunctionDecl* definition = facts_.facts.find(function)->second.definition;
      const clang::SourceRange range(sources_.getExpansionLoc(definition->getBeginLoc()),
                                     sources_.getExpansionRange(definition->getEndLoc()).getEnd());
      if (sources_.getFileID(range.getBegin()) != sources_.getFileID(where)) continue;
      if (where < range.getBegin() || range.getEnd() < where) continue;
      // A function inside another one begins later.
      if (best == nullptr || best->getBeginLoc() < definition->getBeginLoc()) best = definition;
    }
    return best;
  }

  void list_the_rest() {
    for (const clang::FunctionDecl* function : facts_.order) {
      const function_facts& facts = facts_.facts.find(function)->second;
      if (facts.spawns.empty() && !parallel_.contains(function)) continue;
      const auto found = left_out_.find(function);
      if (found == left_out_.end()) continue;
      plan_.stay.push_back(function->getNameAsString() +
                           ": stays on the host, depth-first: " + text_of(found->second));
    }
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const std::vector<keyword_use>& keywords_;
  const planned_file& file_;
  survey facts_;
  reference_finder finder_;
  function_set set_;  // the functions that are left out
  std::map<const clang::FunctionDecl*, obstacle> left_out_;
  llvm::DenseMap<const clang::FunctionDecl*, const clang::FunctionDecl*> callers_of_;
  function_set parallel_;  // with loops or spawns that run in parallel
  task_plan plan_;
};

}  // namespace

task_plan plan_tasks(clang::ASTContext& context, const std::vector<keyword_use>& keywords,
                     const planned_file& file) {
  return planner(context, keywords, file).run();
}

}  // namespace cilk2chan
