#include "runtime/host_device/host_device.hpp"

#include <sys/mman.h>  // mmap, madvise

#include <algorithm>  // max
#include <atomic>     // atomic
#include <exception>  // exception_ptr
#include <fstream>    // ifstream
#include <memory>     // allocator
#include <mutex>      // mutex
#include <new>        // bad_alloc
#include <thread>     // yield
#include <utility>    // exchange
#include <vector>     // vector

#include "channels/cilk/abi.h"
#include "channels/error.hpp"
#include "channels/host/compute_unit.hpp"
#include "runtime/host_device/flight_queue.hpp"
#include "runtime/host_device/task_memory.hpp"
#include "runtime/host_device/task_strand.hpp"
#include "runtime/observe/ticks.hpp"
#include "runtime/threads/at_fork.hpp"
#include "runtime/threads/crew.hpp"
#include "runtime/threads/forked.hpp"

#if defined(__x86_64__)
#include <immintrin.h>  // _mm_pause
#endif

namespace channels::detail {
namespace {

/// Batches in flight for each compute unit: one that runs, and one behind it, so that no unit waits
/// for the aggregator while the aggregator's thread runs a batch itself.
constexpr std::uint32_t batches_per_unit = 2;

/// How long a worker looks for batches before it goes back to the crew: longer than the pauses
/// between two batches of a run, shorter than the pauses that a person makes between two runs.
constexpr std::chrono::microseconds idle_visit{200};

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

/// `wanted`, or one unit for each core if that is 0.
std::uint32_t number_of_units(std::uint32_t wanted) {
  return wanted != 0 ? wanted : number_of_cores();
}

/// How many batches this thread runs; more than one only if a kernel node lends its thread.
thread_local unsigned kernels_entered = 0;
/// The compute unit whose batch this thread runs.
thread_local std::uint32_t unit_here = 0;

/// Exists while a thread runs a batch. Host code that a kernel node calls gives no children: a
/// worker that took one which calls a task would wait for this run.
struct kernel_scope {
  // Relaxed: the limit is advice, and nothing else is read because of it.
  explicit kernel_scope(std::uint32_t unit)
      : limit(__atomic_exchange_n(&channels_cilk_limit, UINTPTR_MAX, __ATOMIC_RELAXED)),
        unit_around(std::exchange(unit_here, unit)),
        strand(std::exchange(channels_cilk_strand, &task_strand)) {
    ++kernels_entered;
  }
  kernel_scope(const kernel_scope&) = delete;
  kernel_scope& operator=(const kernel_scope&) = delete;
  ~kernel_scope() {
    --kernels_entered;
    unit_here = unit_around;
    channels_cilk_strand = strand;
    __atomic_store_n(&channels_cilk_limit, limit, __ATOMIC_RELAXED);
  }
  std::uintptr_t limit;
  std::uint32_t unit_around;
  channels_cilk_views* strand;
};

}  // namespace

bool in_kernel_node() { return kernels_entered != 0; }
std::uint32_t unit_of_this_thread() { return unit_here; }

struct host_device::state {
  explicit state(std::uint32_t compute_units)
      : units(compute_units),
        waiting(std::size_t{batches_per_unit} * compute_units),
        ended(std::size_t{batches_per_unit} * compute_units),
        taken(compute_units, 0) {
    for (std::uint32_t i = 0; i < compute_units; ++i) {
      units[i].index = i;
      units[i].stop = &stopping;
    }
    taken[0] = 1;
  }

  std::vector<host::compute_unit> units;
  flight_queue waiting;
  flight_queue ended;
  std::atomic<std::uint32_t> workers{0};  ///< units that look for batches or are about to
  std::vector<char> taken;                ///< by unit: whether a thread is that unit
  std::mutex taken_mutex;
  // On a cache line of their own: all units read them, `stopping` before each wavefront.
  alignas(cache_line) bool stopping = false;  ///< read by kernels through `compute_unit::stop`
  bool timed = false;
  // On another line: the aggregator's thread writes it for each batch.
  alignas(cache_line) std::uint64_t lent_until = 0;
  std::mutex failure_mutex;
  std::exception_ptr failure;

  /// Runs one batch as `unit`, if one waits.
  bool run_one(host::compute_unit& unit) {
    flight* const f = waiting.pop();
    if (f == nullptr) return false;
    if (timed) {
      run_timed(unit, *f);
    } else {
      run(unit, *f);
    }
    ended.push(f);
    return true;
  }

  void run_timed(host::compute_unit& unit, flight& f) {
    const work_counters before = unit.counters;
    const std::uint64_t start = ticks();
    run(unit, f);
    // The times are written only now, together with the kernel's results.
    const auto counted = [&](std::uint64_t work_counters::* what) {
      return static_cast<std::uint32_t>(unit.counters.*what - before.*what);
    };
    const std::uint64_t end = ticks();
    if (unit.index == 0) lent_until = end;
    f.work.times = {start,
                    end,
                    unit.index,
                    counted(&work_counters::waves),
                    counted(&work_counters::lanes),
                    counted(&work_counters::retries),
                    counted(&work_counters::yields)};
  }

  void run(host::compute_unit& unit, flight& f) {
    const kernel_scope inside(unit.index);
    const std::uint32_t generation = fork_generation();
    try {
      f.node->run(unit, f.work, f.node->arguments.get());
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
    }
    end_if_forked_since(generation, "a task");
  }

