#include "tasks/lanes/lane_forms.hpp"

#include "analysis/loop_forms.hpp"
#include "frontend/type_text.hpp"
#include "tasks/device/calls.hpp"  // full_name
#include "tasks/lanes/counted_loops.hpp"
#include "tasks/lanes/division.hpp"
#include "tasks/lanes/leaf_test.hpp"
#include "tasks/lanes/nearest_limits.hpp"
#include "tasks/lanes/open_blocks.hpp"
#include "tasks/lanes/regular.hpp"
#include "tasks/lanes/together.hpp"
#include "tasks/node_names.hpp"
#include "tasks/parallel_loops.hpp"

#include <algorithm>

namespace cilk2chan {
namespace {

constexpr const char* division_parameter = "channels::leaf_division& cilk_division";

bool owns_all(const clang::VarDecl*) { return true; }

std::string arguments_of(const clang::FunctionDecl* function, const std::string& arguments) {
  std::string text;
  for (const clang::ParmVarDecl* parameter : function->parameters())
    text += (text.empty() ? "" : ", ") + arguments + "." + node_names::argument(parameter);
  return text;
}

// Runs a leaf by the function of that name.
std::string leaf_text(const std::string& name, const clang::FunctionDecl* function, bool divided) {
  std::string arguments = arguments_of(function, "args");
  if (divided) arguments += (arguments.empty() ? "" : ", ") + std::string("cilk_group.division()");
  return "return " + name + "(" + arguments + ");\n";
}

}  // namespace

lane_forms::lane_forms(const program& source, const std::vector<finished_task>& tasks,
                       reference_finder& finder, file how)
    : source_(source), tasks_(tasks), file_(std::move(how)), calls_(source) {
  for (const finished_task& task : tasks_) {
    if (!task.task->leaf)
      tasks_around_ = task.task->definition->getDeclContext()->getRedeclContext();
  }
  find_candidates(finder);
  find_forms(finder);
  for (auto& [function, one] : forms_) {
    if (has_form(function)) find_division(one);
  }
  for (const finished_task& task : tasks_) find_leaves(task);
  find_uses();
  for (const auto& [function, one] : forms_) {
    if (one.loops.said.empty() && !one.why_never.empty()) continue;
    const bool used = used_.contains(function) || !one.divided_text.empty();
    if (inlined_.contains(function) && !used) continue;
    const std::string& why_not = one.why_never.empty() ? one.why_not : one.why_never;
    said_[function] = said(function->getNameAsString(), one.loops, used ? one.written : loop_set(),
                           why_not, one.divided_text.empty() ? nullptr : one.divided);
  }
}

std::string lane_forms::form_of(const clang::FunctionDecl* function) const {
  const auto found = forms_.find(function->getCanonicalDecl());
  if (found == forms_.end()) return {};
  return (used_.contains(found->first) ? found->second.text : "") + found->second.divided_text;
}

const task_lanes* lane_forms::of(const task_function& task) const {
  const auto found = leaves_.find(&task);
  return found == leaves_.end() ? nullptr : &found->second;
}

bool lane_forms::has_form(const clang::FunctionDecl* function) const {
  return with_form_.contains(function->getCanonicalDecl());
}

// With blocks of memory and loops of several limits as loops that lanes may share.
clang::Stmt* lane_forms::with_plain_loops(clang::Stmt* code) const {
  return with_nearest_limits(source_, with_open_blocks(source_, code));
}

// The functions without spawns that tasks reach, and whose text is in the file.
void lane_forms::find_candidates(reference_finder& finder) {
  for (const finished_task& task : tasks_) {
    for (const clang::FunctionDecl* one : finder.reach(task.task->definition)) {
      const task_function* own = source_.task_of(one);
      const clang::FunctionDecl* definition = one->getDefinition();
      if ((own != nullptr && !own->leaf) || definition == nullptr || !file_.has_text(definition) ||
          !llvm::isa<clang::CompoundStmt>(definition->getBody()) ||
          // The program says itself what lanes do.
          std::ranges::any_of(finder.of(one).functions, is_for_groups))
        continue;
      form& made = forms_[one->getCanonicalDecl()];
      if (made.definition != nullptr) continue;
      made.definition = definition;
      made.body = with_inlined_calls(source_, definition, finder);
      made.body.code = with_plain_loops(made.body.code);
      made.body.code = with_counted_loops(source_, made.body.code, usage_of(made.body.code));
      study(made);
      // Its loops get shorter on the way down.
      const auto& called = finder.of(definition).functions;
      if (std::ranges::any_of(called, [&](const auto* callee) {
            return finder.reach(callee).contains(definition->getCanonicalDecl());
          }))
        made.why_never = "it calls itself";
    }
  }
}

void lane_forms::study(form& one) {
  one.usage = usage_of(one.body.code);
  one.loops = choose_loops({source_, calls_, one.usage, owns_all}, one.body.code, nullptr);
}

// A function has a form if it has a loop that lanes share or calls such a function, and if all
// lanes can run the rest of it. One that turns out to have none changes what its callers can do.
void lane_forms::find_forms(reference_finder& finder) {
  function_list impossible;
  for (bool complete = false; !complete;) {
    with_form_.clear();
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& [function, one] : forms_) {
        if (!one.why_never.empty() || impossible.contains(function) ||
            with_form_.contains(function))
          continue;
        const auto& called = finder.of(function).functions;
        const bool leads = std::ranges::any_of(called, [&](const auto* callee) {
          return with_form_.contains(callee->getCanonicalDecl());
        });
        if (one.loops.lanes.empty() && !leads) continue;
        with_form_.insert(function);
        grows = true;
      }
    }
    complete = true;
    for (const clang::FunctionDecl* function : function_list(with_form_)) {
      form& one = forms_[function];
      write_form(one);
      if (one.why_not.empty()) continue;
      complete = false;
      if (one.body.code == one.definition->getBody()) {
        impossible.insert(function);
      } else {
        one.body = {one.definition->getBody(), {}};
        study(one);
      }
    }
  }
}

