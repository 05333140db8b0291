#include "driver/host_compiler.hpp"

#include "driver/device_compiler.hpp"
#include "driver/flags.hpp"
#include "driver/kept_objects.hpp"
#include "driver/net_options.hpp"
#include "driver/outputs.hpp"
#include "driver/race_options.hpp"
#include "driver/workplace.hpp"
#include "tasks/compiler_messages.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <utility>

namespace cilk2chan {
namespace {

constexpr const char* not_installed = "beside the tool; build or install the project";

// Removes an older output file, which would look like the result. Returns false.
bool no_output(const std::string& file) {
  if (!llvm::sys::fs::is_regular_file(file)) return false;
  if (const std::error_code error = llvm::sys::fs::remove(file)) {
    return fail("cannot remove '" + file + "': " + error.message());
  }
  return false;
}

// Links the program's malloc, which lies beside the library. Sanitizers have one of their own.
arguments heap_options(const options& chosen, const std::string& library) {
  const bool sanitized =
      !sanitizers().empty() || std::ranges::any_of(chosen.for_host, [](llvm::StringRef one) {
        return one.starts_with("-fsanitize");
      });
  if (chosen.devices.empty() || sanitized) return {};
  return {"-Wl,-u,channels_heap_begin", beside(library, "libchannels_heap.a")};
}

// The library that goes with the program's sanitizers: the thread sanitizer has to see what the
// library does, too. Nothing, and an error, if it is missing.
std::optional<std::string> library_for(const options& chosen, const std::string& library) {
  const bool thread = std::ranges::any_of(chosen.for_host, [](llvm::StringRef one) {
    return one.consume_front("-fsanitize=") && one.contains("thread");
  });
  if (!thread || sanitizers() == arguments{"-fsanitize=thread"}) return library;
  const std::string instrumented = beside(library, "libchannels_thread.a");
  if (llvm::sys::fs::exists(instrumented)) return instrumented;
  fail("'-fsanitize=thread' needs libchannels_thread.a beside '" + library +
       "'; build the target channels_thread, or install the project");
  return std::nullopt;
}

// Links the library, and in any case the part that reads the settings when the program starts.
arguments library_options(const std::string& library) {
  return {"-Wl,-u,channels_cilk_start", library, "-ltbb", "-pthread"};
}

std::string text_of(const std::string& file) {
  const auto buffer = llvm::MemoryBuffer::getFile(file);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

std::string first_error(llvm::StringRef rest) {
  while (!rest.empty()) {
    const auto [line, more] = rest.split('\n');
    if (line.contains("error: ")) return line.str();
    rest = more;
  }
  return {};
}

std::string as_macro(const std::string& text) {
  std::string value = "-DCHANNELS_CILK_NO_TASKS=\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') value += '\\';
    value += c == '\n' ? ' ' : c;
  }
  return value + "\"";
}

// Compiles the tasks of a file for all devices at once, one process for each device.
class device_builds {
 public:
  device_builds(const translated_file& file, const std::string& include, const arguments& parts)
      : file_(file), include_(include), parts_(parts) {}

  bool start(device_kind device, const std::string& compiler) {
    builds_.push_back(std::make_unique<build>(device));
    build& one = *builds_.back();
    if (!one.source || !one.messages) return false;
    if (!one.source.write(file_.tasks->devices) || !one.messages.write("")) return false;
    command line = device_command(compiler, device, file_.chosen, include_, file_.source);
    append(line.options, {"-c", "-o", parts_[1 + builds_.size()], one.source.name()});
    one.process = std::make_unique<running>(line, one.messages.name());
    return true;
  }

  bool succeeded() const {
    return std::ranges::all_of(builds_, [](const auto& one) { return one->process->succeeded(); });
  }

  [[nodiscard]] std::vector<compiler_error> errors() const {
    std::vector<compiler_error> all;
    for (const auto& one : builds_) {
      if (one->process->succeeded()) continue;
      for (compiler_error& each :
           errors_in(text_of(one->messages.name()),
                     std::string("for the device '") + name_of(one->device) + "'"))
        all.push_back(std::move(each));
    }
    return all;
  }

