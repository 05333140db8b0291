// Lists, vectors and strings in serial order.
// RUN: %host-code-run-and-compare %s
#include <cilk/cilk.h>
#include <cilk/reducer_list.h>
#include <cilk/reducer_string.h>
#include <cilk/reducer_vector.h>
#include <iostream>
#include <memory>

cilk::reducer<cilk::op_list_append<int> > leaves;
cilk::reducer_list_prepend<int> backwards;

static void walk(int low, int high) {
  if (high - low == 1) {
    leaves->push_back(low);
    backwards.push_front(low);
    return;
  }
  cilk_spawn walk(low, (low + high) / 2);
  walk((low + high) / 2, high);
}

template <class List> static void show(const List& list) {
  for (const auto& one : list) std::cout << one << ' ';
  std::cout << '\n';
}

int main() {
  walk(0, 100);
  show(leaves.get_value());
  show(backwards.get_value());
  cilk::reducer<cilk::op_vector<int> > squares;
  cilk::reducer<cilk::op_vector<std::unique_ptr<int> > > owned;
  cilk::reducer<cilk::op_string> text("<");
  cilk::reducer_string old_text;
  cilk_for (int i = 0; i < 60; ++i) {
    squares->push_back(i * i);
    owned->push_back(std::unique_ptr<int>(new int(i)));
    *text += std::to_string(i);
    text->append(1, ',');
    old_text += "x";
    old_text.append(std::to_string(i));
  }
  std::vector<int> made;
  squares.move_out(made);
  show(made);
  std::cout << *owned->back() << ' ' << owned->size() << ' ' << text.get_value() << ' ' << old_text.get_value()
            << '\n';
  std::list<int> given = {1, 2};
  cilk::reducer<cilk::op_list_append<int> > more(cilk::move_in(given));
  more->insert_back(2, 9);
  show(more.get_value());
}
