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
  page +=
      "| `CHANNELS_HELP` | print these settings and end | |\n"
      "\n"
      "Any other variable whose name begins with `CHANNELS_` is an error, which gives the nearest\n"
      "name, but for these:\n\n"
      "| variable | who reads it |\n| --- | --- |\n";
  for (const other_variable& one : other_variables()) {
    page += fmt::format("| `{}` | {} |\n", one.name, one.reader);
  }
  return page +
         "\nA file that cannot be written ends the program before it does anything, with the\n"
         "setting's name and the reason.\n";
}

}  // namespace channels::detail
