#include <chrono>   // steady_clock
#include <cstdio>   // printf
#include <cstdlib>  // atoi

#include "channels/call.hpp"
#include "tasks/queens.hpp"

/// Usage: queens_tasks [rows] [cutoff]
int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 13;
  const auto most = static_cast<int>(tasks::most_rows);
  const int cutoff = argc > 2 ? std::atoi(argv[2]) : 4;
  if (n < 1 || n > most) {
    std::fprintf(stderr, "queens_tasks: %d rows; give 1 to %d\n", n, most);
    return 1;
  }
  try {
    channels::runtime runtime;
    const auto start = std::chrono::steady_clock::now();
    const tasks::queens::arguments whole{tasks::empty_board(static_cast<unsigned>(n)), cutoff};
    const long count = channels::call<tasks::queens>(runtime, whole);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("queens(%d) = %ld\n%.3f s, %.1f million tasks/s\n", n, count, time.count(),
                static_cast<double>(runtime.last_run().work.tasks) / time.count() / 1e6);
  } catch (const channels::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
