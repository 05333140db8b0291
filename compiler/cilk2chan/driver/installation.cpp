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
  return first_that_exists(directory_, paths::include_directories, "channels/cilk/abi.h");
}

std::optional<std::string> installation::library() const {
  return first_that_exists(directory_, paths::libraries, "");
}

arguments header_options(const char* flag, const std::string& include_directory) {
  arguments made;
  // Installed, cilk/cilk.h is in a folder of its own: OpenCilk may be in the same prefix.
  llvm::SmallString<256> keywords(include_directory);
  llvm::sys::path::append(keywords, paths::installed_keywords);
  if (llvm::sys::fs::exists(keywords)) append(made, {flag, keywords.str().str()});
  // Compilers search these by themselves, in a place that the C++ library's headers rely on.
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(include_directory, real)) real = include_directory;
  if (real != "/usr/include" && real != "/usr/local/include") {
    append(made, {flag, include_directory});
  }
  return made;
}

}  // namespace cilk2chan
