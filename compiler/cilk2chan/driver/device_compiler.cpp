#include "driver/device_compiler.hpp"

#include "driver/flags.hpp"
#include "driver/installation.hpp"
#include "frontend/keywords.hpp"  // keyword_options

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
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

// The folders that nvcc links from, as its dry run prints them: toolkits keep them in different
// places, and a distribution's nvcc is not beside its libraries.
arguments nvcc_library_folders(const std::string& nvcc) {
  const temporary_file said("txt");
  running dry_run(
      {nvcc, {"--dryrun", "-x", "cu", "/dev/null", "-o", "/dev/null"}, "nvcc", "install it"},
      said.name());
  if (!said || !dry_run.succeeded()) return {};
  const auto text = llvm::MemoryBuffer::getFile(said.name());
  if (!text) return {};
  llvm::StringRef line = (*text)->getBuffer().split("LIBRARIES=").second.split('\n').first;
  arguments folders;
  while (!line.empty()) {
    const auto [option, rest] = llvm::getToken(line, "\"");
    if (option.starts_with("-L")) folders.push_back(option.str());
    line = rest;
  }
  return folders;
}

}  // namespace

const char* name_of(device_kind device) {
  switch (device) {
    case device_kind::cuda: return "cuda";
    case device_kind::hip: return "hip";
    case device_kind::emulated: break;
  }
  return "emulated";
}

