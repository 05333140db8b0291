#include "runtime/aggregator/feed_buffer.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min

#include "channels/detail/wait_running.hpp"
#include "channels/error.hpp"
#include "channels/feed.hpp"

namespace channels::detail {

void feed_buffer::give(const std::byte* elements, std::size_t count) {
  std::unique_lock lock(mutex_);
  for (;;) {
    check_takes();
    const std::size_t given = put(elements, count);
    elements += given * element_bytes_;
    count -= given;
    if (count == 0) return;
    wait_for_room(lock);
  }
}

/// Until something has changed for `give`.
void feed_buffer::wait_for_room(std::unique_lock<std::mutex>& lock) {
  const auto can_go_on = [this] { return held() < most_ || closed_ || run_ == state::ended; };
  for (;;) {
    const std::uint64_t before = progress_.load(std::memory_order_relaxed);
    if (wait_running(taken_, lock, patience_, can_go_on)) return;
    if (progress_.load(std::memory_order_relaxed) != before) continue;
    throw error(
        fmt::format("{}: the feed holds {} elements, and the run has got nowhere for {} ms{}",
                    name_, held(), patience_.count(),
                    run_ == state::before_run
                        ? ": it has not begun; call execute before a feed is filled"
                        : "; if a kernel node may take that long, set CHANNELS_TIMEOUT higher"));
  }
}

std::size_t feed_buffer::give_some(const std::byte* elements, std::size_t count) {
  const std::lock_guard lock(mutex_);
  check_takes();
  return put(elements, count);
}

void feed_buffer::close() noexcept {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  filled_.notify_all();
  taken_.notify_all();
}

std::size_t feed_buffer::holds() const {
  const std::lock_guard lock(mutex_);
  return held();
}

bool feed_buffer::is_open() const {
  const std::lock_guard lock(mutex_);
  return !closed_ || held() != 0;
}

void feed_buffer::take(std::size_t count, std::vector<std::byte>& to) {
  const std::lock_guard lock(mutex_);
  const auto from = bytes_.begin() + static_cast<std::ptrdiff_t>(first_);
  const std::size_t size = count * element_bytes_;
  to.insert(to.end(), from, from + static_cast<std::ptrdiff_t>(size));
  first_ += size;
  // What was taken goes when it is the larger part, so each byte is moved once or twice.
  if (2 * first_ >= bytes_.size()) {
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }
  taken_.notify_all();
}

void feed_buffer::wait_for_elements(milliseconds longest) const {
  std::unique_lock lock(mutex_);
  filled_.wait_for(lock, longest, [this] { return held() != 0 || closed_; });
}

void feed_buffer::begin() {
  const std::lock_guard lock(mutex_);
  run_ = state::running;
}

void feed_buffer::end(const std::string& failure) {
  const std::lock_guard lock(mutex_);
  run_ = state::ended;
  failure_ = failure;
  taken_.notify_all();
}

/// The caller holds the mutex.
void feed_buffer::check_takes() const {
  if (run_ == state::ended) {
    throw error(fmt::format("{}: the run has ended, and a feed is for one run{}{}", name_,
                            failure_.empty() ? "" : "; it failed: ", failure_));
  }
  if (closed_) throw error(fmt::format("{}: this feed was closed", name_));
}

/// The caller holds the mutex.
std::size_t feed_buffer::put(const std::byte* elements, std::size_t count) {
  const std::size_t given = std::min(count, most_ - held());
  bytes_.insert(bytes_.end(), elements, elements + given * element_bytes_);
  if (given != 0) filled_.notify_all();
  return given;
}

void give(feed_buffer& to, const void* elements, std::size_t count) {
  to.give(static_cast<const std::byte*>(elements), count);
}

std::size_t give_some(feed_buffer& to, const void* elements, std::size_t count) {
  return to.give_some(static_cast<const std::byte*>(elements), count);
}

void close(feed_buffer& of) noexcept { of.close(); }

}  // namespace channels::detail
