#include "analysis/references.hpp"
#include "frontend/type_text.hpp"
#include "tasks/device/calls.hpp"  // full_name
#include "tasks/emission/emit.hpp"
#include "tasks/hints.hpp"
#include "tasks/lanes/lane_forms.hpp"
#include "tasks/node_names.hpp"
#include "tasks/parallel_loops.hpp"
#include "tasks/sums.hpp"

#include <clang/AST/Stmt.h>
#include <clang/Lex/Lexer.h>
#include "frontend/spelling.hpp"

#include <set>

namespace cilk2chan {
namespace {

// Writes the lines of the user's file from `first` to `last` as comments.
void quote(const program& source, clang::SourceLocation first, clang::SourceLocation last,
           writer& out) {
  const clang::SourceManager& sources = source.sources();
  const llvm::StringRef text = sources.getBufferData(sources.getMainFileID());
  const unsigned from = sources.getExpansionLineNumber(first);
  const unsigned to = sources.getExpansionLineNumber(last);
  llvm::SmallVector<llvm::StringRef, 64> lines;
  text.split(lines, '\n');
  for (unsigned line = from; line <= to && line <= lines.size(); ++line) {
    const llvm::StringRef kept = lines[line - 1].rtrim();
    // A backslash would continue the comment on the next line.
    out.line(("// " + kept + (kept.ends_with("\\") ? " (continued)" : "")).str());
  }
}

void find_points(const std::vector<step>& steps, std::vector<clang::SourceLocation>& places) {
  for (const step& one : steps) {
    if (one.point != 0 && one.piece.statement != nullptr) {
      places.push_back(one.piece.statement->getBeginLoc());
    }
    find_points(one.body, places);
    find_points(one.otherwise, places);
  }
}

// Where the pre-spawn node ends.
clang::SourceLocation first_split(const program& source, const finished_task& task) {
  std::vector<clang::SourceLocation> places;
  find_points(task.lowered.enter, places);
  clang::SourceLocation first = task.task->definition->getEndLoc();
  for (clang::SourceLocation place : places) {
    place = source.sources().getExpansionLoc(place);
    if (source.sources().isBeforeInTranslationUnit(place, first)) first = place;
  }
  return first;
}

// Where the post-spawn node goes on.
clang::SourceLocation continuation(const finished_task& task, clang::SourceLocation split) {
  const auto& first = task.lowered.resume.front().steps;
  const bool known = !first.empty() && first.front().piece.statement != nullptr;
  return known ? first.front().piece.statement->getBeginLoc() : split;
}

void emit_arguments(const program& source, const task_function& task, writer& out) {
  std::string members;
  for (const clang::ParmVarDecl* parameter : task.definition->parameters()) {
    members += " " + type_text(source, parameter->getType(), node_names::argument(parameter)) + ";";
  }
  out.line("struct arguments {" + members + (members.empty() ? "};" : " };"));
}

// The arguments of a loop's task: a range of iterations, and the frame around the loop.
void emit_range(const program& source, const task_function& task, writer& out) {
  out.line("struct arguments {");
  out.in();
  out.line(task.loop->outer->name + "::frame* up;");
  out.line(type_text(source, task.loop->form.variable->getType(), "first") + ";");
  out.line("std::int64_t step;");
  out.line("std::uint64_t begin, end, grain;");
  out.out();
  out.line("};");
}

void emit_frame(const program& source, const finished_task& task, writer& out) {
  const frame_layout& frame = task.frame;
  const bool waits = task.task->loop != nullptr && task.lowered.enter.empty();
  if (frame.members.empty() && !waits) return out.line("struct frame {};");
  out.line("struct frame {");
  out.in();
  if (waits) out.line(std::string("arguments ") + loop_member + ";");
  for (const frame_member& member : frame.members) {
    out.line(type_text(source, member.type, member.name) + ";");
  }
  out.out();
  out.line("};");
}

std::string spawned_tasks(const program& source, const task_function& task) {
  std::set<std::string> names;
  for (const auto& entry : task.children) names.insert(source.task_of(*entry.second)->name);
  if (task.loop != nullptr) names.insert(task.name);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void emit_head(const program& source, const task_function& task, writer& out) {
  out.line("struct " + task.name + " {");
  out.in();
  out.line("static constexpr const char* name = \"" +
           (task.loop != nullptr ? loop_name(source, task) : shown_name(task.definition)) + "\";");
  out.line("using result_type = " +
           (task.has_result() ? type_text(source, task.definition->getReturnType()) : "void") +
           ";");
  task.loop != nullptr ? emit_range(source, task, out) : emit_arguments(source, task, out);
}

void emit_bound(const std::string& spawns, const std::string& bound, writer& out) {
  out.line("using spawns = channels::task_list<" + spawns + ">;");
  out.line("static constexpr std::uint32_t spawn_bound = " + bound + ";");
}

// The hints of a task that differ from their defaults (channels/task.hpp).
void emit_hints(const program& source, const finished_task& task, writer& out,
                const task_lanes* lanes, bool serial_parts) {
  if (!shares_frame(source, task)) out.line("static constexpr bool shares_frame = false;");
  if (keeps_results_in_frame(task)) out.line("static constexpr bool results_in_frame = true;");
  // A wavefront runs the leaves that its lanes share, and not the lane that spawns one.
  if (lanes == nullptr && has_quick_leaves(task)) {
    out.line("static constexpr bool quick_leaves = true;");
    // Only summing tasks are told that one which waits is no quick leaf.
    if (task.sums_up && leaf_test_reads_memory(task))
      out.line("static constexpr bool leaf_test_reads_memory = true;");
  }
  if (serial_parts) out.line("static constexpr bool serial_parts = true;");
  if (has_uneven_leaves(task)) out.line("static constexpr bool uneven_leaves = true;");
  if (task.sums_up) out.line("static constexpr bool sums_up = true;");
  if (!task.sums_up_in_loops()) return;
  if (!task.frame.first_unkept.empty()) {
    out.line("static constexpr std::size_t kept_frame = __builtin_offsetof(frame, " +
             task.frame.first_unkept + ");");
  }
  if (const unsigned most = most_at_once(task.lowered); most != 1)
    out.line("static constexpr std::uint32_t most_at_once = " + std::to_string(most) + ";");
}

// Such a leaf does not come to `enter` there, unless a lane may run it alone. The compiler drops
// what only leaves run.
std::string not_of_one_lane(const task_lanes& lanes) {
  const std::string but = lanes.short_loops ? " && !requires { Lane::runs_leaves; }" : "";
  return "if constexpr (requires { Lane::takes_leaves; }" + but +
         ") if (is_leaf(args)) __builtin_unreachable();";
}

// What all lanes of a wavefront run together.
void emit_lanes(const task_lanes& lanes, const std::string& first, writer& out) {
  out.line("static constexpr std::size_t leaf_memory = 0;");
  if (lanes.divided) out.line("static constexpr bool divides_leaf = true;");
  if (lanes.short_loops) out.line("static constexpr bool single_lane_leaves = true;");
  out.line("CHANNELS_DEVICE static bool is_leaf([[maybe_unused]] const arguments& args) {");
  out.in();
  out.line("return " + lanes.is_leaf + ";");
  out.out();
  out.line("}");
  out.line("template <class Group>");
  out.line("CHANNELS_DEVICE static result_type leaf([[maybe_unused]] Group& cilk_group, " +
           std::string("[[maybe_unused]] const arguments& args) {"));
  out.in();
  if (!first.empty()) out.line(first);
  out.line(lanes.leaf);
  out.out();
  out.line("}");
}

void emit_leaf(const program& source, const finished_task& finished, writer& out,
               const task_lanes* lanes, bool serial_parts) {
  const task_function& task = *finished.task;
  const clang::FunctionDecl* function = task.definition;
  const std::string name = function->getNameAsString();
  out.line("// " + name + " spawns nothing: a task without a post-spawn node.");
  emit_head(source, task, out);
  out.line("struct frame {};");
  emit_bound("", "0", out);
  emit_hints(source, finished, out, lanes, serial_parts);
  std::string arguments;
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    arguments += (arguments.empty() ? "args." : ", args.") + node_names::argument(parameter);
  }
  const auto call_of = [&](const clang::FunctionDecl* callee) {
    return (source.is_c() ? "::" : "") + full_name(source, callee) + "(" + arguments + ")";
  };
  const std::string call = call_of(function);
  const bool no_value = function->getReturnType()->isVoidType();
  if (const clang::FunctionDecl* group = group_form(function)) {
    out.line("static constexpr std::size_t leaf_memory = 0;");
    out.line("CHANNELS_DEVICE static bool is_leaf(const arguments&) { return true; }");
    out.line("template <class Group>");
    out.line("CHANNELS_DEVICE static result_type leaf(Group&, const arguments& args) {");
    out.in();
    out.line("(void)args;");
    out.line((no_value ? "" : "return ") + call_of(group) + ";");
    out.out();
    out.line("}");
  }
  if (lanes != nullptr) emit_lanes(*lanes, "", out);
  out.line("template <class Lane>");
  out.line("CHANNELS_DEVICE static channels::outcome enter(Lane& lane, const arguments& args) {");
  out.in();
  if (lanes != nullptr) out.line(not_of_one_lane(*lanes));
  out.line("(void)args;");
  if (no_value) out.line(call + ";");
  out.line("return lane.finish(" + (no_value ? "" : call) + ");");
  out.out();
  out.line("}");
  out.line("template <class Lane>");
  out.line("CHANNELS_DEVICE static channels::outcome resume(Lane&, frame&, std::uint32_t) {");
  out.in();
  out.line("__builtin_unreachable();");
  out.out();
  out.line("}");
  out.out();
  out.line("};");
}

bool mentions(const std::string& text, const std::string& name) {
  const auto part_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const bool starts = at == 0 || !part_of_name(text[at - 1]);
    const std::size_t end = at + name.size();
    if (starts && (end == text.size() || !part_of_name(text[end]))) return true;
  }
  return false;
}

}  // namespace

