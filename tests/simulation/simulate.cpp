// Simulates the runtime with many seeds, each in a process of its own.
//
//     simulate --seeds N [--first SEED] [--kind NAME] [--jobs N]   all pass, or the first that does not is told
//     simulate --replay SEED [--kind NAME]                         one, twice: the same schedule both times
//     simulate --find MUTANT --seeds N                             succeeds if a seed fails
//     simulate --growth all                                        how work grows with depth, width and so on

#include <gtest/gtest.h>
#include <sys/mman.h>         // mmap
#include <sys/personality.h>  // personality
#include <sys/wait.h>         // waitpid
#include <unistd.h>           // fork, execv

#include <algorithm>    // find
#include <array>        // array
#include <cstdio>       // printf
#include <cstdlib>      // exit
#include <map>          // map
#include <string>       // string
#include <string_view>  // string_view

#include "runtime/observe/ticks.hpp"
#include "tests/simulation/programs.hpp"
#include "tests/simulation/simulation.hpp"

namespace channels::testing {
namespace {

using simulation::mutant;

constexpr std::array<std::string_view, 4> mutants{"none", "torn-updates", "lost-wakeups",
                                                  "open-mutexes"};

struct request {
  std::uint64_t first = 1;
  std::uint64_t seeds = 1;
  unsigned kind = number_of_kinds;  ///< all
  unsigned jobs = 1;
  bool replay = false;
  bool growth = false;
  mutant wrong = mutant::none;
};

[[noreturn]] void usage() {
  std::fprintf(stderr,
               "usage: simulate --seeds N [--first SEED] [--kind NAME] [--jobs N] [--find MUTANT]\n"
               "       simulate --replay SEED [--kind NAME] [--find MUTANT]\n");
  std::exit(2);
}

template <class Names>
unsigned number_of(const Names& names, std::string_view name) {
  const auto* const at = std::find(std::begin(names), std::end(names), name);
  if (at == std::end(names)) usage();
  return static_cast<unsigned>(at - std::begin(names));
}

request read(int argc, char** argv) {
  request r;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    const std::string value = argv[i + 1];
    if (option == "--kind") {
      r.kind = number_of(kinds, value);
    } else if (option == "--growth") {
      r.growth = true;
    } else if (option == "--find") {
      r.wrong = static_cast<mutant>(number_of(mutants, value));
    } else {
      const std::uint64_t number = std::stoull(value);
      if (option == "--seeds") {
        r.seeds = number;
      } else if (option == "--first") {
        r.first = number;
      } else if (option == "--jobs") {
        r.jobs = static_cast<unsigned>(number);
      } else if (option == "--replay") {
        r.first = number;
        r.replay = true;
      } else {
        usage();
      }
    }
  }
  if (argc < 3 || argc % 2 == 0 || r.jobs == 0) usage();
  return r;
}

unsigned kind_of(const request& r, std::uint64_t seed) {
  return r.kind != number_of_kinds ? r.kind : static_cast<unsigned>(seed % number_of_kinds);
}

/// What all processes have counted, in memory that they share.
struct totals {
  std::uint64_t steps, switches, threads, refused, ns;
  std::uint64_t schedule;  ///< of the last
};

/// In a process of its own: runs the program of `seed`, and ends with 0 if all was right.
[[noreturn]] void simulate(const request& r, std::uint64_t seed, totals& all) {
  simulation::options how;
  how.seed = seed;
  how.wrong = r.wrong;
  // A fault may show as a run that goes on for ever; others take a million steps at most.
  if (r.wrong != mutant::none) how.most_steps = 2'000'000;
  // Of each kind's programs, some lack threads.
  const unsigned kind = kind_of(r, seed);
  how.refused_threads = kind != device_kind && seed / number_of_kinds % 4 == 3 ? 3 : 0;
  const simulation::summary done = simulation::run(
      how, [&] { run_program(kind, seed / number_of_kinds, how.refused_threads != 0); });
  const auto add = [](std::uint64_t& to, std::uint64_t what) {
    __atomic_fetch_add(&to, what, __ATOMIC_RELAXED);
  };
  add(all.steps, done.steps);
  add(all.switches, done.switches);
  add(all.threads, done.threads);
  add(all.refused, done.refused);
  add(all.ns, done.ns);
  all.schedule = done.schedule;
  const bool failed = ::testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed();
  std::fflush(nullptr);
  _exit(failed ? 1 : 0);
}

pid_t start(const request& r, std::uint64_t seed, totals& all) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    // A simulation that hangs is one that waits outside of it.
    alarm(120);
    // A fault that is looked for is told by its number alone.
    if (r.wrong != mutant::none && !r.replay) {
      (void)!std::freopen("/dev/null", "w", stdout);
      (void)!std::freopen("/dev/null", "w", stderr);
    }
    simulate(r, seed, all);
  }
  return child;
}

