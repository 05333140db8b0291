#pragma once

#include <llvm/Support/FileUtilities.h>  // FileRemover
#include <llvm/Support/Program.h>        // ProcessInfo
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cilk2chan {

using arguments = std::vector<std::string>;

inline void append(arguments& to, const arguments& what) {
  to.insert(to.end(), what.begin(), what.end());
}

/// Prints an error of the driver. Returns false, so that a caller can return the call.
bool fail(const std::string& what);

/// The folder that a file is in, as a path.
[[nodiscard]] std::string folder_of(const std::string& file);

/// The path of the file `name` in the folder that `file` is in.
[[nodiscard]] std::string beside(const std::string& file, const char* name);

/// A file that is removed at the end of its life. Converts to false if it could not be made; the
/// error is printed then.
class temporary_file {
 public:
  explicit temporary_file(const char* suffix);
  explicit operator bool() const { return remover_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Prints an error and returns false if the text cannot be written.
  [[nodiscard]] bool write(const std::string& text);

 private:
  std::string name_;
  std::unique_ptr<llvm::FileRemover> remover_;
  std::unique_ptr<llvm::raw_fd_ostream> stream_;
};

/// Another program, with its arguments.
struct command {
  std::string program;  // a name that PATH leads to, or a path
  arguments options;
  std::string kind;        // what the program is
  std::string if_missing;  // what to do if it is not found
};

/// The one compiler that takes the plugin of --races.
[[nodiscard]] command clang(bool is_c, arguments options);

/// The host compiler for C or for C++.
[[nodiscard]] command host_compiler(bool is_c, arguments options);

/// Runs the program and waits for it. Returns whether it ended with status 0; prints an error if it
/// could not start.
[[nodiscard]] bool run(const command& what);

/// A program that runs beside the driver. Its messages go to a file.
class running {
 public:
  running(const command& what, const std::string& messages);
  running(const running&) = delete;
  running& operator=(const running&) = delete;
  ~running() { (void)succeeded(); }
  /// Waits for it. Returns whether it started and ended with status 0.
  [[nodiscard]] bool succeeded();

 private:
  std::optional<llvm::sys::ProcessInfo> process_;
  bool succeeded_ = false;
};

}  // namespace cilk2chan