  // Prints what went wrong. Returns false.
  bool tell() const {
    for (const auto& one : builds_) {
      if (one->process->succeeded()) continue;
      llvm::errs() << text_of(one->messages.name());
      fail("the tasks of '" + file_.source.name +
           "' do not compile for '--device=" + name_of(one->device) + "'");
    }
    return false;
  }

 private:
  struct build {
    explicit build(device_kind of) : device(of) {}
    device_kind device;
    temporary_file source{device == device_kind::cuda ? "cu" : "cpp"};
    temporary_file messages{"txt"};
    std::unique_ptr<running> process;
  };

  const translated_file& file_;
  const std::string& include_;
  const arguments& parts_;
  std::vector<std::unique_ptr<build>> builds_;
};

class builder {
 public:
  builder(const options& chosen, const installation& place) : chosen_(chosen), place_(place) {}

  bool run(std::vector<translated_file>& files) {
    const auto include = place_.include_directory();
    if (!include) return fail(std::string("cannot find channels/cilk/abi.h ") + not_installed);
    include_ = *include;
    headers_ = header_options("-isystem", include_);
    if (chosen_.races && !find_race_parts()) return no_output(chosen_.output);
    for (const device_kind device : chosen_.devices) {
      const auto compiler = find_device_compiler(device, chosen_);
      if (!compiler) return no_output(chosen_.output);
      devices_.emplace_back(device, *compiler);
      if (chosen_.emit == product::executable && !chosen_.serial)
        begin_host_part(device, *compiler);
    }
    std::vector<std::unique_ptr<temporary_file>> temporary;
    std::vector<arguments> objects(files.size());
    bool any_cxx = !chosen_.serial;
    for (std::size_t i = 0; i < files.size(); ++i) {
      any_cxx = any_cxx || files[i].source.kind == input_kind::cxx;
      // A file with tasks has two objects, for host code and tasks, and one for each device.
      for (std::size_t k = 0; k < (files[i].tasks ? 2 + devices_.size() : 1U); ++k) {
        temporary.push_back(std::make_unique<temporary_file>("o"));
        if (!*temporary.back()) return false;
        objects[i].push_back(temporary.back()->name());
      }
    }
    const bool last = chosen_.emit != product::executable;
    std::vector<std::unique_ptr<device_builds>> ahead(files.size());
    for (std::size_t i = 0, begun = 0; i < files.size(); ++i) {
      for (; begun < std::min(files.size(), i + files_at_once()); ++begun) {
        if (!files[begun].tasks || devices_.empty()) continue;
        ahead[begun] = begin_for_devices(files[begun], objects[begun]);
        if (ahead[begun] == nullptr) return false;
      }
      const std::string whole = object_of(chosen_, files[i].source);
      const std::string& visible = last ? whole : chosen_.output;
      if (!compile_one(files[i], visible, objects[i], std::move(ahead[i])))
        return no_output(visible);
      if (last && !finish_object(objects[i], whole)) return no_output(whole);
    }
    return chosen_.emit != product::executable || link(objects, any_cxx) ||
           no_output(chosen_.output);
  }

 private:
  // Compilers of devices take so much longer than the host's that theirs run ahead for these files.
  static std::size_t files_at_once() {
    return std::max<std::size_t>(2, std::thread::hardware_concurrency());
  }

  // Compiles what all programs for a device have in common on the host, while this program's own
  // parts are compiled.
  void begin_host_part(device_kind device, const std::string& compiler) {
    host_parts_.push_back(
        std::make_unique<kept_object>(host_part_command(compiler, device, chosen_, include_),
                                      "#include <channels/gpu/compiled_program/host_part.hpp>\n",
                                      device == device_kind::cuda ? "cu" : "cpp", include_));
  }

  // Null, and an error, if a compiler could not be given its text.
  std::unique_ptr<device_builds> begin_for_devices(const translated_file& file,
                                                   const arguments& parts) const {
    auto made = std::make_unique<device_builds>(file, include_, parts);
    for (const auto& [device, compiler] : devices_) {
      if (!made->start(device, compiler)) return nullptr;
    }
    return made;
  }

  bool find_race_parts() {
    const auto library = place_.library();
    if (!library) return fail(std::string("cannot find libchannels.a ") + not_installed);
    library_ = *library;
    return has_race_parts(library_);
  }

  // The plugin of --races is for one compiler.
  command compiler(bool is_c, arguments& options) const {
    return chosen_.races ? clang(is_c, options) : host_compiler(is_c, options);
  }