std::optional<std::string> find_device_compiler(device_kind device, const options& chosen) {
  if (device == device_kind::emulated) return host_compiler(false, {}).program;
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

namespace {

// What the host compiler's options say of floating point, as nvcc says it.
class nvcc_floating_point {
 public:
  void read(llvm::StringRef option) {
    if (option == "-ffast-math" || option == "-Ofast") return set_all(true);
    if (option == "-fno-fast-math") return set_all(false);
    if (option.consume_front("-ffp-model=")) {
      set_all(option == "fast" || option == "aggressive");
      contracts_ = option != "strict";
    } else if (option.consume_front("-ffp-contract=")) {
      contracts_ = option != "off";
    } else if (option == "-funsafe-math-optimizations") {
      contracts_ = rough_division_ = rough_root_ = true;
    } else if (option == "-fno-unsafe-math-optimizations") {
      contracts_ = rough_division_ = rough_root_ = false;
    } else if (option == "-freciprocal-math") {
      rough_division_ = true;
    } else if (option == "-fno-reciprocal-math") {
      rough_division_ = false;
    } else if (option == "-mdaz-ftz" || option == "-mno-daz-ftz") {
      flushes_ = option == "-mdaz-ftz";
    } else if (option.consume_front("-fdenormal-fp-math=") ||
               option.consume_front("-fdenormal-fp-math-f32=")) {
      flushes_ = !option.starts_with("ieee");
    }
  }

  void add_to(arguments& line) const {
    if (contracts_ && flushes_ && rough_division_ && rough_root_ && rough_functions_)
      return line.push_back("--use_fast_math");
    line.push_back(contracts_ ? "--fmad=true" : "--fmad=false");
    if (flushes_) line.emplace_back("--ftz=true");
    if (rough_division_) line.emplace_back("--prec-div=false");
    if (rough_root_) line.emplace_back("--prec-sqrt=false");
  }

 private:
  void set_all(bool to) {
    contracts_ = flushes_ = rough_division_ = rough_root_ = rough_functions_ = to;
  }

  bool contracts_ = false;
  bool flushes_ = false;
  bool rough_division_ = false;
  bool rough_root_ = false;
  bool rough_functions_ = false;
};

// Adds those of the host compiler's options that a device's compiler knows too.
void add_options(const options& chosen, device_kind device, bool is_c, arguments& line) {
  // As for the host: headers may declare other types without it. Tasks have no keywords.
  line.emplace_back("-D__cilk=300");
  append(line, keyword_options());
  append(line, options_of_tasks(chosen, is_c));
  nvcc_floating_point floating_point;
  for (const llvm::StringRef option : chosen.for_host) {
    floating_point.read(option);
    if (option.starts_with("-O") && device == device_kind::hip) {
      line.push_back(option.str());
    } else if (option.starts_with("-g")) {
      line.emplace_back("-g");
    } else if (option.starts_with("-f") && device == device_kind::hip) {
      line.push_back(option.str());
    }
  }
  if (device == device_kind::cuda) floating_point.add_to(line);
}

void add_architectures(const options& chosen, device_kind device, arguments& line) {
  const bool hip = device == device_kind::hip;
  std::vector<std::string> wanted;
  for (const std::string& one : chosen.architectures) {
    if (one.starts_with("gfx") == hip) wanted.push_back(one);
  }
  if (hip) {
    if (wanted.empty()) wanted = {"gfx90a", "gfx1030"};
    for (const std::string& one : wanted) line.push_back("--offload-arch=" + one);
    return;
  }
  // PTX too, for later GPUs: their driver compiles it when the program starts.
  if (wanted.empty()) wanted = {"sm_90"};
  for (const std::string& one : wanted) {
    const std::string number = one.substr(3);
    append(line, {"-gencode",
                  "arch=compute_" + number + ",code=[sm_" + number + ",compute_" + number + "]"});
  }
}

// What a vendor's compiler needs to know for all of our code.
arguments vendor_options(device_kind device, const std::string& include_directory) {
  arguments line = library_on_devices(include_directory);
  if (device == device_kind::hip) {
    // The folder has parts of the standard library that Clang takes for the host's alone.
    append(line, {"-I", include_directory + "/channels/gpu/port/hip", "-x", "hip", "-std=gnu++20",
                  "-O2", "-ffp-contract=off", "-fPIC", "-w"});
    return line;
  }
  // To nvcc -O is the level of the host's part, which starts kernels and waits for them.
  append(line, {"-x", "cu", "-std=c++20", "-O1", "--expt-relaxed-constexpr",
                // nvcc silently drops calls of host code. The folder has device code for the
                // builtins that the standard library calls; the program's own are errors.
                "-I", include_directory + "/channels/gpu/port/nvcc", "-Werror",
                "cross-execution-space-call", "-w", "-Xcompiler", "-fPIC,-w"});
  return line;
}

}  // namespace

command device_command(const std::string& compiler, device_kind device, const options& chosen,
                       const std::string& include_directory, const input_file& source) {
  command made = {compiler, {}, "the device compiler", "install it"};
  arguments& line = made.options;
  const bool is_c = source.kind == input_kind::c;
  if (device == device_kind::emulated) {
    line = task_options(chosen, is_c);
    append(line, header_options("-isystem", include_directory));
    append(line, {"-DCHANNELS_GPU_EMULATED", "-iquote", folder_of(source.name)});
    return made;
  }
  append(line, vendor_options(device, include_directory));
  line.emplace_back("-DCHANNELS_CILK_UNIT");
  if (device == device_kind::hip) {
    // As in task_options. hipcc inlines all, which for what containers are made of takes minutes.
    line.emplace_back(is_c ? "-Wno-narrowing" : "--hipcc-func-supp");
  }
  add_architectures(chosen, device, line);
  // Quoted includes are relative to the user's file; nvcc has no -iquote.
  append(line, {"-I", folder_of(source.name)});
  append(line, header_options("-I", include_directory));
  add_options(chosen, device, is_c, line);
  return made;
}

command host_part_command(const std::string& compiler, device_kind device, const options& chosen,
                          const std::string& include_directory) {
  command made = {compiler, {}, "the device compiler", "install it"};
  arguments& line = made.options;
  if (device == device_kind::emulated) {
    line = {"-std=gnu++20", "-O1", "-fPIC", "-w", "-DCHANNELS_GPU_EMULATED"};
    append(line, header_options("-isystem", include_directory));
    append(line, sanitizers());
    for (const llvm::StringRef option : chosen.for_host) {
      if (option.starts_with("-fsanitize")) line.push_back(option.str());
    }
    return made;
  }
  append(line, vendor_options(device, include_directory));
  add_architectures(chosen, device, line);
  append(line, header_options("-I", include_directory));
  return made;
}

arguments device_libraries(const std::string& compiler, device_kind device) {
  if (device == device_kind::hip) return {"-lamdhip64"};
  if (device == device_kind::emulated) return {};
  arguments line = nvcc_library_folders(compiler);
  append(line, {"-lcudart_static", "-ldl", "-lrt"});
  return line;
}

}  // namespace cilk2chan
