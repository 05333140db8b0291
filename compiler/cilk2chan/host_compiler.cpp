#include "host_compiler.hpp"

#include "paths.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>  // FileRemover
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace cilk2chan {
namespace {

using arguments = std::vector<std::string>;

bool fail(const std::string& what) {
  llvm::errs() << "cilk2chan: error: " << what << '\n';
  return false;
}

void append(arguments& to, const arguments& what) { to.insert(to.end(), what.begin(), what.end()); }

bool run(bool is_c, const arguments& options) {
  const char* variable = is_c ? "CHANNELS_CC" : "CHANNELS_CXX";
  const char* chosen = std::getenv(variable);
  const std::string name = chosen != nullptr && *chosen != '\0'
                               ? chosen
                               : std::string(is_c ? paths::host_c_compiler : paths::host_compiler);
  const auto compiler = llvm::sys::findProgramByName(name);
  if (!compiler) {
    return fail("cannot find the host compiler '" + name +
                "'; install it, or name another one in " + variable);
  }
  std::vector<llvm::StringRef> command = {name};
  command.insert(command.end(), options.begin(), options.end());
  std::string error;
  const int status = llvm::sys::ExecuteAndWait(*compiler, command, std::nullopt, {}, 0, 0, &error);
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

arguments optimised(const options& chosen) {
  arguments made = {"-O2", "-march=native"};
  append(made, chosen.for_both);
  return made;
}

// Old C that everybody accepts, and Clang 19 by itself would not: warned about when it is parsed.
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

// Warnings are the parser's; in the translated text they would be about the translation.
bool is_warning_option(llvm::StringRef option) {
  return option == "-w" || option.starts_with("-pedantic") ||
         (option.starts_with("-W") && !option.starts_with("-Wa,") && !option.starts_with("-Wp,"));
}

// Without -M, whose values stand apart.
arguments host_options(const options& chosen, bool with_warnings) {
  arguments made;
  for (std::size_t i = 0; i < chosen.for_host.size(); ++i) {
    const llvm::StringRef option = chosen.for_host[i];
    if (is_dependency_option(option)) {
      if (option == "-MF" || option == "-MT" || option == "-MQ") ++i;
      continue;
    }
    if (with_warnings || !is_warning_option(option)) made.push_back(option.str());
  }
  return made;
}

arguments sanitizers() {
  // A library built for a sanitizer needs its runtime, and programs that it checks too.
  if constexpr (!paths::sanitizers.empty()) return {"-fsanitize=" + std::string(paths::sanitizers)};
  return {};
}

/// A file that goes when the tool does.
class temporary_file {
 public:
  explicit temporary_file(const char* suffix) {
    int descriptor = -1;
    llvm::SmallString<256> name;
    if (llvm::sys::fs::createTemporaryFile("cilk2chan", suffix, descriptor, name)) {
      fail("cannot write a temporary file; set TMPDIR to a directory that can be written");
      return;
    }
    name_ = name.str().str();
    remover_ = std::make_unique<llvm::FileRemover>(name_);
    stream_ = std::make_unique<llvm::raw_fd_ostream>(descriptor, true);
  }
  explicit operator bool() const { return remover_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return name_; }
  void write(const std::string& text) {
    *stream_ << text;
    stream_->close();
  }

 private:
  std::string name_;
  std::unique_ptr<llvm::FileRemover> remover_;
  std::unique_ptr<llvm::raw_fd_ostream> stream_;
};

std::string folder_of(const std::string& file) {
  const llvm::StringRef folder = llvm::sys::path::parent_path(file);
  return folder.empty() ? "." : folder.str();
}

class builder {
 public:
  builder(const options& chosen, const installation& place) : chosen_(chosen), place_(place) {}

  bool run(const std::vector<translated_file>& files) {
    const auto include = place_.include_directory();
    if (!include)
      return fail("cannot find cilk/cilk.h beside the tool; build or install the project");
    include_ = *include;
    std::vector<std::unique_ptr<temporary_file>> objects;
    std::vector<std::string> names;
    bool any_cxx = !chosen_.serial;
    for (const translated_file& file : files) {
      any_cxx = any_cxx || file.source.kind == input_kind::cxx;
      std::string object = object_of(file.source.name);
      if (chosen_.emit == product::executable) {
        objects.push_back(std::make_unique<temporary_file>("o"));
        if (!*objects.back()) return false;
        object = objects.back()->name();
      }
      if (!compile_one(file, object)) {
        return chosen_.emit == product::executable ? no_output(chosen_.output) : no_output(object);
      }
      names.push_back(object);
    }
    return chosen_.emit != product::executable || link(names, any_cxx) || no_output(chosen_.output);
  }

 private:
  std::string object_of(const std::string& source) const {
    if (!chosen_.output.empty()) return chosen_.output;
    return llvm::sys::path::stem(source).str() + ".o";
  }

  bool compile_one(const translated_file& file, const std::string& object) {
    const bool is_c = file.source.kind == input_kind::c;
    arguments command = optimised(chosen_);
    if (is_c) append(command, lenient("-Wno-"));
    command.push_back("-std=" + standard_for(chosen_, is_c));
    append(command, {"-isystem", include_});
    if (!write_dependencies(command, file, object, is_c)) return false;
    append(command, host_options(chosen_, !file.text));
    append(command, sanitizers());
    if (!file.text) {
      append(command, {"-c", "-o", object, "-x", is_c ? "c" : "c++", file.source.name});
      return cilk2chan::run(is_c, command);
    }
    temporary_file source(is_c ? "c" : "cpp");
    if (!source) return false;
    source.write(*file.text);
    // Quoted includes are relative to the user's file, not to the translated one.
    append(command,
           {"-w", "-iquote", folder_of(file.source.name), "-c", "-o", object, source.name()});
    return cilk2chan::run(is_c, command);
  }

  // From the user's file: the translated one will be gone.
  bool write_dependencies(arguments command, const translated_file& file, const std::string& object,
                          bool is_c) {
    arguments wanted;
    bool has_file = false;
    bool has_target = false;
    for (std::size_t i = 0; i < chosen_.for_host.size(); ++i) {
      const llvm::StringRef option = chosen_.for_host[i];
      if (!is_dependency_option(option)) continue;
      wanted.push_back(option.str());
      has_file = has_file || option == "-MF";
      has_target = has_target || option == "-MT" || option == "-MQ";
      if (option == "-MF" || option == "-MT" || option == "-MQ")
        wanted.push_back(chosen_.for_host[++i]);
    }
    if (wanted.empty()) return true;
    const std::string visible = chosen_.emit == product::object ? object : chosen_.output;
    llvm::SmallString<128> list(visible);
    llvm::sys::path::replace_extension(list, "d");
    if (!has_file) append(wanted, {"-MF", list.str().str()});
    if (!has_target) append(wanted, {"-MT", visible});
    append(command, wanted);
    append(command, {"-w", "-fsyntax-only", "-x", is_c ? "c" : "c++", file.source.name});
    return cilk2chan::run(is_c, command);
  }

  bool link(const std::vector<std::string>& objects, bool with_cxx) {
    const auto library = place_.library();
    if (!chosen_.serial && !library) {
      return fail("cannot find libchannels.a beside the tool; build or install the project");
    }
    arguments command = {"-O2", "-march=native", "-o", chosen_.output};
    std::size_t next = 0;
    for (const input_file& one : chosen_.inputs) {
      command.push_back(one.kind == input_kind::linked ? one.name : objects[next++]);
    }
    append(command, host_options(chosen_, false));
    append(command, chosen_.for_link);
    if (!chosen_.serial) append(command, {*library, "-ltbb", "-pthread"});
    append(command, sanitizers());
    return cilk2chan::run(!with_cxx, command);
  }

  const options& chosen_;
  const installation& place_;
  std::string include_;
};

}  // namespace

bool build(const options& chosen, const installation& place,
           const std::vector<translated_file>& files) {
  return builder(chosen, place).run(files);
}

std::vector<std::string> parser_command(const options& chosen, const std::string& include_directory,
                                        bool is_c) {
  arguments command = {is_c ? "clang" : "clang++",
                       "-fsyntax-only",
                       "-resource-dir",
                       std::string(paths::resource_directory),
                       "-isystem",
                       include_directory};
  if (is_c) append(command, lenient("-Wno-error="));
  append(command, optimised(chosen));
  command.push_back("-std=" + standard_for(chosen, is_c));
  append(command, host_options(chosen, true));
  append(command, sanitizers());
  return command;
}

bool compile(const options& chosen, const installation& place, const std::string& text) {
  const auto include = place.include_directory();
  const auto library = place.library();
  if (!include || !library)
    return fail(
        "cannot find the headers or libchannels.a beside the tool; build or install the project");
  temporary_file file("cpp");
  if (!file) return false;
  file.write(text);

  arguments command = optimised(chosen);
  const bool own_standard = !chosen.is_c && !chosen.standard.empty();
  command.push_back("-std=" + (own_standard ? chosen.standard : "gnu++20"));
  // The user's file was read as C: what C++ only finds unusual about it is no news.
  if (chosen.is_c) {
    append(command, {"-Wno-writable-strings", "-Wno-narrowing", "-Wno-c99-designator",
                     "-Wno-reorder-init-list", "-Wno-macro-redefined"});
  }
  // Quoted includes are relative to the user's file, not to the translated one.
  append(command, {"-iquote", folder_of(chosen.input), "-isystem", *include, file.name(), "-o",
                   chosen.output});
  append(command, chosen.for_host);
  append(command, chosen.for_link);
  for (const input_file& one : chosen.inputs) {
    if (one.kind == input_kind::linked) command.push_back(one.name);
  }
  append(command, {*library, "-ltbb", "-pthread"});
  append(command, sanitizers());
  return run(false, command) || no_output(chosen.output);
}

}  // namespace cilk2chan
