#include "bench/corpus/tbb/corpus_tbb.hpp"

#define main elision_main
#include "examples/corpus/quicksort.cpp"
#undef main

namespace with_tbb {

template <class Iterator, class Less = std::less<>>
void quicksort(Iterator begin, Iterator end, Less less = {}) {
  if (end - begin <= corpus::small) {
    corpus::quicksort(begin, end, less);
    return;
  }
  --end;
  Iterator middle = begin + (end - begin) / 2;
  if (less(*middle, *begin)) std::iter_swap(middle, begin);
  if (less(*end, *middle)) std::iter_swap(end, middle);
  if (less(*middle, *begin)) std::iter_swap(middle, begin);
  std::iter_swap(middle, end);
  const auto& pivot = *end;
  middle = std::partition(begin, end, [&](const auto& x) { return less(x, pivot); });
  std::iter_swap(middle, end);
  task_group children;
  children.run([=] { quicksort(begin, middle, less); });
  quicksort(middle + 1, end + 1, less);
  children.wait();
}

}  // namespace with_tbb

int main(int argc, char** argv) {
  argc = timing_option(argc, argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 50000;
  std::vector<int> v = unsorted(n);
  with_tbb::timed([&] { with_tbb::quicksort(v.begin(), v.end()); });
  bool good = report(v);
  good &= sort_words(std::min(n, 5000));
  return good ? 0 : 1;
}
