#include <chrono>   // steady_clock
#include <cstdio>   // printf
#include <cstdlib>  // atol
#include <random>   // mt19937
#include <vector>   // vector

#include "channels/call.hpp"
#include "tasks/strassen.hpp"

/// Usage: strassen_tasks [size] [cutoff]
int main(int argc, char** argv) {
  const std::ptrdiff_t size = argc > 1 ? std::atol(argv[1]) : 512;
  const std::ptrdiff_t cutoff = argc > 2 ? std::atol(argv[2]) : 64;
  std::ptrdiff_t least = size;
  while (least > cutoff && least % 2 == 0) least /= 2;
  if (least < 1 || least > cutoff || least % tasks::block_unit != 0) {
    std::fprintf(stderr, "strassen_tasks: %td rows, down to %td; give %td times a power of two\n",
                 size, cutoff, tasks::block_unit);
    return 1;
  }
  const auto elements = static_cast<std::size_t>(size * size);
  std::vector<float> a(elements);
  std::vector<float> b(elements);
  std::vector<float> product(elements);
  std::vector<float> expected(elements);
  // Small integers: all sums are exact.
  std::mt19937 random(1);
  for (float& x : a) x = static_cast<float>(random() % 8);
  for (float& x : b) x = static_cast<float>(random() % 8);
  tasks::multiply_add({a.data(), size}, {b.data(), size}, {expected.data(), size}, size);
  try {
    channels::runtime runtime;
    const auto start = std::chrono::steady_clock::now();
    channels::call<tasks::strassen>(
        runtime, {{a.data(), size}, {b.data(), size}, {product.data(), size}, size, cutoff});
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("the product of %td rows is %s\n%.3f s\n", size,
                product == expected ? "correct" : "not correct", time.count());
    return product == expected ? 0 : 1;
  } catch (const channels::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
