#include "host_compiler.hpp"

#include "paths.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>  // FileRemover
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>

namespace cilk2chan {
namespace {

bool fail(const std::string& what) {
  llvm::errs() << "cilk2chan: error: " << what << '\n';
  return false;
}

bool run(const std::vector<std::string>& options) {
  const char* chosen = std::getenv("CHANNELS_CXX");
  const std::string name =
      chosen != nullptr && *chosen != '\0' ? chosen : std::string(paths::host_compiler);
  const auto compiler = llvm::sys::findProgramByName(name);
  if (!compiler) {
    return fail("cannot find the host compiler '" + name +
                "'; install it, or name another one in CHANNELS_CXX");
  }
  std::vector<llvm::StringRef> arguments = {name};
  arguments.insert(arguments.end(), options.begin(), options.end());
  std::string error;
  const int status =
      llvm::sys::ExecuteAndWait(*compiler, arguments, std::nullopt, {}, 0, 0, &error);
  if (!error.empty()) return fail("cannot run '" + name + "': " + error);
  return status == 0;
}

// What was there before would look like the result.
bool no_output(const std::string& file) {
  if (const std::error_code error = llvm::sys::fs::remove(file)) {
    return fail("cannot remove '" + file + "': " + error.message());
  }
  return false;
}

std::vector<std::string> optimised(const options& chosen) {
  std::vector<std::string> arguments = {"-O2", "-march=native"};
  arguments.insert(arguments.end(), chosen.for_both.begin(), chosen.for_both.end());
  return arguments;
}

}  // namespace

bool compile(const options& chosen, const installation& place, const std::string& text) {
  const auto include = place.include_directory();
  const auto library = place.library();
  if (!include || !library)
    return fail(
        "cannot find the headers or libchannels.a beside the tool; build or install the project");
  int descriptor = -1;
  llvm::SmallString<256> file;
  if (llvm::sys::fs::createTemporaryFile("cilk2chan", "cpp", descriptor, file)) {
    return fail("cannot write a temporary file; set TMPDIR to a directory that can be written");
  }
  const llvm::FileRemover when_done(file);
  llvm::raw_fd_ostream(descriptor, true) << text;

  std::vector<std::string> arguments = optimised(chosen);
  const bool own_standard = !chosen.is_c && !chosen.standard.empty();
  arguments.push_back("-std=" + (own_standard ? chosen.standard : "gnu++20"));
  // The user's file was read as C: what C++ only finds unusual about it is no news.
  if (chosen.is_c) {
    for (const char* option : {"-Wno-writable-strings", "-Wno-narrowing", "-Wno-c99-designator",
                               "-Wno-reorder-init-list", "-Wno-macro-redefined"}) {
      arguments.emplace_back(option);
    }
  }
  // Quoted includes are relative to the user's file, not to the translated one.
  const llvm::StringRef folder = llvm::sys::path::parent_path(chosen.input);
  arguments.insert(arguments.end(), {"-iquote", folder.empty() ? "." : folder.str(), "-isystem",
                                     *include, file.str().str(), "-o", chosen.output});
  arguments.insert(arguments.end(), chosen.for_host.begin(), chosen.for_host.end());
  arguments.insert(arguments.end(), {*library, "-ltbb", "-pthread"});
  // A library built for a sanitizer needs its runtime, and programs that it checks too.
  if constexpr (!paths::sanitizers.empty()) {
    arguments.push_back("-fsanitize=" + std::string(paths::sanitizers));
  }
  return run(arguments) || no_output(chosen.output);
}

bool compile_serial(const options& chosen, const installation& place) {
  const auto include = place.include_directory();
  if (!include)
    return fail("cannot find cilk/cilk.h beside the tool; build or install the project");
  std::vector<std::string> arguments = optimised(chosen);
  if (!chosen.standard.empty()) {
    arguments.push_back("-std=" + chosen.standard);
  } else {
    arguments.emplace_back(chosen.is_c ? "-std=gnu17" : "-std=gnu++20");
  }
  arguments.insert(arguments.end(), {"-isystem", *include, "-o", chosen.output, "-x",
                                     chosen.is_c ? "c" : "c++", chosen.input});
  arguments.insert(arguments.end(), chosen.for_host.begin(), chosen.for_host.end());
  return run(arguments) || no_output(chosen.output);
}

}  // namespace cilk2chan
