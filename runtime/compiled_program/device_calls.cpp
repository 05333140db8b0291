#include "channels/cilk/device_call.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // find, lower_bound, max, sort
#include <atomic>     // atomic
#include <map>        // map
#include <memory>     // shared_ptr
#include <string>     // string
#include <vector>     // vector

#include "runtime/observe/program_report.hpp"
#include "runtime/observe/progress_line.hpp"
#include "runtime/observe/trace.hpp"

namespace channels::cilk {
namespace {

/// Counts of all runs on the device; reported when the program ends.
struct device_statistics final : detail::report_source {
  device_statistics() = default;
  device_statistics(const device_statistics&) = delete;
  device_statistics& operator=(const device_statistics&) = delete;
  ~device_statistics() override { report.add(*this); }

  [[nodiscard]] bool counted() const override { return runs != 0; }
  [[nodiscard]] device_counts sum() const {
    device_counts all;
    double busy = 0;
    for (const auto& [function, one] : functions) {
      all.tasks += one.tasks;
      all.continuations += one.continuations;
      all.yields += one.yields;
      all.gifts += one.gifts;
      all.given += one.given;
      all.host_steps += one.host_steps;
      all.lanes = std::max(all.lanes, one.lanes);
      all.memory += one.memory;
      for (const gpu_counts& its : one.gpus) add(all.gpus, its);
      busy += one.lanes_active * static_cast<double>(one.tasks);
    }
    if (all.tasks != 0) all.lanes_active = busy / static_cast<double>(all.tasks);
    return all;
  }
  static void add(std::vector<gpu_counts>& all, const gpu_counts& its) {
    auto at = std::ranges::lower_bound(all, its.gpu, {}, &gpu_counts::gpu);
    if (at == all.end() || at->gpu != its.gpu) at = all.insert(at, {.gpu = its.gpu});
    at->tasks += its.tasks;
    at->given += its.given;
    at->taken += its.taken;
  }
  /// Which functions run on one GPU of several, and why.
  [[nodiscard]] std::vector<std::string> on_one_gpu() const {
    std::vector<std::string> all;
    for (const auto& [function, one] : functions) {
      if (!one.on_one_gpu.empty()) all.push_back(one.on_one_gpu);
    }
    std::ranges::sort(all);
    return all;
  }
  [[nodiscard]] std::string gpu_rows(const device_counts& all) const {
    std::string rows;
    for (const gpu_counts& one : all.gpus) {
      rows += fmt::format("{:15}{:12}     tasks; {} given to other GPUs, {} taken\n",
                          fmt::format("GPU {}", one.gpu), one.tasks, one.given, one.taken);
    }
    for (const std::string& one : on_one_gpu()) rows += fmt::format("on one GPU     {}\n", one);
    return rows;
  }
  [[nodiscard]] std::string table() const override {
    const device_counts all = sum();
    const double ms = static_cast<double>(run_ns) / 1e6;
    return fmt::format(
        "run            {:12.3f} ms, {} calls on the device '{}', {} lanes\n"
        "tasks          {:12}     {:.1f} M/s\n"
        "continuations  {:12}\n"
        "lanes active   {:12.1f} %\n"
        "yields         {:12}     frames that stopped at a spawn\n"
        "gifts          {:12}     to other wavefronts, of {} tasks\n"
        "host steps     {:12}     of tasks, that cores of the host took\n"
        "memory         {:12} bytes of the device\n{}",
        ms, runs, device_of_calls(), all.lanes, all.tasks,
        ms > 0 ? static_cast<double>(all.tasks) / ms / 1e3 : 0.0, all.continuations,
        100 * all.lanes_active, all.yields, all.gifts, all.given, all.host_steps, all.memory,
        gpu_rows(all));
  }
  void add_to(nlohmann::ordered_json& document) const override {
    const device_counts all = sum();
    document.update({{"run_ns", run_ns},
                     {"calls", runs},
                     {"lanes", all.lanes},
                     {"tasks", all.tasks},
                     {"continuations", all.continuations},
                     {"lanes_active", all.lanes_active},
                     {"yields", all.yields},
                     {"gifts", all.gifts},
                     {"given", all.given},
                     {"host_steps", all.host_steps},
                     {"memory", all.memory}});
    if (all.gpus.empty()) return;
    nlohmann::ordered_json& gpus = document["gpus"] = nlohmann::ordered_json::array();
    for (const gpu_counts& one : all.gpus) {
      gpus.push_back(
          {{"gpu", one.gpu}, {"tasks", one.tasks}, {"given", one.given}, {"taken", one.taken}});
    }
    document["on_one_gpu"] = on_one_gpu();
  }

