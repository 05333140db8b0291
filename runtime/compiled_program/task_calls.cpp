#include "channels/cilk/tasks.hpp"

#include <atomic>       // atomic
#include <cstdio>       // fputs, fopen
#include <cstdlib>      // exit, getenv
#include <mutex>        // mutex
#include <new>          // bad_alloc
#include <string_view>  // string_view

#include "channels/cilk/abi.h"
#include "channels/cilk/device_call.hpp"
#include "channels/detail/heap_abi.hpp"
#include "channels/detail/start_abi.hpp"
#include "channels/runtime.hpp"
#include "runtime/compiled_program/device_start.hpp"
#include "runtime/host_code/strand_clock.hpp"
#include "runtime/host_device/host_device.hpp"
#include "runtime/observe/interruption.hpp"
#include "runtime/observe/program_report.hpp"
#include "runtime/observe/trace.hpp"
#include "runtime/settings/environment.hpp"
#include "runtime/threads/stack_overflow.hpp"

namespace channels::cilk {
namespace {

std::mutex& runtime_mutex() {
  static std::mutex m;
  return m;
}

[[noreturn]] void end_with(const error& e) {
  std::fprintf(stderr, "channels: %s\n", e.what());
  // Not exit: destructors of a program that failed half way may wait for ever.
  std::fflush(nullptr);
  std::_Exit(1);
}

/// Allocates nothing.
[[noreturn]] void end_without_memory(const char* what) {
  std::fprintf(stderr,
               "channels: %s: the system has no memory left; allow more (ulimit -v), or set "
               "CHANNELS_MEMORY lower\n",
               what);
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace

std::uint8_t word_of_order = static_cast<std::uint8_t>(known_order::unknown);

/// Whether the constructors have run that make the program's code for devices usable. What spawns
/// before that runs as host code.
static bool devices_are_ready = false;

bool decide_order() {
  if (on_device() && !devices_are_ready) return false;
  if (on_either() && (runs_placed_call() || program_device_start().has_failed())) return false;
  const bool tasks = program_settings().order == run_order::channels || on_device();
  set_order_of_program(tasks ? known_order::tasks : known_order::depth_first);
  return tasks && !detail::in_kernel_node();
}

std::unique_lock<std::mutex> own_runtime() { return std::unique_lock(runtime_mutex()); }

namespace {

/// The first of the program's devices that calls may go to beside the host; "" if there is none.
/// Constructors have not run yet, so the linker says which code there is.
const char* device_beside_host() {
  if (channels_start_cuda != nullptr) return "cuda";
  if (channels_start_hip != nullptr) return "hip";
  return channels_start_emulated != nullptr ? "emulated" : "";
}

/// What the settings of the environment mean for this program: it may have a usual device of its
/// own, and calls choose only between devices that there are.
void choose_device(settings& s) {
  if (std::getenv("CHANNELS_DEVICE") == nullptr && &channels_usual_device != nullptr)
    s.device = channels_usual_device;
  if (s.device != either_device) return;
  if (s.order == run_order::channels || *device_beside_host() == 0) {
    s.device = "host";
  } else if (std::getenv("CHANNELS_MEMORY") == nullptr) {
    s.memory = 0;  // a device takes a share of what is free there
  }
}

/// The program's settings. They change only before anything has used them.
settings& changeable_settings() {
  static settings s = [] {
    if (std::getenv("CHANNELS_HELP") != nullptr) {
      // Not a stream: this may run before the streams are constructed.
      std::fputs(settings::help().c_str(), stdout);
      std::fflush(stdout);
      std::_Exit(0);
    }
    try {
      settings read = settings::from_environment();
      choose_device(read);
      detail::check_files(read);
      // It is measured for the statistics.
      if (read.span && read.statistics.empty()) read.statistics = "1";
      return read;
    } catch (const error& e) {
      end_with(e);
    } catch (const std::bad_alloc&) {
      end_without_memory("the settings");
    }
  }();
  return s;
}

/// Whether the runtime has been made, which keeps its settings.
std::atomic<bool> runtime_is_made{false};

}  // namespace

const settings& program_settings() { return changeable_settings(); }

bool on_either() { return program_settings().device == either_device; }

const std::string& device_of_calls() {
  static const std::string beside = device_beside_host();
  static const std::string none;
  if (on_either()) return beside;
  return on_device() ? program_settings().device : none;
}

bool set_program_units(std::uint32_t units) {
  if (runtime_is_made) return false;
  if (!on_device() || on_either()) changeable_settings().compute_units = units;
  return true;
}

runtime& program_runtime() {
  static runtime on = [] {
    runtime_is_made = true;
    detail::this_program_report().is_compiled();
    return runtime(program_settings());
  }();
  static const tasks_end end;
  return on;
}

void fail_for_memory(const char* what) noexcept {
  try {
    // For the files that say why a program ended.
    if (!program_settings().statistics.empty())
      detail::this_program_report().fail(std::string(what) + ": the system has no memory left");
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    // What there is no memory for is not said.
  }
  end_without_memory(what);
}

void fail(const error& e) {
  detail::give_way_to_interruption();
  if (!program_settings().statistics.empty()) detail::this_program_report().fail(e.what());
  if (!program_settings().trace.empty()) detail::write_traces();
  end_with(e);
}

void invoke_task(const channels::detail::call_code& call, std::initializer_list<device_form> forms,
                 const void* arguments, void* result) {
  const char* const name = call.levelized->name;
  if (on_device()) return call_on_device(forms, name, arguments, result);
  try {
    const std::unique_lock<std::mutex> owned = own_runtime();
    channels::detail::run_call(program_runtime(), call, arguments, result);
  } catch (const error& e) {
    fail(e);
  } catch (const std::bad_alloc&) {
    fail_for_memory(name);
  }
}

}  // namespace channels::cilk

namespace {

/// Where calls choose their device: what the program allocates first is the host's. Only with more
/// does it wait for the device's library, whose memory the rest is. Devices are slow at reading
/// what is the host's, so calls of a program with less run on the host unless they compute much.
constexpr std::size_t memory_before_start = std::size_t{32} << 20U;

}  // namespace

namespace channels::detail {

program_report& this_program_report() {
  static program_report none(settings{});
  const settings& options = cilk::program_settings();
  program_report* const report = report_for(options);
  return report != nullptr ? *report : none;
}

}  // namespace channels::detail

extern "C" {

// Runs before the program's own constructors, so that a constructor that spawns finds the settings.
__attribute__((constructor(101))) void channels_cilk_start() try {
  channels::detail::tell_of_stack_overflow();
  static const channels::detail::watched_stack of_main_thread;
  (void)channels::cilk::decide_order();
  // The report's time starts here.
  if (!channels::cilk::program_settings().statistics.empty())
    (void)channels::detail::this_program_report();
  if (channels::cilk::program_settings().span) channels::host_code::this_clock.begin();
  if (channels::cilk::on_device() && channels_heap_begin != nullptr)
    channels_heap_begin(channels::cilk::device_of_calls().c_str(),
                        channels::cilk::on_either() ? memory_before_start : 0);
} catch (const std::bad_alloc&) {
  channels::cilk::fail_for_memory("the start of the program");
}

// A program without code for the device of its settings ends before it does anything, even if it
// would never call a task. Constructors without a priority run in link order, those of a library
// last, so the program's parts have called has_code_for by then.
__attribute__((constructor)) void channels_cilk_check_device() try {
  channels::cilk::check_device();
  channels::cilk::devices_are_ready = true;
  if (channels::cilk::on_device() && !channels::cilk::on_either())
    channels::cilk::program_device_start().begin();
  if (channels_heap_ready != nullptr) channels_heap_ready();
} catch (const std::bad_alloc&) {
  channels::cilk::fail_for_memory("the start of the program");
}

void channels_heap_awaits_device() { channels::cilk::program_device_start().finish(); }

bool channels_heap_is_full() {
  using channels::cilk::known_order;
  if (!channels::cilk::on_either()) return false;
  channels::cilk::set_order_of_program(known_order::depth_first);
  return true;
}

void channels_cilk_stays(const char* functions) {
  if (channels::cilk::program_settings().order != channels::run_order::channels &&
      (!channels::cilk::on_device() || channels::cilk::on_either()))
    return;
  const std::string_view lines = functions;
  for (std::size_t at = 0; at < lines.size();) {
    const std::string_view line = lines.substr(at, lines.find('\n', at) - at);
    std::fprintf(stderr, "channels: %.*s\n", static_cast<int>(line.size()), line.data());
    at += line.size() + 1;
  }
}
}
