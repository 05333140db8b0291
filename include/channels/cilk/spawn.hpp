#pragma once

#include <cstdint>      // uint64_t
#include <functional>   // invoke
#include <memory>       // addressof
#include <new>          // construct in place
#include <optional>     // optional
#include <tuple>        // tuple, apply
#include <type_traits>  // decay_t, is_void_v
#include <utility>      // forward, move

#include "channels/cilk/abi.h"

namespace channels {
struct settings;
}

/// Spawns in host code, for C++. A person may write this, and cilk2chan emits it. Names and rules
/// are those of abi.h; here closures may be any movable object, and exceptions reach the parent.
///
///     long fib(long n) {
///       channels::cilk::frame cilk_frame;
///       if (n < 2) return n;
///       long x;
///       if (cilk_frame.hungry())
///         channels::cilk::give(cilk_frame, x, fib, n - 1);
///       else
///         x = fib(n - 1);
///       long y = fib(n - 2);
///       cilk_frame.sync();
///       return x + y;
///     }
namespace channels::cilk {

/// A function's frame. Its destructor is the implicit sync. Variables that children use have to
/// outlive the frame; if they are declared after it, call `sync` before they end.
///
/// When all children have ended, `sync` and the destructor throw the exception of the serially
/// first child that threw; the exceptions of the others are dropped. During an unwinding the
/// destructor throws nothing.
class frame : public channels_cilk_frame {
 public:
#if defined(CHANNELS_CILK_RACES)
  frame() noexcept {}
#else
  frame() noexcept : channels_cilk_frame{nullptr} {}
#endif
  frame(const frame&) = delete;
  frame& operator=(const frame&) = delete;
  ~frame() noexcept(false) { channels_cilk_sync(this); }

  /// Whether the next child is to be given away.
  [[nodiscard]] bool hungry() const noexcept { return channels_cilk_hungry(this); }
  /// The same for a child that `give_and_finish` would give away.
  [[nodiscard]] bool hungry_or_pending() const noexcept {
    return channels_cilk_hungry_or_pending(this);
  }
  void sync() { channels_cilk_sync(this); }
};

/// Calls `sync` at the end of a scope. Declare it after variables that children use and that are
/// declared after the frame.
class sync_on_exit {
 public:
  explicit sync_on_exit(frame& of) noexcept : of_(of) {}
  sync_on_exit(const sync_on_exit&) = delete;
  sync_on_exit& operator=(const sync_on_exit&) = delete;
  ~sync_on_exit() noexcept(false) { channels_cilk_sync(&of_); }

 private:
  frame& of_;
};

/// In place of a slot: the result is dropped.
struct discard {};

namespace detail {

/// The type with which a closure holds an argument. A reference parameter keeps referring to the
/// caller's object; a temporary object moves into the closure and lives as long as the child needs
/// it.
template <class Parameter, class Argument>
struct kept {
  using type = Parameter;
};
template <class Parameter, class Argument>
struct kept<Parameter&, Argument> {
  using type = Parameter&;
};
template <class Parameter, class Argument>
  requires(!std::is_lvalue_reference_v<Argument>)
struct kept<const Parameter&, Argument> {
  using type = Parameter;
};
template <class Parameter, class Argument>
  requires std::is_lvalue_reference_v<Argument>
struct kept<Parameter&&, Argument> {
  using type = Parameter&&;
};
template <class Parameter, class Argument>
  requires(!std::is_lvalue_reference_v<Argument>)
struct kept<Parameter&&, Argument> {
  using type = Parameter;
};

/// The arguments that the closure of a callable holds: by the parameters' types if they are known,
/// else copies.
template <class Callable, class... Arguments>
struct kept_by {
  using type = std::tuple<std::decay_t<Arguments>...>;
};
template <class Result, class... Parameters, class... Arguments>
  requires(sizeof...(Parameters) == sizeof...(Arguments))
struct kept_by<Result (*)(Parameters...), Arguments...> {
  using type = std::tuple<typename kept<Parameters, Arguments>::type...>;
};
template <class Result, class... Parameters, class... Arguments>
  requires(sizeof...(Parameters) == sizeof...(Arguments))
struct kept_by<Result (*)(Parameters...) noexcept, Arguments...> {
  using type = std::tuple<typename kept<Parameters, Arguments>::type...>;
};

/// In place of the result of a function that returns void.
struct no_result {};

template <class Callable, class Kept, class Finish>
struct closure {
  using result = decltype(std::apply(std::declval<Callable>(), std::declval<Kept>()));
  using stored = std::conditional_t<std::is_void_v<result>, no_result, result>;

