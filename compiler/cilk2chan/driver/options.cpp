#include "driver/options.hpp"

#include "driver/commands.hpp"
#include "paths.hpp"

#include <clang/Tooling/JSONCompilationDatabase.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <array>

namespace cilk2chan {
namespace {

// The kinds of stacks had other names until version 0.2, which takes them with a warning.
llvm::StringRef present_name_of_stacks(llvm::StringRef kind) {
  const auto present = llvm::StringSwitch<llvm::StringRef>(kind)
                           .Case("none", "summing")
                           .Case("lane", "lane-private")
                           .Case("group", "pooled")
                           .Default({});
  if (present.empty()) return kind;
  llvm::errs() << "cilk2chan: warning: '--stacks=" << kind
               << "' is now called '--stacks=" << present << "'\n";
  return present;
}

constexpr const char* help_text = R"(usage: cilk2chan [options] file...

Compiles Cilk programs, in C (.c) and C++ (.cpp, .cc, .cxx), and links them, also with objects and libraries.

  -o FILE             write the result to FILE
  -c                  compile to object files only
  --emit=source       write what the host compiler gets: C for C, C++ for C++; of several files into the
                      directory that -o names
  --emit=core         write what tasks are made of: the source, with plain forms of functions behind it
  --emit=tasks        write the C++ of the tasks that are built beside it
  --emit=graph        write the tasks' kernel nodes and channels, in DOT
  --emit=executable   compile and link (default)
  --tasks             translate one file into tasks alone, and refuse what cannot be one
  --no-tasks          build host code alone: programs that always run depth-first
  --serial            compile the serial elision: the program without its Cilk keywords
  --races             build a program whose serial run finds its determinacy races on that input: it names
                      both accesses and the spawn that makes them parallel, and ends with status 66
  -fopenmp-tasks      make Cilk of OpenMP's tasks and loops ('task', 'taskloop', 'parallel for' and what belongs
                      to them): they run as tasks, on the host or a device
  --explain           say what became of each spawn and loop, which functions became tasks, where these are
                      split and what their frames hold, and why others did not; with --device, of which
                      variables tasks have copies
  --device=LIST       devices to build tasks for, of host, cuda and hip (default host); CHANNELS_DEVICE chooses
                      when the program runs, and with host beside a GPU each call does, where it is over
                      first. Also emulated: a GPU's code on threads of the CPU, for tests
  --device-arch=LIST  GPUs to build for, such as sm_90 or gfx90a (default sm_90; gfx90a and gfx1030)
  --device-aggregator
                      for CHANNELS_ORDER=channels on a GPU: also build what CHANNELS_AGGREGATOR=device needs,
                      and what runs small batches there without a kernel for each; it takes long to compile
  --stacks=KIND       where a GPU keeps tasks and frames, to compare: summing (no frames, for tasks that only
                      add up), lane-private or pooled; tasks that a kind cannot keep take the next one
                      (default summing)
  --net=mpi           build a program whose tasks travel between the ranks of an MPI job: mpirun -n 4 ./program;
                      rank 0 runs it, and the others take tasks that use nothing but their arguments
  --cuda-path=DIR     where CUDA is; otherwise $CUDA_HOME, or where nvcc is found
  -p DIR              take each source's options from DIR/compile_commands.json
  --no-line           leave out #line directives
  -I DIR, -isystem DIR, -D NAME[=VALUE], -U NAME, -include FILE, -std=STANDARD
                      as for a compiler
  -O*, -g*, -m*, -f*, -W*, -w, -pthread, -pedantic, -M*
                      passed to the host compiler
  -L DIR, -l NAME, -Wl,*, -static, -shared, -rdynamic
                      passed to the linker
  -h, --help          print this
  --version           print the version

The host compilers are $CHANNELS_CC, or clang-19, and $CHANNELS_CXX, or clang++-19. They get
-O2 -march=native before other options. A compiled program reads its settings from CHANNELS_* variables:
CHANNELS_ORDER=channels runs what has become tasks through channels, CHANNELS_HELP=1 lists them all.
Exit status: 0, or 1 if the program is refused or a host compiler fails.
)";

class reader {
 public:
  explicit reader(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}

  command_line run() {
    for (; at_ < arguments_.size() && !result_.exit_status; ++at_) read(arguments_[at_]);
    if (!result_.exit_status) finish();
    return std::move(result_);
  }

