// cilk_spawn and cilk_sync.

#include <cstring>    // memcpy
#include <exception>  // uncaught_exceptions
#include <new>        // align_val_t, nothrow
#include <utility>    // exchange

#include "runtime/host_code/run.hpp"
#include "runtime/host_code/views.hpp"

namespace channels::host_code {
namespace {

constexpr std::align_val_t alignment{alignof(child)};

void release(child* c) {
  c->~child();
  ::operator delete(c, alignment);
}

/// This thread's worker if a child of a frame at `address` is to be given away, null otherwise.
worker* giver(std::uintptr_t address) {
  worker* me = this_worker;
  pool& p = pool::instance();
  if (me == nullptr) me = p.attach(false);
  if (me == nullptr) return nullptr;
  // Joins need more stack than plain calls. What the program has to itself is enough for those.
  if (!me->has_stack(address) || !p.wants(*me)) {
    ++me->counted.declined;
    return nullptr;
  }
  return me;
}

/// Runs `c`, which this worker gave and nobody took.
void run_taken_back(pool& p, worker& me, child& c) {
  ++me.counted.taken_back;
  const std::uint64_t start_ticks = me.trace != nullptr ? detail::ticks() : 0;
  const auto start = clock::now();
  run_child(p, me, c);
  const auto end = clock::now();
  if (me.trace != nullptr) me.trace->took_back(start_ticks, c.depth);
  p.learn(me, c, end - start);
  p.charge(me, end);
}

/// Returns when the thief of `c` has ended it.
void wait_for(pool& p, worker& me, const child& c, std::uintptr_t here) {
  // Acquire: see child.
  if (c.ended.load(std::memory_order_acquire)) return;
  ++me.counted.waits;
  const std::uint64_t start = me.trace != nullptr ? detail::ticks() : 0;
  // What is run meanwhile comes on top of this stack.
  const bool helping = me.nested < pace::most_helping && me.has_stack(here);
  search found_nothing(p, me);
  while (!c.ended.load(std::memory_order_acquire)) {
    child* const other = helping ? p.steal(me, c.thief) : nullptr;
    if (other == nullptr) {
      found_nothing.wait(helping);
      continue;
    }
    found_nothing.end();
    run_stolen(p, me, *other);
  }
  found_nothing.end();
  if (me.trace != nullptr) me.trace->joined(start);
}

/// Of these children, those that were not run at once.
std::uint64_t count_given(const child* newest) {
  std::uint64_t given = 0;
  for (const child* c = newest; c != nullptr; c = c->older) given += c->home != nullptr ? 1 : 0;
  return given;
}

/// Puts the strands together and finishes the children, which have all ended, in serial order;
/// frees them. Returns what was thrown first.
std::exception_ptr settle(child* newest) {
  child* first = nullptr;
  for (child* c = newest; c != nullptr;) {
    child* const older = std::exchange(c->older, first);
    first = std::exchange(c, older);
  }
  // From here on, `older` is the next in serial order.
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
      // What the reduction itself sees of reducers is what comes before.
      if (channels_cilk_strand == no_views()) {
        channels_cilk_strand = views;
      } else {
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
  worker* const me = giver(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  const bool pending = in_order && frame->children != nullptr;
  if (me == nullptr && !pending) return nullptr;
  void* const memory = ::operator new(sizeof(child) + size, alignment, std::nothrow);
  if (memory == nullptr) {
    if (pending) channels_cilk_join(frame);
    return nullptr;
  }
  auto* const c = new (memory) child;
  c->home = me;
  return c->closure();
}

void channels_cilk_unreserve(void* closure) { release(child::of(closure)); }

void channels_cilk_give_reserved(channels_cilk_frame* frame, void* closure, void (*run)(void*),
                                 void (*finish)(void*), void (*drop)(void*)) {
  child& c = *child::of(closure);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  c.run = run;
  c.finish = finish;
  c.drop = drop;
  c.unwinding = std::uncaught_exceptions();
  c.older = std::exchange(frame->children, &c);
  c.before = std::exchange(channels_cilk_strand, no_views());
  pool& p = pool::instance();
  worker& me = *this_worker;
  c.depth = p.depth_of(me, here);
  c.frame = reinterpret_cast<std::uintptr_t>(frame);
  if (c.home == nullptr) {
    // Only its end has to wait.
    run_child(p, me, c);
    c.ended.store(true, std::memory_order_relaxed);  // this thread joins it
    return;
  }
  // Relaxed: the progress line reads it meanwhile, and nobody else.
  __atomic_store_n(&me.counted.given, me.counted.given + 1, __ATOMIC_RELAXED);
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
  child* const newest = std::exchange(frame->children, nullptr);
  pool& p = pool::instance();
  worker& me = *this_worker;
  child* c = newest;
  // Thieves take the oldest: when one is gone, all that are older are. Those without a home have
  // run.
  for (; c != nullptr; c = c->older) {
    if (c->home == nullptr) continue;
    p.dawdle(me);
    if (!p.take_back(*c)) break;
    run_taken_back(p, me, *c);
  }
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  for (; c != nullptr; c = c->older) wait_for(p, me, *c, here);
  if (p.watch.is_on()) p.watch.joined(count_given(newest));
  const int unwinding = newest->unwinding;
  const std::exception_ptr thrown = settle(newest);
  // An exception that is on its way already keeps its place.
  if (thrown && std::uncaught_exceptions() <= unwinding) std::rethrow_exception(thrown);
}
}
