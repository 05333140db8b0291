/* Output in serial order, as Cilk Plus has it: `cilk::reducer<cilk::op_ostream> out(std::cout);`.
 */
#ifndef CILK_REDUCER_OSTREAM_H
#define CILK_REDUCER_OSTREAM_H

#include <cilk/ostream_reducer.h> /* the view */
#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
namespace cilk {

template <class Char, class Traits = std::char_traits<Char>, bool Align = true>
class op_basic_ostream
    : public monoid_base<std::basic_ostream<Char, Traits>, ostream_view<Char, Traits>> {
 public:
  typedef ostream_view<Char, Traits> view_type;
  static void reduce(view_type* left, view_type* right) { left->append(*right); }
};
typedef op_basic_ostream<char> op_ostream;
typedef op_basic_ostream<wchar_t> op_wostream;

/* The spelling before `cilk::reducer<cilk::op_ostream>`. */
template <class Char, class Traits = std::char_traits<Char>>
class CHANNELS_CILK_REDUCER_CLASS basic_reducer_ostream
    : public reducer<op_basic_ostream<Char, Traits>> {
 public:
  explicit basic_reducer_ostream(std::basic_ostream<Char, Traits>& to)
      : reducer<op_basic_ostream<Char, Traits>>(to) {}
  template <class Part>
  std::basic_ostream<Char, Traits>& operator<<(const Part& part) {
    return this->view() << part;
  }
  std::basic_ostream<Char, Traits>& operator<<(
      std::basic_ostream<Char, Traits>& (*change)(std::basic_ostream<Char, Traits>&)) {
    return this->view() << change;
  }
  std::basic_ostream<Char, Traits>& get_reference() { return this->view(); }
};
typedef basic_reducer_ostream<char> reducer_ostream;
typedef basic_reducer_ostream<wchar_t> reducer_wostream;

}  // namespace cilk
}
#endif

#endif
