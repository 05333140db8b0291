#include "channels/cilk.hpp"

#include <cstdio>    // fputs, fopen
#include <cstdlib>   // exit, getenv
#include <fstream>   // ofstream
#include <iostream>  // cerr

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

const settings& program_settings() {
  static const settings s = [] {
    if (std::getenv("CHANNELS_HELP") != nullptr) {
      std::cout << settings::help() << std::flush;
      std::exit(0);
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
  std::cout.flush();
  std::cerr << "channels: " << e.what() << '\n';
  // Not exit: destructors of a program that failed half way may wait for what never comes.
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace channels::cilk
