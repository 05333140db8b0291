#include "runtime/host_code/worker_pool.hpp"

#include <unistd.h>  // pause

#include <algorithm>  // min
#include <cstdio>     // fprintf
#include <exception>  // exception
#include <new>        // bad_alloc
#include <thread>     // yield

#include "channels/cilk/device_call.hpp"
#include "runtime/host_code/run.hpp"
#include "runtime/host_code/strand_clock.hpp"
#include "runtime/threads/crew.hpp"
#include "runtime/threads/stack_overflow.hpp"

CHANNELS_CILK_THREAD std::uintptr_t channels_cilk_limit = 0;
CHANNELS_CILK_THREAD std::uintptr_t channels_cilk_depth = 0;

namespace channels::host_code {

thread_local constinit worker* this_worker = nullptr;
thread_local constinit strand_clock this_clock;

namespace {

constexpr std::uintptr_t gives_nothing = UINTPTR_MAX;

void set(std::uintptr_t* limit, std::uintptr_t value) {
  // Relaxed: advice; nothing else is read by it. The thread reads it at each spawn, so it is
  // written only if it changes.
  if (__atomic_load_n(limit, __ATOMIC_RELAXED) != value)
    __atomic_store_n(limit, value, __ATOMIC_RELAXED);
}

/// Sets this thread's limits while it is not a worker. 0 makes its next spawn call `attach`.
void set_own(std::uintptr_t value) {
  set(&channels_cilk_limit, value);
  set(&channels_cilk_depth, value);
}

/// How long the end of the process waits for takers and for what belongs to a computation that
/// called `exit`: a piece without a spawn may run longer, and is left behind.
constexpr std::chrono::milliseconds patience_at_exit{40};

/// Takers that this thread is in `work` of, which `exit` may end.
thread_local constinit std::uint32_t visits_here = 0;

/// Ends a thread's time as a worker when the thread ends.
struct thread_end {
  thread_end() = default;
  thread_end(const thread_end&) = delete;
  thread_end& operator=(const thread_end&) = delete;
  ~thread_end() {
    if (this_worker != nullptr) worker_pool::instance().leave(*this_worker);
    // Spawns of destructors that run later are plain calls.
    set_own(gives_nothing);
  }
  detail::watched_stack watched;
};

}  // namespace

struct worker_pool::program_end {
  program_end() = default;
  program_end(const program_end&) = delete;
  program_end& operator=(const program_end&) = delete;
  ~program_end() {
    detail::give_way_to_interruption();
    worker_pool& all = instance();
    all.close(patience_at_exit);
    all.interrupted_.reset();
    try {
      all.report();
    } catch (const std::exception& e) {
      std::fprintf(stderr, "channels: the statistics of host code are lost: %s\n", e.what());
    }
    all.end_trace();
  }
};

worker_pool& worker_pool::instance() {
  // The settings first: what is made earlier is destroyed later, and reports later.
  static worker_pool& p = []() -> worker_pool& {
    try {
      return *new worker_pool(cilk::program_settings());
    } catch (const std::bad_alloc&) {
      cilk::fail_for_memory("host code");
    }
  }();
  static const program_end at_exit;
  return p;
}

worker_pool::worker_pool(const settings& options) {
  open(options);
  if (!options.statistics.empty()) interrupted_.emplace([this] { report(); });
  forking_.emplace(detail::fork_steps{[this] { before_fork(); }, [this] { after_fork(false); },
                                      [this] { after_fork(true); }});
}

void worker_pool::open(const settings& options) {
  give_ = options.give;
  units_ = options.compute_units != 0 ? options.compute_units : detail::number_of_cores();
  measures_ = options.span;
  if (measures_) give_ = giving::always;
  if (measures_ || give_ == giving::never) units_ = 1;
  serial_.store(is_alone(), std::memory_order_relaxed);
  seed_ = options.seed;
  memory_ = options.memory_or_usual();
  // 1/2, 1/4, ... 1/64, or 3/4.
  const std::uint64_t step = options.seed * 0x9E3779B97F4A7C15ULL >> 61U;
  share_ = step == 7 ? 3ULL << 62U : 1ULL << (63U - std::min<std::uint64_t>(step, 5));
  check_depth_.store(unbounded_depth, std::memory_order_relaxed);
  try {
    trace_ = detail::open_trace(options, "host code");
  } catch (const error& e) {
    cilk::fail(e);
  }
  stopping_.store(false, std::memory_order_release);
  // Otherwise the runs of tasks have a progress line.
  const bool here = options.order != run_order::channels &&
                    (options.device == "host" || options.device == cilk::either_device);
  if (options.progress && here && !serial_.load(std::memory_order_relaxed))
    watch.begin([this] { return how_far(); });
}

detail::code_progress worker_pool::how_far() const {
  detail::code_progress far;
  far.workers = units_;
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  // Relaxed, all: figures for a person, independent of each other.
  for (std::uint32_t i = 0; i < count; ++i) {
    const worker& w = *workers_[i].load(std::memory_order_relaxed);
    far.given += w.counted.given;
    far.working += w.attached.load(std::memory_order_relaxed) ? 1 : 0;
  }
  far.working -= std::min(far.working, hungry.load(std::memory_order_relaxed));
  return far;
}

void worker_pool::trace(worker& w, bool of_crew) const {
  w.trace = trace_ == nullptr ? nullptr : std::make_unique<worker_trace>(trace_, w.index, of_crew);
}

void worker_pool::end_trace() {
  const std::lock_guard lock(attaching_);
  // A taker that was left behind in a child keeps writing to its track, so the track stays; the
  // file is then written when the process ends.
  if (present_.load(std::memory_order_acquire) != 0) return;
  for (std::uint32_t i = 0; i < count_.load(std::memory_order_relaxed); ++i) {
    workers_[i].load(std::memory_order_relaxed)->trace.reset();
  }
  trace_.reset();
}

void worker_pool::close(clock::duration patience) {
  stopping_.store(true, std::memory_order_relaxed);
  const auto deadline = clock::now() + patience;
  // Those that do not come back are left behind: this thread if it is a taker in a child that
  // called exit, and what belongs to that child. Acquire, with the release in call_taker: what the
  // takers did and counted.
  while (present_.load(std::memory_order_acquire) > visits_here + parked_.load() &&
         clock::now() < deadline) {
    std::this_thread::yield();
  }
  watch.end();
}

void worker_pool::leave(worker& w) {
  const std::uint16_t computation = w.computation;
  const bool in_the_middle = w.nested != 0 || w.open != 0;
  detach(w);
  if (in_the_middle) halt(computation);
}

void worker_pool::halt(std::uint16_t computation) {
  stopping_.store(true, std::memory_order_relaxed);
  ended_.store(computation, std::memory_order_relaxed);
  {
    const std::lock_guard lock(attaching_);
    for (std::uint32_t i = 0; i < count_.load(std::memory_order_relaxed); ++i) {
      worker& w = *workers_[i].load(std::memory_order_relaxed);
      const std::lock_guard its(w.mutex);
      if (w.limit != nullptr) update_limits(w);
    }
  }
  const auto deadline = clock::now() + patience_at_exit;
  while (runs_anything_of(computation) && clock::now() < deadline) std::this_thread::yield();
}

bool worker_pool::runs_anything_of(std::uint16_t computation) const {
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count; ++i) {
    worker& w = *workers_[i].load(std::memory_order_relaxed);
    const std::lock_guard its(w.mutex);
    if (w.limit != nullptr && w.computation == computation && !w.parked) return true;
  }
  return false;
}