void lane_forms::write_form(form& one) {
  one.why_not = obstacle_in(one.definition, one.usage);
  if (!one.why_not.empty()) return;
  written_together made;
  one.text = text_of(one, nullptr, made);
  one.why_not = std::move(made.why_not);
  one.written = std::move(made.loops);
  one.called = std::move(made.called);
}

// `divided`: what wavefronts share, in the form in which they do.
std::string lane_forms::text_of(const form& one, const clang::Stmt* divided,
                                written_together& made) {
  const loop_place place{source_, calls_, one.usage, owns_all};
  const name_rules rules;
  const together how{place,
                     one.loops,
                     rules,
                     nullptr,
                     [this](const clang::FunctionDecl* callee) { return has_form(callee); },
                     divided};
  const std::string head = divided == nullptr
                               ? declaration(one.definition, form_name(one.definition), "")
                               : declaration_of_divided(one.definition);
  writer out(file_.line_directives);
  out.line("");
  out.line(head + " { " + mark);
  made = write_together(how, one.body.code, out);
  out.line("}");
  return declarations_of(made.called) + out.take();
}

std::string lane_forms::declaration_of_divided(const clang::FunctionDecl* function) const {
  return declaration(function, divided_name(function), "", division_parameter);
}

// Functions that call each other are looked at in any order: what a call leads to is known when
// the functions that it leads to have been.
void lane_forms::find_division(form& one) {
  if (one.divided != nullptr || !one.definition->getReturnType()->isVoidType()) return;
  const loop_place place{source_, calls_, one.usage, owns_all};
  const name_rules rules;
  const together how{place, one.loops, rules, nullptr,
                     [this](const clang::FunctionDecl* callee) { return has_form(callee); }};
  one.divided = cilk2chan::find_division(how, one.body.code, [this](const auto* callee) {
    const auto found = forms_.find(callee->getCanonicalDecl());
    if (found == forms_.end() || !has_form(callee)) return false;
    find_division(found->second);
    return found->second.divided != nullptr;
  });
}

bool lane_forms::can_divide(const clang::FunctionDecl* function) const {
  const auto found = forms_.find(function->getCanonicalDecl());
  return found != forms_.end() && found->second.divided != nullptr;
}

