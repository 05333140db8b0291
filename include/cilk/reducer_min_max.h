/* What reducer_min.h and reducer_max.h share. */
#ifndef CILK_REDUCER_MIN_MAX_H
#define CILK_REDUCER_MIN_MAX_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
#include <functional>
#include <limits>
#include <utility>

namespace cilk {
namespace channels_detail {

/* Which of two values counts, and what a view has before the first one. */
template <class Value, class Less>
struct max_order {
  static constexpr bool is_max = true;
  static constexpr bool is_min = false;
  CHANNELS_CILK_CONSTEXPR static bool is_better(const Value& one, const Value& than) {
    return Less()(than, one);
  }
  CHANNELS_CILK_CONSTEXPR static Value start() {
    typedef std::numeric_limits<Value> limits;
    return limits::has_infinity ? static_cast<Value>(-limits::infinity()) : limits::lowest();
  }
};
template <class Value, class Less>
struct min_order {
  static constexpr bool is_max = false;
  static constexpr bool is_min = true;
  CHANNELS_CILK_CONSTEXPR static bool is_better(const Value& one, const Value& than) {
    return Less()(one, than);
  }
  CHANNELS_CILK_CONSTEXPR static Value start() {
    typedef std::numeric_limits<Value> limits;
    return limits::has_infinity ? limits::infinity() : (limits::max)();
  }
};

template <class Value, class Order, bool Number = std::is_arithmetic<Value>::value>
struct start_of {
  CHANNELS_CILK_CONSTEXPR static Value value() { return Value(); }
};
template <class Value, class Order>
struct start_of<Value, Order, true> {
  CHANNELS_CILK_CONSTEXPR static Value value() { return Order::start(); }
};

/* A view that keeps the best value that it has been given. */
template <class Value, class Order>
class best_view {
 public:
  typedef Value value_type;

  CHANNELS_CILK_CONSTEXPR best_view() : best_(start_of<Value, Order>::value()), is_set_(false) {}
  CHANNELS_CILK_CONSTEXPR explicit best_view(const Value& value) : best_(value), is_set_(true) {}

  CHANNELS_CILK_CONSTEXPR best_view& calc(const Value& value) {
    if (!is_set_ || Order::is_better(value, best_)) {
      best_ = value;
      is_set_ = true;
    }
    return *this;
  }
  CHANNELS_CILK_CONSTEXPR best_view& calc_max(const Value& value) {
    static_assert(Order::is_max, "this reducer finds the smallest value");
    return calc(value);
  }
  CHANNELS_CILK_CONSTEXPR best_view& calc_min(const Value& value) {
    static_assert(Order::is_min, "this reducer finds the largest value");
    return calc(value);
  }
  /* For `*r = cilk::max_of(*r, value)`. */
  best_view& operator=(const Value& value) {
    view_set_value(value);
    return *this;
  }
  best_view(const best_view&) = default;
  best_view& operator=(const best_view&) = default;

  CHANNELS_CILK_CONSTEXPR void reduce(best_view* right) {
    if (right->is_set_) calc(right->best_);
  }
  CHANNELS_CILK_CONSTEXPR bool is_set() const { return is_set_; }
  CHANNELS_CILK_CONSTEXPR const Value& get_value() const { return best_; }
  CHANNELS_CILK_CONSTEXPR const Value& view_get_value() const { return best_; }
  CHANNELS_CILK_CONSTEXPR const Value& view_get_reference() const { return best_; }
  CHANNELS_CILK_CONSTEXPR void view_set_value(const Value& value) {
    best_ = value;
    is_set_ = true;
  }
  void view_move_in(Value& value) {
    best_ = std::move(value);
    is_set_ = true;
  }
  void view_move_out(Value& value) { value = std::move(best_); }

  /* Not private: tasks, which share one view, change it by atomic operations. */
  Value best_;
  bool is_set_; /* whether it has been given any value */
};

/* The same with the index of the value. */
template <class Index, class Value, class Order>
class best_index_view {
 public:
  typedef std::pair<Index, Value> value_type;

