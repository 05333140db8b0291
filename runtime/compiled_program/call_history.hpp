#pragma once

#include <array>             // array
#include <chrono>            // nanoseconds
#include <cstddef>           // size_t
#include <cstdint>           // fixed-width integers
#include <initializer_list>  // initializer_list
#include <vector>            // vector

namespace channels::cilk {

/// The sizes of a call: those of its arguments that are numbers, in their order.
class call_sizes {
 public:
  call_sizes(std::initializer_list<double> all);

  /// How far two calls are apart: the largest of the ratios between their sizes, 1 if they are
  /// equal. What is below 1 counts as 1.
  [[nodiscard]] double factor_to(const call_sizes& other) const;

 private:
  /// More say no more about a call.
  static constexpr std::size_t most = 6;

  std::array<double, most> of_{};
};

/// Where a call runs.
enum class call_side : std::uint8_t { host, device };

/// What is known of the calls of one function that may run on the host or on a device, and where
/// the next one is over first, as far as can be told. Not for several threads at once.
///
/// A try on the device costs at most what the function has cost on the host until then, or a
/// multiple of it where nothing speaks for the device. So a program loses a bounded part of its
/// time, however much slower the device is at the sizes that were seen.
class call_history {
 public:
  using duration = std::chrono::nanoseconds;

  /// What a choice depends on beside earlier calls.
  struct circumstances {
    bool started = false;  ///< the device can run a call at once; if not, that takes a while
    bool suits = false;    ///< the compiler expects the function to be fast there
    duration move{};       ///< what it takes to move the program's memory there
  };
  struct choice {
    call_side side;
    const char* why;
  };
  /// What all calls at one side took.
  struct total {
    std::uint64_t calls = 0;
    duration time{};
  };

  [[nodiscard]] choice choose(const call_sizes& sizes, const circumstances& now) const;
  /// A call with these sizes took so long.
  void ran(call_side side, const call_sizes& sizes, duration took);

  [[nodiscard]] const total& all(call_side side) const {
    return totals_[static_cast<std::size_t>(side)];
  }
  /// What calls on the host took since the device was tried last.
  [[nodiscard]] duration spent_on_host() const { return spent_; }

 private:
  /// Calls of the same sizes.
  struct sample {
    call_sizes sizes;
    duration host{};    ///< the last call there, 0 if there was none
    duration device{};  ///< likewise
    std::uint32_t device_calls = 0;
  };

  [[nodiscard]] const sample* nearest(const call_sizes& sizes, double most) const;
  [[nodiscard]] choice try_device(const sample& known, const circumstances& now) const;
  sample& sample_of(const call_sizes& sizes);

  std::vector<sample> samples_;
  std::size_t oldest_ = 0;  ///< of the samples, when there are as many as are kept
  std::array<total, 2> totals_{};
  duration spent_{};
  std::uint32_t lost_tries_ = 0;
};

}  // namespace channels::cilk
