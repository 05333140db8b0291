#include "runtime/settings/kinds.hpp"

#include <fmt/format.h>  // format

#include <bit>          // has_single_bit
#include <cctype>       // toupper
#include <charconv>     // from_chars
#include <cmath>        // isfinite
#include <cstdlib>      // strtod
#include <string_view>  // string_view
#include <utility>      // pair

#include "channels/detail/gpu_list.hpp"
#include "channels/error.hpp"

namespace channels::detail {
namespace {

constexpr std::string_view byte_units = "KMG";

void require(bool ok, const char* name, const std::string& value, const std::string& expected) {
  if (!ok) throw error(fmt::format("{}={}: {}", name, value, expected));
}

/// A number in `text`, not below 0, and the text behind it.
std::pair<double, std::string> number(const char* name, const std::string& text,
                                      const char* expected) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  require(end != text.c_str() && std::isfinite(value) && value >= 0, name, text, expected);
  return {value, end};
}

/// "a, b or c".
std::string one_of(std::span<const char* const> names) {
  std::string all = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    all += i + 1 == names.size() ? " or " : ", ";
    all += names[i];
  }
  return all;
}

}  // namespace

template <class Number>
void whole_number<Number>::read(settings& into, const char* name, const std::string& text) const {
  const char* const end = text.data() + text.size();
  Number value{};
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  require(failure != std::errc::result_out_of_range, name, text, "that is too large a number");
  require(failure == std::errc{} && rest == end, name, text, "expected a whole number");
  into.*member = value;
}
template <class Number>
void whole_number<Number>::check(const settings& of, const char* name) const {
  const Number value = of.*member;
  require(value >= least && value <= most && (!power_of_two || std::has_single_bit(value)), name,
          show(of), expected);
}
template <class Number>
std::string whole_number<Number>::show(const settings& of) const {
  return std::to_string(of.*member);
}
template <class Number>
setting_value whole_number<Number>::value(const settings& of) const {
  return std::uint64_t{of.*member};
}
template struct whole_number<std::uint32_t>;
template struct whole_number<std::uint64_t>;

void byte_count::read(settings& into, const char* name, const std::string& text) const {
  constexpr auto expected_text = "expected bytes, such as 65536, 64K, 16M or 2G";
  auto [value, rest] = number(name, text, expected_text);
  if (!rest.empty()) {
    const std::size_t unit =
        byte_units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(rest[0]))));
    require(unit != std::string_view::npos && rest.size() == 1, name, text, expected_text);
    value *= static_cast<double>(std::uint64_t{1} << 10U * (unit + 1));
  }
  require(value <= 1e15, name, text, "that is more than any machine has");
  into.*member = static_cast<std::uint64_t>(value);
}
void byte_count::check(const settings& of, const char* name) const {
  const std::uint64_t value = of.*member;
  const bool left_to_device =
      value == 0 && (zero_is_usual || (device_may_choose && of.device != "host"));
  require((value >= least && value <= most) || left_to_device, name, std::to_string(value),
          expected);
}
std::string byte_count::show(const settings& of) const {
  std::uint64_t value = of.*member;
  std::string unit;
  for (const char larger : byte_units) {
    if (value == 0 || value % 1024 != 0) break;
    value /= 1024;
    unit = larger;
  }
  return std::to_string(value) + unit;
}
setting_value byte_count::value(const settings& of) const { return of.*member; }

void real_number::read(settings& into, const char* name, const std::string& text) const {
  const auto [value, rest] = number(name, text, expected_text);
  require(rest.empty(), name, text, expected_text);
  into.*member = value;
}
void real_number::check(const settings& of, const char* name) const {
  const double value = of.*member;
  require(value >= least && value <= most, name, show(of), expected);
}
std::string real_number::show(const settings& of) const { return fmt::format("{}", of.*member); }
setting_value real_number::value(const settings& of) const { return of.*member; }

void time_span::read(settings& into, const char* name, const std::string& text) const {
  constexpr auto expected = "expected seconds, such as 30 or 0.5";
  const auto [value, rest] = number(name, text, expected);
  require(rest.empty() && value < 1e9, name, text, expected);
  into.*member = std::chrono::milliseconds(static_cast<std::int64_t>(value * 1000));
}
void time_span::check(const settings& of, const char* name) const {
  require((of.*member).count() > 0, name, show(of), "expected more than 0 seconds");
}
std::string time_span::show(const settings& of) const {
  return fmt::format("{}", static_cast<double>((of.*member).count()) / 1000);
}
setting_value time_span::value(const settings& of) const {
  return static_cast<double>((of.*member).count()) / 1000;
}

void choice::read(settings& into, const char* name, const std::string& text) const {
  std::size_t i = 0;
  while (i < names.size() && text != names[i]) ++i;
  require(i < names.size(), name, text, "expected " + one_of(names));
  set(into, i);
}
void choice::check(const settings& of, const char* name) const {
  require(get(of) < names.size(), name, std::to_string(get(of)), "expected " + one_of(names));
}
std::string choice::show(const settings& of) const { return names[get(of)]; }
setting_value choice::value(const settings& of) const { return show(of); }

void flag::read(settings& into, const char* name, const std::string& text) const {
  require(text == "0" || text == "1", name, text, "expected 0 or 1");
  into.*member = text == "1";
}
std::string flag::show(const settings& of) const { return of.*member ? "1" : "0"; }
setting_value flag::value(const settings& of) const { return std::uint64_t{of.*member ? 1U : 0U}; }

void file_name::read(settings& into, const char* name, const std::string& text) const {
  require(!text.empty(), name, text, "expected a file");
  into.*member = text;
}

std::vector<std::string> file_name::files(const settings& of) const {
  const std::string& file = of.*member;
  if (file.empty()) return {};
  return replaced ? std::vector{file, file + ".next"} : std::vector{file};
}

std::string file_of_statistics(const std::string& place) {
  constexpr std::string_view mark = "json:";
  if (place.starts_with(mark)) return place.substr(mark.size());
  return place == "1" || place == "json" ? "" : place;
}

void gpu_numbers::read(settings& into, const char* name, const std::string& text) const {
  require(!text.empty(), name, text, "expected how many GPUs, such as 2, or which, such as 0,1");
  into.*member = text;
}
void gpu_numbers::check(const settings& of, const char* name) const {
  require(read_gpu_list(of.*member).has_value(), name, of.*member,
          "expected how many GPUs, such as 2, or which, each once, such as 0,1");
}

std::vector<std::string> statistics_place::files(const settings& of) const {
  const std::string file = file_of_statistics(of.*member);
  return file.empty() ? std::vector<std::string>{} : std::vector{file};
}
void statistics_place::read(settings& into, const char* /*name*/, const std::string& text) const {
  into.*member = text == "0" ? "" : text;
}
void statistics_place::check(const settings& of, const char* name) const {
  const std::string& place = of.*member;
  if (place.empty() || place == "1" || place == "json") return;
  require(place != "json:", name, place, "expected a file after json:");
  if (place.starts_with("json:")) return;
  char* end = nullptr;
  (void)std::strtod(place.c_str(), &end);
  require(*end != '\0' && place.find_first_of("/.") != std::string::npos, name, place,
          "expected 0, 1, json, or a file as json:FILE");
}

}  // namespace channels::detail
