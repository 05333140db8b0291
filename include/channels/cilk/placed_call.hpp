#pragma once

#include <cstdint>           // fixed-width integers
#include <initializer_list>  // initializer_list

#include "channels/cilk/device_form.hpp"
#include "channels/detail/start_abi.hpp"

/// Calls that may run on the host or on a device: `CHANNELS_DEVICE=auto`.
namespace channels::cilk {

/// A function of the program whose calls come from host code, and may go to a device. One for each
/// function, for the life of the program. runtime/compiled_program/placed_call.cpp has what it
/// knows of them.
class call_site {
 public:
  constexpr explicit call_site(const char* function) : function_(function) {}
  call_site(const call_site&) = delete;
  call_site& operator=(const call_site&) = delete;
  ~call_site() = default;

  struct knowledge;

 private:
  friend class placed_call;

  /// Null if there is no memory for it.
  knowledge* known();

  const char* function_;
  knowledge* known_ = nullptr;  // atomic
  /// Calls that go to the host before one is looked at again: the last ones were too short to be
  /// looked at each.
  std::uint32_t unwatched_ = 0;  // atomic
};

/// One call: chooses where it runs when it is made, and learns from the time until it ends.
class placed_call {
 public:
  /// `sizes`: the call's arguments that are numbers. `forms`: the function's code for devices.
  placed_call(call_site& of, std::initializer_list<device_form> forms,
              std::initializer_list<double> sizes);
  placed_call(const placed_call&) = delete;
  placed_call& operator=(const placed_call&) = delete;
  ~placed_call();

  [[nodiscard]] bool on_device() const { return on_device_; }

 private:
  void watch(std::initializer_list<device_form> forms);
  void learn(std::int64_t ns);

  call_site& site_;
  std::initializer_list<double> sizes_;
  std::int64_t begin_ = 0;  // ns, by the steady clock
  int exceptions_;          ///< that were on their way
  bool on_device_ = false;
  bool watched_ = false;  ///< it is learned from, however short it is
};

/// Whether this thread runs a call of `placed_call` on the host, or a child of one: then what it
/// calls stays there.
[[nodiscard]] bool runs_placed_call();

}  // namespace channels::cilk