  // `parts`: the object files for host code, for the tasks, and for each device's tasks. Drops the
  // tasks' if these do not compile. `for_devices`: what compiles the tasks already.
  bool compile_one(translated_file& file, const std::string& visible, arguments& parts,
                   std::unique_ptr<device_builds> for_devices) {
    const bool is_c = file.source.kind == input_kind::c;
    if (!write_dependencies(file, visible, is_c)) return false;
    arguments command = compile_options(file.chosen, is_c, file.text.has_value());
    append(command, headers_);
    append(command, {"-c", "-o", parts[0]});
    if (chosen_.races) append(command, race_compile_options(library_, is_c));
    if (!file.text) {
      append(command, {"-x", is_c ? "c" : "c++", file.source.name});
      return cilk2chan::run(compiler(is_c, command));
    }
    // Each try leaves out what compilers have refused in the one before.
    constexpr int most_tries = 8;
    for (int left = most_tries;; --left) {
      temporary_file source(is_c ? "c" : "cpp");
      if (!source) return false;
      if (!source.write(*file.text)) return false;
      arguments with_source = command;
      // Quoted includes are relative to the user's file, not to the translated one.
      append(with_source, {"-iquote", folder_of(file.source.name), source.name()});
      if (!file.tasks) {
        parts.resize(1);
        return cilk2chan::run(compiler(is_c, with_source));
      }
      if (for_devices == nullptr) for_devices = begin_for_devices(file, parts);
      if (for_devices == nullptr) return false;
      bool again = left > 1;
      const bool made = compile_both(file, with_source, parts, *for_devices, again);
      if (!again) return made;
      for_devices.reset();
    }
  }

  // `again`: whether the file may be translated again if its tasks do not compile. Then whether it
  // has been.
  bool compile_both(translated_file& file, arguments& command, arguments& parts,
                    const device_builds& for_devices, bool& again) {
    const bool may_translate = std::exchange(again, false);
    const bool is_c = file.source.kind == input_kind::c;
    temporary_file source("cpp");
    temporary_file messages("txt");
    if (!source || !messages) return false;
    if (!messages.write("") || !source.write(file.tasks->text)) return false;
    arguments for_tasks = task_options(file.chosen, is_c);
    append(for_tasks, headers_);
    // Plain forms of members are no members.
    if (file.tasks->plain) {
      for_tasks.push_back("-fno-access-control");
      if (!is_c) command.push_back("-fno-access-control");
    }
    append(for_tasks,
           {"-iquote", folder_of(file.source.name), "-c", "-o", parts[1], source.name()});
    running tasks(host_compiler(false, for_tasks), messages.name());
    if (!cilk2chan::run(host_compiler(is_c, command))) return false;
    const bool for_host = tasks.succeeded();
    if (for_host && for_devices.succeeded()) return give_way(*file.tasks, parts[0]);
    const std::string said = text_of(messages.name());
    again = may_translate &&
            file.translate_again(for_host ? for_devices.errors() : errors_in(said, "as C++"));
    if (again) return false;
    if (for_host) return for_devices.tell();
    if (!devices_.empty())
      return fail("the tasks of '" + file.source.name +
                  "' do not compile as C++: " + first_error(said));
    parts.pop_back();
    command.push_back(as_macro("its tasks do not compile as C++: " + first_error(said)));
    return cilk2chan::run(host_compiler(is_c, command));
  }

  // Makes host code's symbols local where an entry has the same name: other files call the entry.
  bool give_way(const task_part& tasks, const std::string& object) {
    if (tasks.entered.empty()) return true;
    command tool = {"objcopy", {}, "the tool", "install binutils"};
    if (!llvm::sys::findProgramByName(tool.program) &&
        llvm::sys::findProgramByName("llvm-objcopy-19"))
      tool.program = "llvm-objcopy-19";
    for (const std::string& symbol : tasks.entered)
      tool.options.push_back("--localize-symbol=" + symbol);
    tool.options.push_back(object);
    return cilk2chan::run(tool);
  }

  // Makes one object of a file's parts.
  static bool finish_object(const arguments& parts, const std::string& whole) {
    if (parts.size() == 1) return deliver(parts.front(), whole);
    const temporary_file joined("o");
    if (!joined) return false;
    arguments command = {"-r", "-nostdlib", "-o", joined.name()};
    append(command, parts);
    return cilk2chan::run(host_compiler(true, command)) && deliver(joined.name(), whole);
  }

