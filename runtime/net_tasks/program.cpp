// The start of a program of `cilk2chan --net=mpi`: the linker gives the calls of `main` to this
// file (--wrap=main).

#include <unistd.h>  // getpid

#include <cstdio>   // fflush
#include <cstdlib>  // on_exit, _Exit
#include <thread>   // thread
#include <utility>  // move

#include "channels/cilk/device_call.hpp"
#include "channels/error.hpp"
#include "channels/net/mpi.hpp"
#include "runtime/net_tasks/task_exchange.hpp"
#include "runtime/settings/job.hpp"

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names
int __real_main(int argc, char** argv, char** environment);
int __wrap_main(int argc, char** argv, char** environment);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace channels::net_tasks {
namespace {

/// Rank 0's part: a thread exchanges tasks beside the program, until it ends.
struct beside_program {
  explicit beside_program(task_exchange& all)
      : exchange(all), process(getpid()), thread([&all] { all.run(); }) {}

  task_exchange& exchange;
  pid_t process;
  std::thread thread;
};

/// Runs at rank 0 when the program ends, whether `main` returns or something calls `exit`.
void end_job(int /*status*/, void* of) {
  auto& rank_0 = *static_cast<beside_program*>(of);
  // A forked child has neither the thread nor a part in the job.
  if (getpid() != rank_0.process) return;
  rank_0.exchange.end();
  rank_0.thread.join();
  rank_0.exchange.close();
}

/// Null if this rank is the only one. Never destroyed: workers may be at tasks when the process
/// ends.
task_exchange* join_job() try {
  auto by = mpi_transport();
  if (by->places() == 1) return nullptr;
  return new task_exchange(std::move(by), cilk::program_settings().timeout);
} catch (const error& e) {
  cilk::fail(e);
}

int run_at_all_ranks(int argc, char** argv, char** environment) {
  task_exchange* const of_job = join_job();
  if (of_job == nullptr) return __real_main(argc, argv, environment);
  task_exchange& exchange = *of_job;
  if (exchange.is_first()) {
    on_exit(end_job, new beside_program(exchange));
    return __real_main(argc, argv, environment);
  }
  exchange.run();
  exchange.close();
  std::fflush(nullptr);
  // Not exit: what the program does at its end is rank 0's. So is the status: when another rank
  // ends with one that is not 0, mpirun ends rank 0, too, which may still be writing.
  std::_Exit(0);
}

}  // namespace
}  // namespace channels::net_tasks

extern "C" int __wrap_main(int argc, char** argv, char** environment) {
  using namespace channels;
  if (!channels::detail::is_of_a_job()) return __real_main(argc, argv, environment);
  return net_tasks::run_at_all_ranks(argc, argv, environment);
}
