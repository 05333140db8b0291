/* Bits that any strand sets, as Cilk Plus has them: `cilk::reducer<cilk::op_or<T> >`,
 * `CILK_C_REDUCER_OPOR`. */
#ifndef CILK_REDUCER_OPOR_H
#define CILK_REDUCER_OPOR_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
namespace cilk {

template <class Value, bool Align = true>
class op_or : public monoid_base<Value> {
 public:
  CHANNELS_CILK_CONSTEXPR static void identity(Value* view) {
    ::new (static_cast<void*>(view)) Value();
  }
  CHANNELS_CILK_CONSTEXPR static void reduce(Value* left, const Value* right) { *left |= *right; }
};

/* The spelling before `cilk::reducer<cilk::op_or<T> >`. */
template <class Value>
class CHANNELS_CILK_REDUCER_CLASS reducer_opor : public reducer<op_or<Value>> {
 public:
  reducer_opor() {}
  explicit reducer_opor(const Value& value) : reducer<op_or<Value>>(value) {}

  reducer_opor& operator|=(const Value& value) {
    this->view() |= value;
    return *this;
  }
  /* For `r = r | value`. */
  reducer_opor& operator=(const Value& value) {
    this->view() = value;
    return *this;
  }
  friend Value operator|(const reducer_opor& left, const Value& right) {
    return static_cast<Value>(left.view() | right);
  }
  Value& get_reference() { return this->view(); }
  /* Cilk Plus has members of the reducer behind `->`, too: `r->get_value()`. */
  reducer_opor* operator->() { return this; }
  const reducer_opor* operator->() const { return this; }
};

}  // namespace cilk
}
#endif

#define CILK_C_DEFINE_OPOR(name, type) CILK_C_DEFINE_REDUCER(opor, name, type, 0, left | right)
CILK_C_INTEGER_TYPES(CILK_C_DEFINE_OPOR)

#define CILK_C_REDUCER_OPOR_TYPE(name) cilk_c_opor_##name
#define CILK_C_REDUCER_OPOR(reducer, name, ...) \
  CILK_C_REDUCER_OPOR_TYPE(name) reducer = CILK_C_INIT_DEFINED(opor, name, __VA_ARGS__)

#endif