  // Made from the user's file, since the translated one is temporary.
  bool write_dependencies(const translated_file& file, const std::string& object, bool is_c) {
    const arguments wanted = dependency_options(file.chosen, object);
    if (wanted.empty()) return true;
    arguments command = compile_options(file.chosen, is_c, true);
    append(command, headers_);
    append(command, wanted);
    append(command, {"-fsyntax-only", "-x", is_c ? "c" : "c++", file.source.name});
    return cilk2chan::run(compiler(is_c, command));
  }

  bool link(const std::vector<arguments>& objects, bool with_cxx) {
    const auto library = place_.library();
    if (!chosen_.serial && !library)
      return fail(std::string("cannot find libchannels.a ") + not_installed);
    const temporary_file made("out");
    if (!made) return false;
    arguments command = {"-O2", "-march=native", "-o", made.name()};
    std::size_t next = 0;
    for (const input_file& one : chosen_.inputs) {
      if (one.kind == input_kind::linked) {
        command.push_back(one.name);
      } else {
        append(command, objects[next++]);
      }
    }
    for (const auto& part : host_parts_) {
      command.push_back(part->finish());
      if (command.back().empty()) return false;
    }
    append(command, link_options(chosen_));
    append(command, chosen_.for_link);
    if (chosen_.races) {
      append(command, race_libraries(library_));
    } else if (!chosen_.serial) {
      const auto fitting = library_for(chosen_, *library);
      if (!fitting) return false;
      append(command, heap_options(chosen_, *library));
      if (chosen_.net) {
        const auto net = net_libraries(*library);
        if (!net) return false;
        append(command, *net);
      }
      append(command, library_options(*fitting));
    }
    for (const auto& [device, compiler] : devices_)
      append(command, device_libraries(compiler, device));
    append(command, sanitizers());
    return cilk2chan::run(compiler(!with_cxx, command)) && deliver(made.name(), chosen_.output);
  }

  const options& chosen_;
  const installation& place_;
  std::string include_;
  arguments headers_;                                         // the options for `include_`
  std::string library_;                                       // libchannels.a, for --races
  std::vector<std::pair<device_kind, std::string>> devices_;  // with their compilers
  std::vector<std::unique_ptr<kept_object>> host_parts_;      // of the devices
};

}  // namespace

bool build(const options& chosen, const installation& place, std::vector<translated_file>& files) {
  return builder(chosen, place).run(files);
}

bool compile(const options& chosen, const installation& place, const std::string& text) {
  const auto include = place.include_directory();
  const auto library = place.library();
  if (!include || !library)
    return fail(std::string("cannot find the headers or libchannels.a ") + not_installed);
  temporary_file file("cpp");
  const temporary_file made("out");
  if (!file || !made || !file.write(text)) return false;

  arguments command = {"-O2", "-march=native"};
  append(command, tasks_alone_options(chosen));
  const bool own_standard = !chosen.is_c && !chosen.standard.empty();
  command.push_back("-std=" + (own_standard ? chosen.standard : "gnu++20"));
  // The user's file is C: C++'s warnings about valid C mean nothing to the user.
  if (chosen.is_c) {
    append(command, {"-Wno-writable-strings", "-Wno-narrowing", "-Wno-c99-designator",
                     "-Wno-reorder-init-list", "-Wno-macro-redefined"});
  }
  // Quoted includes are relative to the user's file, not to the translated one.
  append(command, header_options("-isystem", *include));
  append(command, {"-iquote", folder_of(chosen.input), file.name(), "-o", made.name()});
  append(command, chosen.for_host);
  append(command, chosen.for_link);
  for (const input_file& one : chosen.inputs) {
    if (one.kind == input_kind::linked) command.push_back(one.name);
  }
  const auto fitting = library_for(chosen, *library);
  if (!fitting) return no_output(chosen.output);
  append(command, library_options(*fitting));
  append(command, sanitizers());
  return (cilk2chan::run(host_compiler(false, command)) && deliver(made.name(), chosen.output)) ||
         no_output(chosen.output);
}

}  // namespace cilk2chan
