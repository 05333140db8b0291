// Giga-updates per second on the GPUs of this process: adds 1 to words of a table at random. Each
// GPU has a slice of the table. An update of another GPU's word goes there as a message.
//
//   gups_gpu [words] [updates]

#include <chrono>   // steady_clock
#include <cstdint>  // fixed-width integers
#include <cstdio>   // printf
#include <cstdlib>  // strtoull
#include <vector>   // vector

#include "channels/gpu.hpp"

namespace {

using channels::gpu::message_place;
using table_view = channels::gpu::slices<std::uint64_t>;

CHANNELS_DEVICE std::uint64_t word_of(std::uint64_t i, std::uint64_t words) {
  i = (i ^ i >> 33U) * 0xff51afd7ed558ccdU;
  i = (i ^ i >> 33U) * 0xc4ceb9fe1a85ec53U;
  return (i ^ i >> 33U) % words;
}

/// Is called for each update, at one place or another.
struct make_update {
  table_view table;
  std::uint64_t words;
  template <class Out>
  CHANNELS_DEVICE void operator()(Out& out, std::uint64_t i) const {
    const std::uint64_t word = word_of(i, words);
    out.send(table.owner(word), word);
  }
};

/// Is called for each message, where the word is.
struct add_one {
  table_view table;
  CHANNELS_DEVICE void operator()(message_place /*at*/, std::uint64_t word) const {
    table.increment(word);
  }
};

std::uint64_t number(int argc, char** argv, int which, std::uint64_t usual) {
  return argc > which ? std::strtoull(argv[which], nullptr, 0) : usual;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t words = number(argc, argv, 1, 1U << 22U);
  const std::uint64_t updates = number(argc, argv, 2, 50'000'000);
  try {
    const channels::gpu::places gpus;
    channels::gpu::sliced<std::uint64_t> table(gpus, words);
    channels::gpu::messenger<std::uint64_t> mail(gpus);
    const make_update sender{table.view(), words};
    mail.run(1000, sender, add_one{table.view()});  // the first run loads the kernel
    table.clear();
    const auto start = std::chrono::steady_clock::now();
    mail.run(updates, sender, add_one{table.view()});
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;

    std::vector<std::uint64_t> found;
    table.read(found);
    std::vector<std::uint64_t> serial(words);
    for (std::uint64_t i = 0; i < updates; ++i) ++serial[word_of(i, words)];
    std::printf("%s: %.3f G updates/s on %u GPUs\n", found == serial ? "right" : "wrong",
                static_cast<double>(updates) / time.count() / 1e9, gpus.count());
    return found == serial ? 0 : 1;
  } catch (const channels::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
