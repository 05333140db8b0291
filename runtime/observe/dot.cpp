#include "runtime/observe/dot.hpp"

#include <fmt/format.h>  // format

#include "runtime/observe/output_file.hpp"

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

/// What is shown of stacks and nodes besides their names.
struct notes {
  std::vector<std::string> stacks;   ///< by stack, lines that begin with \n; or empty
  std::vector<std::string> nodes;    ///< by node, the same
  std::vector<std::string> colours;  ///< by node, attributes; or empty
};

std::string draw(const graph_model& model, const notes& of) {
  std::string text = fmt::format("digraph \"{}\" {{\n  rankdir=LR;\n", quoted(model.name));
  for (std::size_t i = 0; i < model.stacks.size(); ++i) {
    const stack_model& s = model.stacks[i];
    std::string label = quoted(s.name);
    if (s.levels) label += " (stack)";
    if (s.capacity != 0) label += fmt::format("\\ncapacity {}", s.capacity);
    if (!of.stacks.empty()) label += of.stacks[i];
    text += fmt::format("  c{} [shape=cylinder, label=\"{}\"];\n", i, label);
    if (!s.pushed.empty()) {
      text += fmt::format(
          "  host{0} [shape=plaintext, label=\"host\"];\n  host{0} -> c{0} [label=\"{1}\"];\n", i,
          s.pushed.size() / s.element_bytes);
    }
  }
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const node_model& n = model.nodes[i];
    text += fmt::format("  k{} [shape=box, label=\"{}{}\"{}];\n  c{} -> k{};\n", i, quoted(n.name),
                        of.nodes.empty() ? "" : of.nodes[i],
                        of.colours.empty() ? "" : of.colours[i], n.stack, i);
    for (const output_model& o : n.outputs) {
      text +=
          fmt::format("  k{} -> c{}{};\n", i, o.stack, o.step != 0 ? " [label=\"level + 1\"]" : "");
    }
  }
  return text + "}\n";
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string to_dot(const graph_model& model, const std::vector<stack_count>& counts) {
  notes of;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    std::string& note = of.stacks.emplace_back();
    if (model.stacks[i].levels) note += fmt::format("\\n{} levels", counts[i].levels);
    note += fmt::format("\\n{} live, {} ready", counts[i].live, counts[i].ready);
  }
  return draw(model, of);
}

std::string to_dot(const graph_model& model, const statistics& counted) {
  notes of;
  for (const channel_statistics& c : counted.channels) {
    std::string& note = of.stacks.emplace_back();
    if (model.stacks[of.stacks.size() - 1].levels) note += fmt::format("\\n{} levels", c.levels);
    note += fmt::format("\\n{} reserved in all\\n{} at most in one of {}", c.elements,
                        c.most_in_level, c.largest_capacity);
  }
  for (const node_statistics& n : counted.nodes) {
    const double share = percent(n.busy_ns, counted.work.busy_ns);
    of.nodes.push_back(fmt::format(
        "\\n{} elements in {} batches\\n{:.1f} % of lanes active\\n{:.1f} % of the units' work",
        n.elements, n.batches, percent(n.lanes, n.waves * counted.width), share));
    if (n.yields + n.retries != 0) {
      of.nodes.back() += fmt::format("\\n{} yields, {} retries", n.yields, n.retries);
    }
    // Blue, the stronger the larger the share of time: hue, saturation, value.
    of.colours.push_back(fmt::format(", style=filled, fillcolor=\"0.58 {:.2f} 1.0\"", share / 200));
  }
  return draw(model, of);
}

void write_graph(const std::string& file, const std::string& text) {
  write_output_or_warn("CHANNELS_GRAPH", file, text);
}

}  // namespace channels::detail
