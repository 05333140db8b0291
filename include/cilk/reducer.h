/* The reducers of Cilk Plus. In C++ `cilk::reducer<Monoid>`, where a monoid has an identity and an
 * associative operation; in C `CILK_C_DECLARE_REDUCER` and what goes with it. The headers
 * reducer_*.h beside this one have monoids.
 *
 * Each strand has its own view of a reducer, and joins reduce the views in serial order, as those
 * of `cilk_reducer`: the runtime is the same. In a serial elision a reducer has one view. */
#ifndef CILK_REDUCER_H
#define CILK_REDUCER_H

/* Devices have no views: functions that use reducers stay on the host. */
#if defined(__cilk) && !defined(CILK_STUB) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define CHANNELS_CILK_HAS_VIEWS 1
#include <channels/cilk/abi.h> /* channels_cilk_view and its like */
#else
#define CHANNELS_CILK_HAS_VIEWS 0
#endif
#include <stddef.h> /* size_t, ptrdiff_t */

/* What the compiler sees of a class whose objects are reducers. */
#if defined(CHANNELS_CILK_PARSE)
#define CHANNELS_CILK_REDUCER_CLASS [[clang::annotate("cilk_reducer")]]
#else
#define CHANNELS_CILK_REDUCER_CLASS
#endif