  // Reads a command of a compilation database: keeps the options that say how to compile the file.
  // Ignores unknown options, which other compilers have, and those that say where results go.
  options run_compile_command() {
    for (; at_ < arguments_.size(); ++at_) {
      const llvm::StringRef argument = arguments_[at_];
      if (argument == "-o" || argument == "-MF" || argument == "-MT" || argument == "-MQ") {
        ++at_;
      } else if (argument.starts_with("-std=")) {
        result_.chosen.standard = argument.substr(5).str();
      } else if (argument.starts_with("-") && !argument.starts_with("-M")) {
        quiet_ = true;
        pass(argument);
      }
    }
    return std::move(result_.chosen);
  }

 private:
  void read(llvm::StringRef argument) {
    options& chosen = result_.chosen;
    if (argument == "-h" || argument == "--help") {
      llvm::outs() << help_text;
      result_.exit_status = 0;
    } else if (argument == "--version") {
      llvm::outs() << "cilk2chan " << paths::version << '\n';
      result_.exit_status = 0;
    } else if (argument == "--serial") {
      chosen.serial = true;
    } else if (argument == "--explain") {
      chosen.explain = true;
    } else if (argument == "--tasks") {
      chosen.tasks = true;
    } else if (argument == "--races") {
      chosen.races = true;
      chosen.task_forms = false;
    } else if (argument == "--no-tasks") {
      chosen.task_forms = false;
    } else if (argument == "-fopenmp-tasks") {
      chosen.openmp = true;
    } else if (argument == "--no-line") {
      chosen.line_directives = false;
    } else if (argument.consume_front("--emit=")) {
      const auto what = llvm::StringSwitch<std::optional<product>>(argument)
                            .Case("core", product::core)
                            .Case("source", product::source)
                            .Case("tasks", product::tasks)
                            .Case("graph", product::graph)
                            .Case("executable", product::executable)
                            .Default(std::nullopt);
      if (!what)
        return wrong("'--emit=" + argument.str() +
                     "' is none of 'core', 'source', 'tasks', 'graph' and 'executable'");
      chosen.emit = *what;
    } else if (argument.consume_front("--net=")) {
      if (argument != "mpi")
        return wrong("'--net=" + argument.str() + "': there is no net but 'mpi'");
      chosen.net = true;
    } else if (argument.consume_front("--device=")) {
      read_devices(argument);
    } else if (argument.consume_front("--device-arch=")) {
      read_architectures(argument);
    } else if (argument == "--device-aggregator") {
      chosen.for_both.emplace_back("-DCHANNELS_CILK_DEVICE_AGGREGATOR");
    } else if (argument.consume_front("--stacks=")) {
      argument = present_name_of_stacks(argument);
      const auto kind = llvm::StringSwitch<llvm::StringRef>(argument)
                            .Case("summing", "summing")
                            .Case("lane-private", "lane_private")
                            .Case("pooled", "pooled")
                            .Default({});
      if (kind.empty())
        return wrong("'--stacks=" + argument.str() +
                     "' is none of 'summing', 'lane-private' and 'pooled'");
      chosen.for_both.push_back("-DCHANNELS_CILK_STACKS=" + kind.str());
    } else if (argument.consume_front("--cuda-path=")) {
      chosen.cuda_path = argument.str();
    } else if (argument == "-p") {
      if (const auto value = next("-p")) chosen.database = *value;
    } else if (argument == "-o") {
      if (const auto value = next("-o")) chosen.output = *value;
    } else if (argument == "-c") {
      chosen.emit = product::object;
    } else if (argument.starts_with("-std=")) {
      chosen.standard = argument.substr(5).str();
    } else if (argument.starts_with("-") && argument != "-") {
      pass(argument);
    } else {
      add_input(argument);
    }
  }

