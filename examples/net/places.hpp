#pragma once

#include <atomic>   // atomic
#include <chrono>   // steady_clock
#include <cstdint>  // fixed-width integers
#include <cstdio>   // fprintf
#include <cstdlib>  // strtoull, exit
#include <cstring>  // strcmp, strncmp
#include <string>   // string
#include <utility>  // move

#include "channels/graph.hpp"
#include "channels/net/threads.hpp"
#include "channels/net/world.hpp"
#ifdef WITH_MPI
#include "channels/net/mpi.hpp"
#endif

/// What the programs in examples/net have in common: their options, and places to run at.
namespace examples {

/// The value of `--name value` or `--name=value`, or `usual`.
inline std::string option(int argc, char** argv, const char* name, const std::string& usual) {
  const std::size_t length = std::strlen(name);
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], name, length) != 0) continue;
    if (argv[i][length] == '=') return argv[i] + length + 1;
    if (argv[i][length] == '\0' && i + 1 < argc) return argv[i + 1];
  }
  return usual;
}
inline std::uint64_t number(int argc, char** argv, const char* name, std::uint64_t usual) {
  return std::strtoull(option(argc, argv, name, std::to_string(usual)).c_str(), nullptr, 10);
}

/// Calls `program(world)` at each place: `--transport threads` (the default, but for programs that
/// mpirun has started) or `mpi`; `--places`, of threads. It returns whether its result is right.
/// Returns the exit status.
template <class Program>
int at_places(int argc, char** argv, const Program& program) {
  const bool by_mpirun =
      std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr;
  const std::string by = option(argc, argv, "--transport", by_mpirun ? "mpi" : "threads");
  try {
    if (by == "threads") {
      const channels::thread_network net(
          static_cast<std::uint32_t>(number(argc, argv, "--places", 4)));
      std::atomic<bool> right = true;
      channels::at_all_places(net, [&](std::unique_ptr<channels::transport> t) {
        const channels::world w(std::move(t));
        if (!program(w)) right = false;
      });
      return right ? 0 : 1;
    }
#ifdef WITH_MPI
    if (by == "mpi") {
      const channels::world w(channels::mpi_transport());
      return program(w) ? 0 : 1;
    }
#endif
    std::fprintf(stderr, "there is no transport '%s' in this build\n", by.c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
  }
  return 1;
}

/// The settings of a runtime that shares the machine with those of other places: one unit, so that
/// the bodies of a place run one after the other and need no atomics.
inline channels::settings one_unit() {
  channels::settings how = channels::settings::from_environment();
  if (how.compute_units == 0) how.compute_units = 1;
  return how;
}

/// How `count` things are shared by the places: each has as many, the last one perhaps fewer.
struct slices {
  std::uint64_t count;
  std::uint64_t each;

  slices(std::uint64_t things, std::uint32_t places)
      : count(things), each((things + places - 1) / places) {}
  [[nodiscard]] std::uint64_t owner(std::uint64_t thing) const { return thing / each; }
  [[nodiscard]] std::uint64_t first(std::uint32_t place) const {
    return place * each < count ? place * each : count;
  }
  [[nodiscard]] std::uint64_t end(std::uint32_t place) const { return first(place + 1); }
  [[nodiscard]] std::uint64_t size(std::uint32_t place) const { return end(place) - first(place); }
};

/// Some things that a place has still to go through.
struct range {
  std::uint64_t next;
  std::uint64_t end;
};

/// What `combine` makes of the values of all places. All of them call it, and all get it. The value
/// of a place may be combined more than once: a minimum is right, a sum is not.
template <class T, class Combine>
T of_all(channels::runtime& on, const channels::world& w, T here, Combine combine) {
  channels::graph g(on, w, "of all");
  const auto values = g.channel<T>("values", w.places());
  const auto result = g.accumulator<T>(here, combine);
  g.kernel(
      "combine", values, [combine](auto&, const T& v, T& all) { all = combine(all, v); }, result);
  g.push(g.far(values, channels::all()), here);
  g.execute();
  g.wait();
  return result.value();
}

/// Whether `here` is true at all places.
inline bool everywhere(channels::runtime& on, const channels::world& w, bool here) {
  return of_all(on, w, here ? 1U : 0U, [](unsigned a, unsigned b) { return a & b; }) != 0;
}

/// The seconds that a call of `what` takes.
template <class What>
double seconds(const What& what) {
  const auto start = std::chrono::steady_clock::now();
  what();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A scrambled number: splitmix64.
constexpr std::uint64_t scramble(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBULL;
  return x ^ x >> 31U;
}

/// What place 0 prints of a run: how many million `things` a second, how long the serial program
/// took for as many, and whether they are right. Returns `is_right`.
inline bool report(const channels::world& w, double count, const char* things, double took,
                   double serially, bool is_right) {
  if (w.here() != 0) return true;
  std::printf("%u places, %.1f M %s in %.4f s: %.2f M/s; serially %.4f s\n", w.places(),
              count * 1e-6, things, took, count * 1e-6 / took, serially);
  std::puts(is_right ? "right" : "wrong");
  return is_right;
}

}  // namespace examples
