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

void require(bool ok, const char* name, const std::string& value, const char* expected) {
  if (!ok) refuse(name, value, expected);
}

}  // namespace

settings settings::from_environment() {
  settings s;
  if (const char* const device = std::getenv("CHANNELS_DEVICE")) s.device = device;
  read_whole("CHANNELS_CUS", s.compute_units);
  read_whole("CHANNELS_WIDTH", s.wavefront_width);
  read_bytes("CHANNELS_MEMORY", s.memory);
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
  if (const char* const statistics = std::getenv("CHANNELS_STATS")) s.statistics = statistics;
  s.check();
  return s;
}

void settings::check() const {
  require(compute_units <= 1024, "CHANNELS_CUS", std::to_string(compute_units),
          "expected at most 1024 compute units");
  require(wavefront_width >= 8 && wavefront_width <= 64, "CHANNELS_WIDTH",
          std::to_string(wavefront_width), "expected 8 to 64 lanes");
  require(memory >= 4096 && memory <= std::uint64_t{1} << 46U, "CHANNELS_MEMORY",
          std::to_string(memory), "expected at least 4096 bytes");
  require(std::has_single_bit(capacity) && capacity >= 4 && capacity <= 1U << 28U,
          "CHANNELS_CAPACITY", std::to_string(capacity), "expected a power of two, 4 to 268435456");
  require(batch >= 1 && batch <= 1U << 20U, "CHANNELS_BATCH", std::to_string(batch),
          "expected 1 to 1048576 elements");
  require(std::has_single_bit(done_group) && done_group <= 1U << 16U, "CHANNELS_DONE_GROUP",
          std::to_string(done_group), "expected a power of two up to 65536, 64 is usual");
  require(timeout.count() > 0, "CHANNELS_TIMEOUT", std::to_string(timeout.count()),
          "expected more than 0 seconds");
  require(force_yield >= 0 && force_yield <= 0.9, "CHANNELS_FORCE_YIELD",
          std::to_string(force_yield), "expected 0 to 0.9");
}

std::string settings::help() {
  const settings d;
  return fmt::format(
      "CHANNELS_DEVICE       device that runs the program: host (default {})\n"
      "CHANNELS_CUS          compute units, threads on the host; 0 for one on each core (default "
      "{})\n"
      "CHANNELS_WIDTH        lanes of a wavefront, 8 to 64 (default {})\n"
      "CHANNELS_MEMORY       bytes for channels, with K, M or G (default {}M)\n"
      "CHANNELS_CAPACITY     most elements of one channel, a power of two (default {})\n"
      "CHANNELS_LEVELS       most levels of recursion; 0 leaves it to memory (default {})\n"
      "CHANNELS_BATCH        most elements of one dispatch (default {})\n"
      "CHANNELS_DONE_GROUP   elements that share a done count, a power of two (default {})\n"
      "CHANNELS_READINESS    when a continuation may run: levelized or counted (default "
      "levelized)\n"
      "CHANNELS_TIMEOUT      seconds without progress before the run is stopped (default {})\n"
      "CHANNELS_FORCE_YIELD  share of reservations refused at random, 0 to 0.9, for tests (default "
      "0)\n"
      "CHANNELS_ORDER        how a compiled program's spawns run: depth-first as host code, or "
      "channels for breadth-first\n"
      "                      through channels (default depth-first)\n"
      "CHANNELS_GIVE         spawns that give their child away: auto as others ask; always, never "
      "or "
      "random force a schedule, for tests (default auto)\n"
      "CHANNELS_SEED         seeds those refusals and random giving (default {})\n"
      "CHANNELS_STATS        1 for a table on stderr, json for JSON, else a file for the JSON\n"
      "CHANNELS_HELP         print this and end\n",
      d.device, d.compute_units, d.wavefront_width, d.memory >> 20U, d.capacity, d.levels, d.batch,
      d.done_group, d.timeout.count() / 1000, d.seed);
}

}  // namespace channels
