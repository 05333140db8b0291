#include <algorithm>  // is_sorted
#include <chrono>     // steady_clock
#include <cstdio>     // printf
#include <cstdlib>    // atol
#include <random>     // mt19937
#include <vector>     // vector

#include "channels/call.hpp"
#include "tasks/sort.hpp"

/// Usage: sort_tasks [elements] [cutoff]
int main(int argc, char** argv) {
  const long size = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  const long cutoff = argc > 2 ? std::atol(argv[2]) : 2048;
  if (size < 0 || cutoff < 4) {
    std::fprintf(stderr, "sort_tasks: %ld elements, %ld serially; give at least 0 and 4\n", size,
                 cutoff);
    return 1;
  }
  std::vector<int> data(static_cast<std::size_t>(size));
  std::vector<int> scratch(data.size());
  std::mt19937 random(1);
  for (int& x : data) x = static_cast<int>(random());
  try {
    channels::runtime runtime;
    const auto start = std::chrono::steady_clock::now();
    channels::call<tasks::sort>(runtime, {data.data(), scratch.data(), size, {cutoff, cutoff}});
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("%ld elements are %s\n%.3f s\n", size,
                std::is_sorted(data.begin(), data.end()) ? "sorted" : "not sorted", time.count());
  } catch (const channels::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
