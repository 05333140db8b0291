#pragma once

#include <atomic>              // atomic
#include <chrono>              // milliseconds
#include <condition_variable>  // condition_variable
#include <cstddef>             // byte, size_t
#include <cstdint>             // fixed-width integers
#include <mutex>               // mutex
#include <string>              // string
#include <vector>              // vector

namespace channels::detail {

/// What a `feed` and a run share: elements on their way from the program's threads to the
/// aggregator's. Invariant: it holds `most_` elements at most, and none come after it was closed or
/// the run has ended.
class feed_buffer {
 public:
  using milliseconds = std::chrono::milliseconds;

  /// `name`: of the graph and the channel, for messages. `most`: elements. `patience`: how long
  /// `give` waits while the run gets nowhere.
  feed_buffer(std::string name, std::size_t element_bytes, std::size_t most, milliseconds patience)
      : name_(std::move(name)), element_bytes_(element_bytes), most_(most), patience_(patience) {}

  // For the program's threads. The first two throw `channels::error` if nothing can come any more.

  /// Waits for room, and throws also if there is none for too long.
  void give(const std::byte* elements, std::size_t count);
  /// Takes as many as there is room for, and tells how many.
  std::size_t give_some(const std::byte* elements, std::size_t count);
  void close() noexcept;

  // For the aggregator's thread.

  /// Elements.
  [[nodiscard]] std::size_t holds() const;
  /// Whether more may come, or there are some.
  [[nodiscard]] bool is_open() const;
  /// Moves the first `count` elements, of so many at least, to the end of `to`.
  void take(std::size_t count, std::vector<std::byte>& to);
  /// Until there are elements or no more can come, for `longest` at most.
  void wait_for_elements(milliseconds longest) const;
  /// How far the run is: a number that grows while it goes on.
  void tell(std::uint64_t progress) {
    // Relaxed: only whether it changes matters.
    progress_.store(progress, std::memory_order_relaxed);
  }
  /// The run has started.
  void begin();
  /// The run has ended. `failure`: why it failed; "" if it did not.
  void end(const std::string& failure);

 private:
  enum class state : unsigned char { before_run, running, ended };

  [[nodiscard]] std::size_t held() const { return (bytes_.size() - first_) / element_bytes_; }
  void check_takes() const;
  void wait_for_room(std::unique_lock<std::mutex>& lock);
  std::size_t put(const std::byte* elements, std::size_t count);

  std::string name_;
  std::size_t element_bytes_;
  std::size_t most_;
  milliseconds patience_;

  std::atomic<std::uint64_t> progress_{0};

  mutable std::mutex mutex_;  ///< guards all that follows
  mutable std::condition_variable filled_;
  std::condition_variable taken_;
  std::vector<std::byte> bytes_;  ///< elements, from `first_` on
  std::size_t first_ = 0;         ///< bytes
  bool closed_ = false;
  state run_ = state::before_run;
  std::string failure_;
};

}  // namespace channels::detail
