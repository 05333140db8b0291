#include "channels/settings.hpp"

#include <fmt/format.h>  // format

#include <cstdlib>      // getenv
#include <string_view>  // string_view

#include "runtime/settings/environment.hpp"
#include "runtime/settings/table.hpp"

namespace channels {
namespace {

/// What differs from `settings{}` on the device of the environment.
settings defaults_of_device() {
  settings s;
  const char* const device = std::getenv("CHANNELS_DEVICE");
  if (device == nullptr) return s;
  if (const std::string_view name = device; name == "cuda" || name == "hip") {
    // A batch has to fill a GPU.
    s.capacity = 1U << 20U;
    s.batch = 1U << 18U;
    s.memory = 0;
  }
  return s;
}

constexpr std::size_t name_columns = 26;
constexpr std::size_t line_columns = 100;

/// `name` and `text` beside it, on as many lines as the text needs.
std::string paragraph(std::string_view name, std::string_view text) {
  constexpr std::size_t width = line_columns - name_columns;
  std::string lines = fmt::format("{:<{}}", name, name_columns);
  while (text.size() > width) {
    const std::size_t space = text.rfind(' ', width);
    lines += fmt::format("{}\n{:{}}", text.substr(0, space), "", name_columns);
    text.remove_prefix(space + 1);
  }
  return fmt::format("{}{}\n", lines, text);
}

}  // namespace

settings settings::from_environment() {
  detail::check_names_of_environment();
  settings s = defaults_of_device();
  for (const detail::setting& row : detail::all_settings()) {
    if (const char* const text = std::getenv(row.variable)) row.read(s, text);
  }
  s.check();
  return s;
}

void settings::check() const {
  for (const detail::setting& row : detail::all_settings()) row.check(*this);
}

std::string settings::help() {
  std::string text;
  for (const detail::setting& row : detail::all_settings()) {
    const std::string usual = row.shown_default();
    text +=
        paragraph(row.variable, usual.empty() ? std::string(row.meaning)
                                              : fmt::format("{} (default {})", row.meaning, usual));
  }
  return text + paragraph("CHANNELS_HELP", "print this and end");
}

}  // namespace channels
