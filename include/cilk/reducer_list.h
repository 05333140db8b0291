/* Lists to which strands in parallel append, as Cilk Plus has them:
 * `cilk::reducer<cilk::op_list_append<T> >` and `op_list_prepend`. */
#ifndef CILK_REDUCER_LIST_H
#define CILK_REDUCER_LIST_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
#include <list>
#include <memory>

namespace cilk {

/* A list, with the names that Cilk Plus has for its operations. */
template <class Value, class Allocator = std::allocator<Value>>
class op_list_append_view : public std::list<Value, Allocator> {
 public:
  typedef std::list<Value, Allocator> value_type;

  op_list_append_view() {}
  op_list_append_view(const value_type& value) : value_type(value) {}
  void insert_back(const Value& value) { this->push_back(value); }
  void insert_back(std::size_t count, const Value& value) {
    this->insert(this->end(), count, value);
  }
  template <class Iterator>
  void insert_back(Iterator first, Iterator last) {
    this->insert(this->end(), first, last);
  }
  /* Takes the elements away from `other`. */
  void append(value_type& other) { this->splice(this->end(), other); }
  void reduce(op_list_append_view* right) { this->splice(this->end(), *right); }
};
template <class Value, class Allocator = std::allocator<Value>>
class op_list_prepend_view : public std::list<Value, Allocator> {
 public:
  typedef std::list<Value, Allocator> value_type;

  op_list_prepend_view() {}
  op_list_prepend_view(const value_type& value) : value_type(value) {}
  void insert_front(const Value& value) { this->push_front(value); }
  void insert_front(std::size_t count, const Value& value) {
    this->insert(this->begin(), count, value);
  }
  template <class Iterator>
  void insert_front(Iterator first, Iterator last) {
    this->insert(this->begin(), first, last);
  }
  /* Takes the elements away from `other`. */
  void prepend(value_type& other) { this->splice(this->begin(), other); }
  void reduce(op_list_prepend_view* right) { this->splice(this->begin(), *right); }
};

template <class Value, class Allocator = std::allocator<Value>, bool Align = true>
class op_list_append : public monoid_with_view<op_list_append_view<Value, Allocator>> {};
template <class Value, class Allocator = std::allocator<Value>, bool Align = true>
class op_list_prepend : public monoid_with_view<op_list_prepend_view<Value, Allocator>> {};

/* The spellings before `cilk::reducer<cilk::op_list_append<T> >` and its like. */
template <class Value, class Allocator = std::allocator<Value>>
class CHANNELS_CILK_REDUCER_CLASS reducer_list_append
    : public reducer<op_list_append<Value, Allocator>> {
  typedef reducer<op_list_append<Value, Allocator>> base;

 public:
  reducer_list_append() {}
  explicit reducer_list_append(const std::list<Value, Allocator>& value) : base(value) {}
  void push_back(const Value& value) { this->view().push_back(value); }
  void append(std::list<Value, Allocator>& other) { this->view().append(other); }
  std::list<Value, Allocator>& get_reference() { return this->view(); }
};
template <class Value, class Allocator = std::allocator<Value>>
class CHANNELS_CILK_REDUCER_CLASS reducer_list_prepend
    : public reducer<op_list_prepend<Value, Allocator>> {
  typedef reducer<op_list_prepend<Value, Allocator>> base;

 public:
  reducer_list_prepend() {}
  explicit reducer_list_prepend(const std::list<Value, Allocator>& value) : base(value) {}
  void push_front(const Value& value) { this->view().push_front(value); }
  void prepend(std::list<Value, Allocator>& other) { this->view().prepend(other); }
  std::list<Value, Allocator>& get_reference() { return this->view(); }
};

}  // namespace cilk
}
#endif

#endif
