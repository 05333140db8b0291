/* The largest of values, as Cilk Plus has it: `cilk::reducer<cilk::op_max<T> >`, and with the index
 * where it stands `cilk::op_max_index<Index, T>`; `CILK_C_REDUCER_MAX`. Of equal values the first
 * in serial order counts. */
#ifndef CILK_REDUCER_MAX_H
#define CILK_REDUCER_MAX_H

#include <cilk/reducer.h>
#include <cilk/reducer_min_max.h>

#if defined(__cplusplus)
extern "C++" {
namespace cilk {

template <class Value, class Less = std::less<Value>, bool Align = true>
class op_max : public monoid_with_view<
                   channels_detail::best_view<Value, channels_detail::max_order<Value, Less>>> {};

template <class Index, class Value, class Less = std::less<Value>, bool Align = true>
class op_max_index
    : public monoid_with_view<
          channels_detail::best_index_view<Index, Value, channels_detail::max_order<Value, Less>>> {
};

/* The spellings before `cilk::reducer<cilk::op_max<T> >` and its like. */
template <class Value, class Less = std::less<Value>>
class CHANNELS_CILK_REDUCER_CLASS reducer_max : public reducer<op_max<Value, Less>> {
 public:
  reducer_max() {}
  explicit reducer_max(const Value& value) : reducer<op_max<Value, Less>>(value) {}

  reducer_max& calc_max(const Value& value) {
    this->view().calc_max(value);
    return *this;
  }
  /* For `r = cilk::max_of(r, value)`. */
  reducer_max& operator=(const Value& value) {
    this->set_value(value);
    return *this;
  }
  const Value& get_reference() const { return this->view().view_get_reference(); }
  bool is_set() const { return this->view().is_set(); }
};
template <class Index, class Value, class Less = std::less<Value>>
class CHANNELS_CILK_REDUCER_CLASS reducer_max_index
    : public reducer<op_max_index<Index, Value, Less>> {
  typedef reducer<op_max_index<Index, Value, Less>> base;

 public:
  reducer_max_index() {}
  reducer_max_index(const Index& index, const Value& value) : base(index, value) {}

  reducer_max_index& calc_max(const Index& index, const Value& value) {
    this->view().calc_max(index, value);
    return *this;
  }
  void set_value(const Index& index, const Value& value) {
    base::set_value(std::pair<Index, Value>(index, value));
  }
  const Index& get_index() const { return this->view().get_index(); }
  const Value& get_value() const { return this->view().get_value(); }
  bool is_set() const { return this->view().is_set(); }
};

template <class Value, class Order>
typename std::enable_if<Order::is_max, Value>::type max_of(
    const channels_detail::best_view<Value, Order>& view, const Value& value) {
  channels_detail::best_view<Value, Order> copy(view);
  copy.calc(value);
  return copy.get_value();
}
template <class Value, class Less>
Value max_of(const reducer_max<Value, Less>& so_far, const Value& value) {
  return max_of(so_far.view(), value);
}

}  // namespace cilk
}
#endif

#define CILK_C_DEFINE_MAX(name, type) \
  CILK_C_DEFINE_REDUCER(max, name, type, CILK_C_LEAST(type), right > left ? right : left)
CILK_C_INTEGER_TYPES(CILK_C_DEFINE_MAX)
#define CILK_C_DEFINE_REAL_MAX(name, type) \
  CILK_C_DEFINE_REDUCER(max, name, type, -__builtin_inf(), right > left ? right : left)
CILK_C_REAL_TYPES(CILK_C_DEFINE_REAL_MAX)
#define CILK_C_REDUCER_MAX_TYPE(name) cilk_c_max_##name
#define CILK_C_REDUCER_MAX(reducer, name, ...) \
  CILK_C_REDUCER_MAX_TYPE(name) reducer = CILK_C_INIT_DEFINED(max, name, __VA_ARGS__)
#define CILK_C_REDUCER_MAX_CALC(reducer, number)                             \
  do {                                                                       \
    __typeof__((reducer).value)* const cilk_c_best = &REDUCER_VIEW(reducer); \
    const __typeof__((reducer).value) cilk_c_new = (number);                 \
    if (cilk_c_new > *cilk_c_best) *cilk_c_best = cilk_c_new;                \
  } while (0)

/* The value of these is a structure with members `index` and `value`. */
#define CILK_C_DEFINE_MAX_INDEX(name, type) \
  CILK_C_DEFINE_BEST_INDEX(max, name, type, CILK_C_LEAST(type), >)
CILK_C_INTEGER_TYPES(CILK_C_DEFINE_MAX_INDEX)
#define CILK_C_DEFINE_REAL_MAX_INDEX(name, type) \
  CILK_C_DEFINE_BEST_INDEX(max, name, type, -__builtin_inf(), >)
CILK_C_REAL_TYPES(CILK_C_DEFINE_REAL_MAX_INDEX)
#define CILK_C_REDUCER_MAX_INDEX_TYPE(name) cilk_c_max_index_##name
#define CILK_C_REDUCER_MAX_INDEX(reducer, name, ...) \
  CILK_C_REDUCER_MAX_INDEX_TYPE(name)                \
  reducer = CILK_C_INIT_DEFINED(max_index, name, {0, __VA_ARGS__})
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, place, number)                \
  do {                                                                       \
    __typeof__((reducer).value)* const cilk_c_best = &REDUCER_VIEW(reducer); \
    const __typeof__((reducer).value.value) cilk_c_new = (number);           \
    if (cilk_c_new > cilk_c_best->value) {                                   \
      cilk_c_best->index = (place);                                          \
      cilk_c_best->value = cilk_c_new;                                       \
    }                                                                        \
  } while (0)

#endif
