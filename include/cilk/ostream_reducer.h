/* OpenCilk's output: what strands in parallel write to a `cilk::ostream_reducer<char>` arrives at
 * its stream in serial order. A format that is set, such as std::hex, is that of one strand: set it
 * where it is used, and back. */
#ifndef CILK_OSTREAM_REDUCER_H
#define CILK_OSTREAM_REDUCER_H

#if defined(__cplusplus)
#include <cilk/cilk.h>

#include <new>
#include <ostream>
#include <sstream>
#include <string>

extern "C++" {
namespace cilk {

/* A strand's view: a stream that keeps its text until it is reduced, or, in the leftmost strand,
 * the stream that it was made of, with its buffer. */
template <typename Char, typename Traits = std::char_traits<Char>>
class ostream_view : public std::basic_ostream<Char, Traits> {
  typedef std::basic_ostream<Char, Traits> stream;

 public:
  ostream_view() : stream(nullptr) { this->init(&kept_); }
  /* Writes to the buffer of `to`, which has to outlive it, in the format that `to` has now. */
  ostream_view(const std::basic_ostream<Char, Traits>& to) : stream(nullptr) {
    this->init(to.rdbuf());
    this->flags(to.flags());
    this->precision(to.precision());
    this->fill(to.fill());
    this->setstate(to.rdstate());
  }
  ostream_view(const ostream_view&) = delete;
  ostream_view& operator=(const ostream_view&) = delete;

  static void identity(void* view) { ::new (view) ostream_view; }
  static void reduce(void* left, void* right) {
    ostream_view* const from = static_cast<ostream_view*>(right);
    static_cast<ostream_view*>(left)->append(*from);
    from->~ostream_view();
  }
  /* Writes what the view `right` has kept. */
  void append(const ostream_view& right) {
    const std::basic_string<Char, Traits> text = right.kept_.str();
    /* Not <<: a width that is set is for what comes next in this strand. */
    this->write(text.data(), static_cast<std::streamsize>(text.size()));
  }

 private:
  std::basic_stringbuf<Char, Traits> kept_;
};

template <typename Char, typename Traits = std::char_traits<Char>>
using ostream_reducer = ostream_view<Char, Traits> cilk_reducer(
    (cilk::ostream_view<Char, Traits>::identity), (cilk::ostream_view<Char, Traits>::reduce));

}  // namespace cilk
}
#endif

#endif
