// cilk_spawn and cilk_sync.

#include <cstring>    // memcpy
#include <exception>  // uncaught_exceptions
#include <new>        // align_val_t, nothrow
#include <utility>    // exchange

#include "runtime/host_code/run.hpp"
#include "runtime/host_code/strand_clock.hpp"
#include "runtime/host_code/views.hpp"
#include "runtime/threads/forked.hpp"

namespace channels::host_code {
namespace {

constexpr std::align_val_t alignment{alignof(child)};

void release(child* c) {
  c->~child();
  ::operator delete(c, alignment);
}

/// This thread's worker if a child of a frame at `address` is to be given away; null otherwise.
worker* giver_at(std::uintptr_t address) {
  worker* me = this_worker;
  worker_pool& p = worker_pool::instance();
  if (me == nullptr) me = p.attach(false);
  if (me == nullptr) return nullptr;
  p.park_if_ended(*me);
  // Joins need more stack than plain calls.
  if (!me->has_stack(address) || !p.wants(*me)) {
    ++me->counted.declined;
    return nullptr;
  }
  return me;
}

/// Runs `c`, which this worker gave and no worker took.
void run_taken_back(worker_pool& p, worker& me, child& c) {
  ++me.counted.taken_back;
  const std::uint64_t start_ticks = me.trace != nullptr ? detail::ticks() : 0;
  const auto start = clock::now();
  run_child(p, me, c);
  const auto end = clock::now();
  if (me.trace != nullptr) me.trace->took_back(start_ticks, c.depth);
  p.learn_from(c, end - start, end);
  p.charge_unwanted(me, end);
}

/// The taker of `c` ends it only in the process in which it took it.
void check_taker_is_here(const child& c) {
  const std::uint32_t now = detail::fork_generation();
  if (static_cast<std::uint8_t>(now) != c.fork)
    detail::end_if_forked_since(now - 1, "the wait for a child on another thread");
}

/// Waits until the taker of `c` has ended it, and runs other children meanwhile: those that `c`
/// waits for (leapfrogging, Wagner and Calder, PPoPP 1993).
void wait_for(worker_pool& p, worker& me, const child& c, std::uintptr_t here) {
  // Acquire: see child.
  if (c.ended.load(std::memory_order_acquire)) return;
  ++me.counted.waits;
  const std::uint64_t start = me.trace != nullptr ? detail::ticks() : 0;
  // Other children run on top of this stack, so there must be room.
  const bool helping = me.nested < giving_limits::most_helping && me.has_stack(here);
  // The exchange with other ranks runs nothing itself.
  const bool far = p.is_exchange(*c.taker);
  // Release: see worker_pool::take_below.
  worker* const outer = me.waits_for.exchange(c.taker, std::memory_order_release);
  search found_nothing(p, me, false);
  while (!c.ended.load(std::memory_order_acquire)) {  // acquire: see child
    p.park_if_ended(me);
    check_taker_is_here(c);
    child* other = nullptr;
    if (helping) {
      other = p.take_below(me, *c.taker);
      const bool any = far || found_nothing.for_as_long(giving_limits::before_others);
      if (other == nullptr && any) other = p.take(me);
    }
    if (other == nullptr) {
      found_nothing.wait(helping);
      continue;
    }
    found_nothing.end();
    run_taken(p, me, *other);
  }
  found_nothing.end();
  me.waits_for.store(outer, std::memory_order_release);
  if (me.trace != nullptr) me.trace->joined(start);
}

/// The number of these children that did not run at once.
std::uint64_t count_given(const child* newest) {
  std::uint64_t given = 0;
  for (const child* c = newest; c != nullptr; c = c->older) given += c->giver != nullptr ? 1 : 0;
  return given;
}

/// Joins the strands and finishes the children in serial order, and frees them. All children have
/// ended. Returns the serially first exception.
std::exception_ptr settle(child* newest) {
  child* first = nullptr;
  for (child* c = newest; c != nullptr;) {
    child* const older = std::exchange(c->older, first);
    first = std::exchange(c, older);
  }
  // The list is reversed now: `older` is the next child in serial order.
  std::exception_ptr thrown;
  const auto attempt = [&](auto&& step) {
    try {
      step();
    } catch (...) {
      if (!thrown) thrown = std::current_exception();
    }
  };
  channels_cilk_views* const last = std::exchange(channels_cilk_strand, first->before);
  const auto append = [&](channels_cilk_views* views) {
    attempt([&] {
      // Reductions run on the current strand: what they see of reducers is what comes before.
      if (channels_cilk_strand == no_views()) {
        channels_cilk_strand = views;
      } else {
        const strand_clock::strand reduces(this_clock);
        merge(channels_cilk_strand, views);
      }
    });
  };
  while (first != nullptr) {
    child* const c = first;
    append(c->after);
    if (c->thrown && !thrown) thrown = c->thrown;
    void (*const end)(void*) = thrown ? c->drop : c->finish;
    if (end != nullptr) attempt([&] { end(c->closure()); });
    first = c->older;
    append(first != nullptr ? first->before : last);
    release(c);
  }
  return thrown;
}

}  // namespace
}  // namespace channels::host_code