  /// One visit of a worker: it runs batches until there have been none for `idle_visit`.
  void work() {
    const std::uint32_t index = take_unit();
    auto last = clock::now();
    for (std::uint32_t idle = 0;;) {
      if (run_one(units[index])) {
        idle = 0;
        continue;
      }
      pause();
      if (idle++ % 64 != 0) continue;
      if (idle == 1) last = clock::now();
      if (clock::now() - last > idle_visit) break;
    }
    {
      const std::lock_guard lock(taken_mutex);
      taken[index] = 0;
    }
    // Release: a thread that sees the worker gone reads what the unit counted.
    workers.fetch_sub(1, std::memory_order_release);
  }

  std::uint32_t take_unit() {
    const std::lock_guard lock(taken_mutex);
    const auto free = std::find(taken.begin() + 1, taken.end(), 0);
    *free = 1;
    return static_cast<std::uint32_t>(free - taken.begin());
  }
};

host_device::host_device(std::uint32_t compute_units)
    : state_(std::make_shared<state>(number_of_units(compute_units))) {}

host_device::~host_device() {
  free_kept();
  stop();
}

bool host_device::go_on_after_fork() {
  // What the workers of the other process hold of it stays as it is.
  keep_for_ever(state_);
  state_ = std::make_shared<state>(compute_units());
  return true;
}

std::string host_device::model() const {
  static const std::string model = [] {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with("model name") && colon != std::string::npos)
        return line.substr(colon + 2);
    }
    return std::string();
  }();
  return model;
}

std::uint32_t host_device::compute_units() const {
  return static_cast<std::uint32_t>(state_->units.size());
}

std::uint32_t host_device::most_in_flight() const {
  // A single unit is the aggregator's own thread. It decides best when it decides after each batch.
  return compute_units() == 1 ? 1 : compute_units() * batches_per_unit;
}

channel_memory host_device::allocate(std::size_t bytes) {
  if (kept_bytes_ == bytes) {
    kept_bytes_ = 0;
    return kept_;
  }
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return {};
  return {static_cast<std::byte*>(p), static_cast<std::byte*>(p), bytes};
}

/// Keeps the memory for the next run, which will want as much: to get every page anew takes as long
/// as a short run. Until then the system may have the pages.
void host_device::release(channel_memory memory, std::size_t bytes) {
  free_kept();
  madvise(memory.control, bytes, MADV_FREE);
  kept_ = memory;
  kept_bytes_ = bytes;
}

void host_device::free_kept() {
  if (kept_bytes_ != 0) munmap(kept_.control, kept_bytes_);
  kept_bytes_ = 0;
}

std::shared_ptr<void> host_device::make_shared_memory(std::size_t bytes) {
  auto memory =
      std::make_shared<std::vector<std::max_align_t>>(bytes / sizeof(std::max_align_t) + 1);
  void* const first = memory->data();
  return {std::move(memory), first};
}

std::unique_ptr<task_allocations> host_device::make_task_memory(std::size_t bytes) {
  return std::make_unique<host::task_memory>(bytes);
}

void host_device::begin(const run_setup& setup) {
  state& s = *state_;
  __atomic_store_n(&s.stopping, false, __ATOMIC_RELAXED);
  s.timed = setup.timed;
  s.failure = nullptr;
  for (host::compute_unit& u : s.units) {
    u.width = setup.width;
    u.alone = s.units.size() == 1;
    u.refuse_share = setup.refuse_share;
    u.random_state = (setup.seed + u.index) * 0x9E3779B97F4A7C15ULL | 1U;
    u.restarts = setup.restarts;
    u.memory = static_cast<host::task_memory*>(setup.memory);
    u.counters = {};
  }
}

void host_device::submit(flight* f) {
  state& s = *state_;
  s.waiting.push(f);
  // Unit 0 is this thread. Relaxed: if the count is old, the missing worker comes with the next
  // batch, and this thread runs what no worker takes.
  if (s.workers.load(std::memory_order_relaxed) + 1 < s.units.size()) {
    s.workers.fetch_add(1, std::memory_order_relaxed);
    // Without a thread for it, this thread runs the batch.
    bool comes = false;
    try {
      comes = crew::instance().call([state = state_] { state->work(); });
    } catch (const std::bad_alloc&) {
      comes = false;
    }
    if (!comes) s.workers.fetch_sub(1, std::memory_order_relaxed);
  }
}

flight* host_device::poll() {
  flight* const f = state_->ended.pop();
  if (f == nullptr) return nullptr;
  const std::lock_guard lock(state_->failure_mutex);
  if (state_->failure) stop();
  return f;
}

bool host_device::lend(clock::time_point deadline) {
  if (state_->run_one(state_->units[0])) return true;
  if (clock::now() < deadline) pause();
  return false;
}

std::uint64_t host_device::lent_until() const { return state_->lent_until; }

std::uint64_t host_device::heartbeat() const {
  std::uint64_t sum = 0;
  for (const host::compute_unit& u : state_->units)
    sum += __atomic_load_n(&u.beat, __ATOMIC_RELAXED);
  return sum;
}

void host_device::stop() { __atomic_store_n(&state_->stopping, true, __ATOMIC_RELAXED); }

bool host_device::stopped() const { return __atomic_load_n(&state_->stopping, __ATOMIC_RELAXED); }

work_counters host_device::end() {
  state& s = *state_;
  work_counters sum;
  // All batches have been polled, so no unit counts anything any more.
  for (const host::compute_unit& u : s.units) sum += u.counters;
  const std::lock_guard lock(s.failure_mutex);
  if (s.failure) std::rethrow_exception(s.failure);
  return sum;
}

}  // namespace channels::detail
