#include "tasks/compiler_messages.hpp"

#include <utility>

namespace cilk2chan {
namespace {

// The place at the beginning of a message: "file:line:", or "file(line):" as nvcc writes it. A line
// of 0: there is none.
std::pair<std::string, unsigned> place_in(llvm::StringRef message) {
  for (const char* mark : {":", "("}) {
    for (std::size_t at = message.find(mark); at != llvm::StringRef::npos;
         at = message.find(mark, at + 1)) {
      llvm::StringRef rest = message.substr(at + 1);
      unsigned line = 0;
      if (!rest.consumeInteger(10, line) && (rest.starts_with(":") || rest.starts_with("):")))
        return {message.take_front(at).str(), line};
    }
  }
  return {};
}

}  // namespace

std::vector<compiler_error> errors_in(llvm::StringRef messages, const std::string& how) {
  std::vector<compiler_error> errors;
  while (!messages.empty()) {
    const auto [line, rest] = messages.split('\n');
    messages = rest;
    const auto place = place_in(line);
    if (place.second == 0) continue;
    if (line.contains("error: ") || line.contains(": error")) {
      errors.push_back({{place}, how, line.str()});
    } else if (!errors.empty() && line.contains("requested here")) {
      errors.back().places.push_back(place);
    }
  }
  return errors;
}

}  // namespace cilk2chan
