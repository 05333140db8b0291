#include "tasks/explain.hpp"

#include "frontend/spelling.hpp"
#include "frontend/type_text.hpp"
#include "tasks/parallel_loops.hpp"

#include <clang/AST/Stmt.h>

#include <algorithm>

namespace cilk2chan {
namespace {

const char* reason(const step& one) {
  switch (one.kind) {
    case step_kind::sync: return one.piece.child != nullptr ? "waits for this call" : "cilk_sync";
    case step_kind::spawn: return "spawn that may find no room";
    case step_kind::iterate: return "the end of an iteration";
    case step_kind::allocate: return "memory that there may not be yet";
    case step_kind::reserve: return "room for the next spawns";
    case step_kind::wait_return: return "implicit sync at this return";
    case step_kind::resume_at: return "goes on in the post-spawn node";
    default: return "implicit sync at the end";
  }
}

struct split {
  unsigned point;
  unsigned line;
  const char* reason;
};

void collect(const program& source, const finished_task& task, const std::vector<step>& steps,
             std::vector<split>& splits) {
  const clang::SourceManager& sources = source.sources();
  for (const step& one : steps) {
    if (one.point != 0) {
      const clang::SourceLocation place =
          one.piece.child != nullptr       ? one.piece.child->node()->getBeginLoc()
          : one.piece.statement != nullptr ? one.piece.statement->getBeginLoc()
                                           : task.task->definition->getEndLoc();
      splits.push_back({one.point, sources.getPresumedLineNumber(place), reason(one)});
    }
    collect(source, task, one.body, splits);
    collect(source, task, one.otherwise, splits);
  }
}

}  // namespace

task_counts& task_counts::operator+=(const task_counts& other) {
  functions += other.functions;
  of_functions += other.of_functions;
  loops += other.loops;
  of_loops += other.of_loops;
  return *this;
}

std::string summary(const task_counts& counts) {
  const auto part = [](unsigned tasks, unsigned all, const char* what) {
    return std::to_string(tasks) + " of " + std::to_string(all) + " " + what;
  };
  return "tasks: " + part(counts.functions, counts.of_functions, "functions") + ", " +
         part(counts.loops, counts.of_loops, "loops") + "\n";
}

void explain(const program& source, const std::vector<finished_task>& tasks,
             llvm::raw_ostream& out) {
  for (const finished_task& task : tasks) {
    const clang::FunctionDecl* function = task.task->definition;
    out << (task.task->loop != nullptr ? loop_name(source, *task.task) : shown_name(function))
        << ": task " << task.task->name;
    if (task.task->leaf) {
      out << ", spawns nothing\n";
      continue;
    }
    out << ", pre-spawn node 'enter', post-spawn node 'resume'\n";
    std::vector<split> splits;
    collect(source, task, task.lowered.enter, splits);
    for (const segment& part : task.lowered.resume) collect(source, task, part.steps, splits);
    std::ranges::sort(splits, {}, &split::point);
    for (const split& one : splits) {
      out << "  point " << one.point << ", line " << one.line << ": " << one.reason << '\n';
    }
    out << "  spawns to the next sync: ";
    if (task.lowered.spawn_bound) {
      out << "at most " << *task.lowered.spawn_bound << '\n';
    } else {
      out << "not known\n";
    }
    out << "  frame:";
    for (const frame_member& member : task.frame.members) {
      out << ' ' << type_text(source, member.type, member.name) << ';';
    }
    out << (task.frame.members.empty() ? " empty\n" : "\n");
  }
}

}  // namespace cilk2chan
