#include "runtime/compiled_program/device_start.hpp"

#include <cstdlib>       // atexit
#include <string>        // string
#include <system_error>  // system_error

#include "channels/cilk/device_call.hpp"
#include "channels/detail/heap_abi.hpp"
#include "channels/detail/start_abi.hpp"

namespace channels::cilk {
namespace {

/// Starts the library of the device that the program's calls use. Whether there is such a device.
bool start_library() {
  const std::string& device = device_of_calls();
  channels_device_start* start = nullptr;
  if (device == "cuda") start = channels_start_cuda;
  if (device == "hip") start = channels_start_hip;
  if (device == "emulated") start = channels_start_emulated;
  return start != nullptr && start();
}

}  // namespace

void device_start::begin() {
  // Relaxed: only who finds it false goes on, and nobody else touches what is set here before
  // `state_` says so, or the handler is registered.
  if (begun_.exchange(true, std::memory_order_relaxed)) return;
  generation_.store(detail::fork_generation(), std::memory_order_relaxed);
  const auto run = [this] {
    // What this thread allocates meanwhile is the library's.
    if (channels_heap_pause != nullptr) (void)channels_heap_pause(1);
    const bool found = start_library();
    if (channels_heap_pause != nullptr) (void)channels_heap_pause(-1);
    // Release: whoever sees that it is over may use the device.
    state_.store(found ? state::ready : state::failed, std::memory_order_release);
    state_.notify_all();
  };
  try {
    thread_ = std::thread(run);
    // The process must not end while the library starts.
    (void)std::atexit([] {
      device_start& one = program_device_start();
      if (one.is_of_this_process()) one.thread_.join();
    });
  } catch (const std::system_error&) {
    run();
  }
}

void device_start::finish() {
  begin();
  // Acquire: see begin. A forked process does not have the thread.
  if (is_of_this_process()) state_.wait(state::before, std::memory_order_acquire);
}

bool device_start::is_of_this_process() const {
  // Relaxed: it changes in `begin` alone, and then only in a process that was forked before.
  return generation_.load(std::memory_order_relaxed) == detail::fork_generation();
}

bool device_start::is_over() const {
  // Acquire: see begin.
  return state_.load(std::memory_order_acquire) == state::ready && is_of_this_process();
}

bool device_start::has_failed() const {
  const state now = state_.load(std::memory_order_acquire);  // see begin
  return now == state::failed || (begun_.load(std::memory_order_relaxed) && !is_of_this_process());
}

device_start& program_device_start() {
  // Never destroyed: its thread may be at work, and threads may ask, while the process ends.
  static auto& one = *new device_start;
  return one;
}

}  // namespace channels::cilk
