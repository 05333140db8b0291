#include <chrono>   // steady_clock
#include <cstdio>   // printf
#include <cstdlib>  // atoi

#include "channels/gpu.hpp"
#include "tasks/fib.hpp"

/// Usage: fib_gpu [n]
int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 40;
  try {
    channels::gpu::caller<tasks::fib> call;
    (void)call({10});  // the first run loads the kernel
    const auto start = std::chrono::steady_clock::now();
    const long result = call({n});
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("fib(%d) = %ld\n%.6f s on %u lanes\n", n, result, time.count(),
                call.report().lanes);
  } catch (const channels::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
