/* Vectors to which strands in parallel append, as Cilk Plus has them:
 * `cilk::reducer<cilk::op_vector<T> >`. */
#ifndef CILK_REDUCER_VECTOR_H
#define CILK_REDUCER_VECTOR_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
#include <iterator>
#include <memory>
#include <vector>

namespace cilk {

/* A vector, with the names that Cilk Plus has for its operations. */
template <class Value, class Allocator = std::allocator<Value>>
class op_vector_view : public std::vector<Value, Allocator> {
 public:
  typedef std::vector<Value, Allocator> value_type;

  CHANNELS_CILK_CONSTEXPR op_vector_view() {}
  CHANNELS_CILK_CONSTEXPR op_vector_view(const value_type& value) : value_type(value) {}
  CHANNELS_CILK_CONSTEXPR explicit op_vector_view(std::size_t count, const Value& value = Value())
      : value_type(count, value) {}
  template <class Iterator>
  CHANNELS_CILK_CONSTEXPR op_vector_view(Iterator first, Iterator last) : value_type(first, last) {}
  CHANNELS_CILK_CONSTEXPR void insert_back(const Value& value) { this->push_back(value); }
  CHANNELS_CILK_CONSTEXPR void insert_back(std::size_t count, const Value& value) {
    this->insert(this->end(), count, value);
  }
  template <class Iterator>
  CHANNELS_CILK_CONSTEXPR void insert_back(Iterator first, Iterator last) {
    this->insert(this->end(), first, last);
  }
  CHANNELS_CILK_CONSTEXPR void reduce(op_vector_view* right) {
    // A left view that is empty, as nearly all are at first, takes the right one's memory.
    if (this->empty()) return this->swap(*right);
    this->insert(this->end(), std::make_move_iterator(right->begin()),
                 std::make_move_iterator(right->end()));
  }
};

template <class Value, class Allocator = std::allocator<Value>, bool Align = true>
class op_vector : public monoid_with_view<op_vector_view<Value, Allocator>> {};

}  // namespace cilk
}
#endif

#endif
