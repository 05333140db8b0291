// What it costs to watch a run: fib and queens through channels, watched in each way and not, in
// turns, so that what else the machine does meets all of them alike. The answers are checked.

#include <time.h>  // clock_gettime

#include <algorithm>   // min_element, nth_element
#include <chrono>      // steady_clock
#include <cstdio>      // printf
#include <cstdlib>     // strtoul
#include <filesystem>  // temp_directory_path, remove
#include <functional>  // function
#include <vector>      // vector

#include "channels/call.hpp"
#include "examples/tasks/fib.hpp"
#include "examples/tasks/queens.hpp"

namespace {

struct program {
  const char* name;
  std::function<long(channels::runtime&)> run;
  long expected;
};

struct way {
  const char* name;
  std::function<void(channels::settings&)> set;
};

/// Milliseconds of all processors that this process used.
double processor_ms() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double real_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

bool compare(const program& p, unsigned units, std::size_t turns, const std::vector<way>& ways) {
  std::vector<channels::runtime> on;
  for (const way& w : ways) {
    channels::settings s;
    s.compute_units = units;
    w.set(s);
    on.emplace_back(s);
  }
  struct times {
    std::vector<double> real, processor;
  };
  std::vector<times> took(ways.size());
  for (std::size_t turn = 0; turn < turns; ++turn) {
    for (std::size_t k = 0; k < ways.size(); ++k) {
      const std::size_t i = (turn + k) % ways.size();  // nobody always goes first
      const double processor = processor_ms();
      const double real = real_ms();
      if (p.run(on[i]) != p.expected) {
        std::printf("%s: a wrong answer\n", p.name);
        return false;
      }
      took[i].real.push_back(real_ms() - real);
      took[i].processor.push_back(processor_ms() - processor);
    }
  }
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto more = [&](std::vector<double> times::* which) {
      std::vector<double> ratios;
      for (std::size_t t = 0; t < turns; ++t) {
        ratios.push_back((took[i].*which)[t] / (took[0].*which)[t]);
      }
      return 100 * (median(ratios) - 1);
    };
    std::printf("%-10s %u CU  %-12s %8.2f ms real %+6.2f %%  %8.2f ms processor %+6.2f %%\n",
                p.name, units, ways[i].name, median(took[i].real), more(&times::real),
                median(took[i].processor), more(&times::processor));
  }
  std::fflush(stdout);
  return true;
}

}  // namespace

/// `bench_observe [TURNS]`
int main(int count, char** arguments) {
  const std::size_t turns = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 15;
  const std::string file = std::filesystem::temp_directory_path() / "bench_observe.trace";
  const std::vector<way> ways = {{"not", [](channels::settings&) {}},
                                 {"not, again", [](channels::settings&) {}},
                                 {"statistics", [](auto& s) { s.statistics = "1"; }},
                                 {"trace", [&](auto& s) { s.trace = file; }},
                                 {"progress", [](auto& s) { s.progress = true; }}};
  const tasks::chess_board board = tasks::empty_board(13);
  const std::vector<program> programs = {
      {"fib(35)", [](auto& on) { return channels::call<tasks::fib>(on, {35}); },
       tasks::serial_fib(35)},
      {"queens 13", [&](auto& on) { return channels::call<tasks::queens>(on, {board, 0}); },
       tasks::serial_queens(board)}};
  bool right = true;
  for (const program& p : programs) {
    for (const unsigned units : {1U, 2U}) right &= compare(p, units, turns, ways);
  }
  std::filesystem::remove(file);
  return right ? 0 : 1;
}