  Callable callable;
  Kept kept;
  Finish finish;
  std::optional<stored> value;

  static void run(void* self) {
    auto& c = *static_cast<closure*>(self);
    if constexpr (std::is_void_v<result>) {
      std::apply(std::move(c.callable), std::move(c.kept));
      c.value.emplace();
    } else {
      c.value.emplace(std::apply(std::move(c.callable), std::move(c.kept)));
    }
  }
  static void end(void* self) {
    auto& c = *static_cast<closure*>(self);
    const destroyed after{c};
    if constexpr (std::is_void_v<result>) {
      c.finish();
    } else {
      c.finish(std::move(*c.value));
    }
  }
  static void drop(void* self) { static_cast<closure*>(self)->~closure(); }

 private:
  struct destroyed {
    closure& what;
    ~destroyed() { what.~closure(); }
  };
};

}  // namespace detail

namespace detail {

template <class Finish, class Callable, class... Arguments>
[[gnu::cold, gnu::noinline]] void give(frame& of, bool in_order, Finish&& finish,
                                       Callable&& callable, Arguments&&... arguments) {
  using called = std::decay_t<Callable>;
  using kept = typename kept_by<called, Arguments&&...>::type;
  using closure = closure<called, kept, std::decay_t<Finish>>;
#if defined(CHANNELS_CILK_RACES)
  (void)in_order;
  // The closure is on this stack; the addition of its result ends it.
  alignas(closure) unsigned char memory[sizeof(closure)];
  auto* const own = ::new (static_cast<void*>(memory))
      closure{std::forward<Callable>(callable), kept{std::forward<Arguments>(arguments)...},
              std::forward<Finish>(finish), std::nullopt};
  const auto run = [](void* self) {
    try {
      closure::run(self);
    } catch (...) {
      closure::drop(self);
      throw;
    }
  };
  channels_races_child(&of, run, closure::end, own, sizeof(closure), __builtin_return_address(0));
#else
  static_assert(alignof(closure) <= 64, "arguments that are aligned to more than 64 bytes");
  static_assert(!std::is_reference_v<typename closure::result>,
                "wrap a function that returns a reference: its result has to be kept");
  void* const memory = channels_cilk_reserve(&of, sizeof(closure), in_order);
  if (memory == nullptr) {
    if constexpr (std::is_void_v<typename closure::result>) {
      std::invoke(std::forward<Callable>(callable), std::forward<Arguments>(arguments)...);
      finish();
    } else {
      finish(std::invoke(std::forward<Callable>(callable), std::forward<Arguments>(arguments)...));
    }
    return;
  }
  try {
    ::new (memory)
        closure{std::forward<Callable>(callable), kept{std::forward<Arguments>(arguments)...},
                std::forward<Finish>(finish), std::nullopt};
  } catch (...) {
    channels_cilk_unreserve(memory);
    throw;
  }
  channels_cilk_give_reserved(&of, memory, closure::run, closure::end, closure::drop);
#endif
}

}  // namespace detail

/// Gives away the child `slot = callable(arguments...)`, assigned when it is joined. Where the
/// parameters of `callable` are known (it is a function), references among them refer to what was
/// passed, and temporaries are kept for them; to other callables copies of the arguments are
/// passed.
template <class Slot, class Callable, class... Arguments>
void give(frame& of, Slot& slot, Callable&& callable, Arguments&&... arguments) {
  detail::give(
      of, false, [&slot](auto&& result) { slot = std::forward<decltype(result)>(result); },
      std::forward<Callable>(callable), std::forward<Arguments>(arguments)...);
}

/// Gives away the child `callable(arguments...)` and drops its result.
template <class Callable, class... Arguments>
void give(frame& of, discard, Callable&& callable, Arguments&&... arguments) {
  detail::give(
      of, false, [](auto&&...) {}, std::forward<Callable>(callable),
      std::forward<Arguments>(arguments)...);
}

/// Gives away `finish(callable(arguments...))`, or `finish()` if it has no result, where `finish`
/// is called when the child is joined: in the frame's thread and in the serial order of its spawns.
/// For `x += cilk_spawn f()`, where `hungry_or_pending` decides.
template <class Finish, class Callable, class... Arguments>
CHANNELS_CILK_AT_SITE void give_and_finish(frame& of, Finish&& finish, Callable&& callable,
                                           Arguments&&... arguments) {
  detail::give(of, true, std::forward<Finish>(finish), std::forward<Callable>(callable),
               std::forward<Arguments>(arguments)...);
}

/// `cilk_for`: body(i) for all i below `count`. After at most `grain` iterations another worker can
/// take half of the rest; grain 0 chooses. Throws the exception of the serially first iteration
/// that threw.
template <class Body>
void for_each_index(std::uint64_t count, std::uint64_t grain, Body&& body) {
  using object = std::remove_reference_t<Body>;
  channels_cilk_for(
      count, grain,
      [](void* closure, std::uint64_t begin, std::uint64_t end) {
        object& b = *static_cast<object*>(closure);
        for (std::uint64_t i = begin; i < end; ++i) b(i);
      },
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): given back its const above
      const_cast<void*>(static_cast<const void*>(std::addressof(body))));
}