  detail::program_report& report = detail::this_program_report();  // outlives this
  std::uint64_t runs = 0;
  std::uint64_t run_ns = 0;
  std::map<const void*, device_counts> functions;
};

/// Calls of tasks on a device, for the program's trace. Each calling thread has a track, because
/// calls of several threads overlap: they wait for one another.
class call_trace {
 public:
  void enter(const char* task, std::uint64_t start) {
    thread_local detail::trace_track* const mine = next_track();
    detail::trace_event e;
    e.start = start;
    e.duration = detail::ticks() - start;
    e.label = session_->label(task);
    mine->put(e);
  }

 private:
  detail::trace_track* next_track() {
    // Relaxed: it only has to be a different number for each thread.
    const std::uint32_t n = tracks_.fetch_add(1, std::memory_order_relaxed);
    return &session_->track(n, fmt::format("calls of thread {}", n));
  }

  std::shared_ptr<detail::trace_session> session_ =
      detail::open_trace(program_settings(), "device " + device_of_calls());
  std::atomic<std::uint32_t> tracks_{0};
};

call_trace& traced_calls() {
  try {
    static call_trace t;
    return t;
  } catch (const error& e) {
    fail(e);
  }
}

device_statistics& counted() {
  static device_statistics s;
  return s;
}

/// The progress line of the current call.
detail::progress_line& call_line() {
  static detail::progress_line line;
  return line;
}

/// The devices that the program has code for. Constructors of its parts fill it.
std::vector<std::string>& devices() {
  static std::vector<std::string> list;
  return list;
}

/// The functions that keep device memory, with their `drop`. The caller holds the runtime.
std::map<const void*, void (*)(const void*)>& holders() {
  static std::map<const void*, void (*)(const void*)> list;
  return list;
}

}  // namespace

void has_code_for(const char* device) { devices().emplace_back(device); }

void call_on_device(std::initializer_list<device_form> forms, const char* task,
                    const void* arguments, void* result) {
  const std::string& wanted = device_of_calls();
  for (const device_form& one : forms) {
    if (wanted != one.device) continue;
    if (program_settings().trace.empty()) return one.call(arguments, result);
    call_trace& trace = traced_calls();
    const std::uint64_t start = detail::ticks();
    one.call(arguments, result);
    return trace.enter(task, start);
  }
  fail(
      error(fmt::format("CHANNELS_DEVICE={}: '{}' has no code for that device; compile its file "
                        "with cilk2chan --device={}, or set CHANNELS_DEVICE to host",
                        wanted, task, wanted)));
}

void count_device_run(const void* function, const device_counts& so_far, std::uint64_t ns) {
  counted().functions[function] = so_far;
  ++counted().runs;
  counted().run_ns += ns;
}

shown_call::shown_call(const char* task) {
  const settings& options = program_settings();
  call_line().begin(task, options.memory, options.progress);
}
shown_call::~shown_call() { call_line().end(); }

void show_call(const call_progress& far) { call_line().show(far); }

void keep_device_memory(const void* function, void (*drop)(const void* function)) {
  holders()[function] = drop;
}

bool drop_device_memory(const void* function) {
  bool dropped = false;
  for (const auto& [holder, drop] : holders()) {
    if (holder == function) continue;
    drop(holder);
    dropped = true;
  }
  std::erase_if(holders(), [&](const auto& one) { return one.first != function; });
  return dropped;
}

void check_device() {
  const std::string& wanted = device_of_calls();
  const auto& known = devices();
  if (!on_device() || std::find(known.begin(), known.end(), wanted) != known.end()) return;
  fail(
      error(fmt::format("CHANNELS_DEVICE={}: this program has no code for that device; compile it "
                        "with cilk2chan --device={}, or set CHANNELS_DEVICE to host",
                        wanted, wanted)));
}

}  // namespace channels::cilk