void emit_task(const program& source, const finished_task& task, writer& out,
               const std::string& first, const lane_forms* forms, bool serial_parts) {
  const task_lanes* lanes = forms == nullptr ? nullptr : forms->of(*task.task);
  if (task.task->leaf) return emit_leaf(source, task, out, lanes, serial_parts);
  const clang::FunctionDecl* function = task.task->definition;
  const node_names names(source, task.lowered, task.frame, task.usage);
  const bool loop = task.task->loop != nullptr;
  const clang::SourceLocation begin =
      loop ? task.task->loop->node->getBeginLoc() : function->getBeginLoc();
  const clang::SourceLocation end =
      loop ? task.task->loop->node->getEndLoc() : function->getEndLoc();
  const clang::SourceLocation split = loop ? begin : first_split(source, task);

  emit_head(source, *task.task, out);
  emit_frame(source, task, out);
  emit_bound(
      spawned_tasks(source, *task.task),
      task.lowered.spawn_bound ? std::to_string(*task.lowered.spawn_bound) : "channels::unbounded",
      out);
  emit_hints(source, task, out, lanes, serial_parts);
  if (lanes != nullptr) emit_lanes(*lanes, task.task->loop != nullptr ? first : "", out);
  if (!task.task->allocations.empty()) out.line("static constexpr bool allocates = true;");
  out.line("");
  quote(source, begin, split, out);
  out.line("template <class Lane>");
  out.line("CHANNELS_DEVICE static channels::outcome enter(Lane& " + names.lane +
           ", const arguments& " + names.arguments + ") {");
  out.in();
  if (lanes != nullptr && names.arguments == "args") out.line(not_of_one_lane(*lanes));
  if (!first.empty()) out.line(first);
  emit_enter(source, task, out, forms);
  out.out();
  out.line("}");
  out.line("");

  writer body(false);
  variable_set missing;
  emit_resume(source, task, body, missing, forms);
  const std::string text = body.take();
  const auto used = [&](const std::string& name) { return mentions(text, name) ? " " + name : ""; };
  quote(source, loop ? begin : continuation(task, split), end, out);
  out.line("template <class Lane>");
  out.line("CHANNELS_DEVICE static channels::outcome resume(Lane& " + names.lane + ", frame&" +
           used(names.frame) + ", std::uint32_t" + used(names.point) + ") {");
  out.in();
  if (!first.empty()) out.line(first);
  emit_resume(source, task, out, missing, forms);
  out.out();
  out.line("}");
  out.out();
  out.line("};");
}

