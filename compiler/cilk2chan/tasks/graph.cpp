#include "tasks/graph.hpp"

#include "frontend/spelling.hpp"
#include "tasks/parallel_loops.hpp"

#include <set>

namespace cilk2chan {
namespace {

std::string node_name(const program& source, const task_function& task) {
  return task.loop != nullptr             ? loop_name(source, task)
         : is_plain_form(task.definition) ? shown_name(task.definition)
                                          : task.definition->getQualifiedNameAsString();
}

// Adds the tasks that a part of a function spawns.
void add_spawned(const program& source, const std::vector<step>& steps,
                 std::set<std::string>& names) {
  for (const step& one : steps) {
    if (one.piece.child != nullptr) {
      const task_function* callee = source.task_of(*one.piece.child);
      if (callee != nullptr) names.insert(node_name(source, *callee));
    }
    add_spawned(source, one.body, names);
    add_spawned(source, one.otherwise, names);
  }
}

class drawing {
 public:
  explicit drawing(const program& source) : source_(source) {}

  std::string run(const std::vector<finished_task>& tasks) {
    text_ = "digraph program {\n  rankdir=LR;\n  node [fontname=\"monospace\"];\n";
    for (const finished_task& task : tasks) draw(task);
    return text_ + "}\n";
  }

 private:
  void draw(const finished_task& task) {
    const std::string name = node_name(source_, *task.task);
    consumer(name);
    if (task.task->leaf) return;
    const std::string rest = name + ".cont";
    consumer(rest);
    edge("node " + name, "channel " + rest, "frame");
    std::set<std::string> first;
    add_spawned(source_, task.lowered.enter, first);
    for (const std::string& one : first) edge("node " + name, "channel " + one, "spawn");
    std::set<std::string> later;
    for (const segment& part : task.lowered.resume) add_spawned(source_, part.steps, later);
    for (const std::string& one : later) edge("node " + rest, "channel " + one, "spawn");
    if (task.lowered.points > 1) edge("node " + rest, "channel " + rest, "next sync");
  }

  void consumer(const std::string& name) {
    line("\"channel " + name + "\" [shape=cylinder, label=\"" + name + "\"];");
    line("\"node " + name + "\" [shape=box, label=\"" + name + "\"];");
    edge("channel " + name, "node " + name, "");
  }

  void edge(const std::string& from, const std::string& to, const std::string& label) {
    line("\"" + from + "\" -> \"" + to + "\"" +
         (label.empty() ? ";" : " [label=\"" + label + "\"];"));
  }

  void line(const std::string& text) { text_ += "  " + text + "\n"; }

  const program& source_;
  std::string text_;
};

}  // namespace

std::string graph_of(const program& source, const std::vector<finished_task>& tasks) {
  return drawing(source).run(tasks);
}

}  // namespace cilk2chan
