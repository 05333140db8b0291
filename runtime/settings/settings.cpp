#include "channels/settings.hpp"

#include <fmt/format.h>  // format

#include <bit>       // has_single_bit
#include <charconv>  // from_chars
#include <cmath>     // isfinite
#include <cstdlib>   // getenv, strtod
#include <cstring>   // strlen

#include "channels/error.hpp"

namespace channels {
namespace {

[[noreturn]] void refuse(const char* name, const std::string& value, const char* expected) {
  throw error(fmt::format("{}={}: {}", name, value, expected));
}

/// A number in `text`, with what follows it in `rest`.
double number(const char* name, const std::string& text, const char* expected, std::string& rest) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(value) || value < 0) refuse(name, text, expected);
  rest = end;
  return value;
}

template <class T>
void read_whole(const char* name, T& into) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return;
  const char* const end = text + std::strlen(text);
  T value{};
  const auto [rest, failure] = std::from_chars(text, end, value);
  if (failure == std::errc::result_out_of_range) refuse(name, text, "that is too large a number");
  if (failure != std::errc{} || rest != end) refuse(name, text, "expected a whole number");
  into = value;
}

void read_bytes(const char* name, std::uint64_t& into) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return;
  constexpr auto expected = "expected bytes, such as 65536, 64K, 16M or 2G";
  std::string rest;
  double value = number(name, text, expected, rest);
  if (!rest.empty()) {
    constexpr std::string_view units = "KMG";
    const std::size_t unit =
        units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(rest[0]))));
    if (unit == std::string_view::npos || rest.size() != 1) refuse(name, text, expected);
    value *= static_cast<double>(std::uint64_t{1} << 10U * (unit + 1));
  }
  if (value > 1e15) refuse(name, text, "that is more than any machine has");
  into = static_cast<std::uint64_t>(value);
}

giving giving_named(const std::string& name) {
  if (name == "auto") return giving::automatic;
  if (name == "always") return giving::always;
  if (name == "never") return giving::never;
  if (name == "random") return giving::random;
  refuse("CHANNELS_GIVE", name, "expected auto, always, never or random");
}

run_order order_named(const std::string& name) {
  if (name == "depth-first") return run_order::depth_first;
  if (name == "channels") return run_order::channels;
  refuse("CHANNELS_ORDER", name, "expected depth-first or channels");
}

void read_file(const char* name, std::string& into) {
  const char* const text = std::getenv(name);
  if (text == nullptr) return;
  if (*text == '\0') refuse(name, text, "expected a file");
  into = text;
}

void require(bool ok, const char* name, const std::string& value, const char* expected) {
  if (!ok) refuse(name, value, expected);
}

}  // namespace

