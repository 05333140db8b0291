#include "driver/installation.hpp"

#include "paths.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace cilk2chan {
namespace {

template <class Places>
std::optional<std::string> first_that_exists(const std::string& directory, const Places& places,
                                             llvm::StringRef witness) {
  for (const std::string_view place : places) {
    if (place.empty()) continue;
    llvm::SmallString<256> path(place);
    if (llvm::sys::path::is_relative(path)) {
      path = directory;
      llvm::sys::path::append(path, place);
    }
    llvm::sys::path::remove_dots(path, true);
    llvm::SmallString<256> file = path;
    if (!witness.empty()) llvm::sys::path::append(file, witness);
    if (llvm::sys::fs::exists(file)) return path.str().str();
  }
  return std::nullopt;
}

// LLVM finds the executable by an address in it.
int anchor = 0;

}  // namespace

installation::installation(const char* argv0)
    : directory_(llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable(argv0, &anchor))) {}

std::optional<std::string> installation::include_directory() const {
  return first_that_exists(directory_, paths::include_directories, "cilk/cilk.h");
}

std::optional<std::string> installation::library() const {
  return first_that_exists(directory_, paths::libraries, "");
}

}  // namespace cilk2chan
