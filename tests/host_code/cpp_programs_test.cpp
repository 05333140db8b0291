// Cilk in C++: arguments and results of any kind, loops, reducers, exceptions.

#include <gtest/gtest.h>

#include <atomic>     // atomic
#include <memory>     // unique_ptr
#include <stdexcept>  // runtime_error
#include <string>     // string
#include <vector>     // vector

#include "tests/host_code/schedules.hpp"

namespace channels::testing {
namespace {

using cilk::discard;
using cilk::frame;
using cilk::give;
using cilk::give_and_finish;

/// A value whose objects are counted, and which knows whether it was moved from.
class counted {
 public:
  explicit counted(int value = 0) : value_(std::make_unique<int>(value)) { ++alive; }
  counted(const counted& o) : value_(std::make_unique<int>(o.value())) { ++alive; }
  counted(counted&& o) noexcept : value_(std::move(o.value_)) { ++alive; }
  counted& operator=(const counted& o) {
    value_ = std::make_unique<int>(o.value());
    return *this;
  }
  counted& operator=(counted&& o) noexcept = default;
  ~counted() { --alive; }

  [[nodiscard]] int value() const {
    EXPECT_NE(value_, nullptr) << "moved from";
    return value_ ? *value_ : -1;
  }

  static std::atomic<int> alive;

