#pragma once

#include <chrono>   // milliseconds
#include <cstddef>  // size_t
#include <cstdint>  // fixed-width integers
#include <limits>   // numeric_limits
#include <span>     // span
#include <string>   // string
#include <variant>  // variant
#include <vector>   // vector

#include "channels/settings.hpp"

/// The kinds of settings. Each names its member of `settings` and the values that the member takes.
/// A kind has four functions:
/// - `read` sets the member from the text of variable `name`. It throws `channels::error` for text
///   that is not of this kind.
/// - `check` throws `channels::error` if the member's value is outside of what it takes.
/// - `show` is the value as a variable names it.
/// - `value` is what the JSON of a run has.
/// A kind that names a file has a fifth, `files`: those that are written because of it.
namespace channels::detail {

using setting_value = std::variant<std::uint64_t, double, std::string>;

/// A whole number.
template <class Number>
struct whole_number {
  Number settings::* member;
  Number least = 0;
  Number most = std::numeric_limits<Number>::max();
  const char* expected = "";  ///< the error for numbers outside of that
  bool power_of_two = false;

  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& of, const char* name) const;
  [[nodiscard]] std::string show(const settings& of) const;
  [[nodiscard]] setting_value value(const settings& of) const;
};

/// Bytes, with K, M or G.
struct byte_count {
  std::uint64_t settings::* member;
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const char* expected = "";       ///< the error for numbers outside of that
  bool device_may_choose = false;  ///< 0 is allowed where the device is not the host
  bool zero_is_usual = false;      ///< 0 is allowed

  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& of, const char* name) const;
  [[nodiscard]] std::string show(const settings& of) const;
  [[nodiscard]] setting_value value(const settings& of) const;
};

/// A number with a fraction: a share or a factor.
struct real_number {
  double settings::* member;
  double least;
  double most;
  const char* expected_text;  ///< the error for text that is not a number
  const char* expected;       ///< the error for numbers outside of the range

  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& of, const char* name) const;
  [[nodiscard]] std::string show(const settings& of) const;
  [[nodiscard]] setting_value value(const settings& of) const;
};

/// A time above 0, in seconds.
struct time_span {
  std::chrono::milliseconds settings::* member;

  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& of, const char* name) const;
  [[nodiscard]] std::string show(const settings& of) const;
  [[nodiscard]] setting_value value(const settings& of) const;
};

/// One of several names, which are in the order of the enumeration.
struct choice {
  std::span<const char* const> names;
  std::size_t (*get)(const settings&);
  void (*set)(settings&, std::size_t);

  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& of, const char* name) const;
  [[nodiscard]] std::string show(const settings& of) const;
  [[nodiscard]] setting_value value(const settings& of) const;
};
/// The choice of `Member`, an enumeration or a `bool`.
template <auto Member>
[[nodiscard]] constexpr choice choice_of(std::span<const char* const> names) {
  return {names, [](const settings& s) { return static_cast<std::size_t>(s.*Member); },
          [](settings& s, std::size_t i) {
            s.*Member = static_cast<std::remove_reference_t<decltype(s.*Member)>>(i);
          }};
}

/// 0 or 1. The JSON has a number.
struct flag {
  bool settings::* member;

  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& /*of*/, const char* /*name*/) const {}
  [[nodiscard]] std::string show(const settings& of) const;
  [[nodiscard]] setting_value value(const settings& of) const;
};

/// A file, or "" for none. A variable that is set names one.
struct file_name {
  std::string settings::* member;
  bool replaced = false;  ///< written as FILE.next, which is renamed

  [[nodiscard]] std::vector<std::string> files(const settings& of) const;

  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& /*of*/, const char* /*name*/) const {}
  [[nodiscard]] std::string show(const settings& of) const { return of.*member; }
  [[nodiscard]] setting_value value(const settings& of) const { return of.*member; }
};

/// The file that `settings::statistics` names; "" if that is none.
[[nodiscard]] std::string file_of_statistics(const std::string& place);

/// Where statistics go: "" for nowhere, "1" for a table on stderr, "json" for JSON there, or a file
/// for JSON. A file is "json:FILE", or a name with a slash or a dot that is not a number.
struct statistics_place {
  std::string settings::* member;

  [[nodiscard]] std::vector<std::string> files(const settings& of) const;
  /// 0 is for nowhere, too.
  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& of, const char* name) const;
  [[nodiscard]] std::string show(const settings& of) const { return of.*member; }
  [[nodiscard]] setting_value value(const settings& of) const { return of.*member; }
};

/// Which GPUs: "" for the usual ones, how many, or a list.
struct gpu_numbers {
  std::string settings::* member;

  void read(settings& into, const char* name, const std::string& text) const;
  void check(const settings& of, const char* name) const;
  [[nodiscard]] std::string show(const settings& of) const { return of.*member; }
  [[nodiscard]] setting_value value(const settings& of) const { return of.*member; }
};

/// Any text.
struct free_text {
  std::string settings::* member;

  void read(settings& into, const char* /*name*/, const std::string& text) const {
    into.*member = text;
  }
  void check(const settings& /*of*/, const char* /*name*/) const {}
  [[nodiscard]] std::string show(const settings& of) const { return of.*member; }
  [[nodiscard]] setting_value value(const settings& of) const { return of.*member; }
};

using setting_kind =
    std::variant<whole_number<std::uint32_t>, whole_number<std::uint64_t>, byte_count, real_number,
                 time_span, choice, flag, file_name, statistics_place, gpu_numbers, free_text>;

}  // namespace channels::detail