  CHANNELS_CILK_CONSTEXPR best_index_view()
      : best_(Index(), start_of<Value, Order>::value()), is_set_(false) {}
  CHANNELS_CILK_CONSTEXPR best_index_view(const Index& index, const Value& value)
      : best_(index, value), is_set_(true) {}
  CHANNELS_CILK_CONSTEXPR explicit best_index_view(const value_type& value)
      : best_(value), is_set_(true) {}

  CHANNELS_CILK_CONSTEXPR best_index_view& calc(const Index& index, const Value& value) {
    if (!is_set_ || Order::is_better(value, best_.second)) {
      best_ = value_type(index, value);
      is_set_ = true;
    }
    return *this;
  }
  CHANNELS_CILK_CONSTEXPR best_index_view& calc_max(const Index& index, const Value& value) {
    static_assert(Order::is_max, "this reducer finds the smallest value");
    return calc(index, value);
  }
  CHANNELS_CILK_CONSTEXPR best_index_view& calc_min(const Index& index, const Value& value) {
    static_assert(Order::is_min, "this reducer finds the largest value");
    return calc(index, value);
  }

  CHANNELS_CILK_CONSTEXPR void reduce(best_index_view* right) {
    if (right->is_set_) calc(right->best_.first, right->best_.second);
  }
  CHANNELS_CILK_CONSTEXPR bool is_set() const { return is_set_; }
  CHANNELS_CILK_CONSTEXPR const Index& get_index() const { return best_.first; }
  CHANNELS_CILK_CONSTEXPR const Value& get_value() const { return best_.second; }
  CHANNELS_CILK_CONSTEXPR const value_type& view_get_value() const { return best_; }
  CHANNELS_CILK_CONSTEXPR void view_set_value(const value_type& value) {
    best_ = value;
    is_set_ = true;
  }
  void view_move_in(value_type& value) {
    best_ = std::move(value);
    is_set_ = true;
  }
  void view_move_out(value_type& value) { value = std::move(best_); }

 private:
  value_type best_;
  bool is_set_; /* whether it has been given any value */
};

}  // namespace channels_detail
}  // namespace cilk
}
#endif

/* The ends of an integer type, without a header that would fix what others show. */
#define CILK_C_HALF(type) ((type)1 << (sizeof(type) * 8 - 2))
#define CILK_C_LARGEST(type)                                                        \
  ((type) - 1 < (type)1 ? (type)((CILK_C_HALF(type) - (type)1) + CILK_C_HALF(type)) \
                        : (type) ~(type)0)
#define CILK_C_LEAST(type)                                                                 \
  ((type) - 1 < (type)1 ? (type)(-((CILK_C_HALF(type) - (type)1) + CILK_C_HALF(type)) - 1) \
                        : (type)0)

/* Defines a C reducer whose views are an index and a value. */
#define CILK_C_DEFINE_BEST_INDEX(what, name, type, start, better)                                 \
  typedef struct cilk_c_##what##_index_view_##name {                                              \
    ptrdiff_t index;                                                                              \
    type value;                                                                                   \
  } cilk_c_##what##_index_view_##name;                                                            \
  typedef CILK_C_DECLARE_REDUCER(cilk_c_##what##_index_view_##name) cilk_c_##what##_index_##name; \
  static inline void cilk_c_##what##_index_identity_##name(void* key, void* view) {               \
    cilk_c_##what##_index_view_##name* const made = (cilk_c_##what##_index_view_##name*)view;     \
    (void)key;                                                                                    \
    made->index = 0;                                                                              \
    made->value = (type)(start);                                                                  \
  }                                                                                               \
  static inline void cilk_c_##what##_index_reduce_##name(void* key, void* into, void* from) {     \
    cilk_c_##what##_index_view_##name* const left = (cilk_c_##what##_index_view_##name*)into;     \
    const cilk_c_##what##_index_view_##name* const right =                                        \
        (const cilk_c_##what##_index_view_##name*)from;                                           \
    (void)key;                                                                                    \
    if (right->value better left->value) *left = *right;                                          \
  }

#endif
