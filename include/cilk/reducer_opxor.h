/* Exclusive or, as Cilk Plus has it: `cilk::reducer<cilk::op_xor<T> >`, `CILK_C_REDUCER_OPXOR`. */
#ifndef CILK_REDUCER_OPXOR_H
#define CILK_REDUCER_OPXOR_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
namespace cilk {

template <class Value, bool Align = true>
class op_xor : public monoid_base<Value> {
 public:
  CHANNELS_CILK_CONSTEXPR static void identity(Value* view) {
    ::new (static_cast<void*>(view)) Value();
  }
  CHANNELS_CILK_CONSTEXPR static void reduce(Value* left, const Value* right) { *left ^= *right; }
};

/* The spelling before `cilk::reducer<cilk::op_xor<T> >`. */
template <class Value>
class CHANNELS_CILK_REDUCER_CLASS reducer_opxor : public reducer<op_xor<Value>> {
 public:
  reducer_opxor() {}
  explicit reducer_opxor(const Value& value) : reducer<op_xor<Value>>(value) {}

  reducer_opxor& operator^=(const Value& value) {
    this->view() ^= value;
    return *this;
  }
  /* For `r = r ^ value`. */
  reducer_opxor& operator=(const Value& value) {
    this->view() = value;
    return *this;
  }
  friend Value operator^(const reducer_opxor& left, const Value& right) {
    return static_cast<Value>(left.view() ^ right);
  }
  Value& get_reference() { return this->view(); }
  /* Cilk Plus has members of the reducer behind `->`, too: `r->get_value()`. */
  reducer_opxor* operator->() { return this; }
  const reducer_opxor* operator->() const { return this; }
};

}  // namespace cilk
}
#endif

#define CILK_C_DEFINE_OPXOR(name, type) CILK_C_DEFINE_REDUCER(opxor, name, type, 0, left ^ right)
CILK_C_INTEGER_TYPES(CILK_C_DEFINE_OPXOR)

#define CILK_C_REDUCER_OPXOR_TYPE(name) cilk_c_opxor_##name
#define CILK_C_REDUCER_OPXOR(reducer, name, ...) \
  CILK_C_REDUCER_OPXOR_TYPE(name) reducer = CILK_C_INIT_DEFINED(opxor, name, __VA_ARGS__)

#endif
