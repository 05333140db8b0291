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

/// Cilk in host code, for C++: what cilk2chan emits and what a person may write. The names and
/// rules are those of cilk_abi.h; here closures may be any movable object, and exceptions travel.
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

/// A function's frame. Its destructor is the implicit sync; variables that children use have to
/// outlive it, so whoever declares them after the frame calls `sync` before they go.
///
/// `sync` and the destructor throw what the serially first child threw, when all children have
/// ended; what the others threw is dropped. In an unwinding the destructor is silent.
class frame : public channels_cilk_frame {
 public:
  frame() noexcept : channels_cilk_frame{nullptr} {}
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

/// Calls `sync` at the end of a scope: of variables declared after the frame that children use.
class sync_on_exit {
 public:
  explicit sync_on_exit(frame& of) noexcept : of_(of) {}
  sync_on_exit(const sync_on_exit&) = delete;
  sync_on_exit& operator=(const sync_on_exit&) = delete;
  ~sync_on_exit() noexcept(false) { channels_cilk_sync(&of_); }

 private:
  frame& of_;
};

/// As slot: the result is not wanted.
struct discard {};

namespace detail {

/// How an argument waits in a closure, and how it is passed from there. A parameter of reference
/// type keeps referring to what the caller passed; a temporary is kept, as long as the child needs
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

/// What a callable with these arguments keeps: by its parameters where they are known, and copies
/// where they are not.
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

/// Nothing: what a function without a result leaves behind.
struct nothing {};

template <class Callable, class Kept, class Finish>
struct closure {
  using result = decltype(std::apply(std::declval<Callable>(), std::declval<Kept>()));
  using stored = std::conditional_t<std::is_void_v<result>, nothing, result>;

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

/// The same, without its result.
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
void give_and_finish(frame& of, Finish&& finish, Callable&& callable, Arguments&&... arguments) {
  detail::give(of, true, std::forward<Finish>(finish), std::forward<Callable>(callable),
               std::forward<Arguments>(arguments)...);
}

/// `cilk_for`: body(i) for all i below `count`, at most `grain` of them in a row before somebody
/// else can have the rest; grain 0 chooses. Throws what the serially first iteration threw that
/// did.
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

/// This strand's view of the reducer that `leftmost` is. `Identity` and `Reduce` are as in
/// cilk_abi.h.
template <class T>
T& view(T& leftmost, void (*identity)(void*), void (*reduce)(void*, void*)) {
  return *static_cast<T*>(channels_cilk_view(&leftmost, sizeof(T), identity, reduce));
}

/// A reducer: a T that strands which run side by side may all change, each its own view, which are
/// put together in serial order. `Monoid` has `static T identity()` and `static void reduce(T&
/// left, T&& right)`; reduce is associative and need not commute. A local one lives in the scope of
/// its declaration, and the frame is synced before it dies.
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

/// Other settings for host code from now on; those of the environment hold until then. To be called
/// while no Cilk function runs. Threads other than the caller whose spawns are plain calls keep to
/// that.
void use(const settings& options);

}  // namespace channels::cilk
