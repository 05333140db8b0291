#include "tasks/task_plan.hpp"

#include "analysis/references.hpp"
#include "diagnostics/error_collector.hpp"
#include "diagnostics/refusals.hpp"
#include "frontend/spelling.hpp"  // plain_mark
#include "frontend/tree_walker.hpp"
#include "tasks/checks/check.hpp"
#include "tasks/device/calls.hpp"
#include "tasks/device/check.hpp"
#include "tasks/explain.hpp"
#include "tasks/graph.hpp"
#include "tasks/task_unit.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

namespace cilk2chan {
namespace {

const refusal& refusal_of(const keyword_use& use) {
  switch (use.word) {
    case keyword::reducer: return refusals::reducer;
    case keyword::block: return refusals::spawned_block;
    default: return refusals::spawn_in_macro;
  }
}

// Finds templates, and members of class templates, that have an instance.
class used_template_finder : public tree_walker {
 public:
  llvm::DenseSet<const clang::FunctionDecl*> found;  // as the user wrote them

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->isTemplateInstantiation() && function->doesThisDeclarationHaveABody())
      found.insert(as_written(function)->getCanonicalDecl());
    return true;
  }
};

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
    leave_out_replaced();
    leave_out_keywords();
    leave_out_reducers();
    leave_out_refused();
    // Ends, because each round leaves out at least one function.
    while (!candidates().empty()) {
      leave_out_callers();
      if (candidates().empty() || attempt()) break;
    }
    plan_.left_to_host = std::move(left_to_host_);
    if (set_.empty() && plan_.text.empty()) return std::move(plan_);
    if (file_.all_reasons && !set_.empty()) find_more_reasons();
    list_the_rest();
    return std::move(plan_);
  }

 private:
  void leave_out(const clang::FunctionDecl* function, obstacle why) {
    set_.insert(function->getCanonicalDecl());
    note(function, std::move(why));
  }

  void note(const clang::FunctionDecl* function, obstacle one) {
    if (is_cut(function, one.where)) return;
    std::vector<obstacle>& known = obstacles_[function->getCanonicalDecl()];
    const bool again = std::ranges::any_of(known, [&](const obstacle& other) {
      return place_of(sources_, other.where) == place_of(sources_, one.where) &&
             other.what == one.what;
    });
    if (!again) known.push_back(std::move(one));
  }

  // Whether a place is in a region that its function gives away. The plain forms have the lines of
  // regions, too.
  bool is_cut(const clang::FunctionDecl* function, clang::SourceLocation where) const {
    const unsigned line = line_of({where, ""});
    const bool is_form = function->getNameAsString().find(plain_mark) != std::string::npos;
    return !is_form && std::ranges::any_of(file_.cut, [&](const auto& lines) {
      return lines.first <= line && line <= lines.second &&
             sources_.isInMainFile(sources_.getFileLoc(where));
    });
  }

  // Says nothing of them.
  void leave_out_replaced() {
    for (const clang::FunctionDecl* function : facts_.order) {
      if (is_replaced(function)) set_.insert(function);
    }
  }

  bool is_replaced(const clang::FunctionDecl* function) const {
    // A member of a hidden type belongs to the forms, and may have the line of a lambda that is
    // replaced.
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (method != nullptr && method->getParent()->getName().starts_with(hidden_mark)) return false;
    return file_.replaced.contains(name_and_line(function));
  }

  std::pair<std::string, unsigned> name_and_line(const clang::FunctionDecl* function) const {
    const clang::FunctionDecl* definition = facts_.facts.find(function)->second.definition;
    const unsigned line =
        sources_.getPresumedLineNumber(sources_.getExpansionLoc(definition->getLocation()));
    return {function->getNameAsString(), line};
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
        leave_out(function, {use.location, refusal_of(use).error, true});
    }
  }

  void leave_out_reducers() {
    for (const clang::FunctionDecl* function : facts_.order) {
      const references& found = finder_.of(function);
      // Where one is declared here, its keyword says so.
      if (found.reducer.isValid() && !obstacles_.contains(function))
        leave_out(function, {found.reducer, reasons::reducer_used, true});
      if (found.binding.isValid())
        leave_out(function, {found.binding, refusals::structured_binding.error, true});
    }
  }

  // Leaves out the functions that compilers have refused. Those that do not spawn need not be left
  // out: tasks call them as they are in the host's object file.
  void leave_out_refused() {
    for (const compiler_error& one : file_.errors) {
      const clang::FunctionDecl* function = nullptr;
      for (const auto& [name, line] : one.places) {
        if (function == nullptr) function = around(name, line);
      }
      if (function == nullptr) continue;
      const std::string why = reasons::does_not_compile(one.how, one.text);
      function = function->getCanonicalDecl();
      if (!refused_.insert(function).second) continue;
      left_to_host_.push_back(function->getNameAsString() + ": " + why);
      if (facts_.facts.find(function)->second.parallel().isValid())
        leave_out(function, {function->getDefinition()->getLocation(), why});
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
        if (before.contains(as_written(reached))) set_.insert(function);
      }
    }
  }

  // Tries to make tasks of all candidates. Leaves some of them out if that fails.
  bool attempt() {
    program source;
    source.context = &context_;
    source.keywords = keywords_;
    source.not_cxx = refused_;
    task_plan made;
    std::vector<obstacle> obstacles;
    std::vector<finished_task> tasks;
    {
      error_collector errors(context_.getDiagnostics());
      if (check_tasks(source, facts_, set_)) {
        for (const auto& task : source.tasks) tasks.push_back(finish_task(source, *task));
      }
      for (obstacle& one : errors.found) one.of_form = true;
      if (errors.found.empty()) made = write(source, tasks);
      if (errors.found.empty() && !file_.devices.empty()) {
        const device_calls calls(source, tasks, device_finder(), *targets_);
        check_device(source, tasks, device_finder());
        if (errors.found.empty()) write_for_devices(source, tasks, calls, made);
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
      if (function != nullptr) leave_out(function, one);
    }
    if (set_.size() > before) return false;
    // No message belongs to a candidate: all of them stay.
    for (const clang::FunctionDecl* function : candidates()) {
      for (const obstacle& one : obstacles) leave_out(function, one);
    }
    return false;
  }

  // Looks for what waits behind the obstacles that were found first, so that all of them can be
  // told at once.
  void find_more_reasons() {
    program source;
    source.context = &context_;
    source.keywords = keywords_;
    source.not_cxx = refused_;
    error_collector errors(context_.getDiagnostics());
    list_obstacles(source, facts_);
    for (obstacle& one : errors.found) one.of_form = true;
    std::vector<finished_task> tasks;  // not lowered: what is refused cannot be
    for (const auto& task : source.tasks) tasks.emplace_back().task = task.get();
    check_task_unit(source, tasks, finder_, file_, unit_kind::host);
    if (!file_.devices.empty()) {
      const device_calls calls(source, tasks, device_finder(), *targets_);
      check_device(source, tasks, device_finder());
      check_task_unit(source, tasks, device_finder(), file_, unit_kind::device);
    }
    for (const obstacle& one : errors.found) {
      if (const clang::FunctionDecl* function = around(one.where)) note(function, one);
    }
    // What tasks call has no obstacle: it was one only beside what stays on the host.
    for (const clang::FunctionDecl* task : plan_.tasks) {
      for (const clang::FunctionDecl* one : finder_.reach(task)) obstacles_.erase(as_written(one));
    }
  }

  // What runs on devices, with what calls through pointers lead to there.
  reference_finder& device_finder() {
    if (device_finder_) return *device_finder_;
    targets_.emplace(context_);
    targets_->choose([this](const clang::FunctionDecl* one) { return spawn_behind(one); });
    targets_->choose([this](const clang::FunctionDecl* one) { return why_not_on_devices(one); });
    return device_finder_.emplace(*targets_);
  }

  // What keeps a function from being called through a pointer on a device: such a call cannot wait.
  std::string spawn_behind(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* written = as_written(function);
    // Such calls look for plain forms first.
    const bool has_form = facts_.facts.contains(written) && is_replaced(written);
    // Not all instances of a template need have one.
    bool leads_on = written == function->getCanonicalDecl();
    for (const clang::FunctionDecl* one : finder_.reach(function)) {
      const auto facts = facts_.facts.find(as_written(one));
      if (facts != facts_.facts.end() && facts->second.parallel().isValid()) {
        return has_form
                   ? call_targets::called_as_task
                   : place_of(sources_, facts->second.parallel()) + reasons::pointer_to_spawner;
      }
      const references& found = finder_.of(one);
      leads_on = leads_on || !found.pointer_calls.empty() || !found.virtual_calls.empty();
    }
    return has_form && leads_on ? call_targets::called_as_task : "";
  }
  // The same: what it does.
  std::string why_not_on_devices(const clang::FunctionDecl* function) {
    program source;
    source.context = &context_;
    source.not_cxx = refused_;
    if (!has_device_code(source, function))
      return place_of(sources_, function->getLocation()) + reasons::no_device_code;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (method != nullptr && method->isLambdaStaticInvoker())
      return place_of(sources_, function->getLocation()) + reasons::pointer_to_lambda;
    task_function leaf;
    leaf.definition = function;
    leaf.leaf = true;
    std::vector<finished_task> tasks(1);
    tasks.front().task = &leaf;
    reference_finder finder(*targets_);
    if (method != nullptr && method->isVirtual()) {
      for (const clang::CXXMethodDecl* one : targets_->classes().family_of(method)) {
        if (!sources_.isInMainFile(sources_.getExpansionLoc(one->getLocation())))
          return place_of(sources_, one->getLocation()) + reasons::method_of_header;
      }
    }
    error_collector errors(context_.getDiagnostics());
    const device_calls calls(source, tasks, finder, *targets_);
    check_device(source, tasks, finder);
    check_task_unit(source, tasks, finder, file_, unit_kind::device);
    if (errors.found.empty()) return {};
    return place_of(sources_, errors.found.front().where) + errors.found.front().what;
  }

  task_plan write(const program& source, const std::vector<finished_task>& tasks) {
    task_plan made = write_task_unit(source, tasks, finder_, file_, unit_kind::host);
    llvm::raw_string_ostream explanation(made.explanation);
    explain(source, tasks, explanation);
    made.graph = graph_of(source, tasks);
    return made;
  }

  void write_for_devices(const program& source, const std::vector<finished_task>& tasks,
                         const device_calls& calls, task_plan& made) {
    task_plan other =
        write_task_unit(source, tasks, device_finder(), file_, unit_kind::device, &calls);
    made.device_text = std::move(other.text);
    made.explanation += other.explanation + calls.explanation();
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

  // The function that a line of a file belongs to, the innermost one.
  const clang::FunctionDecl* around(llvm::StringRef file, unsigned line) const {
    const clang::FunctionDecl* best = nullptr;
    for (const clang::FunctionDecl* function : facts_.order) {
      const clang::FunctionDecl* definition = facts_.facts.find(function)->second.definition;
      const clang::PresumedLoc begin = sources_.getPresumedLoc(definition->getBeginLoc());
      const clang::PresumedLoc end = sources_.getPresumedLoc(definition->getEndLoc());
      if (begin.isInvalid() || end.isInvalid() || file != begin.getFilename()) continue;
      if (begin.getLine() <= line && line <= end.getLine()) best = definition;
    }
    return best;
  }

  bool is_parallel(const clang::FunctionDecl* function) const {
    return !facts_.facts.find(function)->second.spawns.empty() || parallel_.contains(function);
  }

  void list_the_rest() {
    for (const clang::FunctionDecl* function : facts_.order) {
      const bool is_task = plan_.tasks.contains(function);
      if (!is_task && (!is_parallel(function) || is_replaced(function))) continue;
      if (!is_task && (is_unused_template(function) || lambdas_are_tasks(function))) continue;
      const unsigned loops = loops_of(function);
      const unsigned whole = counts_as_function(function) ? 1 : 0;
      plan_.counts += {is_task ? whole : 0U, whole, is_task ? loops : 0U, loops};
      if (!is_task && set_.contains(function))
        plan_.stay.push_back({function->getNameAsString(), reasons_of(function)});
    }
  }

  // Whether all that is parallel in a function is in lambdas that have plain forms, which count by
  // themselves.
  bool lambdas_are_tasks(const clang::FunctionDecl* function) {
    struct finder : tree_walker {
      std::vector<const clang::LambdaExpr*> found;
      bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
        found.push_back(lambda);
        return true;
      }
    };
    if (file_.replaced.empty() || !facts_.facts.find(function)->second.spawns_in_lambda)
      return false;
    finder lambdas;
    lambdas.look_through(facts_.facts.find(function)->second.definition->getBody());
    const auto is_in_form = [&](clang::SourceLocation where) {
      return std::ranges::any_of(lambdas.found, [&](const clang::LambdaExpr* one) {
        const clang::FunctionDecl* code = one->getCallOperator();
        const unsigned line =
            sources_.getPresumedLineNumber(sources_.getExpansionLoc(code->getLocation()));
        const clang::SourceLocation begin = sources_.getFileLoc(one->getBody()->getBeginLoc());
        const clang::SourceLocation end = sources_.getFileLoc(one->getBody()->getEndLoc());
        return file_.replaced.contains({code->getNameAsString(), line}) &&
               !sources_.isBeforeInTranslationUnit(where, begin) &&
               !sources_.isBeforeInTranslationUnit(end, where);
      });
    };
    return std::ranges::all_of(keywords_, [&](const keyword_use& use) {
      const bool parallel =
          use.word == keyword::for_ || use.word == keyword::spawn || use.word == keyword::block;
      const clang::SourceLocation where = sources_.getFileLoc(use.location);
      const clang::FunctionDecl* owner = parallel ? around(where) : nullptr;
      return owner == nullptr || owner->getCanonicalDecl() != function || is_in_form(where);
    });
  }

  // Those in a region that is cut out are the region's.
  unsigned loops_of(const clang::FunctionDecl* function) const {
    const auto& loops = facts_.facts.find(function)->second.loops;
    return static_cast<unsigned>(std::ranges::count_if(
        loops, [&](const clang::ForStmt* one) { return !is_cut(function, one->getForLoc()); }));
  }

  // Nobody runs a template without an instance.
  bool is_unused_template(const clang::FunctionDecl* function) {
    const clang::FunctionDecl* definition = facts_.facts.find(function)->second.definition;
    if (!definition->isTemplated() || definition->getParentFunctionOrMethod() != nullptr)
      return false;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
    if (method != nullptr && method->getParent()->isLambda()) return false;
    if (!used_templates_) {
      used_templates_.emplace();
      for (const clang::Decl* one : context_.getTranslationUnitDecl()->decls()) {
        if (!sources_.isInSystemHeader(one->getLocation())) used_templates_->look_through(one);
      }
    }
    return !used_templates_->found.contains(function->getCanonicalDecl());
  }

  // Whether what is listed stands for a function of the user's. Of the regions of one, the first
  // does, if none of them is left.
  bool counts_as_function(const clang::FunctionDecl* function) {
    const std::string name = function->getNameAsString();
    const std::size_t mark = name.find(region_mark);
    if (mark == std::string::npos) return true;
    const std::string whole = name.substr(0, name.rfind('_'));
    unsigned line = 0;
    llvm::StringRef rest =
        llvm::StringRef(whole).substr(mark + llvm::StringRef(region_mark).size());
    (void)rest.consumeInteger(10, line);
    return file_.replaced.contains({shown_name(function), line}) &&
           regions_counted_.insert(whole).second;
  }

  std::vector<std::string> reasons_of(const clang::FunctionDecl* function) {
    // All that stands in the way of the function itself is what a plain form does away with.
    const refused_function* form = refused_form(function);
    if (form != nullptr && form->is_all) return form->reasons;
    const bool serial =
        form != nullptr && form->reasons.empty() && form->otherwise == reasons::nothing_parallel;
    if (serial)
      return {place_of(sources_, function->getDefinition()->getLocation()) + form->otherwise};
    std::vector<std::string> own = obstacles_in(function, form != nullptr);
    if (form != nullptr) own.insert(own.begin(), form->reasons.begin(), form->reasons.end());
    // Only a part of `main` would become a task, and nobody knows what that calls.
    if (function->isMain() && !own.empty()) return own;
    std::vector<std::string> found = reasons_in_callees(function, form != nullptr);
    std::ranges::move(own, std::back_inserter(found));
    // It calls a function that is left out because it has a plain form.
    if (found.empty())
      found.push_back(place_of(sources_, function->getDefinition()->getLocation()) +
                      (form != nullptr && !form->otherwise.empty()
                           ? form->otherwise
                           : "it calls a function that is a task only in its plain form"));
    return found;
  }

  // Why a function has no plain form, if that is known.
  const refused_function* refused_form(const clang::FunctionDecl* function) const {
    if (!facts_.facts.contains(function)) return nullptr;
    const auto known = file_.refused.find(name_and_line(function));
    return known == file_.refused.end() ? nullptr : &known->second;
  }

  // What stands in the way in functions that this one calls. Those that spawn have their own lines.
  // `without_forms`: only what is in the way of plain forms as well.
  std::vector<std::string> reasons_in_callees(const clang::FunctionDecl* function,
                                              bool without_forms = false) {
    std::vector<std::string> found;
    for (const call_chain& chain : calls_from(function)) {
      const clang::FunctionDecl* callee = as_written(chain.back());
      std::vector<std::string> names;
      for (const auto* one : chain) names.push_back(one->getNameAsString());
      const std::string call = place_of(sources_, place_of_call(function, chain.front())) +
                               reasons::calls_host_code(names);
      std::vector<std::string> here;
      if (!has_lines(callee)) {
        std::vector<std::string> inside = obstacles_in(callee, without_forms);
        if (const refused_function* why = refused_form(callee))
          inside.insert(inside.begin(), why->reasons.begin(), why->reasons.end());
        for (const std::string& inner : inside) here.push_back(call + ": " + inner);
      } else if (stays_without(callee, function)) {
        here.push_back(call);
      }
      for (std::string& one : here) {
        if (std::ranges::find(found, one) == found.end()) found.push_back(std::move(one));
      }
    }
    return found;
  }

  // Whether a function is among those that stay and are told of.
  bool has_lines(const clang::FunctionDecl* function) const {
    return set_.contains(function) && is_parallel(function);
  }

  // Whether a function would stay also if `other` did not.
  bool stays_without(const clang::FunctionDecl* function, const clang::FunctionDecl* other) {
    function_set seen = {function, other};
    std::vector<const clang::FunctionDecl*> waiting = {function};
    while (!waiting.empty()) {
      const clang::FunctionDecl* at = waiting.back();
      waiting.pop_back();
      if (obstacles_.contains(as_written(at)) || refused_form(as_written(at)) != nullptr)
        return true;
      for (const clang::FunctionDecl* callee : finder_.of(at).functions) {
        if (seen.insert(callee).second) waiting.push_back(callee);
      }
    }
    return false;
  }

  // Functions, each of which calls the next one.
  using call_chain = std::vector<const clang::FunctionDecl*>;

  // A shortest chain of calls to each function that `from` calls, the longest chains first. No
  // chain goes on behind a function that has lines of its own.
  std::vector<call_chain> calls_from(const clang::FunctionDecl* from) {
    function_set seen = {from};
    std::vector<call_chain> chains = {{}};
    for (std::size_t at = 0; at < chains.size(); ++at) {
      const call_chain chain = chains[at];
      if (!chain.empty() && has_lines(as_written(chain.back()))) continue;
      for (const auto* callee : finder_.of(chain.empty() ? from : chain.back()).functions) {
        if (as_written(callee) == from || !seen.insert(callee).second) continue;
        chains.push_back(chain);
        chains.back().push_back(callee);
      }
    }
    chains.erase(chains.begin());
    std::ranges::stable_sort(chains, std::greater{}, &call_chain::size);
    return chains;
  }

  clang::SourceLocation place_of_call(const clang::FunctionDecl* caller,
                                      const clang::FunctionDecl* callee) const {
    const function_facts& facts = facts_.facts.find(caller)->second;
    for (const clang::CallExpr* call : facts.calls) {
      if (as_written(call->getDirectCallee()) == as_written(callee)) return call->getExprLoc();
    }
    return facts.definition->getLocation();
  }

  // The obstacles in a function, in the order of the source. What stands in several lines is one.
  std::vector<std::string> obstacles_in(const clang::FunctionDecl* function,
                                        bool without_forms = false) const {
    const auto known = obstacles_.find(function);
    if (known == obstacles_.end()) return {};
    std::vector<obstacle> all = known->second;
    if (without_forms) std::erase_if(all, [](const obstacle& one) { return one.of_form; });
    std::ranges::stable_sort(all, [&](const obstacle& a, const obstacle& b) {
      if (a.where.isInvalid() || b.where.isInvalid()) return a.where.isValid();
      return sources_.isBeforeInTranslationUnit(a.where, b.where);
    });
    std::vector<std::string> texts;
    for (const obstacle& one : all) {
      const auto same = [&](const obstacle& other) {
        return other.what == one.what && file_of(other) == file_of(one);
      };
      if (&one != &*std::ranges::find_if(all, same)) continue;
      std::string lines;
      unsigned before = line_of(one);
      for (const obstacle& other : all) {
        if (!same(other) || line_of(other) == before) continue;
        before = line_of(other);
        lines += (lines.empty() ? "" : ", ") + std::to_string(before);
      }
      const char* also =
          lines.find(',') == std::string::npos ? " (also in line " : " (also in lines ";
      if (!lines.empty()) lines = also + lines + ")";
      texts.push_back(place_of(sources_, one.where) + one.what + lines);
    }
    return texts;
  }

  std::string file_of(const obstacle& one) const {
    const clang::PresumedLoc place = sources_.getPresumedLoc(one.where);
    return place.isInvalid() ? "" : place.getFilename();
  }
  unsigned line_of(const obstacle& one) const {
    const clang::PresumedLoc place = sources_.getPresumedLoc(one.where);
    return place.isInvalid() ? 0 : place.getLine();
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const std::vector<keyword_use>& keywords_;
  const planned_file& file_;
  survey facts_;
  reference_finder finder_;
  std::optional<call_targets> targets_;  // once devices have asked
  std::optional<reference_finder> device_finder_;
  function_set set_;      // the functions that are left out
  function_set refused_;  // the functions that compilers have refused
  /// What stands in the way, by the function that it stands in: not only of those that spawn.
  std::map<const clang::FunctionDecl*, std::vector<obstacle>> obstacles_;
  std::vector<std::string> left_to_host_;
  std::set<std::string> regions_counted_;  // their functions
  std::optional<used_template_finder> used_templates_;
  function_set parallel_;  // with loops or spawns that run in parallel
  task_plan plan_;
};

}  // namespace

task_plan plan_tasks(clang::ASTContext& context, const std::vector<keyword_use>& keywords,
                     const planned_file& file) {
  return planner(context, keywords, file).run();
}

}  // namespace cilk2chan
