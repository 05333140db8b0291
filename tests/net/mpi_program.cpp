// What mpirun starts, for tests: mpi_program delivery|failure|stopped. Exits with 0 if all went as
// it should at this place.

#include <csignal>  // raise
#include <cstdint>  // fixed-width integers
#include <cstdio>   // printf
#include <string>   // string

#include "channels/error.hpp"
#include "channels/graph.hpp"
#include "channels/net/mpi.hpp"

namespace {

using namespace channels;

constexpr std::uint64_t each = 20'000;
constexpr std::uint32_t hops = 3;

/// The `number`-th element that was made at place `from`.
struct ping {
  std::uint32_t from;
  std::uint32_t left;  ///< hops
  std::uint64_t number;
};

std::uint64_t place_of(const ping& e, std::uint64_t places) {
  return (e.from * 2654435761U + e.number * 40503U + e.left * 97U) % places;
}

/// What a place has consumed: sums that tell a missing element and one that came twice.
struct sums {
  std::uint64_t count = 0;
  std::uint64_t mixed = 0;
  friend sums operator+(const sums& a, const sums& b) {
    return {a.count + b.count, a.mixed + b.mixed};
  }
};

std::uint64_t mixed(const ping& e) {
  const std::uint64_t x = (e.from * 1'000'003ULL + e.number) * 31 + e.left;
  return (x ^ x >> 29U) * 0xBF58476D1CE4E5B9ULL;
}

settings how_here() {
  settings s = settings::from_environment();
  s.compute_units = 1;
  s.timeout = std::chrono::seconds(30);
  return s;
}

/// Elements hop from place to place, and each place tells place 0 what it has consumed.
bool delivery(world& w) {
  const std::uint64_t places = w.places();
  runtime on(how_here());
  graph g(on, w, "hops");
  const auto here = g.channel<ping>("here", 4096);
  const auto far = g.far(here, owner([=](const ping& e) { return place_of(e, places); }));
  const auto consumed = g.accumulator<sums>();
  g.kernel(
      "hop", here,
      [](auto& lane, const ping& e, auto& out, sums& all) {
        if (e.left != 0 && !out.reserve(1)) return lane.retry();
        all = all + sums{1, mixed(e)};
        if (e.left != 0) out.push({e.from, e.left - 1, e.number});
        return lane.done();
      },
      far, consumed);
  const auto parts = g.channel<std::uint64_t>("parts", 4);
  g.kernel(
      "make", parts,
      [](auto& lane, std::uint64_t next, auto& out, std::uint32_t place) {
        for (; next < each; ++next) {
          if (out.try_push({place, hops, next}) == nullptr) return lane.retry(next);
        }
        return lane.done();
      },
      far, w.here());
  g.push(parts, 0);
  g.execute();
  g.wait();

  graph h(on, w, "results");
  const auto results = h.channel<sums>("results", 64);
  const auto all = h.accumulator<sums>();
  h.kernel("add", results, [](auto&, const sums& s, sums& sum) { sum = sum + s; }, all);
  h.push(h.far(results, to(0)), consumed.value());
  h.execute();
  h.wait();
  if (w.here() != 0) return true;

  sums expected;
  for (std::uint32_t p = 0; p < places; ++p) {
    for (std::uint64_t i = 0; i < each; ++i)
      for (std::uint32_t left = 0; left <= hops; ++left)
        expected = expected + sums{1, mixed({p, left, i})};
  }
  std::printf("%llu elements, %llu expected\n", static_cast<unsigned long long>(all.value().count),
              static_cast<unsigned long long>(expected.count));
  return all.value().count == expected.count && all.value().mixed == expected.mixed;
}

/// Something happens to place 1 in the middle of a run that would go on for ever. Returns what the
/// run failed with.
std::string run_until(world& w, void (*happens)()) {
  runtime on(how_here());
  graph g(on, w, "endless");
  const auto here = g.channel<std::uint64_t>("here", 64);
  const auto far = g.far(here, ring());
  g.kernel(
      "send on", here,
      [](auto& lane, std::uint64_t n, auto& out, std::uint32_t place, void (*happen)()) {
        if (place == 1 && n > 1000) happen();
        if (!out.reserve(1)) return lane.retry();
        out.push(n + 1);
        return lane.done();
      },
      far, w.here(), happens);
  g.push(far, 0);
  g.execute();
  try {
    g.wait();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

bool has(const std::string& text, const char* words) {
  if (text.find(words) != std::string::npos) return true;
  std::printf("no '%s' in: %s\n", words, text.c_str());
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  world_options options;
  options.patience = what == "stopped" ? std::chrono::milliseconds(700) : std::chrono::seconds(20);
  world w(mpi_transport(), options);
  if (what == "delivery") return delivery(w) ? 0 : 1;
  if (what == "failure") {
    const std::string why = run_until(w, [] { throw error("place 1 has had enough"); });
    return has(why, "place 1 has had enough") ? 0 : 1;
  }
  if (what == "stopped") {
    const std::string why = run_until(w, [] { std::raise(SIGSTOP); });
    if (w.here() == 0) std::printf("%s\n", has(why, "place 1 is lost") ? "as it should" : "wrong");
    return 1;
  }
  std::fprintf(stderr, "usage: mpi_program delivery|failure|stopped\n");
  return 2;
}
