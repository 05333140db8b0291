#pragma once

#include <algorithm>  // min
#include <bit>        // countr_zero, has_single_bit
#include <cstdint>    // fixed-width integers
#include <memory>     // unique_ptr
#include <string>     // to_string
#include <vector>     // vector

#include "channels/gpu/active_messages/places.hpp"

namespace channels::gpu {

/// What lanes see of an array that is sliced over places; plain data. Each element is at one place,
/// and lanes of all places reach it: those of other places through the link between the GPUs.
template <class T>
struct slices {
  T* of[detail::most_places];  ///< the slice of each place
  std::uint64_t per_place;     ///< elements of a slice; the last has fewer
  std::uint32_t shift;         ///< per_place is 2^shift, or this is 64

  /// The place that has element `i`.
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE std::uint32_t owner(std::uint64_t i) const {
    return static_cast<std::uint32_t>(shift < 64 ? i >> shift : i / per_place);
  }
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE T* at(std::uint64_t i) const {
    const std::uint32_t place = owner(i);
    return of[place] + (i - place * per_place);
  }
  /// Reads and writes element `i`, wherever it is. Whole numbers; no order with other memory.
  [[nodiscard]] CHANNELS_INLINE CHANNELS_DEVICE T get(std::uint64_t i) const {
    return channels::detail::atomic_load<order::relaxed, scope::system>(at(i));
  }
  CHANNELS_INLINE CHANNELS_DEVICE void put(std::uint64_t i, T value) const {
    channels::detail::atomic_store<order::relaxed, scope::system>(at(i), value);
  }
  /// Adds to element `i`, wherever it is, as one operation. `fetch_add` returns what it was before,
  /// and waits for it.
  CHANNELS_INLINE CHANNELS_DEVICE void increment(std::uint64_t i, T by = 1) const {
    channels::detail::atomic_add<scope::system>(at(i), by);
  }
  CHANNELS_INLINE CHANNELS_DEVICE T fetch_add(std::uint64_t i, T by) const {
    return channels::detail::atomic_fetch_add<order::relaxed, scope::system>(at(i), by);
  }

 private:
  using order = channels::detail::order;
  using scope = channels::detail::scope;
};

/// An array of `T`, plain data, with a slice in the memory of each place.
template <class T>
class sliced {
 public:
  /// Elements of all places together; their values are not set. Throws `channels::error` if a GPU
  /// has too little memory.
  sliced(places where, std::uint64_t size) : where_(std::move(where)), size_(size) {
    view_.per_place = (size + where_.count() - 1) / where_.count();
    view_.shift = std::has_single_bit(view_.per_place)
                      ? static_cast<std::uint32_t>(std::countr_zero(view_.per_place))
                      : 64;
    for (std::uint32_t place = 0; place < where_.count(); ++place) {
      const detail::on_gpu here(where_.gpu(place));
      memory_.push_back(detail::allocate_shared<T>(sizeof(T) * view_.per_place, "a slice"));
      view_.of[place] = memory_.back().get();
    }
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] slices<T> view() const { return view_; }

  /// Sets all bytes of all elements to zero.
  void clear() {
    each([](T* slice, std::uint64_t /*first*/, std::uint64_t count) {
      detail::check(CHANNELS_GPU(Memset)(slice, 0, sizeof(T) * count), "clearing a slice");
      detail::finish_copies();
    });
  }
  /// Copies all elements from `from`, or to `to`, which gets their number. Not while a run uses
  /// them.
  void write(const std::vector<T>& from) {
    if (from.size() != size_) {
      throw error("sliced: " + std::to_string(from.size()) + " elements for an array of " +
                  std::to_string(size_));
    }
    each([&](T* slice, std::uint64_t first, std::uint64_t count) {
      detail::check(CHANNELS_GPU(Memcpy)(slice, from.data() + first, sizeof(T) * count,
                                         CHANNELS_GPU(MemcpyHostToDevice)),
                    "copy");
      detail::finish_copies();
    });
  }
  void read(std::vector<T>& to) const {
    to.resize(size_);
    each([&](T* slice, std::uint64_t first, std::uint64_t count) {
      detail::check(CHANNELS_GPU(Memcpy)(to.data() + first, slice, sizeof(T) * count,
                                         CHANNELS_GPU(MemcpyDeviceToHost)),
                    "copy");
    });
  }

 private:
  template <class Use>
  void each(Use use) const {
    for (std::uint32_t place = 0; place < where_.count(); ++place) {
      const std::uint64_t first = std::min(size_, place * view_.per_place);
      const std::uint64_t last = std::min(size_, first + view_.per_place);
      if (first == last) continue;
      const detail::on_gpu here(where_.gpu(place));
      use(view_.of[place], first, last - first);
    }
  }

  places where_;
  std::uint64_t size_;
  slices<T> view_{};
  std::vector<std::unique_ptr<T, detail::free_memory>> memory_;
};

}  // namespace channels::gpu