std::string prototype(const program& source, const task_function& task) {
  const clang::FunctionDecl* function = task.definition;
  std::string text = function->getNameAsString() + "(";
  bool first = true;
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    text += (first ? "" : ", ") +
            type_text(source, parameter->getType(), node_names::argument(parameter));
    first = false;
  }
  const clang::QualType result = function->getReturnType();
  text = type_text(source, result, text + ")");
  std::string prefix;
  if (function->getStorageClass() == clang::SC_Static) {
    prefix = "static ";
  } else if (source.is_c()) {
    prefix = "extern \"C\" ";
  }
  if (function->isInlineSpecified()) prefix += "inline ";
  return prefix + text;
}

void emit_wrapper(const program& source, const finished_task& task, writer& out) {
  std::string arguments;
  for (const clang::ParmVarDecl* parameter : task.task->definition->parameters()) {
    arguments += (arguments.empty() ? "" : ", ") + node_names::argument(parameter);
  }
  const bool no_value = task.task->definition->getReturnType()->isVoidType();
  out.line(prototype(source, *task.task) + " {");
  out.in();
  out.line(std::string(no_value ? "" : "return ") + "channels::cilk::invoke<" + task.task->name +
           ">({" + arguments + "});");
  out.out();
  out.line("}");
}

}  // namespace cilk2chan
