// Prints a page of docs/reference that is made from the code: reference_pages settings|statistics.

#include <cstdio>       // fputs
#include <string_view>  // string_view

#include "runtime/observe/statistics_table.hpp"
#include "runtime/settings/table.hpp"

int main(int argc, char** argv) {
  const std::string_view page = argc == 2 ? argv[1] : "";
  if (page == "settings") {
    std::fputs(channels::detail::settings_page().c_str(), stdout);
  } else if (page == "statistics") {
    std::fputs(channels::detail::statistics_page().c_str(), stdout);
  } else {
    std::fputs("usage: reference_pages settings|statistics\n", stderr);
    return 2;
  }
}
