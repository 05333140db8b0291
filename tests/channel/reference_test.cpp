// One thread, random operations: the channel does what the reference does, call for call.

#include "tests/channel/reference.hpp"

#include <gtest/gtest.h>

#include <cstddef>  // byte
#include <vector>   // vector

#include "channels/channel.hpp"
#include "tests/channel/seed.hpp"

namespace channels::testing {
namespace {

/// A channel beside its reference, and the runs that the caller of both holds.
class pair_of_channels {
 public:
  pair_of_channels(std::uint32_t capacity, std::uint32_t group, dice& d)
      : channel_(capacity, {.done_group = group}),
        view_(channel_.view()),
        reference_(capacity, view_.done_group()),
        dice_(d) {}

  void random_operation() {
    switch (dice_.from(0, 8)) {
      case 0: return talloc();
      case 1: return talloc_between();
      case 2: return talloc_contiguous();
      case 3: return give_back();
      case 4:
      case 5: return enq();
      case 6: return deq();
      case 7: return tfree();
      default: return reclaim();
    }
  }

  /// Ends the use of all that is still in use; then nothing must be left.
  void drain() {
    while (!reserved_.empty()) enq();
    while (reference_.peek()) deq();
    EXPECT_FALSE(view_.deq());
    while (!dispatched_.empty()) tfree();
    reclaim();
    EXPECT_EQ(view_.live(), 0U);
  }

 private:
  void talloc() {
    const auto count = dice_.from(0U, reference_.capacity() + 1);
    hold(view_.talloc(count), reference_.talloc_between(count, count));
  }
  void talloc_between() {
    const auto least = dice_.from(1U, reference_.capacity());
    const auto most = dice_.from(least, 2 * reference_.capacity());
    hold(view_.talloc_between(least, most), reference_.talloc_between(least, most));
  }
  void talloc_contiguous() {
    const auto count = dice_.from(0U, reference_.capacity() + 1);
    const run r = view_.talloc_contiguous(count);
    EXPECT_TRUE(!r || view_.slot(r.first) + r.count <= view_.capacity());
    hold(r, reference_.talloc_contiguous(count));
  }
  void hold(run got, run expected) {
    EXPECT_EQ(got, expected);
    EXPECT_EQ(view_.live(), reference_.live());
    if (got) reserved_.push_back(got);
  }

  /// What is not needed of a run is most often its end, as of a block that was not used up.
  void give_back() {
    run r = take(reserved_);
    if (!r) return;
    if (dice_.once_in(2)) {
      const run unused = cut_end(r);
      reserved_.push_back(r);
      r = unused;
    }
    view_.give_back(r);
    reference_.give_back(r);
    EXPECT_EQ(view_.live(), reference_.live());
  }

  void enq() {
    run r = take(reserved_);
    if (!r) return;
    if (dice_.once_in(4)) reserved_.push_back(cut_end(r));
    for (std::uint32_t i = 0; i < r.count; ++i) channel_.set(of(r), i, value_of(r.first + i));
    view_.enq(r);
    reference_.enq(r);
  }

  void deq() {
    EXPECT_EQ(view_.peek(position_), reference_.peek());
    const run r = view_.deq();
    EXPECT_EQ(r, reference_.deq());
    if (!r) return;
    ++position_;
    EXPECT_FALSE(view_.peek(position_ - 1) == run{});  // stays until its slot is needed
    for (std::uint32_t i = 0; i < r.count; ++i) {
      EXPECT_EQ(channel_.get(of(r), i), value_of(r.first + i));
    }
    dispatched_.push_back(r);
  }

  /// In pieces, and in any order; what was only reserved may be freed as well.
  void tfree() {
    std::vector<run>& from = dice_.once_in(8) ? reserved_ : dispatched_;
    run r = take(from);
    if (!r) return;
    if (dice_.once_in(2)) from.push_back(cut_end(r));
    view_.tfree(r);
    reference_.tfree(r);
  }

  void reclaim() {
    EXPECT_EQ(view_.reclaim(), reference_.reclaim());
    EXPECT_EQ(view_.live(), reference_.live());
    EXPECT_EQ(view_.reserved(), reference_.tail());
  }

  /// Leaves `r` a first part, at least one element, and returns the rest, which may be empty.
  run cut_end(run& r) {
    const auto kept = dice_.from(1U, r.count);
    const run rest{r.first + kept, r.count - kept};
    r.count = kept;
    return rest;
  }
  run take(std::vector<run>& from) {
    while (!from.empty()) {
      const std::size_t i = dice_.from(std::size_t{0}, from.size() - 1);
      const run r = from[i];
      from[i] = from.back();
      from.pop_back();
      if (r) return r;
    }
    return {};
  }

  channel<std::uint64_t>::reservation of(run r) { return {r, &channel_}; }
  static std::uint64_t value_of(std::uint64_t ticket) { return ~ticket * 0x9E3779B97F4A7C15U; }

  channel<std::uint64_t> channel_;
  channel_view view_;
  reference_channel reference_;
  dice& dice_;
  std::vector<run> reserved_;
  std::vector<run> dispatched_;
  std::uint64_t position_ = 0;
};

TEST(reference, does_what_a_plain_queue_with_five_states_does) {
  for_each_seed(400, [](std::uint64_t seed) {
    dice d(seed);
    const std::uint32_t capacity = d.power_of_two(0, 7);
    const std::uint32_t group = d.power_of_two(0, 7);
    SCOPED_TRACE("capacity " + std::to_string(capacity) + ", done group " + std::to_string(group));
    pair_of_channels both(capacity, group, d);
    for (int i = 0; i < 2000 && !::testing::Test::HasFailure(); ++i) both.random_operation();
    if (!::testing::Test::HasFailure()) both.drain();
  });
}

}  // namespace
}  // namespace channels::testing