/// This strand's view of the reducer whose variable is `leftmost`. `identity` and `reduce` are as
/// in abi.h.
template <class T>
T& view(T& leftmost, void (*identity)(void*), void (*reduce)(void*, void*)) {
  // A constant object's view is read through it.
  using object = std::remove_const_t<T>;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  return *static_cast<T*>(
      channels_cilk_view(const_cast<object*>(&leftmost), sizeof(T), identity, reduce));
}

/// A reducer: a T that strands in parallel may change. Each strand has its own view, and joins
/// reduce the views in serial order. `Monoid` has `static T identity()` and `static void reduce(T&
/// left, T&& right)`; reduce is associative and need not commute. Sync the frame before a
/// local reducer's scope ends.
template <class T, class Monoid>
class reducer {
 public:
  explicit reducer(T value = Monoid::identity()) : leftmost_(std::move(value)) {
    channels_cilk_reducer_begin(&leftmost_, sizeof(T), make, join);
  }
  reducer(const reducer&) = delete;
  reducer& operator=(const reducer&) = delete;
  ~reducer() { channels_cilk_reducer_end(&leftmost_); }

  [[nodiscard]] T& view() { return cilk::view(leftmost_, make, join); }
  T& operator*() { return view(); }
  T* operator->() { return &view(); }

 private:
  static_assert(alignof(T) <= 64, "views are aligned to 64 bytes");
  static void make(void* memory) { ::new (memory) T(Monoid::identity()); }
  static void join(void* left, void* right) {
    T& from = *static_cast<T*>(right);
    const destroyed after{from};
    Monoid::reduce(*static_cast<T*>(left), std::move(from));
  }
  struct destroyed {
    T& what;
    ~destroyed() { what.~T(); }
  };

  T leftmost_;
};

/// Changes the settings of host code; before the first call the environment's settings hold. Call
/// it while no Cilk function runs. Other threads whose spawns are plain calls already keep to that.
void use(const settings& options);

}  // namespace channels::cilk
