/* Bits that no strand clears, as Cilk Plus has them: `cilk::reducer<cilk::op_and<T> >`,
 * `CILK_C_REDUCER_OPAND`. */
#ifndef CILK_REDUCER_OPAND_H
#define CILK_REDUCER_OPAND_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
namespace cilk {

namespace channels_detail {
template <class Value>
Value all_bits() {
  return static_cast<Value>(~Value());
}
template <>
inline bool all_bits<bool>() {
  return true;
}
}  // namespace channels_detail

template <class Value, bool Align = true>
class op_and : public monoid_base<Value> {
 public:
  CHANNELS_CILK_CONSTEXPR static void identity(Value* view) {
    ::new (static_cast<void*>(view)) Value(channels_detail::all_bits<Value>());
  }
  CHANNELS_CILK_CONSTEXPR static void reduce(Value* left, const Value* right) { *left &= *right; }
};

/* The spelling before `cilk::reducer<cilk::op_and<T> >`. */
template <class Value>
class CHANNELS_CILK_REDUCER_CLASS reducer_opand : public reducer<op_and<Value>> {
 public:
  reducer_opand() {}
  explicit reducer_opand(const Value& value) : reducer<op_and<Value>>(value) {}

  reducer_opand& operator&=(const Value& value) {
    this->view() &= value;
    return *this;
  }
  /* For `r = r & value`. */
  reducer_opand& operator=(const Value& value) {
    this->view() = value;
    return *this;
  }
  friend Value operator&(const reducer_opand& left, const Value& right) {
    return static_cast<Value>(left.view() & right);
  }
  Value& get_reference() { return this->view(); }
  /* Cilk Plus has members of the reducer behind `->`, too: `r->get_value()`. */
  reducer_opand* operator->() { return this; }
  const reducer_opand* operator->() const { return this; }
};

}  // namespace cilk
}
#endif

#define CILK_C_DEFINE_OPAND(name, type) \
  CILK_C_DEFINE_REDUCER(opand, name, type, ~(unsigned long long)0, left& right)
CILK_C_INTEGER_TYPES(CILK_C_DEFINE_OPAND)

#define CILK_C_REDUCER_OPAND_TYPE(name) cilk_c_opand_##name
#define CILK_C_REDUCER_OPAND(reducer, name, ...) \
  CILK_C_REDUCER_OPAND_TYPE(name) reducer = CILK_C_INIT_DEFINED(opand, name, __VA_ARGS__)

#endif
