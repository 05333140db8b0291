#include <fmt/format.h>  // format

#include "runtime/settings/table.hpp"

namespace channels::detail {

std::string settings_page() {
  std::string page =
      "# Settings\n\n"
      "`scripts/reference` writes this page from `runtime/settings/table.cpp`.\n\n"
      "Programs take their settings from the environment. `CHANNELS_HELP=1 ./program` prints them\n"
      "and ends. In C++ each is a member of `channels::settings` "
      "(`include/channels/settings.hpp`):\n"
      "`settings::from_environment()` reads the environment, and code may change the result.\n\n"
      "| variable | meaning | default |\n| --- | --- | --- |\n";
  for (const setting& row : all_settings()) {
    page += fmt::format("| `{}` | {} | {} |\n", row.variable, row.meaning, row.shown_default());
  }
  return page + "| `CHANNELS_HELP` | print these settings and end | |\n";
}

}  // namespace channels::detail
