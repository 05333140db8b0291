#pragma once

#include <algorithm>    // copy_n
#include <cstddef>      // size_t
#include <type_traits>  // is_trivially_copyable_v
#include <utility>      // move

#include "channels/cilk/spawn.hpp"

/// Children of C++ code that may run at another rank (channels_cilk_traveller). cilk2chan emits
/// these calls for spawns of functions of reach `world`.
namespace channels::cilk {

/// The name of a function, as an argument of a template.
template <std::size_t Size>
struct function_name {
  // Implicit: what is written is a string. NOLINTNEXTLINE(google-explicit-constructor)
  constexpr function_name(const char (&name)[Size]) { std::copy_n(name, Size, text); }
  char text[Size];
};

namespace detail {

/// Adds its traveller to the list when the program starts.
struct traveller_entry {
  explicit traveller_entry(channels_cilk_traveller& how) { channels_cilk_travels(&how); }
};

/// The closure of `*result = call()`.
template <function_name Name, class Result, class Call>
struct travelling_child {
  static_assert(std::is_trivially_copyable_v<Result> && std::is_trivially_copyable_v<Call>);
  Result* result;
  Call call;

  static void run(void* closure) {
    auto& c = *static_cast<travelling_child*>(closure);
    *c.result = c.call();
  }
  inline static channels_cilk_traveller how{
      Name.text, run, sizeof(travelling_child), 0, sizeof(Result), false, nullptr};
  inline static const traveller_entry entry{how};
};

/// The closure of `finish(*place, call())`, where `finish` runs at the join.
template <function_name Name, class Place, class Call, class Finish>
struct travelling_addend {
  using value_type = std::decay_t<decltype(std::declval<Call&>()())>;
  static_assert(std::is_trivially_copyable_v<value_type> && std::is_trivially_copyable_v<Call>);
  value_type value;
  Place* place;
  Call call;

  static void run(void* closure) {
    auto& c = *static_cast<travelling_addend*>(closure);
    c.value = c.call();
  }
  static void finish(void* closure) {
    auto& c = *static_cast<travelling_addend*>(closure);
    Finish()(*c.place, std::move(c.value));
  }
  inline static channels_cilk_traveller how{
      Name.text, run, sizeof(travelling_addend), 0, sizeof(value_type), true, nullptr};
  inline static const traveller_entry entry{how};
};

}  // namespace detail

/// Its construction gives away the child `result = call()`. In braces, so that the arguments are
/// evaluated in their order: those of the call before the place, as in an assignment.
template <function_name Name>
struct give_travelling {
  template <class Call, class Result>
  CHANNELS_CILK_COLD give_travelling(frame& of, Call call, Result& result) {
    using closure = detail::travelling_child<Name, Result, Call>;
    (void)closure::entry;  // so that there is one
    closure c{&result, std::move(call)};
    channels_cilk_give(&of, closure::run, nullptr, &c, sizeof c);
  }
};

/// Likewise for `Finish()(place, call())`, where `Finish` is a function object without members that
/// is called when the child is joined, as by `give_and_finish`.
template <function_name Name>
struct give_travelling_and_finish {
  template <class Call, class Place, class Finish>
  CHANNELS_CILK_COLD give_travelling_and_finish(frame& of, Call call, Place& place,
                                                Finish /*adds*/) {
    using closure = detail::travelling_addend<Name, Place, Call, Finish>;
    (void)closure::entry;
    closure c{{}, &place, std::move(call)};
    channels_cilk_give(&of, closure::run, closure::finish, &c, sizeof c);
  }
};

}  // namespace channels::cilk
