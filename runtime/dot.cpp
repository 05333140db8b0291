#include "runtime/dot.hpp"

#include <fmt/format.h>  // format

namespace channels::detail {
namespace {

/// `text` for use between quotes.
std::string quoted(const std::string& text) {
  std::string q;
  for (const char c : text) {
    if (c == '"' || c == '\\') q += '\\';
    q += c;
  }
  return q;
}

}  // namespace

std::string to_dot(const graph_model& model, const std::vector<stack_count>& counts) {
  std::string text = fmt::format("digraph \"{}\" {{\n  rankdir=LR;\n", quoted(model.name));
  for (std::size_t i = 0; i < model.stacks.size(); ++i) {
    const stack_model& s = model.stacks[i];
    std::string label = quoted(s.name);
    if (s.levels) label += " (stack)";
    if (s.capacity != 0) label += fmt::format("\\ncapacity {}", s.capacity);
    if (!counts.empty()) {
      if (s.levels) label += fmt::format("\\n{} levels", counts[i].levels);
      label += fmt::format("\\n{} live, {} ready", counts[i].live, counts[i].ready);
    }
    text += fmt::format("  c{} [shape=cylinder, label=\"{}\"];\n", i, label);
    if (!s.pushed.empty()) {
      text += fmt::format(
          "  host{0} [shape=plaintext, label=\"host\"];\n  host{0} -> c{0} [label=\"{1}\"];\n", i,
          s.pushed.size() / s.element_bytes);
    }
  }
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const node_model& n = model.nodes[i];
    text += fmt::format("  k{} [shape=box, label=\"{}\"];\n  c{} -> k{};\n", i, quoted(n.name),
                        n.stack, i);
    for (const output_model& o : n.outputs) {
      text +=
          fmt::format("  k{} -> c{}{};\n", i, o.stack, o.step != 0 ? " [label=\"level + 1\"]" : "");
    }
  }
  return text + "}\n";
}

}  // namespace channels::detail
