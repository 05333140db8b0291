#include "channels/cilk/placed_call.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min
#include <chrono>     // nanoseconds, steady_clock
#include <exception>  // uncaught_exceptions
#include <mutex>      // lock_guard, mutex
#include <new>        // bad_alloc
#include <string>     // string
#include <vector>     // vector

#include "channels/cilk/device_call.hpp"
#include "channels/cilk/program_order.hpp"
#include "channels/detail/heap_abi.hpp"
#include "runtime/compiled_program/call_history.hpp"
#include "runtime/compiled_program/device_start.hpp"
#include "runtime/host_code/worker_pool.hpp"
#include "runtime/observe/program_report.hpp"

namespace channels::cilk {

/// What is known of a function's calls.
struct call_site::knowledge {
  explicit knowledge(const char* of) : function(of) {}

  const char* function;
  std::mutex mutex;  ///< guards the rest
  call_history history;
  const char* why = "";  ///< the last call ran where it did
  std::uint32_t unwatched = 0;
};

namespace {

using namespace std::chrono_literals;

/// Calls that are shorter are not looked at each: looking costs a tenth of a microsecond.
constexpr std::chrono::nanoseconds short_call = 20us;
constexpr std::uint32_t most_unwatched = 1000;
/// Over the bus of a GPU, page by page: half of what a copy reaches.
constexpr std::size_t bytes_moved_in_a_nanosecond = 20;
/// When calls on the host have taken so long, the device begins to start.
constexpr std::chrono::nanoseconds worth_a_start = 20ms;

/// Calls on the host that this thread runs, one in another.
thread_local constinit unsigned host_calls = 0;

/// Where the program's calls ran, for its statistics.
class placements final : public detail::report_source {
 public:
  placements() = default;
  placements(const placements&) = delete;
  placements& operator=(const placements&) = delete;
  ~placements() override { report_.add(*this); }

  void add(call_site::knowledge& one) {
    const std::lock_guard held(mutex_);
    all_.push_back(&one);
  }

  [[nodiscard]] bool counted() const override { return !all_.empty(); }
  [[nodiscard]] std::string table() const override {
    std::string rows;
    for (call_site::knowledge* one : all_) {
      const std::lock_guard held(one->mutex);
      const auto& host = one->history.all(call_side::host);
      const auto& device = one->history.all(call_side::device);
      rows += fmt::format(
          "{:15}{:12}     calls on the host, {:.3f} ms; {} on the device '{}', {:.3f} ms; the "
          "last: {}\n",
          one->function, host.calls, milliseconds(host.time), device.calls, device_of_calls(),
          milliseconds(device.time), one->why);
    }
    return rows;
  }
  void add_to(nlohmann::ordered_json& document) const override {
    nlohmann::ordered_json& list = document["placed_calls"] = nlohmann::ordered_json::array();
    for (call_site::knowledge* one : all_) {
      const std::lock_guard held(one->mutex);
      const auto& host = one->history.all(call_side::host);
      const auto& device = one->history.all(call_side::device);
      list.push_back({{"function", one->function},
                      {"host_calls", host.calls},
                      {"host_ns", host.time.count()},
                      {"device_calls", device.calls},
                      {"device_ns", device.time.count()},
                      {"why", one->why}});
    }
  }

 private:
  static double milliseconds(std::chrono::nanoseconds time) {
    return static_cast<double>(time.count()) / 1e6;
  }

  detail::program_report& report_ = detail::this_program_report();  // outlives this
  std::mutex mutex_;
  std::vector<call_site::knowledge*> all_;
};

placements& all_placements() {
  static placements all;
  return all;
}

/// What it may take to move all that the program has allocated to the device, or back.
std::chrono::nanoseconds time_to_move() {
  if (channels_heap_visit == nullptr) return {};
  static thread_local std::size_t bytes = 0;
  bytes = 0;
  channels_heap_visit([](void*, std::size_t, std::size_t used, bool) { bytes += used; });
  return std::chrono::nanoseconds(bytes / bytes_moved_in_a_nanosecond);
}

const device_form* form_of(std::initializer_list<device_form> forms) {
  for (const device_form& one : forms) {
    if (device_of_calls() == one.device) return &one;
  }
  return nullptr;
}

}  // namespace

namespace {

std::int64_t steady_ns() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

bool runs_placed_call() { return host_calls != 0 || host_code::worker_pool::runs_child_here(); }

placed_call::placed_call(call_site& of, std::initializer_list<device_form> forms,
                         std::initializer_list<double> sizes)
    : site_(of), sizes_(sizes), exceptions_(std::uncaught_exceptions()) {
  // Relaxed: a count that may be off by what other threads take.
  const std::uint32_t unwatched = __atomic_load_n(&site_.unwatched_, __ATOMIC_RELAXED);
  if (unwatched == 0) {
    watch(forms);
  } else {
    __atomic_store_n(&site_.unwatched_, unwatched - 1, __ATOMIC_RELAXED);
  }
  if (!on_device_) ++host_calls;
  begin_ = steady_ns();
}

placed_call::~placed_call() {
  const std::int64_t took = steady_ns() - begin_;
  if (!on_device_) --host_calls;
  if (std::uncaught_exceptions() != exceptions_) return;
  if (watched_ || took > short_call.count()) learn(took);
}

call_site::knowledge* call_site::known() {
  // Acquire, and release below: what is behind the pointer is complete.
  knowledge* made = __atomic_load_n(&known_, __ATOMIC_ACQUIRE);
  if (made != nullptr) return made;
  auto* const mine = new (std::nothrow) knowledge(function_);
  if (mine == nullptr) return nullptr;
  if (!__atomic_compare_exchange_n(&known_, &made, mine, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    delete mine;
    return made;
  }
  if (!program_settings().statistics.empty()) all_placements().add(*mine);
  return mine;
}

/// Chooses where the call runs.
void placed_call::watch(std::initializer_list<device_form> forms) {
  const device_form* const form = form_of(forms);
  device_start& start = program_device_start();
  if (form == nullptr || start.has_failed()) return;
  call_site::knowledge* const known = site_.known();
  if (known == nullptr) return;
  watched_ = true;
  const std::lock_guard held(known->mutex);
  const call_history::choice its = known->history.choose(
      call_sizes(sizes_),
      {.started = start.is_over(), .suits = form->suits(), .move = time_to_move()});
  if (known->history.spent_on_host() >= worth_a_start) start.begin();
  on_device_ = its.side == call_side::device;
  known->why = its.why;
  if (!on_device_) return;
  start.finish();  // which is no part of the call's time
  if (start.has_failed()) on_device_ = watched_ = false;
}

void placed_call::learn(std::int64_t ns) {
  const std::chrono::nanoseconds took(ns);
  call_site::knowledge* const known = site_.known();
  if (known == nullptr) return;
  const std::lock_guard held(known->mutex);
  try {
    known->history.ran(on_device_ ? call_side::device : call_side::host, call_sizes(sizes_), took);
  } catch (const std::bad_alloc&) {
    return;  // it is not learned
  }
  const bool is_short = !on_device_ && took < short_call;
  known->unwatched = is_short ? std::min(2 * known->unwatched + 1, most_unwatched) : 0;
  // Relaxed: see the constructor.
  __atomic_store_n(&site_.unwatched_, known->unwatched, __ATOMIC_RELAXED);
}

}  // namespace channels::cilk
