// The graph in the DOT language, at rest and while it runs.

#include <gtest/gtest.h>

#include <filesystem>  // temp_directory_path
#include <fstream>     // ifstream
#include <regex>       // regex

#include "channels/graph.hpp"
#include "tests/support/endless.hpp"
#include "tests/support/shapes.hpp"

namespace channels::testing {
namespace {

void expect_lines(const std::string& dot, const std::vector<std::string>& patterns) {
  for (const std::string& p : patterns)
    EXPECT_TRUE(std::regex_search(dot, std::regex(p))) << "no " << p << " in\n" << dot;
}

/// Every statement of the body is a node with attributes, an edge, or a setting.
void expect_well_formed(const std::string& dot) {
  const std::string quoted = R"re("([^"\\]|\\.)*")re";
  const std::string id = "[a-z]+[0-9]+";
  const std::string attributes = "( \\[([a-z]+=([a-z]+|" + quoted + ")(, )?)+\\])?";
  const std::regex statement("  (rankdir=LR|" + id + attributes + "|" + id + " -> " + id +
                             attributes + ");");
  std::istringstream lines(dot);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(std::regex_match(line, std::regex("digraph " + quoted + " \\{"))) << line;
  bool closed = false;
  while (std::getline(lines, line)) {
    EXPECT_FALSE(closed) << "after the end: " << line;
    closed = line == "}";
    EXPECT_TRUE(closed || std::regex_match(line, statement)) << line;
  }
  EXPECT_TRUE(closed);
}

TEST(dot, shows_channels_nodes_and_what_connects_them) {
  runtime on(with_units(1));
  graph g(on, "a graph");
  const auto roots = g.channel<int>("roots", 16);
  const auto tree = g.stack<int>("tree", 256);
  const auto cont = g.frames<int>("tree.cont", 64);
  g.kernel("plant", roots, [](auto& /*lane*/, int /*i*/, auto& /*out*/) {}, tree);
  g.kernel(
      "grow", tree, [](auto& /*lane*/, int /*i*/, auto& /*out*/, auto& /*frames*/) {}, tree, cont);
  g.kernel("join", cont, [](auto& /*lane*/, int& /*i*/) {});
  g.push(roots, 1);
  g.push(roots, 2);
  const std::string dot = g.dot();
  expect_well_formed(dot);
  expect_lines(dot, {"digraph \"a graph\"", "c0 .*cylinder.*roots.*capacity 16",
                     "c1 .*tree \\(stack\\).*256", "c2 .*tree.cont \\(stack\\)", "k0 .*box.*plant",
                     "k1 .*grow", "k2 .*join", "c0 -> k0", "k0 -> c1;", "c1 -> k1",
                     "k1 -> c1 .*level \\+ 1", "k1 -> c2;", "c2 -> k2", "host0 -> c0 .*\"2\""});
  EXPECT_EQ(dot.find("live"), std::string::npos) << "nothing runs";
}

TEST(dot, has_the_live_counts_of_a_run) {
  runtime on(with_units(2));
  graph g(on, "live");
  const auto held = g.channel<int>("held", 64);
  const auto spun = g.channel<int>("spun", 64);
  std::atomic<bool> end{false};
  g.kernel("spin", spun, endless::body, spun, &end);
  g.kernel("end", held, [](auto& /*lane*/, int /*i*/) {});
  g.dispatch_when(held, [](const channel_status&) { return false; });
  for (int i = 0; i < 5; ++i) g.push(held, i);
  for (int i = 0; i < 8; ++i) g.push(spun, i);
  g.execute();
  std::string dot;
  const std::regex counts("c0 .*\\\\n5 live, 5 ready");
  for (int i = 0; i < 1000 && !std::regex_search(dot, counts); ++i) dot = g.dot();
  expect_well_formed(dot);
  expect_lines(dot, {"c0 .*\\\\n5 live, 5 ready", "c1 .*\\\\n[0-9]+ live, [0-9]+ ready"});
  end = true;
  EXPECT_TRUE(g.wait());
  EXPECT_EQ(g.dot().find("live,"), std::string::npos) << "the run is over";
}

TEST(dot, of_a_run_that_has_ended_has_what_went_through) {
  settings s = with_units(1);
  s.graph = std::filesystem::temp_directory_path() / "channels_dot_test.dot";
  runtime on(s);
  graph g(on, "a graph");
  const auto first = g.channel<int>("first", 64);
  const auto second = g.channel<int>("second", 64);
  g.kernel(
      "pass", first,
      [](auto& lane, int i, auto& out) {
        if (!out.reserve(1)) return lane.retry();
        out.push(i);
        return lane.done();
      },
      second);
  g.kernel("end", second, [](auto& /*lane*/, int /*i*/) {});
  for (int i = 0; i < 5; ++i) g.push(first, i);
  g.execute();
  EXPECT_TRUE(g.wait());
  std::ifstream in(s.graph);
  const std::string dot{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(s.graph);
  expect_well_formed(dot);
  expect_lines(dot, {"c0 .*first.*capacity 64.*[0-9]+ reserved in all.*5 at most in one of 64",
                     "k0 .*pass.*5 elements in 1 batches.*% of lanes active.*filled",
                     "k1 .*end.*5 elements in [0-9]+ batches", "host0 -> c0 .*\"5\""});
}

TEST(dot, can_be_asked_for_again_and_again_while_the_graph_runs) {
  runtime on(with_units(2));
  endless run(on);
  for (int i = 0; i < scaled(300); ++i) expect_well_formed(run.on_graph.dot());
  run.let_end();
  EXPECT_TRUE(run.on_graph.wait());
}

TEST(dot, quotes_names_that_have_quotes) {
  runtime on(with_units(1));
  graph g(on, R"(a "graph")");
  const auto c = g.channel<int>(R"(back\slash)", 4);
  g.kernel(R"("node")", c, [](auto& /*lane*/, int /*i*/) {});
  const std::string dot = g.dot();
  expect_well_formed(dot);
  EXPECT_NE(dot.find(R"(a \"graph\")"), std::string::npos) << dot;
  EXPECT_NE(dot.find(R"(back\\slash)"), std::string::npos) << dot;
}

TEST(dot, of_a_graph_that_does_not_run_says_nothing_of_another_that_does) {
  runtime on(with_units(2));
  endless run(on);
  graph g(on, "idle");
  (void)g.channel<int>("c", 4);
  expect_well_formed(g.dot());
  EXPECT_EQ(g.dot().find("live"), std::string::npos);
  run.let_end();
  EXPECT_TRUE(run.on_graph.wait());
}

}  // namespace
}  // namespace channels::testing
