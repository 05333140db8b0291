// A batch that is written down in a message is the same when it is read.

#define CHANNELS_GPU_EMULATED
#include "channels/gpu/channels/small_batch_worker.hpp"

#include <gtest/gtest.h>

#include "tests/channel/seed.hpp"

namespace channels::gpu::detail {
namespace {

using channels::testing::dice;
using channels::testing::for_each_seed;

template <class T>
T* some_pointer(dice& roll) {
  return reinterpret_cast<T*>(16 * roll.from(std::uint64_t{0}, std::uint64_t{1} << 44U));
}
std::uint64_t some_ticket(dice& roll) { return roll.from(std::uint64_t{0}, ~std::uint64_t{0} / 2); }
std::uint32_t some_word(dice& roll) { return roll.from(0U, ~0U); }

window some_window(dice& roll) {
  return {some_pointer<std::byte>(roll), some_ticket(roll), some_word(roll), some_word(roll),
          some_word(roll)};
}

batch_parameters some_batch(dice& roll, std::uint32_t outputs) {
  batch_parameters b{};
  b.source = some_pointer<std::byte>(roll);
  b.source_mask = some_word(roll);
  b.source_channel = some_word(roll);
  b.level = some_word(roll);
  b.seed = some_word(roll);
  b.part = some_word(roll);
  b.node = roll.from(0U, most_graph_nodes - 1);
  b.grants = roll.from(0U, 1U);
  b.more_remarks = some_pointer<remark>(roll);
  b.run_count = roll.from(0U, batch::most_runs);
  for (std::uint32_t i = 0; i < b.run_count; ++i) {
    b.first[i] = some_ticket(roll);
    b.before[i] = b.count;
    b.count += roll.from(1U, 1000U);
  }
  for (std::uint32_t i = 0; i < outputs; ++i) b.outputs[i] = some_window(roll);
  return b;
}

void expect_same(const window& a, const window& b) {
  EXPECT_EQ(a.data, b.data);
  EXPECT_EQ(a.first, b.first);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.mask, b.mask);
  EXPECT_EQ(a.channel, b.channel);
}

TEST(batch_message, to_the_small_batch_worker_brings_the_whole_batch) {
  for_each_seed(200, [](std::uint64_t seed) {
    dice roll(seed);
    const std::uint32_t outputs = roll.from(0U, most_outputs);
    const batch_parameters sent = some_batch(roll, outputs);
    std::uint32_t words[small_batch_message::lines * line::size] = {};
    const std::uint32_t slot = roll.from(0U, device_batches_in_flight - 1);
    const int closure = 0;
    const std::uint32_t size =
        small_batch_message::write(words, sent, slot, outputs, nullptr, &closure);
    ASSERT_LE(size, std::size(words));
    EXPECT_EQ(words[batch_head::slot], slot);
    EXPECT_NE(words[batch_head::node], batch_head::over);
    EXPECT_EQ(read_pointer<const int>(words + small_batch_message::closure), &closure);

    batch_parameters read{};
    for (std::uint32_t lane = 0; lane < 4; ++lane)
      small_batch_message::read_windows(words, lane, 4, read);
    small_batch_message::read_rest(words, read);
    EXPECT_EQ(read.source, sent.source);
    EXPECT_EQ(read.source_mask, sent.source_mask);
    EXPECT_EQ(read.source_channel, sent.source_channel);
    EXPECT_EQ(read.count, sent.count);
    EXPECT_EQ(read.level, sent.level);
    EXPECT_EQ(read.seed, sent.seed);
    EXPECT_EQ(read.part, sent.part);
    EXPECT_EQ(read.node, sent.node);
    EXPECT_EQ(read.grants, sent.grants);
    EXPECT_EQ(read.more_remarks, sent.more_remarks);
    ASSERT_EQ(read.run_count, sent.run_count);
    for (std::uint32_t i = 0; i < sent.run_count; ++i) {
      EXPECT_EQ(read.first[i], sent.first[i]);
      EXPECT_EQ(read.before[i], sent.before[i]);
    }
    for (std::uint32_t i = 0; i < outputs; ++i) expect_same(read.outputs[i], sent.outputs[i]);
  });
}

/// Runs and windows do not overlap each other or the head, whatever their order.
TEST(batch_message, of_the_device_aggregator_keeps_runs_and_windows_apart) {
  for_each_seed(200, [](std::uint64_t seed) {
    dice roll(seed);
    std::uint32_t words[announcement::lines * line::size] = {};
    for (std::uint32_t i = 0; i < announcement::head; ++i) words[i] = 7 * i + 1;
    run runs[announcement::most_runs];
    numbered_window windows[most_outputs];
    for (std::uint32_t i = 0; i < most_outputs; ++i) {
      windows[i] = {some_word(roll), some_word(roll), some_ticket(roll)};
      announcement::words::write_window(words, announcement::most_runs, i, windows[i]);
    }
    for (std::uint32_t i = 0; i < announcement::most_runs; ++i) {
      runs[i] = {some_ticket(roll), some_word(roll)};
      announcement::words::write_run(words, i, runs[i]);
    }
    for (std::uint32_t i = 0; i < announcement::head; ++i) EXPECT_EQ(words[i], 7 * i + 1);
    for (std::uint32_t i = 0; i < announcement::most_runs; ++i) {
      EXPECT_EQ(announcement::read_run(words, i).first, runs[i].first);
      EXPECT_EQ(announcement::read_run(words, i).count, runs[i].count);
    }
    for (std::uint32_t i = 0; i < most_outputs; ++i) {
      const numbered_window w = announcement::read_window(words, i);
      EXPECT_EQ(w.channel, windows[i].channel);
      EXPECT_EQ(w.count, windows[i].count);
      EXPECT_EQ(w.first, windows[i].first);
    }
  });
}

}  // namespace
}  // namespace channels::gpu::detail