  void read_devices(llvm::StringRef list) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    list.split(names, ',');
    std::vector<device_kind>& chosen = result_.chosen.devices;
    for (const llvm::StringRef name : names) {
      if (name == "host") {
        result_.chosen.on_host_too = true;
        continue;
      }
      const auto kind = llvm::StringSwitch<std::optional<device_kind>>(name)
                            .Case("cuda", device_kind::cuda)
                            .Case("hip", device_kind::hip)
                            .Case("emulated", device_kind::emulated)
                            .Default(std::nullopt);
      if (!kind)
        return wrong("'--device': there is no device '" + name.str() +
                     "'; there are host, cuda, hip and emulated");
      if (std::ranges::find(chosen, *kind) == chosen.end()) chosen.push_back(*kind);
    }
  }

  void read_architectures(llvm::StringRef list) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    list.split(names, ',');
    for (const llvm::StringRef name : names) {
      if (!name.starts_with("sm_") && !name.starts_with("gfx"))
        return wrong("'--device-arch': '" + name.str() + "' is neither sm_... nor gfx...");
      result_.chosen.architectures.push_back(name.str());
    }
  }

  void add_input(llvm::StringRef name) {
    const llvm::StringRef extension = llvm::sys::path::extension(name);
    input_file file{name.str(), input_kind::linked};
    if (extension == ".c") {
      file.kind = input_kind::c;
    } else if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" ||
               extension == ".C" || extension == ".c++") {
      file.kind = input_kind::cxx;
    } else if (extension != ".o" && extension != ".a" && !extension.starts_with(".so")) {
      return wrong("'" + name.str() + "' is neither a .c nor a .cpp, .cc or .cxx file");
    }
    result_.chosen.inputs.push_back(file);
  }

  void pass(llvm::StringRef argument) {
    static constexpr std::array both = {"-I", "-D", "-U"};
    static constexpr std::array both_apart = {"-isystem", "-include", "-iquote", "-idirafter"};
    static constexpr std::array host_joined = {"-O",       "-g",        "-m", "-f",    "-W",   "-w",
                                               "-pthread", "-pedantic", "-M", "-ansi", "-pipe"};
    static constexpr std::array link = {"-static", "-shared", "-rdynamic", "-no-pie", "-pie", "-s"};
    options& chosen = result_.chosen;
    for (const char* option : both_apart) {
      if (argument == option) return take(chosen.for_both, argument, true);
    }
    for (const char* option : both) {
      if (argument.starts_with(option)) return take(chosen.for_both, argument, argument == option);
    }
    if (argument.starts_with("-l")) return link_with(argument);
    if (argument.starts_with("-L")) return take(chosen.for_link, argument, argument == "-L");
    if (argument == "-Xlinker") return take(chosen.for_link, argument, true);
    if (argument.starts_with("-Wl,")) return take(chosen.for_link, argument, false);
    for (const char* option : link) {
      if (argument == option) return take(chosen.for_link, argument, false);
    }
    if (argument == "-MF" || argument == "-MT" || argument == "-MQ")
      return take(chosen.for_host, argument, true);
    for (const char* option : host_joined) {
      if (argument.starts_with(option)) return take(chosen.for_host, argument, false);
    }
    wrong("unknown option '" + argument.str() + "'");
  }

  // A library keeps its place among the objects, as linkers use them in this order.
  void link_with(llvm::StringRef argument) {
    std::string name = argument.str();
    if (argument == "-l") {
      const auto value = next("-l");
      if (!value) return;
      name += *value;
    }
    result_.chosen.inputs.push_back({name, input_kind::linked});
  }

  void take(std::vector<std::string>& list, llvm::StringRef option, bool has_value) {
    list.push_back(option.str());
    if (!has_value) return;
    if (const auto value = next(option)) list.push_back(*value);
  }

  std::optional<std::string> next(llvm::StringRef option) {
    if (at_ + 1 < arguments_.size()) return arguments_[++at_];
    wrong("'" + option.str() + "' needs a value");
    return std::nullopt;
  }

  void finish() {
    options& chosen = result_.chosen;
    std::vector<const input_file*> sources;
    for (const input_file& one : chosen.inputs) {
      if (one.kind != input_kind::linked) sources.push_back(&one);
    }
    if (chosen.inputs.empty() || (sources.empty() && chosen.emit != product::executable))
      return wrong("no input file");
    if (!sources.empty()) {
      chosen.input = sources.front()->name;
      chosen.is_c = sources.front()->kind == input_kind::c;
    }
    if (chosen.tasks && sources.size() != 1) return wrong("'--tasks' wants one source file");
    if (chosen.tasks && chosen.emit == product::object)
      return wrong("'--tasks' makes programs, and no object files");
    const bool writes_text = chosen.emit != product::executable && chosen.emit != product::object;
    if (chosen.serial && writes_text)
      return wrong("'--serial' compiles the file as it is; it cannot be combined with '--emit'");
    if (chosen.emit == product::object && !chosen.output.empty() && sources.size() > 1) {
      return wrong("'-o' with '-c' wants one source file");
    }
    if (chosen.explain && chosen.serial)
      return wrong("'--serial' compiles the file as it is: there is nothing to explain");
    if (chosen.races && (chosen.serial || chosen.tasks))
      return wrong(std::string("'--races' and '") + (chosen.serial ? "--serial" : "--tasks") +
                   "' contradict");
    for (const char* one : {"-shared", "-s"}) {
      if (chosen.races && std::ranges::find(chosen.for_link, one) != chosen.for_link.end())
        return wrong(
            std::string("'--races' and '") + one + "' contradict: " +
            (one == std::string("-s")
                 ? "the program reads its own debug information"
                 : "a whole program looks for its races; link the library's files into it"));
    }
    if (chosen.races && !chosen.devices.empty())
      return wrong("'--races' looks at host code; leave out '--device'");
    if (chosen.net) check_net();
    if (!chosen.devices.empty()) check_devices();
    if (chosen.openmp && chosen.tasks)
      return wrong("'-fopenmp-tasks' and '--tasks' contradict: leave out '--tasks'");
    // Another compiler's OpenMP would take the directives that are left in headers.
    if (chosen.openmp) std::erase(chosen.for_host, "-fopenmp");
    if (chosen.tasks && !chosen.task_forms) return wrong("'--tasks' and '--no-tasks' contradict");
    if ((chosen.emit == product::tasks || chosen.emit == product::core) && !chosen.task_forms)
      return wrong("'--no-tasks' and '--emit=tasks', or '--emit=core', contradict");
    if (chosen.output.empty() && chosen.emit == product::executable) chosen.output = "a.out";
  }

  void check_net() {
    const options& chosen = result_.chosen;
    const char* const other = chosen.serial             ? "--serial"
                              : chosen.tasks            ? "--tasks"
                              : chosen.races            ? "--races"
                              : !chosen.devices.empty() ? "--device"
                                                        : nullptr;
    if (other != nullptr)
      return wrong(std::string("'--net' and '") + other +
                   "' contradict: the children of host code travel");
    if (std::ranges::find(chosen.for_link, "-shared") != chosen.for_link.end())
      return wrong("'--net' and '-shared' contradict: it takes the place of the program's 'main'");
  }

  void check_devices() {
    const options& chosen = result_.chosen;
    const auto wanted = [&](device_kind kind) {
      return std::ranges::find(chosen.devices, kind) != chosen.devices.end();
    };
    if (chosen.tasks) return wrong("'--tasks' makes programs for the host; leave out '--device'");
    if (!chosen.task_forms)
      return wrong("'--no-tasks' and '--device' contradict: devices run tasks");
    for (const std::string& name : chosen.architectures) {
      const bool is_amd = name.starts_with("gfx");
      if (!wanted(is_amd ? device_kind::hip : device_kind::cuda))
        return wrong("'--device-arch=" + name + "' is for '--device=" + (is_amd ? "hip" : "cuda") +
                     "'");
    }
  }

  void wrong(const std::string& what) {
    if (quiet_) return;
    llvm::errs() << "cilk2chan: error: " << what << "\ncilk2chan: note: see 'cilk2chan --help'\n";
    result_.exit_status = 1;
  }

  std::vector<std::string> arguments_;
  std::size_t at_ = 0;
  bool quiet_ = false;
  command_line result_;
};

}  // namespace

