#include "options.hpp"

#include "paths.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <array>

namespace cilk2chan {
namespace {

constexpr const char* help_text = R"(usage: cilk2chan [options] file.c|file.cpp

Translates a Cilk program into tasks that run through channels, and compiles it.

  -o FILE             write the executable, or with --emit=source the C++ text, to FILE
                      (a.out; standard output)
  --emit=source       stop after the translation
  --emit=executable   translate, compile and link (default)
  --serial            compile the serial elision: the program without its Cilk keywords
  --explain           say which functions became tasks, where they are split, and what their frames hold
  --no-line           leave out #line directives
  -I DIR, -isystem DIR, -D NAME[=VALUE], -U NAME, -include FILE, -std=STANDARD
                      as for a compiler
  -O*, -g*, -m*, -f*, -W*, -w, -pthread, -L DIR, -l NAME
                      passed to the host compiler
  -h, --help          print this
  --version           print the version

The host compiler is $CHANNELS_CXX, or clang++-19. It gets -O2 -march=native before other options.
Exit status: 0, or 1 if the program is refused or the host compiler fails.
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
    } else if (argument == "--no-line") {
      chosen.line_directives = false;
    } else if (argument.consume_front("--emit=")) {
      if (argument != "source" && argument != "executable") {
        return wrong("'--emit=" + argument.str() + "' is neither 'source' nor 'executable'");
      }
      chosen.emit = argument == "source" ? product::source : product::executable;
    } else if (argument == "-o") {
      if (const auto value = next("-o")) chosen.output = *value;
    } else if (argument.starts_with("-std=")) {
      chosen.standard = argument.substr(5).str();
    } else if (argument.starts_with("-") && argument != "-") {
      pass(argument);
    } else {
      if (!chosen.input.empty()) return wrong("more than one input file: '" + argument.str() + "'");
      chosen.input = argument.str();
    }
  }

  void pass(llvm::StringRef argument) {
    static constexpr std::array both = {"-I", "-D", "-U"};
    static constexpr std::array both_apart = {"-isystem", "-include"};
    static constexpr std::array host = {"-L", "-l"};
    static constexpr std::array host_joined = {"-O", "-g", "-m", "-f", "-W", "-w", "-pthread"};
    for (const char* option : both_apart) {
      if (argument == option) return take(result_.chosen.for_both, argument, true);
    }
    for (const char* option : both) {
      if (argument.starts_with(option)) {
        return take(result_.chosen.for_both, argument, argument == option);
      }
    }
    for (const char* option : host) {
      if (argument.starts_with(option)) {
        return take(result_.chosen.for_host, argument, argument == option);
      }
    }
    for (const char* option : host_joined) {
      if (argument.starts_with(option)) return take(result_.chosen.for_host, argument, false);
    }
    wrong("unknown option '" + argument.str() + "'");
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
    if (chosen.input.empty()) return wrong("no input file");
    const llvm::StringRef extension = llvm::sys::path::extension(chosen.input);
    chosen.is_c = extension == ".c";
    if (!chosen.is_c && extension != ".cpp" && extension != ".cc" && extension != ".cxx") {
      return wrong("'" + chosen.input + "' is neither a .c nor a .cpp, .cc or .cxx file");
    }
    if (chosen.serial && chosen.emit == product::source) {
      return wrong(
          "'--serial' compiles the file as it is; it cannot be combined with '--emit=source'");
    }
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
