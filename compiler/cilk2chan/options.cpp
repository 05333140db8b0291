#include "options.hpp"

#include "paths.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <array>

namespace cilk2chan {
namespace {

constexpr const char* help_text = R"(usage: cilk2chan [options] file...

Compiles Cilk programs, in C (.c) and C++ (.cpp, .cc, .cxx), and links them, also with objects and libraries.

  -o FILE             write the result to FILE
  -c                  compile to object files only
  --emit=source       write what the host compiler would get: C for C, C++ for C++; of several files into
                      the directory that -o names
  --emit=executable   compile and link (default)
  --tasks             translate one file into tasks that run through channels, instead
  --serial            compile the serial elision: the program without its Cilk keywords
  --explain           with --tasks: say which functions became tasks, where they are split, and what
                      their frames hold
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
-O2 -march=native before other options. A compiled program reads its settings from CHANNELS_* variables.
Exit status: 0, or 1 if the program is refused or a host compiler fails.
)";

class reader {
 public:
  reader(int argc, const char* const* argv) : arguments_(argv + 1, argv + argc) {}

  command_line run() {
    for (; at_ < arguments_.size() && !result_.exit_status; ++at_) read(arguments_[at_]);
    if (!result_.exit_status) finish();
    return std::move(result_);
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
    } else if (argument == "--no-tasks") {
      chosen.task_forms = false;
    } else if (argument == "--no-line") {
      chosen.line_directives = false;
    } else if (argument.consume_front("--emit=")) {
      const auto what = llvm::StringSwitch<std::optional<product>>(argument)
                            .Case("source", product::source)
                            .Case("tasks", product::tasks)
                            .Case("graph", product::graph)
                            .Case("executable", product::executable)
                            .Default(std::nullopt);
      if (!what)
        return wrong("'--emit=" + argument.str() +
                     "' is none of 'source', 'tasks', 'graph' and 'executable'");
      chosen.emit = *what;
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

  // Libraries keep their place among objects.
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
    if (chosen.tasks && !chosen.task_forms) return wrong("'--tasks' and '--no-tasks' contradict");
    if (chosen.emit == product::tasks && !chosen.task_forms)
      return wrong("'--no-tasks' and '--emit=tasks' contradict");
    if (chosen.output.empty() && chosen.emit == product::executable) chosen.output = "a.out";
  }

  void wrong(const std::string& what) {
    llvm::errs() << "cilk2chan: error: " << what << "\ncilk2chan: note: see 'cilk2chan --help'\n";
    result_.exit_status = 1;
  }

  std::vector<std::string> arguments_;
  std::size_t at_ = 0;
  command_line result_;
};

}  // namespace

command_line read_command_line(int argc, const char* const* argv) {
  return reader(argc, argv).run();
}

}  // namespace cilk2chan