// Writes the form that wavefronts share, and those that it calls.
void lane_forms::divide(const clang::FunctionDecl* function) {
  form& one = forms_.at(function->getCanonicalDecl());
  if (!one.divided_text.empty()) return;
  written_together made;
  one.divided_text = text_of(one, one.divided, made);
  one.written.insert(made.loops.begin(), made.loops.end());
  inlined_.insert(one.body.inlined.begin(), one.body.inlined.end());
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(one.divided))
    divide(call->getDirectCallee());
}

// A parameter whose address is taken would be another one in each lane.
std::string lane_forms::obstacle_in(const clang::FunctionDecl* function,
                                    const variable_usage& usage) {
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    if (usage.escaped.contains(parameter))
      return "the address of '" + parameter->getNameAsString() + "' is taken";
    if (parameter->getType()->isReferenceType()) continue;
    if (parameter->getType()->isRecordType() && !source_.is_c())
      return "'" + parameter->getNameAsString() + "' is an object";
  }
  return {};
}

void lane_forms::find_uses() {
  for (auto& [task, lanes] : leaves_) {
    function_list own;  // whose forms this leaf comes to
    std::vector<const clang::FunctionDecl*> waiting(lanes.called.begin(), lanes.called.end());
    while (!waiting.empty()) {
      const clang::FunctionDecl* one = waiting.back();
      waiting.pop_back();
      if (!own.insert(one).second) continue;
      const form& how = forms_.at(one);
      lanes.short_loops = lanes.short_loops && has_short_loops(how.loops, how.written);
      inlined_.insert(how.body.inlined.begin(), how.body.inlined.end());
      waiting.insert(waiting.end(), how.called.begin(), how.called.end());
    }
    used_.insert(own.begin(), own.end());
  }
}

// Whether those of the loops that are written for lanes leave half of the lanes idle, or more.
bool lane_forms::has_short_loops(const chosen_loops& loops, const loop_set& written) const {
  return std::ranges::all_of(written, [&](const clang::ForStmt* one) {
    const auto found = loops.lanes.find(one);
    return found != loops.lanes.end() && has_few_trips(source_, found->second);
  });
}

void lane_forms::find_leaves(const finished_task& task) {
  if (task.task->leaf) return find_leaf(task);
  if (task.task->loop != nullptr) return find_loop(task);
  find_base_case(task);
}

// A function that is spawned and spawns nothing.
void lane_forms::find_leaf(const finished_task& task) {
  const clang::FunctionDecl* function = task.task->definition;
  if (group_form(function) != nullptr || !has_form(function)) return;
  task_lanes made;
  made.is_leaf = "true";
  made.divided = can_divide(function);
  if (made.divided) {
    divide(function);
    made.declarations = before(function, declaration_of_divided(function));
  } else {
    made.short_loops = true;
    made.called = {function->getCanonicalDecl()};
    made.declarations = declarations_of(made.called);
  }
  made.leaf =
      leaf_text(scope_of(function) + (made.divided ? divided_name(function) : form_name(function)),
                function, made.divided);
  leaves_[task.task] = std::move(made);
}

// A call of a function that spawns, with arguments for which it spawns nothing.
void lane_forms::find_base_case(const finished_task& task) {
  const clang::FunctionDecl* function = task.task->definition;
  const loop_place place{source_, calls_, task.usage, owns_all};
  const clang::Stmt* body = with_plain_loops(function->getBody());
  const chosen_loops loops = choose_loops(place, body, task.task);
  const name_rules rules;
  const together how{place, loops, rules, task.task,
                     [this](const clang::FunctionDecl* callee) { return has_form(callee); }};
  const std::string name = function->getNameAsString();
  const std::string test = "cilk_is_leaf_of_" + name;
  const std::string run = "cilk_leaf_of_" + name;
  std::string why_not = obstacle_in(function, task.usage);
  written_together made;
  writer out(file_.line_directives);
  out.line(declaration(function, test, "bool") + " { " + mark);
  out.in();
  const bool any = why_not.empty() && write_leaf_test(how, task.usage, body, out);
  out.out();
  out.line("}");
  const clang::Stmt* divided = nullptr;
  if (any) {
    if (function->getReturnType()->isVoidType())
      divided = cilk2chan::find_division(how, body,
                                         [this](const auto* callee) { return can_divide(callee); });
    const together parts{place, loops, rules, task.task, how.has_form, divided};
    out.line(declaration(function, run, "", divided != nullptr ? division_parameter : "") + " { " +
             mark);
    made = write_together(parts, body, out);
    out.line("}");
    why_not = made.why_not;
  }
  const bool leads = !why_not.empty() && has_lanes(how, body);
  if (any || leads || !loops.said.empty())
    said_[function->getCanonicalDecl()] = said(name, loops, made.loops, why_not, divided);
  if (!any || !why_not.empty()) return;
  task_lanes lanes;
  lanes.declarations = declarations_of(made.called);
  lanes.called = made.called;
  lanes.functions = out.take();
  lanes.is_leaf = test + "(" + arguments_of(function, "args") + ")";
  lanes.divided = divided != nullptr;
  lanes.short_loops = divided == nullptr && has_short_loops(loops, made.loops);
  lanes.leaf = leaf_text(run, function, lanes.divided);
  if (const auto* call = llvm::dyn_cast_or_null<clang::CallExpr>(divided)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    divide(callee);
    lanes.declarations += before(callee, declaration_of_divided(callee->getDefinition()));
  }
  leaves_[task.task] = std::move(lanes);
}