#if defined(__cplusplus)
extern "C++" {
#include <new>
#include <type_traits>
#include <utility>

/* Compilers of devices take constexpr functions for theirs. */
#if __cplusplus >= 201402L
#define CHANNELS_CILK_CONSTEXPR constexpr
#else
#define CHANNELS_CILK_CONSTEXPR
#endif

namespace cilk {

/* What a program's own monoid begins with. It adds `reduce(View* left, View* right)`, which does
 * *left = *left + *right, and `identity(View*)` if that is not what View's constructor makes. Both
 * may be static. A View other than Value has view_get_value, view_set_value, view_move_in and
 * view_move_out; or Value is its base. */
template <class Value, class View = Value>
class monoid_base {
 public:
  typedef Value value_type;
  typedef View view_type;

  CHANNELS_CILK_CONSTEXPR void identity(View* memory) const {
    ::new (static_cast<void*>(memory)) View();
  }
  void destroy(View* view) const { view->~View(); }
  void* allocate(std::size_t size) const { return ::operator new(size); }
  void deallocate(void* memory) const { ::operator delete(memory); }
};

/* A monoid whose view does the work: it has `reduce(View* right)` and a default constructor. */
template <class View, bool Align = false>
class monoid_with_view : public monoid_base<typename View::value_type, View> {
 public:
  CHANNELS_CILK_CONSTEXPR void reduce(View* left, View* right) const { left->reduce(right); }
};

/* A view that holds a value. */
template <class Value>
class scalar_view {
 public:
  typedef Value value_type;

  CHANNELS_CILK_CONSTEXPR scalar_view() : m_value() {}
  CHANNELS_CILK_CONSTEXPR explicit scalar_view(const Value& value) : m_value(value) {}

  CHANNELS_CILK_CONSTEXPR void view_set_value(const Value& value) { m_value = value; }
  CHANNELS_CILK_CONSTEXPR const Value& view_get_value() const { return m_value; }
  CHANNELS_CILK_CONSTEXPR Value& view_get_reference() { return m_value; }
  CHANNELS_CILK_CONSTEXPR const Value& view_get_reference() const { return m_value; }
  CHANNELS_CILK_CONSTEXPR void view_move_in(Value& value) { m_value = std::move(value); }
  CHANNELS_CILK_CONSTEXPR void view_move_out(Value& value) { value = std::move(m_value); }

 protected:
  Value m_value; /* the name that views of programs use */
};

/* Moves a value into a reducer that is made: `cilk::reducer<M> r(cilk::move_in(value));`. */
template <class Value>
class move_in_wrapper {
 public:
  explicit move_in_wrapper(Value& value) : value_(&value) {}
  Value& value() const { return *value_; }

 private:
  Value* value_;
};
template <class Value>
move_in_wrapper<Value> move_in(Value& value) {
  return move_in_wrapper<Value>(value);
}

namespace channels_detail {

/* How a reducer reaches the value in a view: the view is the value, is derived from it, or has it.
 */
template <class Value, class View,
          bool Is = std::is_base_of<Value, View>::value || std::is_same<Value, View>::value>
struct value_of {
  static const Value& get(const View& view) { return view; }
  static void set(View& view, const Value& value) { static_cast<Value&>(view) = value; }
  static void move_in(View& view, Value& value) { static_cast<Value&>(view) = std::move(value); }
  static void move_out(View& view, Value& value) { value = std::move(static_cast<Value&>(view)); }
};
template <class Value, class View>
struct value_of<Value, View, false> {
  static auto get(const View& view) -> decltype(view.view_get_value()) {
    return view.view_get_value();
  }
  static void set(View& view, const Value& value) { view.view_set_value(value); }
  static void move_in(View& view, Value& value) { view.view_move_in(value); }
  static void move_out(View& view, Value& value) { view.view_move_out(value); }
};

}  // namespace channels_detail

/* A reducer. What its constructor gets makes the view of the strand that declares it; without
 * arguments it is the identity. */
template <class Monoid>
class CHANNELS_CILK_REDUCER_CLASS reducer {
 public:
  typedef Monoid monoid_type;
  typedef typename Monoid::value_type value_type;
  typedef typename Monoid::view_type view_type;

  reducer() {
    make(&first_);
    begin();
  }
  template <class First, class... Rest,
            class = typename std::enable_if<
                !std::is_base_of<reducer, typename std::decay<First>::type>::value>::type>
  explicit reducer(First&& first, Rest&&... rest) {
    ::new (static_cast<void*>(&first_))
        view_type(std::forward<First>(first), std::forward<Rest>(rest)...);
    begin();
  }
  explicit reducer(move_in_wrapper<value_type> value) {
    make(&first_);
    access::move_in(leftmost(), value.value());
    begin();
  }
  reducer(const reducer&) = delete;
  reducer& operator=(const reducer&) = delete;
  ~reducer() {
#if CHANNELS_CILK_HAS_VIEWS
    channels_cilk_reducer_end(&first_);
#endif
    Monoid().destroy(&leftmost());
  }

  /* The strand's view. It is good until the next spawn, call or sync. */
  view_type& view() {
#if CHANNELS_CILK_HAS_VIEWS
    return *static_cast<view_type*>(channels_cilk_view(&first_, sizeof(view_type), make, join));
#else
    return leftmost();
#endif
  }
  const view_type& view() const { return const_cast<reducer*>(this)->view(); }
  view_type& operator*() { return view(); }
  const view_type& operator*() const { return view(); }
  view_type* operator->() { return &view(); }
  const view_type* operator->() const { return &view(); }
  view_type& operator()() { return view(); }

  /* The value of the strand's view: after a sync, in the strand that declared the reducer, all of
   * it. */
  auto get_value() const
      -> decltype(channels_detail::
                      value_of<typename Monoid::value_type, typename Monoid::view_type>::get(
                          std::declval<const typename Monoid::view_type&>())) {
    return access::get(view());
  }
  void set_value(const value_type& value) { access::set(view(), value); }
  void move_in(value_type& value) { access::move_in(view(), value); }
  void move_out(value_type& value) { access::move_out(view(), value); }

 private:
  typedef channels_detail::value_of<value_type, view_type> access;

  static_assert(std::is_empty<Monoid>::value,
                "a monoid with members is not supported: views are made and reduced without it");
  static_assert(alignof(view_type) <= 64, "views are aligned to 64 bytes");

  static void make(void* memory) { Monoid().identity(static_cast<view_type*>(memory)); }
  static void join(void* left, void* right) {
    struct ended {
      view_type* view;
      ~ended() { Monoid().destroy(view); }
    };
    const ended after = {static_cast<view_type*>(right)};
    Monoid().reduce(static_cast<view_type*>(left), after.view);
  }
  void begin() {
#if CHANNELS_CILK_HAS_VIEWS
    channels_cilk_reducer_begin(&first_, sizeof(view_type), make, join);
#endif
  }
  view_type& leftmost() { return *reinterpret_cast<view_type*>(&first_); }

  /* The view of the strand that declares it, and the reducer's name to the runtime. Not a member of
   * that type, because the monoid makes it. */
  struct memory {
    alignas(view_type) unsigned char bytes[sizeof(view_type)];
  } first_;
};

}  // namespace cilk
}
#endif

/* ---- C ---- */

/* The functions of a reducer. `key` is the view's own; `identity` makes a view of memory, and
 * `destroy`, which may be null, ends one. */
typedef struct cilk_c_monoid {
  void (*reduce)(void* key, void* left, void* right);
  void (*identity)(void* key, void* view);
  void (*destroy)(void* key, void* view);
} cilk_c_monoid;

/* A reducer's type. All views have this layout: the functions in front, by which the runtime's
 * callbacks find them. A frame on a GPU is aligned to at most 16 bytes, and so is a reducer of
 * numbers. */
#define CILK_C_DECLARE_REDUCER(type)                                 \
  struct {                                                           \
    __attribute__((__aligned__(16))) cilk_c_monoid cilk_c_functions; \
    __attribute__((__aligned__(16))) type value;                     \
  }
#define CILK_C_INIT_REDUCER(type, reduce, identity, destroy, ...) \
  {{reduce, identity, destroy}, __VA_ARGS__}

