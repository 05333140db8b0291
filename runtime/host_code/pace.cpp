// How children get from who has them to who wants them, and how deep frames may give.

#include <algorithm>  // min, max
#include <thread>     // yield

#include "runtime/host_code/pool.hpp"

namespace channels::host_code {

std::uint64_t pool::depth_of(worker& w, std::uintptr_t address) const {
  const std::lock_guard lock(w.mutex);
  // The shallowest frame that was seen of a thread that is nobody's child is its root.
  if (w.nested == 0 && address > w.root) w.root = address;
  return w.root > address ? w.root - address : 0;
}

bool pool::wants(worker& w) const { return give_ != giving::random || w.random() < share_; }

void pool::dawdle(worker& w) const {
  if (give_ != giving::random || units_ == 1 || w.random() >> 62U != 0) return;
  for (std::uint64_t turns = w.random() % 4; turns != 0; --turns) std::this_thread::yield();
}

void pool::push(worker& home, child& c) {
  {
    const std::lock_guard lock(home.mutex);
    home.push(c);
    adjust(home);
  }
  call_thief();
}

bool pool::take_back(child& c) {
  worker& home = *c.home;
  const std::lock_guard lock(home.mutex);
  if (!c.waiting) return false;
  home.remove(c);
  return true;
}

child* pool::steal(worker& me, worker* preferred) {
  const auto from = [&](worker& victim) -> child* {
    // Relaxed: looked at again under the mutex, and again soon if it was too early.
    if (victim.size.load(std::memory_order_relaxed) == 0) return nullptr;
    const std::lock_guard lock(victim.mutex);
    // Its own newest: the smallest, and next to what it has in its cache.
    child* const c = &victim == &me ? victim.newest : victim.oldest;
    if (c == nullptr) return nullptr;
    victim.remove(*c);
    c->thief = &me;
    if (&victim != &me) {
      if (me.last_stolen < pace::worthwhile) {
        victim.ahead = std::min(2 * victim.ahead, pace::most_ahead);
      } else if (victim.ahead > 1) {
        victim.ahead /= 2;
      }
    }
    if (victim.limit != nullptr) adjust(victim);
    return c;
  };
  if (preferred != nullptr) {
    if (child* const c = from(*preferred)) return c;
  }
  // Acquire: see attach.
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  const auto first = static_cast<std::uint32_t>(me.random() % count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t at = first + i < count ? first + i : first + i - count;
    if (child* const c = from(*workers_[at].load(std::memory_order_relaxed))) return c;
  }
  return nullptr;
}

void pool::ask(worker& me, clock::time_point since, clock::time_point now) {
  if (forced()) return;
  if (now - since > pace::impatience) {
    // One worker at a time makes frames that are an eighth deeper give. Relaxed: a number, and no
    // more.
    clock::rep changed = depth_changed_.load(std::memory_order_relaxed);
    const clock::rep ticks = now.time_since_epoch().count();
    if (ticks - changed > clock::duration(pace::impatience).count() &&
        depth_changed_.compare_exchange_strong(changed, ticks, std::memory_order_relaxed)) {
      const std::uint64_t depth = depth_.load(std::memory_order_relaxed);
      depth_.store(std::min(pace::unbounded, depth + depth / 8 + 64), std::memory_order_relaxed);
    }
  }
  // Some of them: the others are asked the next time, two microseconds from now.
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  auto at = static_cast<std::uint32_t>(me.random() % count);
  for (std::uint32_t i = std::min(count, pace::asked); i != 0; --i) {
    at = at + 1 < count ? at + 1 : 0;
    worker& other = *workers_[at].load(std::memory_order_relaxed);
    if (&other == &me || other.size.load(std::memory_order_relaxed) != 0) continue;
    const std::unique_lock lock(other.mutex, std::try_to_lock);
    if (!lock.owns_lock() || other.limit == nullptr) continue;
    if (other.broke && now >= other.allowance) other.broke = false;
    adjust(other);
  }
}

void pool::learn(worker& me, const child& c, clock::duration took) {
  if (forced()) return;
  // Relaxed, here and below: who loses a race learns from the next child.
  const std::uint64_t looking = looking_.load(std::memory_order_relaxed);
  if (c.depth < looking) {
    const std::uint64_t near = std::min(looking, 4 * c.depth);
    looking_.store(near - (near - c.depth) / 8, std::memory_order_relaxed);
  } else if (took >= pace::worthwhile) {
    looking_.store(c.depth + c.depth / 8, std::memory_order_relaxed);
  }
  me.sampled_ns += static_cast<std::uint64_t>(std::chrono::nanoseconds(took).count());
  me.sampled_depth += c.depth;
  if (++me.sampled < pace::sample) return;
  if (me.sampled_ns <
      pace::sample * std::uint64_t{std::chrono::nanoseconds(pace::worthwhile).count()}) {
    const std::uint64_t born = me.sampled_depth / pace::sample;
    const std::uint64_t depth = std::min(depth_.load(std::memory_order_relaxed), born);
    depth_.store(depth - depth / 8, std::memory_order_relaxed);
  }
  me.sampled = 0;
  me.sampled_ns = 0;
  me.sampled_depth = 0;
}

void pool::charge(worker& me, clock::time_point now) {
  if (forced()) return;
  const std::lock_guard lock(me.mutex);
  me.allowance = std::max(me.allowance, now - pace::savings) + pace::charge;
  me.broke = me.allowance > now;
  adjust(me);
}

}  // namespace channels::host_code