command_line read_command_line(int argc, const char* const* argv) {
  return reader({argv + 1, argv + argc}).run();
}

std::optional<options> options_for(const options& chosen, const input_file& source) {
  if (chosen.database.empty()) return chosen;
  llvm::SmallString<256> list(chosen.database);
  llvm::sys::path::append(list, "compile_commands.json");
  std::string message;
  const auto database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      list, message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (database == nullptr) {
    fail("cannot read '" + list.str().str() + "': " + llvm::StringRef(message).rtrim().str());
    return std::nullopt;
  }
  llvm::SmallString<256> file(source.name);
  (void)llvm::sys::fs::make_absolute(file);
  llvm::sys::path::remove_dots(file, true);
  const auto commands = database->getCompileCommands(file);
  if (commands.empty()) {
    fail("'" + list.str().str() + "' has no entry for '" + source.name + "'");
    return std::nullopt;
  }
  const clang::tooling::CompileCommand& first = commands.front();
  std::vector<std::string> words(first.CommandLine.begin() + 1, first.CommandLine.end());
  const options found = reader(std::move(words)).run_compile_command();
  options made = chosen;
  if (made.standard.empty()) made.standard = found.standard;
  // Folders in a command are relative to the folder where it runs.
  std::vector<std::string> both = found.for_both;
  for (std::size_t i = 0; i < both.size(); ++i) {
    const llvm::StringRef option = both[i];
    const bool apart =
        option == "-I" || option == "-isystem" || option == "-iquote" || option == "-idirafter";
    const bool joined = !apart && option.starts_with("-I");
    if (!apart && !joined) continue;
    std::string& place = apart && i + 1 < both.size() ? both[++i] : both[i];
    llvm::SmallString<256> folder(joined ? llvm::StringRef(place).drop_front(2)
                                         : llvm::StringRef(place));
    llvm::sys::fs::make_absolute(first.Directory, folder);
    place = (joined ? "-I" : "") + folder.str().str();
  }
  made.for_both.insert(made.for_both.begin(), both.begin(), both.end());
  made.for_host.insert(made.for_host.begin(), found.for_host.begin(), found.for_host.end());
  return made;
}

}  // namespace cilk2chan
