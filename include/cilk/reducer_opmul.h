/* Products, as Cilk Plus has them: `cilk::reducer<cilk::op_mul<T> >`, `CILK_C_REDUCER_OPMUL`. */
#ifndef CILK_REDUCER_OPMUL_H
#define CILK_REDUCER_OPMUL_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
namespace cilk {

template <class Value, bool Align = true>
class op_mul : public monoid_base<Value> {
 public:
  CHANNELS_CILK_CONSTEXPR static void identity(Value* view) {
    ::new (static_cast<void*>(view)) Value(1);
  }
  CHANNELS_CILK_CONSTEXPR static void reduce(Value* left, const Value* right) { *left *= *right; }
};

/* The spelling before `cilk::reducer<cilk::op_mul<T> >`. */
template <class Value>
class CHANNELS_CILK_REDUCER_CLASS reducer_opmul : public reducer<op_mul<Value>> {
 public:
  reducer_opmul() {}
  explicit reducer_opmul(const Value& value) : reducer<op_mul<Value>>(value) {}

  reducer_opmul& operator*=(const Value& value) {
    this->view() *= value;
    return *this;
  }
  /* For `r = r * value`. */
  reducer_opmul& operator=(const Value& value) {
    this->view() = value;
    return *this;
  }
  friend Value operator*(const reducer_opmul& left, const Value& right) {
    return static_cast<Value>(left.view() * right);
  }
  Value& get_reference() { return this->view(); }
  /* Cilk Plus has members of the reducer behind `->`, too: `r->get_value()`. */
  reducer_opmul* operator->() { return this; }
  const reducer_opmul* operator->() const { return this; }
};

}  // namespace cilk
}
#endif

#define CILK_C_DEFINE_OPMUL(name, type) CILK_C_DEFINE_REDUCER(opmul, name, type, 1, left* right)
CILK_C_INTEGER_TYPES(CILK_C_DEFINE_OPMUL)
CILK_C_REAL_TYPES(CILK_C_DEFINE_OPMUL)
#define CILK_C_REDUCER_OPMUL_TYPE(name) cilk_c_opmul_##name
#define CILK_C_REDUCER_OPMUL(reducer, name, ...) \
  CILK_C_REDUCER_OPMUL_TYPE(name) reducer = CILK_C_INIT_DEFINED(opmul, name, __VA_ARGS__)

#endif
