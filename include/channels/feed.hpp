#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <memory>  // shared_ptr
#include <span>    // span
#include <string>  // string

#include "channels/detail/element.hpp"

namespace channels {

class graph;

namespace detail {
class feed_buffer;
}

/// Elements that the host gives to a graph while it runs. `graph::feed` makes it, before the run;
/// the run goes on until it is closed. All threads may use it at the same time.
///
///     auto lines = g.feed(text);
///     g.execute();
///     while (read(line)) lines.push(line);
///     lines.close();
///     g.wait();
template <element T>
class feed {
 public:
  feed(feed&&) noexcept = default;
  feed& operator=(feed&& other) noexcept {
    close();
    buffer_ = std::move(other.buffer_);
    return *this;
  }
  feed(const feed&) = delete;
  feed& operator=(const feed&) = delete;
  /// Closes it.
  ~feed() { close(); }

  /// Gives elements to the run. Waits while it holds as many as its channel: for
  /// `settings::timeout` at most, if it takes none meanwhile. Throws `channels::error` then, after
  /// `close`, and if the run has ended; some of the elements may have been given.
  void push(std::span<const T> all) const;
  void push(const T& one) const { push({&one, 1}); }
  /// Gives one element to the run if that needs no waiting. Throws as `push` does.
  [[nodiscard]] bool try_push(const T& one) const;
  /// There is no more. The run ends when it has consumed all. Does nothing the second time.
  void close() noexcept;

 private:
  friend class graph;
  explicit feed(std::shared_ptr<detail::feed_buffer> buffer) : buffer_(std::move(buffer)) {}

  std::shared_ptr<detail::feed_buffer> buffer_;  ///< null after it was moved from
};

namespace detail {

// The library has these: `count` elements, one after the other. The second gives some of them, and
// tells how many.
void give(feed_buffer& to, const void* elements, std::size_t count);
[[nodiscard]] std::size_t give_some(feed_buffer& to, const void* elements, std::size_t count);
void close(feed_buffer& of) noexcept;

}  // namespace detail

template <element T>
void feed<T>::push(std::span<const T> all) const {
  detail::give(*buffer_, all.data(), all.size());
}

template <element T>
bool feed<T>::try_push(const T& one) const {
  return detail::give_some(*buffer_, &one, 1) != 0;
}

template <element T>
void feed<T>::close() noexcept {
  if (buffer_ != nullptr) detail::close(*buffer_);
}

}  // namespace channels

#endif
