#include "driver/flags.hpp"

#include "driver/installation.hpp"

#include "frontend/keywords.hpp"  // keyword_options
#include "paths.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <array>

namespace cilk2chan {
namespace {

// What Cilk compilers predefine: their words, and `__cilk`, by which programs see that the compiler
// knows Cilk; with OpenCilk's value. A serial elision is what a compiler makes that does not.
arguments predefined(const options& chosen) {
  arguments made = keyword_options();
  if (!chosen.serial) made.emplace_back("-D__cilk=300");
  // As Clang defines it.
  if (!chosen.serial && chosen.openmp) made.emplace_back("-D_OPENMP=202011");
  return made;
}

// Before the user's options. A program for several devices rounds alike on all of them: a product
// and a sum are one operation, with one rounding, on none unless the user wants it.
arguments usual_options(const options& chosen) {
  arguments made = {"-O2", "-march=native"};
  if (!chosen.devices.empty()) made.emplace_back("-ffp-contract=off");
  return made;
}

arguments optimised(const options& chosen) {
  arguments made = usual_options(chosen);
  if (chosen.races) made = {"-O2", "-DCHANNELS_CILK_RACES"};
  append(made, predefined(chosen));
  append(made, chosen.for_both);
  return made;
}

// Compilers make a call of each access. Vectors of more than 16 bytes would get none. Where a tail
// call replaces a frame, nobody knows who called. Where code of two branches becomes one, nobody
// knows the line.
arguments race_options() {
  return {"-g",
          "-fsanitize=thread",
          "-fno-omit-frame-pointer",
          "-fno-optimize-sibling-calls",
          "-mprefer-vector-width=128",
          "-mllvm",
          "-tsan-instrument-func-entry-exit=0",
          "-mllvm",
          "-simplifycfg-sink-common=false",
          "-mllvm",
          "-simplifycfg-hoist-common=false"};
}

// Accepts old C that Clang 19 refuses by default. The parser warns about it.
arguments lenient(const char* how) {
  arguments made;
  for (const char* what : {"implicit-int", "implicit-function-declaration", "int-conversion",
                           "incompatible-function-pointer-types"}) {
    made.push_back(std::string(how) + what);
  }
  made.emplace_back("-Wno-deprecated-non-prototype");
  return made;
}

// The translated file uses C++20 and GNU C.
std::string standard_for(const options& chosen, bool is_c) {
  const llvm::StringRef given = chosen.standard;
  const bool for_cxx = given.contains("++");
  if (given.empty() || for_cxx == is_c) return is_c ? "gnu17" : "gnu++20";
  if (is_c) return given == "c89" || given == "c90" || given == "ansi" ? "gnu89" : given.str();
  for (const char* old : {"98", "03", "0x", "11", "1y", "14", "1z", "17"}) {
    if (given.ends_with(old)) return given.starts_with("gnu") ? "gnu++20" : "c++20";
  }
  return given.str();
}

bool is_dependency_option(llvm::StringRef option) { return option.starts_with("-M"); }
bool has_value(llvm::StringRef option) {
  return option == "-MF" || option == "-MT" || option == "-MQ";
}

// The parser gives warnings; in the translated text they would be about the translation.
bool is_warning_option(llvm::StringRef option) {
  return option == "-w" || option.starts_with("-pedantic") ||
         (option.starts_with("-W") && !option.starts_with("-Wa,") && !option.starts_with("-Wp,"));
}

// Whether an option defines a macro of the program's own, or takes one back. Names that begin with
// an underscore are for compilers and their headers, and others for ours.
bool is_own_macro(llvm::StringRef option, llvm::StringRef value) {
  if (!option.consume_front("-D") && !option.consume_front("-U")) return false;
  const llvm::StringRef name = option.empty() ? value : option;
  return !name.starts_with("_") && !name.starts_with("CHANNELS_");
}

// Without -M options; some have a value in a word of its own.
arguments host_options(const options& chosen, bool with_warnings) {
  arguments made;
  for (std::size_t i = 0; i < chosen.for_host.size(); ++i) {
    const llvm::StringRef option = chosen.for_host[i];
    if (is_dependency_option(option)) {
      if (has_value(option)) ++i;
    } else if (with_warnings || !is_warning_option(option)) {
      made.push_back(option.str());
    }
  }
  return made;
}

}  // namespace

arguments sanitizers() {
  // A library built for a sanitizer needs its runtime, and programs that it checks too.
  if constexpr (!paths::sanitizers.empty()) return {"-fsanitize=" + std::string(paths::sanitizers)};
  return {};
}

arguments library_on_devices(const std::string& include_directory) {
  return {"-D_GLIBCXX23_CONSTEXPR=constexpr", "-I",
          include_directory + "/channels/gpu/port/library"};
}

arguments parser_command(const options& chosen, const std::string& include_directory, bool is_c) {
  arguments command = {is_c ? "clang" : "clang++", "-fsyntax-only", "-resource-dir",
                       std::string(paths::resource_directory)};
  append(command, header_options("-isystem", include_directory));
  if (is_c) {
    append(command, lenient("-Wno-error="));
    // `isalpha` and its like are functions then, as they are in C++.
    command.emplace_back("-D__NO_CTYPE");
  } else {
    append(command, library_on_devices(include_directory));
  }
  append(command, optimised(chosen));
  command.push_back("-std=" + standard_for(chosen, is_c));
  append(command, host_options(chosen, true));
  append(command, sanitizers());
  return command;
}

arguments compile_options(const options& chosen, bool is_c, bool translated) {
  arguments command = optimised(chosen);
  if (is_c) append(command, lenient("-Wno-"));
  command.push_back("-std=" + standard_for(chosen, is_c));
  append(command, host_options(chosen, !translated));
  append(command, sanitizers());
  if (chosen.races) append(command, race_options());
  // A header that the command line includes comes before the text that says so.
  if (translated && !forced_headers(chosen).empty())
    command.emplace_back("-DCHANNELS_CILK_HOST_CODE=1");
  if (translated) command.emplace_back("-w");
  return command;
}

arguments tasks_alone_options(const options& chosen) {
  arguments made = predefined(chosen);
  append(made, chosen.for_both);
  return made;
}

arguments options_of_tasks(const options& chosen, bool is_c) {
  arguments made;
  for (std::size_t i = 0; i < chosen.for_both.size(); ++i) {
    const std::string& option = chosen.for_both[i];
    const bool apart = option == "-D" || option == "-U";
    const std::string value = apart ? chosen.for_both[i + 1] : "";
    // The text of the tasks has these itself.
    if ((is_c && option == "-include") || (apart && is_own_macro(option, value))) {
      ++i;
    } else if (!is_own_macro(option, value)) {
      made.push_back(option);
    }
  }
  return made;
}

std::string macros_of_program(const options& chosen) {
  std::string lines;
  for (std::size_t i = 0; i < chosen.for_both.size(); ++i) {
    const llvm::StringRef option = chosen.for_both[i];
    const bool apart = option == "-D" || option == "-U";
    const std::string value = apart ? chosen.for_both[++i] : option.substr(2).str();
    if (!is_own_macro(option, value)) continue;
    const auto [name, text] = llvm::StringRef(value).split('=');
    if (option.starts_with("-U")) {
      lines += "#undef " + value + "\n";
    } else {
      const bool given = value.size() > name.size();
      lines += ("#define " + name + " " + (given ? text : "1") + "\n").str();
    }
  }
  return lines;
}

arguments task_options(const options& chosen, bool is_c) {
  arguments command = usual_options(chosen);
  append(command, predefined(chosen));
  append(command, options_of_tasks(chosen, is_c));
  command.push_back("-std=" + (is_c ? "gnu++20" : standard_for(chosen, false)));
  // The runtime's headers need these features, even if the program does without.
  static constexpr std::array not_for_tasks = {"-fno-exceptions", "-fno-rtti", "-ansi",
                                               "-fno-threadsafe-statics"};
  for (const std::string& option : host_options(chosen, false)) {
    if (std::ranges::find(not_for_tasks, option) == not_for_tasks.end()) command.push_back(option);
  }
  append(command, sanitizers());
  command.emplace_back("-w");
  // C converts the values of a list to its members' types as it does elsewhere.
  if (is_c) command.emplace_back("-Wno-narrowing");
  return command;
}

arguments link_options(const options& chosen) { return host_options(chosen, false); }

arguments dependency_options(const options& chosen, const std::string& object) {
  arguments wanted;
  bool has_file = false;
  bool has_target = false;
  for (std::size_t i = 0; i < chosen.for_host.size(); ++i) {
    const llvm::StringRef option = chosen.for_host[i];
    if (!is_dependency_option(option)) continue;
    wanted.push_back(option.str());
    has_file = has_file || option == "-MF";
    has_target = has_target || option == "-MT" || option == "-MQ";
    if (has_value(option)) wanted.push_back(chosen.for_host[++i]);
  }
  if (wanted.empty()) return wanted;
  llvm::SmallString<128> list(object);
  llvm::sys::path::replace_extension(list, "d");
  if (!has_file) append(wanted, {"-MF", list.str().str()});
  if (!has_target) append(wanted, {"-MT", object});
  return wanted;
}

arguments forced_headers(const options& chosen) {
  arguments found;
  for (std::size_t i = 0; i + 1 < chosen.for_both.size(); ++i) {
    if (chosen.for_both[i] != "-include") continue;
    // Compilers look here first; the file of the tasks, which includes them, is elsewhere.
    llvm::SmallString<256> path(chosen.for_both[++i]);
    if (llvm::sys::fs::exists(path)) llvm::sys::fs::make_absolute(path);
    found.push_back(path.str().str());
  }
  return found;
}

}  // namespace cilk2chan
