// How children get from workers that give to workers that are hungry, and how deep frames may give.

#include <algorithm>  // min, max
#include <thread>     // yield

#include "runtime/host_code/worker_pool.hpp"
#include "runtime/threads/at_fork.hpp"

namespace channels::host_code {

std::uint64_t worker_pool::depth_of(worker& w, std::uintptr_t address) const {
  const std::lock_guard lock(w.mutex);
  // Outside of children, the shallowest frame seen on this thread is the root.
  if (w.nested == 0 && address > w.root) w.root = address;
  return w.root > address ? w.root - address : 0;
}

bool worker_pool::wants(worker& w) const { return give_ != giving::random || w.random() < share_; }

void worker_pool::delay_at_random(worker& w) const {
  if (give_ != giving::random || units_ == 1 || w.random() >> 62U != 0) return;
  for (std::uint64_t turns = w.random() % 4; turns != 0; --turns) std::this_thread::yield();
}

void worker_pool::push(worker& giver, child& c) {
  {
    const std::lock_guard lock(giver.mutex);
    giver.push(c);
    update_limits(giver);
  }
  call_taker();
}

bool worker_pool::take_back(child& c) {
  worker& giver = *c.giver;
  const std::lock_guard lock(giver.mutex);
  if (!c.waiting) return false;
  giver.remove(c);
  if (giver.ahead > 1) giver.ahead /= 2;
  return true;
}

void worker_pool::hand_over(worker& from, child& c, worker& to) {
  from.remove(c);
  c.taker = &to;
  c.fork = static_cast<std::uint8_t>(detail::fork_generation());
}

child* worker_pool::take_from(worker& me, worker& other) {
  // Relaxed: read again under the mutex; a child that is missed here is found soon after.
  if (other.size.load(std::memory_order_relaxed) == 0) return nullptr;
  const std::lock_guard lock(other.mutex);
  // A worker takes the newest of its own children: it is the smallest, and its data is likely in
  // the cache.
  child* const c = &other == &me ? other.newest : other.oldest;
  if (c == nullptr || is_ended(c->computation)) return nullptr;
  hand_over(other, *c, me);
  if (&other != &me) {
    // One that spawns in a loop is asked again only when its own child has ended, and the others
    // may have run all that it gave by then.
    const bool dry = other.newest == nullptr;
    if (dry || me.last_taken < giving_limits::worthwhile)
      other.ahead = std::min(2 * other.ahead, giving_limits::most_ahead);
  }
  if (other.limit != nullptr) update_limits(other);
  return c;
}

child* worker_pool::take_below(worker& me, worker& taker) {
  worker* at = &taker;
  for (std::uint32_t i = giving_limits::most_followed; i != 0 && at != nullptr && at != &me; --i) {
    if (child* const c = take_from(me, *at)) return c;
    // Acquire, with the releases in wait_for: another thread may have made that worker just now.
    // Any worker may be asked, and none is freed.
    at = at->waits_for.load(std::memory_order_acquire);
  }
  return take_from(me, me);
}

child* worker_pool::take(worker& me) {
  // Acquire: see attach.
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  const auto first = static_cast<std::uint32_t>(me.random() % count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t at = first + i < count ? first + i : first + i - count;
    if (child* const c = take_from(me, *workers_[at].load(std::memory_order_relaxed))) return c;
  }
  return nullptr;
}

child* worker_pool::take_for_net(worker& net, const std::function<bool(child&)>& may) {
  // Acquire: see attach.
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  const auto first = static_cast<std::uint32_t>(net.random() % count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t at = first + i < count ? first + i : first + i - count;
    worker& other = *workers_[at].load(std::memory_order_relaxed);
    // Relaxed: as in `take`.
    if (other.size.load(std::memory_order_relaxed) == 0) continue;
    const std::lock_guard lock(other.mutex);
    child* c = other.oldest;
    std::uint32_t staying = 0;
    for (; c != nullptr && !may(*c); c = c->deque_newer) ++staying;
    other.staying.store(staying, std::memory_order_relaxed);
    // It may give more than it does for workers, who take those that stay, too.
    if (c == nullptr && other.limit != nullptr) update_limits(other);
    if (c == nullptr || is_ended(c->computation)) continue;
    hand_over(other, *c, net);
    if (other.limit != nullptr) update_limits(other);
    return c;
  }
  return nullptr;
}

void worker_pool::push_from_net(worker& net, child& c) {
  c.giver = &net;
  {
    const std::lock_guard lock(net.mutex);
    net.push(c);
  }
  call_taker();
}

void worker_pool::ask_others(worker& me, clock::time_point since, clock::time_point now) {
  if (forced()) return;
  constexpr clock::rep before_deeper = clock::duration(giving_limits::before_deeper).count();
  const clock::rep ticks = now.time_since_epoch().count();
  const bool waits_long = now - since > giving_limits::before_deeper;
  // Asks some of the workers; the others are asked next time, two microseconds from now. Acquire:
  // see attach.
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  auto at = static_cast<std::uint32_t>(me.random() % count);
  for (std::uint32_t i = std::min(count, giving_limits::asked); i != 0; --i) {
    at = at + 1 < count ? at + 1 : 0;
    worker& other = *workers_[at].load(std::memory_order_relaxed);
    if (&other == &me || other.offered() != 0) continue;
    // Who is asked already is left in peace, unless it should look for children in deeper frames.
    const bool deeper =
        waits_long && ticks - other.depth_increased.load(std::memory_order_relaxed) > before_deeper;
    if (other.asked.load(std::memory_order_relaxed) && !deeper) continue;
    const std::unique_lock lock(other.mutex, std::try_to_lock);
    if (!lock.owns_lock() || other.limit == nullptr) continue;
    if (other.overdrawn && now >= other.allowance) other.overdrawn = false;
    if (deeper) {
      other.depth_increased.store(ticks, std::memory_order_relaxed);
      other.give_depth = std::min(unbounded_depth, other.give_depth + other.give_depth / 8 + 64);
    }
    update_limits(other);
  }
}

void worker_pool::learn_from(const child& c, clock::duration took, clock::time_point now) {
  if (forced()) return;
  // Relaxed: a lost update is made up for by the next child.
  const std::uint64_t looking = check_depth_.load(std::memory_order_relaxed);
  if (c.depth < looking) {
    const std::uint64_t near = std::min(looking, 4 * c.depth);
    check_depth_.store(near - (near - c.depth) / 8, std::memory_order_relaxed);
  } else if (took >= giving_limits::worthwhile) {
    check_depth_.store(c.depth + c.depth / 8, std::memory_order_relaxed);
  }
  worker& giver = *c.giver;
  const std::lock_guard lock(giver.mutex);
  if (c.taker != nullptr && took < giving_limits::least && giver.limit != nullptr)
    charge(giver, now);
  giver.sampled_ns += static_cast<std::uint64_t>(std::chrono::nanoseconds(took).count());
  giver.sampled_depth += c.depth;
  if (++giver.sampled < giving_limits::sample) return;
  if (giver.sampled_ns <
      giving_limits::sample *
          std::uint64_t{std::chrono::nanoseconds(giving_limits::worthwhile).count()}) {
    const std::uint64_t depth =
        std::min(giver.give_depth, giver.sampled_depth / giving_limits::sample);
    giver.give_depth = depth - depth / 8;
  }
  giver.sampled = 0;
  giver.sampled_ns = 0;
  giver.sampled_depth = 0;
}

void worker_pool::charge_unwanted(worker& me, clock::time_point now) {
  if (forced()) return;
  const std::lock_guard lock(me.mutex);
  charge(me, now);
}

void worker_pool::charge(worker& w, clock::time_point now) const {
  w.allowance =
      std::max(w.allowance, now - giving_limits::most_allowance) + giving_limits::unwanted_cost;
  w.overdrawn = w.allowance > now;
  update_limits(w);
}

}  // namespace channels::host_code
