#pragma once

#include <gtest/gtest.h>

#include <chrono>   // milliseconds
#include <cstdint>  // fixed-width integers
#include <cstdio>   // fprintf
#include <cstdlib>  // _Exit
#include <numeric>  // accumulate, iota
#include <string>   // string
#include <vector>   // vector

#include "gpu_messages.hpp"

/// What has to hold of messages between GPUs. `gpus`: as CHANNELS_DEVICES has it.
namespace message_checks {

using channels::gpu::messenger;
using channels::gpu::places;
using channels::gpu::sliced;

inline places on(const std::string& gpus) {
  channels::settings s;
  s.devices = gpus;
  s.timeout = std::chrono::seconds(20);
  return places(s);
}

/// What was sent has been read, by others.
template <class Message>
void check_counts(const messenger<Message>& mail) {
  std::uint64_t sent = 0;
  std::uint64_t read = 0;
  for (const auto& one : mail.counts()) {
    sent += one.sent;
    read += one.read;
  }
  EXPECT_EQ(sent, read);
}

template <class T>
std::vector<T> values_of(const sliced<T>& array) {
  std::vector<T> values;
  array.read(values);
  return values;
}

template <unsigned Words>
void every_message_comes_once(const std::string& gpus, std::uint32_t capacity, std::uint64_t size) {
  SCOPED_TRACE(gpus + ", " + std::to_string(Words) + " words, capacity " +
               std::to_string(capacity));
  const places where = on(gpus);
  sliced<std::uint32_t> marks(where, size);
  sliced<std::uint32_t> wrong(where, 1);
  marks.clear();
  wrong.clear();
  messenger<gpu_messages::wide<Words>> mail(where, capacity);
  mail.run(size, gpu_messages::mark_all<Words>{marks.view(), size},
           gpu_messages::mark<Words>{marks.view(), wrong.view(), size});
  EXPECT_EQ(values_of(wrong)[0], 0U);
  EXPECT_EQ(values_of(marks), std::vector<std::uint32_t>(size, 1));
  check_counts(mail);
}

inline void lanes_diverge(const std::string& gpus, std::uint32_t capacity, std::uint64_t items) {
  SCOPED_TRACE(gpus);
  const places where = on(gpus);
  sliced<std::uint64_t> sums(where, 2);
  sums.clear();
  messenger<std::uint64_t> mail(where, capacity);
  mail.run(items, gpu_messages::send_seldom{}, gpu_messages::add_up{sums.view()});
  const auto [sum, count] = gpu_messages::sums_of_seldom(items);
  EXPECT_EQ(values_of(sums), (std::vector<std::uint64_t>{sum, count}));
  check_counts(mail);
}

inline void all_to_one(const std::string& gpus, std::uint32_t capacity, std::uint64_t items) {
  const places where = on(gpus);
  sliced<std::uint64_t> sums(where, 2);
  sums.clear();
  messenger<std::uint64_t> mail(where, capacity);
  mail.run(items, gpu_messages::send_to_last{}, gpu_messages::add_up{sums.view()});
  EXPECT_EQ(values_of(sums), (std::vector<std::uint64_t>{items * (items - 1) / 2, items}));
  const auto counts = mail.counts();
  EXPECT_EQ(counts.back().sent, 0U);
  EXPECT_EQ(counts.front().read, 0U);
  check_counts(mail);
}

inline void many_runs(const std::string& gpus, std::uint32_t capacity, int runs,
                      std::uint64_t items) {
  const places where = on(gpus);
  sliced<std::uint64_t> sums(where, 2);
  messenger<std::uint64_t> mail(where, capacity);
  for (int i = 0; i < runs; ++i) {
    const std::uint64_t size = i % 5 == 4 ? 0 : items + static_cast<std::uint64_t>(i);
    sums.clear();
    mail.run(size, gpu_messages::send_to_last{}, gpu_messages::add_up{sums.view()});
    ASSERT_EQ(values_of(sums),
              (std::vector<std::uint64_t>{size == 0 ? 0 : size * (size - 1) / 2, size}))
        << "run " << i;
  }
  check_counts(mail);
}

inline void put_and_increment(const std::string& gpus, std::uint64_t size) {
  const places where = on(gpus);
  sliced<std::uint32_t> numbers(where, size);
  sliced<std::uint32_t> count(where, 3);
  std::vector<std::uint32_t> expected(size);
  numbers.write(std::vector<std::uint32_t>(size, 1));
  count.clear();
  messenger<std::uint64_t> mail(where, 64 * 8);
  mail.run(size, gpu_messages::put_and_increment{numbers.view(), count.view()},
           gpu_messages::add_up{});
  std::iota(expected.begin(), expected.end(), 7U);
  EXPECT_EQ(values_of(numbers), expected);
  const auto found = values_of(count);
  EXPECT_EQ(std::accumulate(found.begin(), found.end(), std::uint64_t{0}), size);
}

inline void refuses_capacities(const std::string& gpus) {
  for (const std::uint32_t capacity : {0U, 1U, 8U, 100U, 3000U})
    EXPECT_THROW(messenger<int>(on(gpus), capacity), channels::error) << capacity;
  const places where = on(gpus);
  sliced<std::uint64_t> array(where, 10);
  EXPECT_THROW(array.write(std::vector<std::uint64_t>(11)), channels::error);
}

/// Each step is long, and the run several times as long as its timeout.
inline void few_long_steps(const std::string& gpus, std::uint64_t items) {
  channels::settings s;
  s.devices = gpus;
  s.timeout = std::chrono::milliseconds(400);
  const places where(s);
  sliced<std::uint64_t> sums(where, 2);
  sums.clear();
  messenger<std::uint64_t> mail(where, 512);
  mail.run(items, gpu_messages::send_slowly{}, gpu_messages::add_up{sums.view()});
  const auto found = values_of(sums);
  EXPECT_EQ(found[1], items);
}

/// A process of its own: it loses a GPU, whose memory and threads nobody frees.
inline void a_handler_never_returns(const std::string& gpus) {
  channels::settings s;
  s.devices = gpus;
  s.timeout = std::chrono::milliseconds(300);
  const places where(s);
  messenger<std::uint64_t> mail(where, 64);
  const gpu_messages::never_returns handler{};
  std::string told;
  try {
    mail.run(64, gpu_messages::send_to_last{}, handler);
  } catch (const channels::error& e) {
    told = e.what();
  }
  std::string then;
  try {
    mail.run(1, gpu_messages::send_to_last{}, handler);
  } catch (const channels::error& e) {
    then = e.what();
  }
  std::fprintf(stderr, "%s; %s\n", told.c_str(), then.c_str());
  std::_Exit(3);
}

}  // namespace message_checks
