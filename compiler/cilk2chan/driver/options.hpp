#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

enum class product { executable, object, core, source, tasks, graph };
enum class device_kind { cuda, hip, emulated };  // besides the host
enum class input_kind { c, cxx, linked };

/// A file on the command line: a source, or something for the linker, such as an object or -lm.
struct input_file {
  std::string name;
  input_kind kind = input_kind::linked;
};

/// What the command line asks for.
struct options {
  std::vector<input_file> inputs;  // in their order; -l options among them
  std::string output;
  product emit = product::executable;
  bool tasks = false;      // --tasks: no host code
  bool task_forms = true;  // beside host code; false: --no-tasks
  std::vector<device_kind> devices;
  bool on_host_too = false;                // --device names the host beside others
  std::vector<std::string> architectures;  // of GPUs, as their compilers name them
  std::string cuda_path;
  std::string database;  // the folder of compile_commands.json
  bool serial = false;
  bool net = false;    // --net=mpi: tasks travel between the ranks of an MPI job
  bool races = false;  // --races: a serial run finds the program's races
  bool explain = false;
  bool openmp = false;  // -fopenmp-tasks: directives of OpenMP are Cilk
  bool line_directives = true;
  std::string standard;               // of -std=, without the option's name
  std::vector<std::string> for_both;  // -I, -D and the like: to the parser and the host compiler
  std::vector<std::string> for_host;  // -O, -g, -W and the like
  std::vector<std::string> for_link;  // -L and the like

  // The file that is being translated.
  std::string input;
  bool is_c = false;
};

/// A command line that was read: its options, or the exit status with which the driver ends at
/// once.
struct command_line {
  options chosen;
  std::optional<int> exit_status;
};

/// Reads the command line. Prints the help or the version if asked, or what is wrong.
[[nodiscard]] command_line read_command_line(int argc, const char* const* argv);

/// The options of one source: those of its entry in the compilation database, if `chosen` names
/// one, and then those of the command line. Prints an error and returns nothing if there is no
/// entry.
[[nodiscard]] std::optional<options> options_for(const options& chosen, const input_file& source);

}  // namespace cilk2chan