/* The strand's view of a reducer, an lvalue. */
#define REDUCER_VIEW(reducer) \
  (((__typeof__(reducer)*)cilk_c_view((void*)&(reducer), sizeof(reducer)))->value)
/* A reducer that is a local variable is registered before its first use, and unregistered after the
 * sync that joins the children which use it. */
#define CILK_C_REGISTER_REDUCER(reducer) cilk_c_begin((void*)&(reducer), sizeof(reducer))
#define CILK_C_UNREGISTER_REDUCER(reducer) cilk_c_end((void*)&(reducer))

/* For identities and destructors that have nothing to do. */
static inline void cilk_c_destroy_nothing(void* key, void* view) {
  (void)key;
  (void)view;
}
#define __cilkrts_hyperobject_noop_destroy cilk_c_destroy_nothing

#if CHANNELS_CILK_HAS_VIEWS
/* C code. NOLINTBEGIN(modernize-*) */
#if defined(CHANNELS_CILK_RACES)
#define CILK_C_OWN __attribute__((__no_sanitize__("thread")))
#else
#define CILK_C_OWN
#endif
/* The reducer that is looked up: the callback which makes a view gets the view alone. */
static __thread const cilk_c_monoid* cilk_c_looked_up __attribute__((__unused__)) = 0;

/* Behind the functions; a `type` of CILK_C_DECLARE_REDUCER is aligned to at most 32 bytes. */
static inline void* cilk_c_value(void* view) { return (char*)view + 32; }
CILK_C_OWN static inline void cilk_c_identity(void* view) {
  cilk_c_monoid* const own = (cilk_c_monoid*)view;
  *own = *cilk_c_looked_up;
  own->identity(own, cilk_c_value(view));
}
static inline void cilk_c_reduce(void* left, void* right) {
  cilk_c_monoid* const own = (cilk_c_monoid*)left;
  own->reduce(own, cilk_c_value(left), cilk_c_value(right));
  if (own->destroy) own->destroy(own, cilk_c_value(right));
}
CILK_C_OWN static inline void* cilk_c_view(void* leftmost, size_t size) {
#if !defined(CHANNELS_CILK_RACES)
  if (__builtin_expect(!channels_cilk_strand, 1)) return leftmost;
#endif
  cilk_c_looked_up = (const cilk_c_monoid*)leftmost;
  return channels_cilk_view(leftmost, size, cilk_c_identity, cilk_c_reduce);
}
static inline void cilk_c_begin(void* leftmost, size_t size) {
  channels_cilk_reducer_begin(leftmost, size, cilk_c_identity, cilk_c_reduce);
}
static inline void cilk_c_end(void* leftmost) { channels_cilk_reducer_end(leftmost); }
/* NOLINTEND(modernize-*) */
#else
static inline void* cilk_c_view(void* leftmost, size_t size) {
  (void)size;
  return leftmost;
}
static inline void cilk_c_begin(void* leftmost, size_t size) {
  (void)leftmost;
  (void)size;
}
static inline void cilk_c_end(void* leftmost) { (void)leftmost; }
#endif

/* The types for which the headers have C reducers, with their names there. */
#define CILK_C_INTEGER_TYPES(each)                                                                 \
  each(char, char) each(schar, signed char) each(uchar, unsigned char)                             \
      each(wchar_t, __WCHAR_TYPE__) each(short, short) each(ushort, unsigned short) each(int, int) \
          each(uint, unsigned) each(unsigned, unsigned) each(long, long)                           \
              each(ulong, unsigned long) each(longlong, long long)                                 \
                  each(ulonglong, unsigned long long)
#define CILK_C_REAL_TYPES(each) \
  each(float, float) each(double, double) each(longdouble, long double)

/* Defines the type and the functions of a C reducer: views begin as `start`, and `left` and `right`
 * in `operation` are values. */
#define CILK_C_DEFINE_REDUCER(what, name, type, start, operation)                       \
  typedef CILK_C_DECLARE_REDUCER(type) cilk_c_##what##_##name;                          \
  static inline void cilk_c_##what##_identity_##name(void* key, void* view) {           \
    (void)key;                                                                          \
    *(type*)view = (type)(start);                                                       \
  }                                                                                     \
  static inline void cilk_c_##what##_reduce_##name(void* key, void* into, void* from) { \
    const type left = *(type*)into;                                                     \
    const type right = *(type*)from;                                                    \
    (void)key;                                                                          \
    *(type*)into = (type)(operation);                                                   \
  }
#define CILK_C_INIT_DEFINED(what, name, ...) \
  {{cilk_c_##what##_reduce_##name, cilk_c_##what##_identity_##name, 0}, __VA_ARGS__}

#endif