settings settings::from_environment() {
  settings s;
  if (const char* const device = std::getenv("CHANNELS_DEVICE")) {
    s.device = device;
    if (s.device == "cuda" || s.device == "hip") {
      // A batch has to fill a GPU.
      s.capacity = 1U << 20U;
      s.batch = 1U << 18U;
      s.memory = 0;
    }
  }
  read_whole("CHANNELS_CUS", s.compute_units);
  read_whole("CHANNELS_WIDTH", s.wavefront_width);
  read_bytes("CHANNELS_MEMORY", s.memory);
  read_bytes("CHANNELS_HEAP", s.heap);
  read_bytes("CHANNELS_DEVICE_MALLOC", s.device_malloc);
  read_bytes("CHANNELS_DEVICE_STACK", s.device_stack);
  read_whole("CHANNELS_CAPACITY", s.capacity);
  read_whole("CHANNELS_LEVELS", s.levels);
  read_whole("CHANNELS_BATCH", s.batch);
  read_whole("CHANNELS_DONE_GROUP", s.done_group);
  read_whole("CHANNELS_SEED", s.seed);
  if (const char* const rule = std::getenv("CHANNELS_READINESS")) {
    const std::string value = rule;
    require(value == "levelized" || value == "counted", "CHANNELS_READINESS", value,
            "expected levelized or counted");
    s.rule = value == "counted" ? readiness::counted : readiness::levelized;
  }
  if (const char* const home = std::getenv("CHANNELS_AGGREGATOR")) {
    const std::string_view value = home;
    require(value == "host" || value == "device", "CHANNELS_AGGREGATOR", home,
            "expected host or device");
    s.aggregator = value == "device" ? aggregator_place::device : aggregator_place::host;
  }
  if (const char* const order = std::getenv("CHANNELS_ORDER")) s.order = order_named(order);
  if (const char* const give = std::getenv("CHANNELS_GIVE")) s.give = giving_named(give);
  std::string rest;
  if (const char* const seconds = std::getenv("CHANNELS_TIMEOUT")) {
    constexpr auto expected = "expected seconds, such as 30 or 0.5";
    const double value = number("CHANNELS_TIMEOUT", seconds, expected, rest);
    require(rest.empty() && value < 1e9, "CHANNELS_TIMEOUT", seconds, expected);
    s.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(value * 1000));
  }
  if (const char* const share = std::getenv("CHANNELS_FORCE_YIELD")) {
    s.force_yield = number("CHANNELS_FORCE_YIELD", share, "expected a share, such as 0.1", rest);
    require(rest.empty(), "CHANNELS_FORCE_YIELD", share, "expected a share, such as 0.1");
  }
  if (const char* const factor = std::getenv("CHANNELS_SLOW_AGGREGATOR")) {
    constexpr auto expected = "expected a factor, such as 4";
    s.slow_aggregator = number("CHANNELS_SLOW_AGGREGATOR", factor, expected, rest);
    require(rest.empty(), "CHANNELS_SLOW_AGGREGATOR", factor, expected);
  }
  if (const char* const statistics = std::getenv("CHANNELS_STATS")) s.statistics = statistics;
  require(s.statistics != "json:", "CHANNELS_STATS", s.statistics, "expected a file after json:");
  read_file("CHANNELS_TRACE", s.trace);
  read_whole("CHANNELS_TRACE_EVENTS", s.trace_events);
  read_file("CHANNELS_GRAPH", s.graph);
  if (const char* const progress = std::getenv("CHANNELS_PROGRESS")) {
    const std::string_view value = progress;
    require(value == "0" || value == "1", "CHANNELS_PROGRESS", progress, "expected 0 or 1");
    s.progress = value == "1";
  }
  s.check();
  return s;
}

void settings::check() const {
  require(compute_units <= 1024, "CHANNELS_CUS", std::to_string(compute_units),
          "expected at most 1024 compute units");
  require(wavefront_width >= 8 && wavefront_width <= 64, "CHANNELS_WIDTH",
          std::to_string(wavefront_width), "expected 8 to 64 lanes");
  require(
      (memory >= 4096 && memory <= std::uint64_t{1} << 46U) || (memory == 0 && device != "host"),
      "CHANNELS_MEMORY", std::to_string(memory), "expected at least 4096 bytes");
  require(std::has_single_bit(capacity) && capacity >= 4 && capacity <= 1U << 28U,
          "CHANNELS_CAPACITY", std::to_string(capacity), "expected a power of two, 4 to 268435456");
  require(batch >= 1 && batch <= 1U << 20U, "CHANNELS_BATCH", std::to_string(batch),
          "expected 1 to 1048576 elements");
  require(std::has_single_bit(done_group) && done_group <= 1U << 16U, "CHANNELS_DONE_GROUP",
          std::to_string(done_group), "expected a power of two up to 65536, 64 is usual");
  require(device_malloc >= 1U << 20U && device_malloc <= std::uint64_t{1} << 40U,
          "CHANNELS_DEVICE_MALLOC", std::to_string(device_malloc), "expected 1M to 1024G");
  require(device_stack >= 1024 && device_stack <= 512U << 10U, "CHANNELS_DEVICE_STACK",
          std::to_string(device_stack), "expected 1K to 512K");
  require(std::has_single_bit(trace_events) && trace_events >= 16 && trace_events <= 1U << 26U,
          "CHANNELS_TRACE_EVENTS", std::to_string(trace_events),
          "expected a power of two, 16 to 67108864");
  require(timeout.count() > 0, "CHANNELS_TIMEOUT", std::to_string(timeout.count()),
          "expected more than 0 seconds");
  require(force_yield >= 0 && force_yield <= 0.9, "CHANNELS_FORCE_YIELD",
          std::to_string(force_yield), "expected 0 to 0.9");
  require(slow_aggregator >= 1 && slow_aggregator <= 1000, "CHANNELS_SLOW_AGGREGATOR",
          std::to_string(slow_aggregator), "expected 1 to 1000");
}

