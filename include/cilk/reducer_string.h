/* Strings to which strands in parallel append, as Cilk Plus has them:
 * `cilk::reducer<cilk::op_string>`. */
#ifndef CILK_REDUCER_STRING_H
#define CILK_REDUCER_STRING_H

#include <cilk/reducer.h>

#if defined(__cplusplus)
extern "C++" {
#include <string>

namespace cilk {

template <class Char, class Traits = std::char_traits<Char>, class Allocator = std::allocator<Char>>
class op_basic_string_view : public std::basic_string<Char, Traits, Allocator> {
 public:
  typedef std::basic_string<Char, Traits, Allocator> value_type;

  CHANNELS_CILK_CONSTEXPR op_basic_string_view() {}
  CHANNELS_CILK_CONSTEXPR op_basic_string_view(const value_type& value) : value_type(value) {}
  CHANNELS_CILK_CONSTEXPR op_basic_string_view(const Char* value) : value_type(value) {}
  CHANNELS_CILK_CONSTEXPR op_basic_string_view(std::size_t count, Char value)
      : value_type(count, value) {}
  CHANNELS_CILK_CONSTEXPR void reduce(op_basic_string_view* right) { this->append(*right); }
};

template <class Char, class Traits = std::char_traits<Char>, class Allocator = std::allocator<Char>,
          bool Align = true>
class op_basic_string : public monoid_with_view<op_basic_string_view<Char, Traits, Allocator>> {};
typedef op_basic_string<char> op_string;
typedef op_basic_string<wchar_t> op_wstring;

/* The spellings before `cilk::reducer<cilk::op_string>` and its like. */
template <class Char, class Traits = std::char_traits<Char>, class Allocator = std::allocator<Char>>
class CHANNELS_CILK_REDUCER_CLASS reducer_basic_string
    : public reducer<op_basic_string<Char, Traits, Allocator>> {
  typedef reducer<op_basic_string<Char, Traits, Allocator>> base;

 public:
  typedef std::basic_string<Char, Traits, Allocator> string_type;

  reducer_basic_string() {}
  reducer_basic_string(const string_type& value) : base(value) {}
  reducer_basic_string(const Char* value) : base(value) {}
  template <class Part>
  reducer_basic_string& operator+=(const Part& part) {
    this->view() += part;
    return *this;
  }
  template <class... Parts>
  reducer_basic_string& append(const Parts&... parts) {
    this->view().append(parts...);
    return *this;
  }
  string_type& get_reference() { return this->view(); }
};
typedef reducer_basic_string<char> reducer_string;
typedef reducer_basic_string<wchar_t> reducer_wstring;

}  // namespace cilk
}
#endif

#endif
