#include "runtime/settings/environment.hpp"

#include <fcntl.h>       // open
#include <fmt/format.h>  // format
#include <sys/stat.h>    // stat
#include <unistd.h>      // access, close, environ, unlink

#include <algorithm>     // any_of, min
#include <cerrno>        // errno
#include <cstdio>        // fputs
#include <cstdlib>       // mkostemp
#include <numeric>       // iota
#include <system_error>  // generic_category
#include <vector>        // vector

#include "channels/error.hpp"
#include "runtime/settings/table.hpp"

namespace channels::detail {
namespace {

constexpr std::string_view prefix = "CHANNELS_";

/// How many letters have to be added, left out or replaced to make `b` from `a` (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // from a beginning of a to each beginning of b
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (letter == b[j] ? 0U : 1U);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

bool is_known(std::string_view name) {
  return std::ranges::any_of(all_settings(),
                             [&](const setting& s) { return name == s.variable; }) ||
         std::ranges::any_of(other_variables(),
                             [&](const other_variable& o) { return name == o.name; });
}

/// Why `file` cannot be written, as an `errno`; 0 if it can be.
int why_not_writable(const std::string& file) {
  struct stat is{};
  if (::stat(file.c_str(), &is) == 0 && !S_ISREG(is.st_mode)) {
    // Not opened: the reader of a pipe would take the end of this for the end of the text.
    if (S_ISDIR(is.st_mode)) return EISDIR;
    return ::access(file.c_str(), W_OK) == 0 ? 0 : errno;
  }
  // Not made here: a runtime that starts beside this one may make, replace or remove a file of this
  // name at the same time.
  int opened = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  std::string beside;
  if (opened < 0 && errno == ENOENT) {
    beside = file.substr(0, file.rfind('/') + 1) + ".channels-XXXXXX";
    opened = ::mkostemp(beside.data(), O_CLOEXEC);
  }
  if (opened < 0) return errno;
  ::close(opened);
  if (!beside.empty()) ::unlink(beside.c_str());
  return 0;
}

}  // namespace

std::string_view nearest_variable(std::string_view name) {
  std::string_view nearest;
  std::size_t fewest = ~std::size_t{0};
  const auto look = [&](std::string_view other) {
    if (const std::size_t changes = distance(name, other); changes < fewest) {
      fewest = changes;
      nearest = other;
    }
  };
  for (const setting& s : all_settings()) look(s.variable);
  for (const other_variable& o : other_variables()) look(o.name);
  return nearest;
}

void check_names_of_environment() {
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry = *at;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (!name.starts_with(prefix) || is_known(name)) continue;
    throw error(fmt::format("{}: there is no setting of that name; the nearest is {}", entry,
                            nearest_variable(name)));
  }
}

void check_files(const settings& of) {
  for (const setting& row : all_settings()) {
    for (const std::string& file : row.files(of)) {
      if (const int failure = why_not_writable(file)) {
        throw error(cannot_write(row.variable, row.show(of), failure) + "; name another");
      }
    }
  }
}

std::string cannot_write(std::string_view variable, std::string_view value, int failure) {
  return fmt::format("{}={}: cannot write that file: {}", variable, value,
                     std::generic_category().message(failure));
}

void warn_of_file(std::string_view variable, std::string_view value, int failure) {
  std::fputs(fmt::format("channels: {}\n", cannot_write(variable, value, failure)).c_str(), stderr);
}

}  // namespace channels::detail