void worker_pool::park(worker& w) const {
  w.parked = true;
  if (w.of_crew) ++parked_;
  for (;;) ::pause();
}

void worker_pool::before_fork() {
  attaching_.lock();
  for (std::uint32_t i = 0; i < count_.load(std::memory_order_relaxed); ++i) {
    workers_[i].load(std::memory_order_relaxed)->mutex.lock();
  }
}

void worker_pool::after_fork(bool in_child) {
  if (in_child) {
    watch.forget();
    takers_.store(0, std::memory_order_relaxed);
    present_.store(0, std::memory_order_relaxed);
    hungry.store(0, std::memory_order_relaxed);
    takers_looking.store(0, std::memory_order_relaxed);
  }
  for (std::uint32_t i = 0; i < count_.load(std::memory_order_relaxed); ++i) {
    worker& w = *workers_[i].load(std::memory_order_relaxed);
    if (in_child && &w != this_worker) {
      w.attached = false;
      w.limit = nullptr;
      // Frames of other threads are not here, and nothing waits for their children.
      w.oldest = w.newest = nullptr;
      w.size.store(0, std::memory_order_relaxed);
      w.nested = 0;
      w.open = 0;
      free_number(w);
    }
    if (in_child && w.limit != nullptr) update_limits(w);
    w.mutex.unlock();
  }
  attaching_.unlock();
}

void worker_pool::use(const settings& options) {
  close(std::chrono::seconds(1));
  end_trace();
  open(options);
  const std::lock_guard lock(attaching_);
  for (std::uint32_t i = 0; i < count_.load(std::memory_order_relaxed); ++i) {
    worker& w = *workers_[i].load(std::memory_order_relaxed);
    const std::lock_guard its(w.mutex);
    seed(w);
    w.overdrawn = false;
    w.allowance = {};
    w.give_depth = unbounded_depth;
    if (w.attached) trace(w, w.of_crew);
    if (w.limit != nullptr) update_limits(w);
  }
  if (this_worker == nullptr) set_own(0);
}