// Iterations of a `cilk_for`: lanes share a loop in each of them, or have iterations of their own.
void lane_forms::find_loop(const finished_task& task) {
  const task_function& loop = *task.task;
  if (task.lowered.enter.empty()) return;
  const variable_usage usage = usage_of(loop.definition->getBody());
  const loop_place place{source_, calls_, usage,
                         [&](const clang::VarDecl* variable) { return loop.owns(variable); }};
  clang::Stmt* body = with_plain_loops(const_cast<clang::Stmt*>(loop.body()));
  const chosen_loops loops = choose_loops(place, body, &loop);
  const node_names names(source_, task.lowered, task.frame, task.usage);
  name_rules rules;
  rules.variable = [&](const clang::VarDecl* variable) {
    return variable->hasLocalStorage() ? names.variable(variable, node_part::before_open) : "";
  };
  const together how{place, loops, rules, nullptr,
                     [this](const clang::FunctionDecl* callee) { return has_form(callee); }};
  task_lanes lanes;
  lanes.is_leaf = "!(args.end - args.begin > args.grain)";
  written_together made;
  std::string why_not;
  if (names.arguments != "args") {
    why_not = "a variable is called 'args'";
  } else if (has_lanes(how, body) && shares_nearby(loops)) {
    writer out(file_.line_directives);
    write_turns(loop, rules, "args.begin", "1", out);
    made = write_together(how, body, out);
    out.line("}");
    why_not = made.why_not;
    lanes.declarations = declarations_of(made.called);
    lanes.called = made.called;
    lanes.leaf = out.take();
  }
  if (lanes.leaf.empty() || !why_not.empty()) {
    made = {};
    lanes = {};
    lanes.is_leaf = "!(args.end - args.begin > args.grain)";
    const std::string obstacle = why_not.empty() ? irregular_part(loop, calls_) : why_not;
    if (obstacle.empty()) {
      writer out(file_.line_directives);
      write_turns(loop, rules, "args.begin + channels_lane()", "channels_lanes()", out);
      out.line(print(source_, loop.body(), rules) +
               (llvm::isa<clang::Expr>(loop.body()) ? ";" : ""));
      out.line("}");
      lanes.leaf = out.take();
      lanes.side_by_side = true;
      why_not.clear();
    } else {
      lanes.leaf.clear();
      why_not = obstacle;
    }
  }
  said_of_loops_[&loop] = said_of_loop(task, loops, made.loops, lanes, why_not);
  if (!lanes.leaf.empty()) leaves_[&loop] = std::move(lanes);
}

// The head of a loop over some iterations of a range.
void lane_forms::write_turns(const task_function& task, const name_rules& rules,
                             const std::string& from, const std::string& step, writer& out) const {
  const clang::VarDecl* variable = task.loop->form.variable;
  out.line("for (std::uint64_t cilk_turn = " + from +
           "; cilk_turn < args.end; cilk_turn += " + step + ") {");
  out.line("[[maybe_unused]] " + type_text(source_, variable->getType(), rules.variable(variable)) +
           " = channels::cilk::nth(args.first, cilk_turn, args.step);");
}