std::string name_of(const request& r, std::uint64_t seed) {
  return "seed " + std::to_string(seed) + " (" + kinds[kind_of(r, seed)] + ")";
}

bool ended_well(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

/// The seed that failed first, or none.
std::uint64_t run_all(const request& r, totals& all) {
  std::map<pid_t, std::uint64_t> running;
  std::uint64_t failed = 0;
  for (std::uint64_t next = 0; (next < r.seeds && failed == 0) || !running.empty();) {
    if (next < r.seeds && failed == 0 && running.size() < r.jobs) {
      const std::uint64_t seed = r.first + next++;
      running[start(r, seed, all)] = seed;
      continue;
    }
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    const std::uint64_t seed = running[ended];
    running.erase(ended);
    if (ended_well(status)) continue;
    failed = seed;
    std::printf("%s ended with %s %d\n", name_of(r, seed).c_str(),
                WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  }
  return failed;
}

int replay(const request& r, totals& all) {
  std::uint64_t schedules[2] = {};
  bool well = true;
  for (std::uint64_t& schedule : schedules) {
    int status = 0;
    waitpid(start(r, r.first, all), &status, 0);
    well = well && ended_well(status);
    schedule = all.schedule;
  }
  std::printf("%s: %s, schedule %016llx\n", name_of(r, r.first).c_str(), well ? "passed" : "failed",
              static_cast<unsigned long long>(schedules[0]));
  if (schedules[0] != schedules[1]) {
    std::printf("another schedule the second time: %016llx\n",
                static_cast<unsigned long long>(schedules[1]));
    return 1;
  }
  return well ? 0 : 1;
}

/// The work of a program of this size on one schedule: accesses to memory, and atomic operations.
std::uint64_t work_of(const growth& g, unsigned size, totals& all) {
  all = {};
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    simulation::options how;
    how.seed = 3;
    how.most_steps = ~std::uint64_t{0};
    const simulation::summary done = simulation::run(how, [&] { g.run(size); });
    all.steps = done.steps + done.accesses;
    std::fflush(nullptr);
    _exit(::testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed() ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return ended_well(status) ? all.steps : 0;
}

int show_growths(totals& all) {
  bool well = true;
  for (const growth& g : growths) {
    const std::uint64_t small = work_of(g, g.from, all);
    const std::uint64_t large = work_of(g, g.to, all);
    const double ratio = small == 0 ? 0 : static_cast<double>(large) / static_cast<double>(small);
    const bool grows_too_fast = ratio > g.most;
    std::printf("%-22s %5u: %10llu   %5u: %11llu   %.2f times%s\n", g.name, g.from,
                static_cast<unsigned long long>(small), g.to,
                static_cast<unsigned long long>(large), ratio,
                small == 0 || large == 0 ? ": it failed"
                : grows_too_fast         ? ": too much"
                                         : "");
    well = well && small != 0 && large != 0 && !grows_too_fast;
  }
  return well ? 0 : 1;
}

int run(const request& r) {
  void* const shared =
      mmap(nullptr, sizeof(totals), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto& all = *static_cast<totals*>(shared);
  if (r.growth) return show_growths(all);
  if (r.replay) return replay(r, all);
  const std::uint64_t failed = run_all(r, all);
  std::printf("%llu steps, %llu switches, %llu threads, %llu refused, %.3f s of simulated time\n",
              static_cast<unsigned long long>(all.steps),
              static_cast<unsigned long long>(all.switches),
              static_cast<unsigned long long>(all.threads),
              static_cast<unsigned long long>(all.refused), static_cast<double>(all.ns) / 1e9);
  if (r.wrong != mutant::none) {
    if (failed == 0) std::printf("no seed finds it\n");
    return failed == 0 ? 1 : 0;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace channels::testing

int main(int argc, char** argv) {
  // The same addresses each time, since containers may be ordered by them.
  const int now = personality(0xffffffff);
  if (now != -1 && (now & ADDR_NO_RANDOMIZE) == 0 && personality(now | ADDR_NO_RANDOMIZE) != -1)
    execv("/proc/self/exe", argv);
  channels::detail::ticks_from = channels::detail::tick_source::clock;
  return channels::testing::run(channels::testing::read(argc, argv));
}