bool worker_pool::runs_child_here() {
  // Only this thread changes it, so it reads it without the mutex.
  return this_worker != nullptr && this_worker->nested != 0;
}

worker* worker_pool::attach(bool of_crew) {
  try {
    return attach_thread(of_crew);
  } catch (const std::bad_alloc&) {
    // It runs its children itself.
    set_own(gives_nothing);
    return nullptr;
  }
}

worker* worker_pool::attach_thread(bool of_crew) {
  if (serial_.load(std::memory_order_relaxed) || (!of_crew && stopping())) {
    set_own(gives_nothing);
    return nullptr;
  }
  const std::lock_guard lock(attaching_);
  worker* w = nullptr;
  const std::uint32_t count = count_.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count && w == nullptr; ++i) {
    worker* const candidate = workers_[i].load(std::memory_order_relaxed);
    if (!candidate->attached) w = candidate;
  }
  if (w == nullptr) {
    if (count == most_workers) {
      set_own(gives_nothing);
      return nullptr;
    }
    // From here on it is one of the pool's, which another thread uses if this one cannot.
    w = &add_worker();
  }
  trace(*w, of_crew);
  w->attached = true;
  w->of_crew = of_crew;
  w->open = 0;
  {
    const std::lock_guard its(w->mutex);
    w->learn_stack();
    w->limit = &channels_cilk_limit;
    w->depth = &channels_cilk_depth;
    w->root = 0;
    w->nested = 0;
    w->computation = of_crew ? no_computation : static_cast<std::uint16_t>(w->index);
    w->overdrawn = false;
    w->give_depth = unbounded_depth;
    update_limits(*w);
  }
  this_worker = w;
  static thread_local thread_end at_thread_exit;
  return w;
}

worker& worker_pool::add_worker() {
  const std::uint32_t count = count_.load(std::memory_order_relaxed);
  auto* const w = new worker;
  w->index = count;
  seed(*w);
  workers_[count].store(w, std::memory_order_relaxed);
  // Release: a thread that sees the count sees the worker.
  count_.store(count + 1, std::memory_order_release);
  return *w;
}

void worker_pool::seed(worker& w) const {
  w.random_state = (seed_ + w.index) * 0x9E3779B97F4A7C15ULL | 1U;
}

void worker_pool::detach(worker& w) {
  const std::lock_guard lock(attaching_);
  free_number(w);
  {
    const std::lock_guard its(w.mutex);
    w.limit = nullptr;
  }
  // The next spawn of this thread makes it a worker again.
  set_own(0);
  // Not for another thread while frames refer to it: `exit` runs in one of its children.
  w.attached = w.nested != 0 || w.open != 0;
  this_worker = nullptr;
}

void worker_pool::update_limits(worker& w) const {
  if (forced() && !serial_.load(std::memory_order_relaxed)) {
    set(w.limit, w.stack_low);
    set(w.depth, w.stack_low);
    return;
  }
  if (is_ended(w.computation)) {  // its next spawn is to ask: park_if_ended
    set(w.limit, 0);
    set(w.depth, 0);
    return;
  }
  const bool alone = serial_.load(std::memory_order_relaxed);
  const auto address = [&w](std::uint64_t depth) {
    return std::max(w.root > depth ? w.root - depth : 0, w.stack_low);
  };
  const bool enough =
      w.offered() >= giving_limits::offered_ahead + hungry.load(std::memory_order_relaxed);
  const std::uint64_t depth = w.give_depth;
  const bool more = enough && w.size.load(std::memory_order_relaxed) < w.ahead;
  const bool never = w.overdrawn || w.nested >= giving_limits::most_nested || alone;
  w.asked.store(!never && !enough, std::memory_order_relaxed);
  set(w.limit, never || (enough && !more) ? gives_nothing
               : more                     ? std::max(w.oldest->frame, address(depth))
                                          : address(depth));
  // A function that begins while nothing is wanted may be asked later, and so may its children. So
  // only functions with large children need the version that can give.
  const std::uint64_t prepared = std::min(depth, check_depth_.load(std::memory_order_relaxed));
  set(w.depth, alone ? gives_nothing : address(never || enough ? prepared : depth));
}

bool worker_pool::add_taker() {
  // Exact, so that the workers' numbers stay below `units_`. Sequentially consistent: see work.
  std::uint32_t takers = takers_.load(std::memory_order_seq_cst);
  do {
    if (takers >= most_takers()) return false;
  } while (!takers_.compare_exchange_weak(takers, takers + 1, std::memory_order_seq_cst));
  return true;
}