bool lane_forms::shares_nearby(const chosen_loops& loops) {
  return std::ranges::all_of(loops.lanes, [](const auto& one) { return one.second.near; });
}

std::string lane_forms::declaration(const clang::FunctionDecl* function, const std::string& name,
                                    const std::string& result, const std::string& more) const {
  std::string text = name + "(";
  bool first = true;
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    text += (first ? "" : ", ") + std::string("[[maybe_unused]] ") +
            type_text(source_, parameter->getType(), node_names::argument(parameter));
    first = false;
  }
  if (!more.empty()) text += (first ? "" : ", ") + more;
  text += ")";
  text = result.empty() ? type_text(source_, function->getReturnType(), text) : result + " " + text;
  return "[[maybe_unused]] CHANNELS_DEVICE static " + text;
}

std::string lane_forms::declarations_of(const function_list& all) const {
  std::string text;
  for (const clang::FunctionDecl* one : all)
    text += before(one, declaration(forms_.at(one).definition, form_name(one), ""));
  return text;
}

// What stands before a use of a form. That of a function in a namespace stands in the namespace: a
// declaration elsewhere would be of another one. Tasks in another namespace are behind it.
std::string lane_forms::before(const clang::FunctionDecl* function,
                               const std::string& declared) const {
  const clang::DeclContext* around = function->getDeclContext()->getRedeclContext();
  return around->isNamespace() && around != tasks_around_ ? std::string() : declared + ";\n";
}

// What names of the function's namespace begin with.
std::string lane_forms::scope_of(const clang::FunctionDecl* function) const {
  if (source_.is_c()) return {};
  const std::string full = full_name(source_, function);
  return full.substr(0, full.size() - function->getNameAsString().size());
}

std::string lane_forms::said(const std::string& name, const chosen_loops& loops,
                             const std::set<const clang::ForStmt*>& written,
                             const std::string& why_not, const clang::Stmt* divided) const {
  if (loops.said.empty() && why_not.empty()) return {};
  std::string text = name + ": its loops on a GPU\n";
  if (!why_not.empty()) text += "  one lane runs it: " + why_not + "\n";
  for (const auto& [loop, what] : loops.said) {
    const unsigned line = source_.sources().getPresumedLineNumber(
        source_.sources().getExpansionLoc(loop->getForLoc()));
    const bool unused = why_not.empty() && loops.lanes.contains(loop) && !written.contains(loop);
    if (!why_not.empty() && loops.lanes.contains(loop)) continue;
    text += "  line " + std::to_string(line) + ": " +
            (unused ? "one after the other: it is not in a leaf" : what) +
            (loop == divided ? "; several wavefronts share a long one" : "") + "\n";
  }
  return text;
}

std::string lane_forms::said_of_loop(const finished_task& task, const chosen_loops& loops,
                                     const std::set<const clang::ForStmt*>& written,
                                     const task_lanes& lanes, const std::string& why_not) const {
  std::string text = loop_name(source_, *task.task) + ": ";
  if (lanes.side_by_side) return text + "side by side on lanes of a GPU\n";
  if (!why_not.empty()) return text + "each iteration on one lane of a GPU: " + why_not + "\n";
  text += "on a GPU, lanes share the loops in an iteration\n";
  const std::string inner = said("", loops, written, "");
  return text + inner.substr(std::min(inner.size(), inner.find('\n') + 1));
}

std::string lane_forms::explanation() const {
  std::string text;
  std::vector<std::pair<clang::SourceLocation, std::string>> all;
  for (const auto& [function, text] : said_)
    all.emplace_back(function->getDefinition()->getLocation(), text);
  for (const finished_task& one : tasks_) {
    const task_function* task = one.task;
    if (task->loop == nullptr && leaves_.contains(task))
      text += task->definition->getNameAsString() + ": lanes of a GPU share its leaves\n";
    const auto said = said_of_loops_.find(task);
    if (said != said_of_loops_.end()) all.emplace_back(task->loop->node->getForLoc(), said->second);
  }
  std::ranges::stable_sort(all, {}, &std::pair<clang::SourceLocation, std::string>::first);
  for (const auto& one : all) text += one.second;
  return text;
}

}  // namespace cilk2chan
