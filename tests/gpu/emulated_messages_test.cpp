// Messages between GPUs, on the emulated device, also under ThreadSanitizer: each is handled once,
// where it was sent to, whatever the number of places, the capacity of rings and the ways of lanes.
#define CHANNELS_GPU_EMULATED

#include <gtest/gtest.h>

#include "message_checks.hpp"

namespace {

TEST(emulated_messages, come_once_to_the_right_place) {
  for (const char* const gpus : {"1", "2", "3", "4", "8"}) {
    for (const std::uint32_t capacity : {64U, 256U}) {
      message_checks::every_message_comes_once<1>(gpus, capacity, 3000);
      message_checks::every_message_comes_once<2>(gpus, capacity, 3000);
    }
  }
}
TEST(emulated_messages, of_several_words) {
  message_checks::every_message_comes_once<3>("2", 64, 2000);
  message_checks::every_message_comes_once<7>("3", 64, 2000);
  message_checks::every_message_comes_once<16>("2", 128, 1000);
  message_checks::every_message_comes_once<19>("2", 64, 1000);
}
TEST(emulated_messages, are_sent_by_lanes_on_ways_of_their_own) {
  for (const char* const gpus : {"1", "2", "5"}) message_checks::lanes_diverge(gpus, 64, 8000);
}
TEST(emulated_messages, all_go_to_one_place) { message_checks::all_to_one("3", 64, 6000); }
TEST(emulated_messages, rings_go_round_in_many_runs) {
  message_checks::many_runs("2", 64, 40, 300);
  message_checks::many_runs("3", 64, 40, 7);
}
TEST(emulated_messages, are_not_needed_to_put_and_to_add) {
  message_checks::put_and_increment("3", 2000);
}
TEST(emulated_messages, refuse_a_capacity_that_is_no_power_of_two) {
  message_checks::refuses_capacities("2");
}
TEST(emulated_messages, a_run_may_have_few_long_steps) { message_checks::few_long_steps("2", 500); }
TEST(emulated_messages, ends_a_run_whose_handler_never_returns) {
  EXPECT_EXIT(message_checks::a_handler_never_returns("5,6"), testing::ExitedWithCode(3),
              "nothing has been sent or handled for 300 ms.*GPU 6 .*; .*an earlier run has failed");
}

}  // namespace