void worker_pool::call_taker() {
  // A taker that looks for children finds this one: it would wake another thread for nothing, which
  // takes the giver longer than a small child. Sequentially consistent, with the length of the
  // deque, which was written before: a taker that stops looking looks at all deques afterwards.
  if (takers_looking.load(std::memory_order_seq_cst) != 0) return;
  if (stopping() || !add_taker()) return;
  // Relaxed: `close` waits for the decrement.
  present_.fetch_add(1, std::memory_order_relaxed);
  const auto visit = [this] {
    ++visits_here;
    work();
    --visits_here;
    present_.fetch_sub(1, std::memory_order_release);  // see close
  };
  bool comes = false;
  try {
    comes = detail::crew::instance().call(visit);
  } catch (const std::bad_alloc&) {
    comes = false;
  }
  if (comes) return;  // otherwise go on without it
  takers_.fetch_sub(1, std::memory_order_relaxed);
  present_.fetch_sub(1, std::memory_order_relaxed);
}

void worker_pool::work() {
  const bool was_worker = this_worker != nullptr;
  worker* const me = was_worker ? this_worker : attach(true);
  if (me != nullptr) {
    search found_nothing(*this, *me, true);
    for (;;) {
      while (!stopping() && !found_nothing.for_as_long(giving_limits::longest_search)) {
        child* const c = take(*me);
        if (c == nullptr) {
          found_nothing.wait();
          continue;
        }
        found_nothing.end();
        if (anything_waits()) call_taker();
        run_taken(*this, *me, *c);
      }
      found_nothing.end();
      if (me->number != no_number) {
        // Its place may be another's now.
        const std::lock_guard lock(attaching_);
        free_number(*me);
      }
      // Sequentially consistent: see worker::push.
      takers_.fetch_sub(1, std::memory_order_seq_cst);
      // If others have taken its place, they look after what waits.
      if (stopping() || !anything_waits() || !add_taker()) break;
    }
    reset_limits();
    if (!was_worker) detach(*me);
  } else {
    takers_.fetch_sub(1, std::memory_order_relaxed);
  }
}

std::uint32_t worker_pool::number_here() {
  if (this_worker == nullptr) return 0;
  worker& me = *this_worker;
  if (me.number != no_number) return me.number;
  const std::lock_guard lock(attaching_);
  // 0 is for the program's thread.
  if (taken_numbers_.empty()) taken_numbers_.push_back(false);
  const auto free =
      std::find(taken_numbers_.begin() + (me.of_crew ? 1 : 0), taken_numbers_.end(), false);
  me.number = static_cast<std::uint32_t>(free - taken_numbers_.begin());
  if (free == taken_numbers_.end()) {
    taken_numbers_.push_back(true);
  } else {
    *free = true;
  }
  return me.number;
}

std::uint32_t worker_pool::numbers() {
  const std::lock_guard lock(attaching_);
  return std::max(units_, static_cast<std::uint32_t>(taken_numbers_.size()));
}

void worker_pool::free_number(worker& w) {
  if (w.number == no_number) return;
  taken_numbers_[w.number] = false;
  w.number = no_number;
}

void worker_pool::reset_limits() {
  check_depth_.store(unbounded_depth, std::memory_order_relaxed);
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count; ++i) {
    worker& w = *workers_[i].load(std::memory_order_relaxed);
    const std::lock_guard lock(w.mutex);
    w.overdrawn = false;
    w.give_depth = unbounded_depth;
    if (w.limit != nullptr) update_limits(w);
  }
}

worker& worker_pool::join_net(bool serves) {
  const std::lock_guard lock(attaching_);
  has_net_ = true;
  serves_ = serves;
  serial_.store(is_alone(), std::memory_order_relaxed);
  worker& net = add_worker();
  net.attached = true;
  exchange_ = &net;
  return net;
}

bool worker_pool::lacks_children(bool net_is_hungry) const {
  // Relaxed: the exchange looks again soon.
  const bool idle = hungry.load(std::memory_order_relaxed) > (net_is_hungry ? 1 : 0) ||
                    takers_.load(std::memory_order_relaxed) < most_takers();
  return idle && !anything_waits();
}

bool worker_pool::has_spare_children(bool net_is_hungry) const {
  std::uint64_t waiting = 0;
  // Acquire: see attach. Relaxed, all else: the exchange looks again soon.
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count; ++i) {
    waiting += workers_[i].load(std::memory_order_relaxed)->size.load(std::memory_order_relaxed);
  }
  return waiting + (net_is_hungry ? 1 : 0) > hungry.load(std::memory_order_relaxed);
}

bool worker_pool::anything_waits() const {
  // Acquire: see attach.
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (workers_[i].load(std::memory_order_relaxed)->size.load(std::memory_order_seq_cst) != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace channels::host_code
