// The largest and the smallest value, with and without its index; the first of equal ones.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
#include <functional>
#include <iostream>
#include <string>

static int noise(int i) { return static_cast<int>((i * 2654435761u) >> 20) % 1000; }

int main() {
  cilk::reducer<cilk::op_max<int> > most;
  cilk::reducer<cilk::op_min<double> > least;
  cilk::reducer<cilk::op_max_index<int, int> > where;
  cilk::reducer<cilk::op_min_index<std::size_t, int> > where_least;
  cilk::reducer_max<long> old_most(3);
  cilk::reducer_min<int> old_least(2000);
  cilk::reducer_max_index<int, int> old_where(-1, -1);
  cilk::reducer_min_index<int, int> old_where_least;
  cilk::reducer<cilk::op_max<std::string> > last_word;
  cilk::reducer<cilk::op_max<int, std::greater<int> > > reversed;
  cilk_for (int i = 0; i < 1000; ++i) {
    const int value = noise(i);
    most->calc_max(value);
    *least = cilk::min_of(*least, value / 2.0);
    where->calc_max(i, value / 10);
    where_least->calc_min(static_cast<std::size_t>(i), value / 10);
    old_most.calc_max(value);
    old_least = cilk::min_of(old_least, value);
    old_where.calc_max(i, value / 10);
    old_where_least.calc_min(i, value / 10);
    last_word->calc_max(std::to_string(value));
    reversed->calc_max(value);
  }
  std::cout << most.get_value() << ' ' << least.get_value() << ' ' << where.get_value().first << ':'
            << where.get_value().second << ' ' << where_least->get_index() << ' ' << old_most.get_value() << ' '
            << old_least.get_value() << ' ' << old_where.get_index() << ':' << old_where.get_value() << ' '
            << old_where_least.get_index() << ' ' << last_word.get_value() << ' ' << reversed.get_value() << '\n';
  cilk::reducer<cilk::op_max<int> > untouched;
  std::cout << (untouched.get_value() < -1000) << untouched->is_set() << '\n';
}
