#include <chrono>   // steady_clock
#include <cstdio>   // printf
#include <cstdlib>  // atoi

#include "channels/call.hpp"
#include "tasks/fib.hpp"

/// Usage: fib_tasks [n]
int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 35;
  try {
    channels::runtime runtime;
    const auto start = std::chrono::steady_clock::now();
    const long result = channels::call<tasks::fib>(runtime, {n});
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("fib(%d) = %ld\n%.3f s, %.1f million tasks/s\n", n, result, time.count(),
                static_cast<double>(runtime.last_run().work.tasks) / time.count() / 1e6);
  } catch (const channels::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
