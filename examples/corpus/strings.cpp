// Functions that return strings, spawned: Lindenmayer's algae, Gray codes, and a pretty printer of
// an expression tree. The strings are longer than what fits into the object itself, so each has
// memory of its own.
#include <cilk/cilk.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "timing.h"

using namespace std::string_literals;

static std::string algae(char symbol, int generations) {
  if (generations == 0) return std::string(1, symbol);
  if (symbol == 'b') return algae('a', generations - 1);
  std::string a = cilk_spawn algae('a', generations - 1);
  std::string b = algae('b', generations - 1);
  cilk_sync;
  return a + b;
}

// The 2^bits codes, each after the prefix, in Gray's order.
static std::vector<std::string> gray(std::string prefix, int bits, bool reversed = false) {
  if (bits == 0) return {prefix};
  std::vector<std::string> low = cilk_spawn gray(prefix + (reversed ? '1' : '0'), bits - 1);
  std::vector<std::string> high =
      cilk_spawn gray(std::move(prefix) + (reversed ? '0' : '1'), bits - 1, true);
  cilk_sync;
  for (std::string& code : high) low.push_back(std::move(code));
  return low;
}

// A formula over 2^depth numbers; operators come from a table by place.
static std::string formula(unsigned place, int depth) {
  static constexpr std::string_view operators[] = {" + ", " - ", " * ", " max "};
  if (depth == 0) return "x" + std::to_string(place);
  std::string text = "(";
  text += cilk_spawn formula(2 * place, depth - 1);
  cilk_sync;
  text += operators[(place + depth) % 4];
  std::string right;
  right.append(formula(2 * place + 1, depth - 1));
  return text + right + ")";
}

static unsigned hash(std::string_view text) {
  unsigned h = 2166136261u;
  for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return h;
}

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 12;
  if (n < 1 || n > 26) return 1;

  timing_begin();
  std::string word = cilk_spawn algae('a', n);
  const auto codes = cilk_spawn gray(""s, n);
  auto text = formula(1, n < 4 ? n : n - 3);
  cilk_sync;
  timing_end();

  bool good = true;
  for (std::size_t i = 1; i < codes.size(); ++i) {
    int differ = 0;
    for (int b = 0; b < n; ++b) differ += codes[i][b] != codes[i - 1][b];
    good &= differ == 1;
  }
  std::string all;
  for (const auto& c : codes) all += c;
  std::printf("algae %d: %zu letters, hash %08x\n", n, word.size(), hash(word));
  std::printf("%zu codes of %d bits: hash %08x, %s\n", codes.size(), n, hash(all),
              good ? "Gray" : "WRONG");
  std::printf("formula of %zu letters, hash %08x: %.60s...\n", text.size(), hash(text),
              text.c_str());
  return good ? 0 : 1;
}