 private:
  std::unique_ptr<int> value_;
};
std::atomic<int> counted::alive{0};

#define SPAWN(frame_, slot, ...)       \
  do {                                 \
    if ((frame_).hungry())             \
      give(frame_, slot, __VA_ARGS__); \
    else                               \
      call_plainly(slot, __VA_ARGS__); \
  } while (false)

template <class Slot, class Callable, class... Arguments>
void call_plainly(Slot&& slot, Callable&& callable, Arguments&&... arguments) {
  if constexpr (std::is_same_v<std::decay_t<Slot>, discard>) {
    callable(std::forward<Arguments>(arguments)...);
  } else {
    slot = callable(std::forward<Arguments>(arguments)...);
  }
}

counted sum(counted left, const counted& right, int depth) {
  frame f;
  if (depth == 0) return counted(left.value() + right.value());
  counted a;
  counted b;
  const cilk::sync_on_exit before_they_die(f);
  SPAWN(f, a, sum, left, right, depth - 1);
  SPAWN(f, b, sum, counted(depth), counted(1), depth - 1);  // temporaries outlive this line
  f.sync();
  return counted(a.value() + 2 * b.value());
}

TEST(cpp_program, arguments_and_results_of_class_type_live_exactly_once) {
  const int before = counted::alive;
  int expected = 0;
  with_schedule(1, giving::never, 1, [&] { expected = sum(counted(3), counted(4), 7).value(); });
  for_each_schedule(30, [&] { EXPECT_EQ(sum(counted(3), counted(4), 7).value(), expected); });
  EXPECT_EQ(counted::alive, before);
}

void add_to(long& target, const std::vector<long>& from, std::size_t begin, std::size_t end) {
  frame f;
  if (end - begin < 3) {
    for (std::size_t i = begin; i < end; ++i) target += from[i];
    return;
  }
  long left = 0;
  const std::size_t middle = begin + (end - begin) / 2;
  SPAWN(f, discard{}, add_to, left, from, begin, middle);
  add_to(target, from, middle, end);
  f.sync();
  target += left;
}

TEST(cpp_program, reference_parameters_refer_to_what_was_passed) {
  std::vector<long> numbers(300);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<long>(i);
  for_each_schedule(20, [&] {
    long total = 5;
    add_to(total, numbers, 0, numbers.size());
    EXPECT_EQ(total, 300 * 299 / 2 + 5);
  });
}

std::unique_ptr<std::string> text_of(std::unique_ptr<int> n) {
  return std::make_unique<std::string>(std::to_string(*n));
}

TEST(cpp_program, arguments_and_results_need_only_be_movable) {
  for_each_schedule(10, [] {
    frame f;
    std::unique_ptr<std::string> a;
    std::unique_ptr<std::string> b;
    const cilk::sync_on_exit before_they_die(f);
    SPAWN(f, a, text_of, std::make_unique<int>(7));
    SPAWN(f, b, [n = std::make_unique<int>(8)] {
      return std::make_unique<std::string>(std::to_string(*n));
    });
    f.sync();
    EXPECT_EQ(*a + *b, "78");
  });
}

std::string word(int n) { return std::to_string(n) + ' '; }

TEST(cpp_program, results_are_appended_in_serial_order) {
  for_each_schedule(40, [] {
    frame f;
    std::string all;
    std::string expected;
    const cilk::sync_on_exit before_they_die(f);
    for (int i = 0; i < 50; ++i) {
      if (f.hungry_or_pending()) {
        give_and_finish(f, [&all](std::string&& w) { all += w; }, word, i);
      } else {
        all += word(i);
      }
      expected += word(i);
    }
    f.sync();
    EXPECT_EQ(all, expected);
  });
}

// ---- exceptions ----

struct thrown {
  int at;
};

/// Throws from each of `throwing`'s leaves.
void leaf(int at, const std::vector<bool>& throwing, std::atomic<int>& ended, counted /*unused*/) {
  struct end {
    std::atomic<int>& counter;
    ~end() { ++counter; }
  };
  const end e{ended};
  const counted local(at);
  if (throwing[static_cast<std::size_t>(at)]) throw thrown{at};
}

void throw_from(int begin, int end, const std::vector<bool>& throwing, std::atomic<int>& ended,
                std::atomic<int>& begun) {
  frame f;
  if (end - begin == 1) {
    ++begun;
    leaf(begin, throwing, ended, counted(1));
    return;
  }
  const int middle = begin + (end - begin) / 2;
  SPAWN(f, discard{}, throw_from, begin, middle, throwing, ended, begun);
  SPAWN(f, discard{}, throw_from, middle, end, throwing, ended, begun);
  f.sync();
}

TEST(cpp_program, of_several_exceptions_the_serially_first_arrives_when_all_children_have_ended) {
  const int alive = counted::alive;
  for_each_seed(scaled(100), [&](std::uint64_t seed) {
    dice d(seed);
    std::vector<bool> throwing(64);
    for (std::size_t i = 0; i < throwing.size(); ++i) throwing[i] = d.once_in(8);
    const auto first = std::find(throwing.begin(), throwing.end(), true) - throwing.begin();
    // If every child is given, all children run, and only joins throw.
    with_schedule(d.from(1U, 4U), giving::always, seed, [&] {
      std::atomic<int> begun{0};
      std::atomic<int> ended{0};
      try {
        throw_from(0, 64, throwing, ended, begun);
        EXPECT_EQ(first, 64);
      } catch (const thrown& t) {
        EXPECT_EQ(t.at, first);
      }
      EXPECT_EQ(begun, ended);
    });
    EXPECT_EQ(counted::alive, alive);
  });
}

TEST(cpp_program, an_exception_arrives_when_all_children_have_ended_and_nothing_leaks) {
  const int alive = counted::alive;
  for_each_schedule(60, [&] {
    std::vector<bool> throwing(64);
    throwing[37] = true;
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    try {
      throw_from(0, 64, throwing, ended, begun);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const thrown& t) {
      EXPECT_EQ(t.at, 37);
    }
    EXPECT_EQ(begun, ended);
    EXPECT_EQ(counted::alive, alive);
  });
}

TEST(cpp_program, an_exception_of_the_parent_waits_for_its_children_and_goes_on) {
  for_each_schedule(20, [] {
    std::atomic<int> ended{0};
    const auto parent = [&ended] {
      frame f;
      const std::vector<int> used(1000, 1);
      const cilk::sync_on_exit before_it_dies(f);
      for (int i = 0; i < 4; ++i) {
        SPAWN(f, discard{}, [&used, &ended, i] {
          for (const int u : used) ended += u;
          if (i == 2 && used[0] == 2) throw thrown{i};
        });
      }
      throw std::runtime_error("the parent's");
    };
    try {
      parent();
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "the parent's");
    }
    EXPECT_EQ(ended, 4000);
  });
}

TEST(cpp_program, an_exception_of_a_child_in_an_unwinding_is_dropped) {
  with_schedule(2, giving::always, 1, [] {
    try {
      frame f;
      SPAWN(f, discard{}, [] { throw thrown{1}; });
      throw std::runtime_error("the parent's");
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "the parent's");
    }
  });
}

TEST(cpp_program, a_result_after_an_exception_is_not_assigned) {
  with_schedule(2, giving::always, 1, [] {
    int a = 1;
    int b = 2;
    int c = 3;
    try {
      frame f;
      SPAWN(f, a, [] { return 10; });
      SPAWN(f, b, []() -> int { throw thrown{1}; });
      SPAWN(f, c, [] { return 30; });
      f.sync();
    } catch (const thrown&) {
    }
    EXPECT_EQ(a, 10);
    EXPECT_EQ(b, 2);
    EXPECT_EQ(c, 3);
  });
}