using namespace channels::host_code;

extern "C" {

void* channels_cilk_reserve(channels_cilk_frame* frame, std::size_t size, bool in_order) {
  const strand_clock::pause at_own_work(this_clock);
  worker* const me = giver_at(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  const bool pending = in_order && frame->children != nullptr;
  if (me == nullptr && !pending) return nullptr;
  void* const memory = ::operator new(sizeof(child) + size, alignment, std::nothrow);
  if (memory == nullptr) {
    if (pending) channels_cilk_join(frame);
    return nullptr;
  }
  auto* const c = new (memory) child;
  c->giver = worker_pool::instance().measures() ? nullptr : me;
  return c->closure();
}

void channels_cilk_unreserve(void* closure) { release(child::of(closure)); }

void channels_cilk_give_reserved(channels_cilk_frame* frame, void* closure, void (*run)(void*),
                                 void (*finish)(void*), void (*drop)(void*)) {
  const strand_clock::pause at_own_work(this_clock);
  child& c = *child::of(closure);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  c.run = run;
  c.finish = finish;
  c.drop = drop;
  c.unwinding = std::uncaught_exceptions();
  c.older = std::exchange(frame->children, &c);
  c.before = std::exchange(channels_cilk_strand, no_views());
  worker_pool& p = worker_pool::instance();
  worker& me = *this_worker;
  c.depth = p.depth_of(me, here);
  c.frame = reinterpret_cast<std::uintptr_t>(frame);
  c.computation = me.computation;
  if (c.giver == nullptr) {
    // Only its `finish` has to wait.
    const std::uint64_t spawned_at = this_clock.path();
    run_child(p, me, c);
    c.path = this_clock.path();
    this_clock.continue_from(spawned_at);
    c.ended.store(true, std::memory_order_relaxed);  // relaxed: this thread joins it
    return;
  }
  ++me.counted.given;
  ++me.open;
  p.watch.gave();
  if (me.trace != nullptr) me.trace->gave(c.depth);
  p.push(me, c);
}

void channels_cilk_give(channels_cilk_frame* frame, void (*run)(void*), void (*finish)(void*),
                        void* closure, std::size_t size) {
  void* const copy = channels_cilk_reserve(frame, size, finish != nullptr);
  if (copy == nullptr) {
    run(closure);
    if (finish != nullptr) finish(closure);
    return;
  }
  std::memcpy(copy, closure, size);
  channels_cilk_give_reserved(frame, copy, run, finish, nullptr);
}

void channels_cilk_join(channels_cilk_frame* frame) {
  const strand_clock::pause at_own_work(this_clock);
  child* const newest = std::exchange(frame->children, nullptr);
  worker_pool& p = worker_pool::instance();
  worker& me = *this_worker;
  p.park_if_ended(me);
  // Others take the oldest child first, but other ranks only what may travel: one that is gone says
  // nothing of those before it. Children without a giver have run.
  for (child* c = newest; c != nullptr; c = c->older) {
    if (c->giver == nullptr) continue;
    p.delay_at_random(me);
    if (p.take_back(*c)) run_taken_back(p, me, *c);
  }
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  for (const child* c = newest; c != nullptr; c = c->older) {
    // Written before the mutex that `take_back` had last.
    if (c->taker != nullptr) wait_for(p, me, *c, here);
  }
  const std::uint64_t given = count_given(newest);
  me.open -= given;
  if (p.watch.is_on()) p.watch.joined(given);
  if (this_clock.is_on()) {
    for (const child* ended = newest; ended != nullptr; ended = ended->older) {
      this_clock.join(ended->path);
    }
  }
  const int unwinding = newest->unwinding;
  const std::exception_ptr thrown = settle(newest);
  // During an unwinding nothing is thrown: the exception on its way goes on.
  if (thrown && std::uncaught_exceptions() <= unwinding) std::rethrow_exception(thrown);
}
}
