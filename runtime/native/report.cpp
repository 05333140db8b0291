#include <fmt/format.h>  // format

#include <fstream>   // ofstream
#include <iostream>  // cerr

#include "channels/cilk_host.hpp"
#include "runtime/native/pool.hpp"
#include "runtime/program.hpp"

namespace channels::native {

void pool::report() {
  const std::string& where = cilk::program_settings().statistics;
  if (where.empty()) return;
  if (count_.load(std::memory_order_relaxed) == 0 && where != "1") return;
  counters sum;
  const std::uint32_t count = count_.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count; ++i) {
    sum += workers_[i].load(std::memory_order_relaxed)->counted;
  }
  if (where == "1") {
    std::cerr << fmt::format(
        "children given {:>12}     by {} workers; {} more were run as plain calls\n"
        "  taken back   {:>12}     by the worker that gave them\n"
        "  stolen       {:>12}     by another\n"
        "loops halved   {:>12}\n"
        "joins waited   {:>12}\n"
        "idle           {:>12.3f} ms, of all workers, waiting or without work\n",
        sum.given, count, sum.declined, sum.taken_back, sum.stolen, sum.loop_splits, sum.waits,
        static_cast<double>(sum.wait_ns) / 1e6);
    return;
  }
  const std::string json = fmt::format(
      "{{\"given\": {}, \"workers\": {}, \"declined\": {}, \"taken_back\": {}, \"stolen\": {}, "
      "\"loops_halved\": {}, \"joins_waited\": {}, \"idle_ns\": {}}}\n",
      sum.given, count, sum.declined, sum.taken_back, sum.stolen, sum.loop_splits, sum.waits,
      sum.wait_ns);
  if (where == "json") {
    std::cerr << json;
  } else if (!(std::ofstream(where) << json)) {
    std::cerr << "channels: CHANNELS_STATS=" << where << ": cannot write that file\n";
  }
}

}  // namespace channels::native

namespace channels::cilk {

void use(const settings& options) { native::pool::instance().use(options); }

}  // namespace channels::cilk