TEST(cpp_program, a_loop_throws_what_its_serially_first_iteration_throws) {
  for_each_seed(scaled(100), [&](std::uint64_t seed) {
    dice d(seed);
    const std::uint64_t first = d.from(std::uint64_t{0}, 199);
    const giving give = d.once_in(2) ? giving::always : giving::random;
    with_schedule(d.from(1U, 4U), give, seed, [&] {
      std::atomic<int> running{0};
      try {
        cilk::for_each_index(200, 0, [&](std::uint64_t i) {
          ++running;
          struct end {
            std::atomic<int>& counter;
            ~end() { --counter; }
          };
          const end e{running};
          if (i == first || (i > first && i % 3 == 0)) throw thrown{static_cast<int>(i)};
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const thrown& t) {
        EXPECT_EQ(t.at, static_cast<int>(first));
      }
      EXPECT_EQ(running, 0);
    });
  });
}

// ---- loops and reducers ----

struct append {
  static std::string identity() { return {}; }
  static void reduce(std::string& left, std::string&& right) { left += right; }
};

TEST(cpp_program, a_loop_with_any_grain_runs_every_iteration_in_serial_order_for_reducers) {
  for_each_schedule(30, [] {
    for (const std::uint64_t grain : {0U, 1U, 3U, 1000U}) {
      cilk::reducer<std::string, append> all;
      std::string expected;
      for (int i = 0; i < 100; ++i) expected += word(i);
      cilk::for_each_index(100, grain, [&](std::uint64_t i) { *all += word(static_cast<int>(i)); });
      EXPECT_EQ(*all, expected) << grain;
    }
  });
}

void walk(int depth, cilk::reducer<std::string, append>& path,
          cilk::reducer<std::string, append>& leaves) {
  frame f;
  *path += '(';
  if (depth == 0) {
    *leaves += word(static_cast<int>(path->size()));
    *path += ')';
    return;
  }
  // A local reducer, whose scope may end in another strand than it began in.
  cilk::reducer<std::string, append> own(std::string("<"));
  const cilk::sync_on_exit before_it_dies(f);
  SPAWN(f, discard{}, [&] {
    *own += 'a';
    walk(depth - 1, path, leaves);
  });
  *own += 'b';
  SPAWN(f, discard{}, [&] {
    walk(depth - 2 < 0 ? 0 : depth - 2, path, leaves);
    *own += 'c';
  });
  *own += 'd';
  f.sync();
  EXPECT_EQ(*own, "<abcd");
  *path += ')';
}

TEST(cpp_program, reducers_global_to_a_tree_and_local_to_its_calls_gather_in_serial_order) {
  const auto run = [](std::string& path_text) {
    cilk::reducer<std::string, append> path;
    cilk::reducer<std::string, append> leaves;
    walk(6, path, leaves);
    path_text = *path;
  };
  std::string expected;
  with_schedule(1, giving::never, 1, [&] { run(expected); });
  for_each_schedule(40, [&] {
    std::string path;
    run(path);
    EXPECT_EQ(path, expected);
  });
}

TEST(cpp_program, a_reducer_declared_between_two_spawns_keeps_what_both_sides_add) {
  for_each_schedule(20, [] {
    frame f;
    int before = 0;
    SPAWN(f, before, [] { return 1; });
    cilk::reducer<std::string, append> own(std::string("<"));
    const cilk::sync_on_exit before_it_dies(f);
    *own += 'a';
    SPAWN(f, discard{}, [&] { *own += 'b'; });
    *own += 'c';
    f.sync();
    EXPECT_EQ(*own, "<abc");
    SPAWN(f, discard{}, [&] { *own += 'd'; });
    *own += 'e';
    f.sync();
    EXPECT_EQ(*own, "<abcde");
  });
}

TEST(cpp_program, iterations_of_very_different_length_all_run) {
  for_each_schedule(5, [] {
    std::atomic<std::uint64_t> sum{0};
    cilk::for_each_index(64, 0, [&](std::uint64_t i) {
      std::uint64_t x = i;
      for (std::uint64_t k = 0; k < (i % 16 == 0 ? 20000 : 10); ++k)
        x = x * 6364136223846793005ULL + 1;
      sum += x | 1;
    });
    std::uint64_t expected = 0;
    for (std::uint64_t i = 0; i < 64; ++i) {
      std::uint64_t x = i;
      for (std::uint64_t k = 0; k < (i % 16 == 0 ? 20000 : 10); ++k)
        x = x * 6364136223846793005ULL + 1;
      expected += x | 1;
    }
    EXPECT_EQ(sum, expected);
  });
}

}  // namespace
}  // namespace channels::testing
