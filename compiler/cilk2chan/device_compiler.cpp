#include "device_compiler.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cstdlib>

namespace cilk2chan {
namespace {

std::optional<std::string> program_in(llvm::StringRef folder, const char* name) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, "bin", name);
  if (llvm::sys::fs::can_execute(path)) return path.str().str();
  return std::nullopt;
}

std::string folder_of(const std::string& file) {
  const llvm::StringRef folder = llvm::sys::path::parent_path(file);
  return folder.empty() ? "." : folder.str();
}

}  // namespace

const char* name_of(device_kind device) { return device == device_kind::cuda ? "cuda" : "hip"; }

std::optional<std::string> find_device_compiler(device_kind device, const options& chosen) {
  if (device == device_kind::hip) {
    if (const auto found = llvm::sys::findProgramByName("hipcc")) return *found;
    fail("'--device=hip' needs hipcc; install it (Debian: hipcc), or put its folder into PATH");
    return std::nullopt;
  }
  if (!chosen.cuda_path.empty()) {
    if (const auto found = program_in(chosen.cuda_path, "nvcc")) return found;
    fail("'--cuda-path=" + chosen.cuda_path + "': there is no bin/nvcc in it");
    return std::nullopt;
  }
  const char* home = std::getenv("CUDA_HOME");
  if (home != nullptr && *home != '\0') {
    if (const auto found = program_in(home, "nvcc")) return found;
    fail("CUDA_HOME is '" + std::string(home) + "': there is no bin/nvcc in it");
    return std::nullopt;
  }
  if (const auto found = llvm::sys::findProgramByName("nvcc")) return *found;
  if (const auto found = program_in("/usr/local/cuda", "nvcc")) return found;
  fail("'--device=cuda' needs nvcc; name the CUDA toolkit's folder with --cuda-path or CUDA_HOME");
  return std::nullopt;
}

command device_command(const std::string& compiler, device_kind device, const options& chosen,
                       const std::string& include_directory, const input_file& source,
                       const std::string& text_file, const std::string& object) {
  command made = {compiler, {}, "the device compiler", "install it"};
  arguments& line = made.options;
  const bool is_c = source.kind == input_kind::c;
  if (device == device_kind::hip) {
    append(line, {"-x", "hip", "-std=gnu++20", "-O2"});
  } else {
    append(line,
           {"-x", "cu", "-std=c++20", "-O2", "--expt-relaxed-constexpr", "--extended-lambda"});
  }
  // Quoted includes are relative to the user's file; nvcc knows no other way to say so.
  append(line, {"-I", folder_of(source.name), "-I", include_directory});
  for (std::size_t i = 0; i < chosen.for_both.size(); ++i) {
    const std::string& option = chosen.for_both[i];
    // The tasks of C include these themselves, as C.
    if (option == "-include") {
      ++i;
      if (!is_c) append(line, {"-include", chosen.for_both[i]});
    } else {
      line.push_back(option);
    }
  }
  for (const llvm::StringRef option : chosen.for_host) {
    if (option.starts_with("-O") || option.starts_with("-g")) {
      line.push_back(option.starts_with("-g") ? "-g" : option.str());
    } else if (option.starts_with("-f") && device == device_kind::hip) {
      line.push_back(option.str());
    } else if (option.starts_with("-fPIC") || option.starts_with("-fpic")) {
      append(line, {"-Xcompiler", option.str()});
    }
  }
  append(line, {"-c", "-o", object, text_file});
  return made;
}

}  // namespace cilk2chan
