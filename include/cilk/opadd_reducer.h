/* OpenCilk's sums: `cilk::opadd_reducer<T>` is a T that strands in parallel may add to. */
#ifndef CILK_OPADD_REDUCER_H
#define CILK_OPADD_REDUCER_H

#if defined(__cplusplus)
#include <cilk/cilk.h>

extern "C++" {
namespace cilk {

/* The functions of the reducer: a view begins as zero, and ends by being added to the view before
 * it. */
template <typename T>
inline void zero(void* view) {
  *static_cast<T*>(view) = static_cast<T>(0);
}
template <typename T>
inline void plus(void* left, void* right) {
  *static_cast<T*>(left) += *static_cast<T*>(right);
}

template <typename T>
using opadd_reducer = T cilk_reducer(cilk::zero<T>, cilk::plus<T>);

}  // namespace cilk
}
#endif

#endif
