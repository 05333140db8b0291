// Counts strings of beads in which no run of three repeats, by members of a class that are called
// for a value; sums are added by `+=` and in a loop. The histogram is a global variable: what
// writes it stays at its rank.
#include <cilk/cilk.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace beads {

constexpr std::array<std::uint8_t, 4> weights = {1, 2, 3, 5};

struct string {
  std::uint64_t text = 0;
  int length = 0;

  [[nodiscard]] string with(unsigned bead) const { return {text << 2U | bead, length + 1}; }
  [[nodiscard]] bool repeats() const {
    for (int run = 1; 3 * run <= length; ++run) {
      const std::uint64_t mask = (std::uint64_t{1} << (2 * run)) - 1;
      const std::uint64_t last = text & mask;
      if ((text >> (2 * run) & mask) == last && (text >> (4 * run) & mask) == last) return true;
    }
    return false;
  }
};

// The weight of all strings of `length` beads that begin with `s`, modulo a prime.
std::uint64_t weigh(string s, int length, std::uint64_t weight) {
  if (s.repeats()) return 0;
  if (s.length == length) return weight;
  std::uint64_t sum = 0;
  for (unsigned bead = 0; bead < weights.size(); ++bead)
    sum += cilk_spawn weigh(s.with(bead), length, weight * weights[bead] % 1'000'003);
  cilk_sync;
  return sum;
}

long histogram[16];

long note(int which, long what) {
  histogram[which] += what;
  return histogram[which];
}

}  // namespace beads

int main() {
  std::atexit([] { std::puts("the end"); });
  std::uint64_t by_length[14];
  for (int length = 1; length <= 13; ++length)
    by_length[length] = cilk_spawn beads::weigh({}, length, 1);
  const long first = cilk_spawn beads::note(3, 7);
  cilk_sync;
  for (int length = 1; length <= 13; ++length)
    std::printf("%d: %llu\n", length, static_cast<unsigned long long>(by_length[length]));
  std::printf("%ld %ld\n", first, beads::histogram[3]);
  std::exit(5);
}