std::string settings::help() {
  const settings d;
  return fmt::format(
      "CHANNELS_DEVICE       device that runs the program's tasks: host, or of cuda, hip and "
      "emulated what it was compiled for\n"
      "                      (default {})\n"
      "CHANNELS_CUS          compute units, threads on the host; 0 for one on each core (default "
      "{})\n"
      "CHANNELS_WIDTH        lanes of a wavefront, 8 to 64 (default {})\n"
      "CHANNELS_MEMORY       bytes for channels, with K, M or G (default {}M; on a GPU an eighth "
      "of what is free, at most 8G)\n"
      "CHANNELS_CAPACITY     most elements of one channel, a power of two (default {})\n"
      "CHANNELS_LEVELS       most levels of recursion; 0 leaves it to memory (default {})\n"
      "CHANNELS_BATCH        most elements of one dispatch (default {})\n"
      "CHANNELS_DONE_GROUP   elements that share a done count, a power of two (default {})\n"
      "CHANNELS_READINESS    when a continuation may run: levelized or counted (default "
      "levelized)\n"
      "CHANNELS_TIMEOUT      seconds without progress before the run is stopped (default {})\n"
      "CHANNELS_FORCE_YIELD  share of reservations refused at random, 0 to 0.9, for tests (default "
      "0)\n"
      "CHANNELS_SLOW_AGGREGATOR  how many times as long the aggregator takes, 1 to 1000, for "
      "measurements (default 1)\n"
      "CHANNELS_AGGREGATOR   where the aggregator is that fills a GPU: host or device (default "
      "host)\n"
      "CHANNELS_ORDER        how a compiled program's spawns run: depth-first as host code, or "
      "channels for breadth-first\n"
      "                      through channels (default depth-first)\n"
      "CHANNELS_GIVE         spawns that give their child away: auto as others ask; always, never "
      "or "
      "random force a schedule, for tests (default auto)\n"
      "CHANNELS_HEAP         on a device that cannot read the host's memory: most bytes that the "
      "program allocates; 0 for half of\n"
      "                      what is free there (default {})\n"
      "CHANNELS_DEVICE_MALLOC  bytes for malloc in the device's code (default {}M)\n"
      "CHANNELS_DEVICE_STACK   bytes of a lane's stack on a device, for functions that call "
      "themselves (default {}K)\n"
      "CHANNELS_SEED         seeds those refusals and random giving (default {})\n"
      "CHANNELS_STATS        what the program did: 1 for a table on stderr, json for JSON there, "
      "json:FILE for a file\n"
      "CHANNELS_TRACE        a file for a trace of what ran when, which Perfetto opens\n"
      "CHANNELS_TRACE_EVENTS   most events that each track of it keeps, a power of two; the oldest "
      "give way (default {})\n"
      "CHANNELS_GRAPH        a file for the graph of the run through channels and what they hold, "
      "in DOT\n"
      "CHANNELS_PROGRESS     1 for a line on the terminal that says how far a run of tasks is "
      "(default 0)\n"
      "CHANNELS_HELP         print this and end\n",
      d.device, d.compute_units, d.wavefront_width, d.memory >> 20U, d.capacity, d.levels, d.batch,
      d.done_group, d.timeout.count() / 1000, d.heap, d.device_malloc >> 20U, d.device_stack >> 10U,
      d.seed, d.trace_events);
}

}  // namespace channels
