#pragma once

#include "channels/config.hpp"  // CHANNELS_CXX20
#if CHANNELS_CXX20

#include <cstring>  // memset
#include <memory>   // unique_ptr
#include <new>      // aligned operator new
#include <string>   // to_string, in messages

#include "channels/detail/channel_view.hpp"
#include "channels/detail/element.hpp"
#include "channels/error.hpp"

namespace channels {

/// What a channel is for: elements that some function consumes, or memory in units of one element
/// that is only allocated and freed (variable-length arrays, alloca).
enum class channel_kind : std::uint8_t { work, allocation };

struct channel_options {
  /// Elements that share a done count; a power of two. Larger groups cost fewer atomics, and free
  /// later (paper, section 8.2.1). Channels of fewer elements use their capacity.
  std::uint32_t done_group = 64;
  channel_kind kind = channel_kind::work;
};

/// A channel of `T` in host memory: a bounded queue for any number of producers and consumers,
/// usable by itself. The operations are those of the paper's Table 1.
///
///     channels::channel<point> c(1024);
///     if (auto r = c.talloc(2)) {          // two elements, or none and the channel is full
///       c.set(r, 0, {1, 2});
///       c.set(r, 1, {3, 4});
///       c.enq(r);
///     }
///     while (auto r = c.deq()) {           // what one producer enqueued together
///       for (std::uint32_t i = 0; i < r.count; ++i) use(c.get(r, i));
///       c.tfree(r);
///     }
///
/// Lock-free: wherever a thread stops, the others can still enqueue and dequeue. What the stopped
/// thread reserved stays reserved. Since space is reclaimed in order, the channel then fills up
/// behind it, as it does if the thread stopped while it reclaimed; `talloc` returns an empty
/// reservation then, and does not wait.
template <element T, class Protocol = channel_protocol>
class channel {
 public:
  using value_type = T;
  using layout = layout_of<T>;

  /// Tickets, and the channel that they belong to.
  struct reservation : run {
    const channel* owner = nullptr;
  };

  /// A channel of at least `capacity` elements: the next power of two. Throws `channels::error` if
  /// that is zero or beyond `channel_geometry::largest_capacity`.
  explicit channel(std::uint64_t capacity, channel_options options = {})
      : kind_(options.kind),
        geometry_(make_geometry(capacity, options.done_group)),
        memory_(allocate(bytes())),
        view_(memory_.get(), geometry_, kind_ == channel_kind::work) {
    std::memset(memory_.get(), 0, view_.zeroed_bytes(geometry_, kind_ == channel_kind::work));
  }

  // Not copied or moved: reservations have the channel's address.
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  /// Reserves `count` elements; empty if the channel has no room for all of them (paper,
  /// section 3.2.2).
  [[nodiscard]] reservation talloc(std::uint32_t count = 1) {
    return own([&] { return view_.talloc(count); });
  }
  /// Reserves at least `least` and at most `most` elements.
  [[nodiscard]] reservation talloc_between(std::uint32_t least, std::uint32_t most) {
    return own([&] { return view_.talloc_between(least, most); });
  }
  /// Reserves `count` elements that are neighbours in memory, so that `at` of the first is an
  /// array.
  [[nodiscard]] reservation talloc_contiguous(std::uint32_t count)
    requires(!layout::by_field)
  {
    reservation r = own([&] { return view_.talloc_contiguous(count); });
    // The first try may only have skipped the end of the array.
    return r ? r : own([&] { return view_.talloc_contiguous(count); });
  }

  /// Makes the elements of `r` ready. Throws if they belong to another channel, or this one is for
  /// allocation only.
  void enq(const reservation& r) {
    check_owner(r, "enq");
    if (kind_ == channel_kind::allocation) {
      throw error(
          "enq: this channel is for allocation only, nobody consumes it; make it with "
          "channel_kind::work");
    }
    view_.enq(r);
  }

  /// Takes what some `enq` made ready, oldest first; empty if nothing is.
  [[nodiscard]] reservation deq() {
    if (kind_ == channel_kind::allocation) return {};
    return {view_.deq(), this};
  }

  /// Ends the use of elements that were dequeued, or only reserved. Their space is available again
  /// when all that was reserved before them is freed too. Throws if they belong to another channel.
  void tfree(const reservation& r) {
    check_owner(r, "tfree");
    view_.tfree(r);
  }

  [[nodiscard]] T get(const reservation& r, std::uint32_t i) const {
    return layout::load(view_.data(), view_.capacity(), view_.slot(r.first + i));
  }
  void set(const reservation& r, std::uint32_t i, const T& value) {
    layout::store(view_.data(), view_.capacity(), view_.slot(r.first + i), value);
  }
  /// Element `i` in place, where elements are stored as records.
  [[nodiscard]] T& at(const reservation& r, std::uint32_t i)
    requires(!layout::by_field)
  {
    return *layout::at(view_.data(), view_.slot(r.first + i));
  }

  [[nodiscard]] std::uint32_t capacity() const { return view_.capacity(); }
  /// Elements not available, at some moment during the call.
  [[nodiscard]] std::uint64_t live() const { return view_.live(); }
  /// Bytes of the channel's memory.
  [[nodiscard]] std::size_t bytes() const {
    return geometry_.bytes(layout::bytes(geometry_.capacity), kind_ == channel_kind::work);
  }
  [[nodiscard]] const basic_channel_view<Protocol>& view() const { return view_; }

  /// Makes freed space available, unless another thread does so at the moment. `talloc` calls it
  /// when the channel seems full; a caller needs it only to reclaim earlier.
  void reclaim() {
    bool expected = false;
    // Acquire and release hand the reclaimer's role, and the head it read, from thread to thread.
    if (!__atomic_compare_exchange_n(&reclaiming_, &expected, true, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED)) {
      return;
    }
    view_.reclaim();
    __atomic_store_n(&reclaiming_, false, __ATOMIC_RELEASE);
  }

 private:
  struct release {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{cache_line}); }
  };

  static std::unique_ptr<std::byte, release> allocate(std::size_t bytes) {
    return std::unique_ptr<std::byte, release>(
        static_cast<std::byte*>(::operator new(bytes, std::align_val_t{cache_line})));
  }

  static channel_geometry make_geometry(std::uint64_t capacity, std::uint32_t done_group) {
    if (capacity == 0 || capacity > channel_geometry::largest_capacity) {
      throw error("channel: a capacity of " + std::to_string(capacity) + " elements; choose 1 to " +
                  std::to_string(channel_geometry::largest_capacity));
    }
    channel_geometry g{1, done_group};
    while (g.capacity < capacity) g.capacity *= 2;
    if (g.done_group > g.capacity) g.done_group = g.capacity;
    if (!g.valid()) {
      throw error("channel: a done group of " + std::to_string(done_group) +
                  " elements; choose a power of two, 64 is usual");
    }
    return g;
  }

  void check_owner(const reservation& r, const char* operation) const {
    if (r && r.owner != this) {
      throw error(
          std::string(operation) +
          ": these elements were reserved in another channel; an element goes back to the channel "
          "that it was talloc'ed from");
    }
  }

  template <class Take>
  reservation own(Take take) {
    run r = take();
    if (!r) {
      reclaim();
      r = take();
    }
    return {r, this};
  }

  channel_kind kind_;
  channel_geometry geometry_;
  std::unique_ptr<std::byte, release> memory_;
  basic_channel_view<Protocol> view_;
  bool reclaiming_ = false;
};

}  // namespace channels

#endif
