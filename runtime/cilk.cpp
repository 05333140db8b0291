#include "channels/cilk.hpp"

#include <cstdio>    // fputs, fopen
#include <cstdlib>   // exit, getenv
#include <fstream>   // ofstream
#include <iostream>  // cerr

#include "channels/cilk_abi.h"
#include "runtime/device/host/host_device.hpp"
#include "runtime/program.hpp"

namespace channels::cilk {
namespace {

/// A program's runtime, and what its runs counted; printed when the program ends.
struct program {
  program() : on(program_settings()) {}
  program(const program&) = delete;
  program& operator=(const program&) = delete;
  ~program() {
    const std::string& where = on.options().statistics;
    if (where.empty()) return;
    if (where == "1") {
      std::cerr << sum.table();
    } else if (where == "json") {
      std::cerr << sum.json();
    } else if (!(std::ofstream(where) << sum.json())) {
      std::cerr << "channels: CHANNELS_STATS=" << where << ": cannot write that file\n";
    }
  }

  runtime on;
  statistics sum;
};

program& this_program() {
  static program p;
  return p;
}

}  // namespace

std::atomic<known_order> program_order{known_order::unknown};

bool decide_order() {
  const bool channels = program_settings().order == run_order::channels;
  // Relaxed: any thread finds the same.
  program_order.store(channels ? known_order::channels : known_order::depth_first,
                      std::memory_order_relaxed);
  return channels && !detail::in_kernel_node();
}

std::unique_lock<std::mutex> own_runtime() {
  static std::mutex m;
  return std::unique_lock(m);
}

const settings& program_settings() {
  static const settings s = [] {
    if (std::getenv("CHANNELS_HELP") != nullptr) {
      // Not a stream: this may come before streams are made.
      std::fputs(settings::help().c_str(), stdout);
      std::fflush(stdout);
      std::_Exit(0);
    }
    try {
      return settings::from_environment();
    } catch (const error& e) {
      fail(e);
    }
  }();
  return s;
}

runtime& program_runtime() { return this_program().on; }

void count_last_run() { this_program().sum += this_program().on.last_run(); }

void fail(const error& e) {
  std::fprintf(stderr, "channels: %s\n", e.what());
  // Not exit: destructors of a program that failed half way may wait for what never comes.
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace channels::cilk

extern "C" {

// Before the program's own constructors: one that spawns finds its settings made.
__attribute__((constructor(101))) void channels_cilk_start() {
  (void)channels::cilk::decide_order();
}

void channels_cilk_stays(const char* functions) {
  if (channels::cilk::program_settings().order != channels::run_order::channels) return;
  const std::string lines = functions;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    std::fprintf(stderr, "channels: %s\n", lines.substr(at, end - at).c_str());
    at = end + 1;
  }
}
}
