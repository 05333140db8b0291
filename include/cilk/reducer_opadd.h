/* Sums, as Cilk Plus has them: `cilk::reducer<cilk::op_add<T> >`, `CILK_C_REDUCER_OPADD`. */
#ifndef CILK_REDUCER_OPADD_H
#define CILK_REDUCER_OPADD_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
namespace cilk {

template <class Value, bool Align = true>
class op_add : public monoid_base<Value> {
 public:
  CHANNELS_CILK_CONSTEXPR static void identity(Value* view) {
    ::new (static_cast<void*>(view)) Value();
  }
  CHANNELS_CILK_CONSTEXPR static void reduce(Value* left, const Value* right) { *left += *right; }
};

/* The spelling before `cilk::reducer<cilk::op_add<T> >`. */
template <class Value>
class CHANNELS_CILK_REDUCER_CLASS reducer_opadd : public reducer<op_add<Value>> {
 public:
  reducer_opadd() {}
  explicit reducer_opadd(const Value& value) : reducer<op_add<Value>>(value) {}

  reducer_opadd& operator+=(const Value& value) {
    this->view() += value;
    return *this;
  }
  /* For `r = r + value`. */
  reducer_opadd& operator=(const Value& value) {
    this->view() = value;
    return *this;
  }
  friend Value operator+(const reducer_opadd& left, const Value& right) {
    return static_cast<Value>(left.view() + right);
  }
  reducer_opadd& operator-=(const Value& value) {
    this->view() -= value;
    return *this;
  }
  reducer_opadd& operator++() {
    ++this->view();
    return *this;
  }
  void operator++(int) { ++this->view(); }
  reducer_opadd& operator--() {
    --this->view();
    return *this;
  }
  void operator--(int) { --this->view(); }
  friend Value operator-(const reducer_opadd& left, const Value& right) {
    return static_cast<Value>(left.view() - right);
  }
  Value& get_reference() { return this->view(); }
  /* Cilk Plus has members of the reducer behind `->`, too: `r->get_value()`. */
  reducer_opadd* operator->() { return this; }
  const reducer_opadd* operator->() const { return this; }
};

}  // namespace cilk
}
#endif

#define CILK_C_DEFINE_OPADD(name, type) CILK_C_DEFINE_REDUCER(opadd, name, type, 0, left + right)
CILK_C_INTEGER_TYPES(CILK_C_DEFINE_OPADD)
CILK_C_REAL_TYPES(CILK_C_DEFINE_OPADD)
#define CILK_C_REDUCER_OPADD_TYPE(name) cilk_c_opadd_##name
#define CILK_C_REDUCER_OPADD(reducer, name, ...) \
  CILK_C_REDUCER_OPADD_TYPE(name) reducer = CILK_C_INIT_DEFINED(opadd, name, __VA_ARGS__)

#endif
