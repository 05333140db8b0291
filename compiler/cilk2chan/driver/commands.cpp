#include "driver/commands.hpp"

#include "paths.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <cstdlib>

namespace cilk2chan {
namespace {

std::optional<std::string> find(const command& what) {
  const auto found = llvm::sys::findProgramByName(what.program);
  if (found) return *found;
  fail("cannot find " + what.kind + " '" + what.program + "'; " + what.if_missing);
  return std::nullopt;
}

std::vector<llvm::StringRef> words(const command& what) {
  std::vector<llvm::StringRef> list = {what.program};
  list.insert(list.end(), what.options.begin(), what.options.end());
  return list;
}

}  // namespace

std::string folder_of(const std::string& file) {
  const llvm::StringRef folder = llvm::sys::path::parent_path(file);
  return folder.empty() ? "." : folder.str();
}

std::string beside(const std::string& file, const char* name) {
  llvm::SmallString<256> path(llvm::sys::path::parent_path(file));
  llvm::sys::path::append(path, name);
  return path.str().str();
}

bool fail(const std::string& what) {
  llvm::errs() << "cilk2chan: error: " << what << '\n';
  return false;
}

temporary_file::temporary_file(const char* suffix) {
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

bool temporary_file::write(const std::string& text) {
  *stream_ << text;
  stream_->close();
  if (!stream_->has_error()) return true;
  fail("cannot write the temporary file '" + name_ + "': " + stream_->error().message() +
       "; set TMPDIR to a folder with more room");
  // Otherwise the stream's destructor ends the process.
  stream_->clear_error();
  return false;
}

command clang(bool is_c, arguments options) {
  return {std::string(is_c ? paths::host_c_compiler : paths::host_compiler), std::move(options),
          "the compiler of '--races'", "install it (Debian: clang-19)"};
}

command host_compiler(bool is_c, arguments options) {
  const char* variable = is_c ? "CHANNELS_CC" : "CHANNELS_CXX";
  const char* chosen = std::getenv(variable);
  const std::string name = chosen != nullptr && *chosen != '\0'
                               ? chosen
                               : std::string(is_c ? paths::host_c_compiler : paths::host_compiler);
  return {name, std::move(options), "the host compiler",
          std::string("install it, or name another one in ") + variable};
}

bool run(const command& what) {
  const auto program = find(what);
  if (!program) return false;
  std::string error;
  const int status =
      llvm::sys::ExecuteAndWait(*program, words(what), std::nullopt, {}, 0, 0, &error);
  if (!error.empty()) return fail("cannot run '" + what.program + "': " + error);
  return status == 0;
}

running::running(const command& what, const std::string& messages) {
  const auto program = find(what);
  if (!program) return;
  std::string error;
  bool failed = false;
  process_ = llvm::sys::ExecuteNoWait(*program, words(what), std::nullopt,
                                      {std::nullopt, std::nullopt, llvm::StringRef(messages)}, 0,
                                      &error, &failed);
  if (!failed) return;
  fail("cannot run '" + what.program + "': " + error);
  process_.reset();
}

bool running::succeeded() {
  if (!process_) return succeeded_;
  succeeded_ = llvm::sys::Wait(*process_, std::nullopt).ReturnCode == 0;
  process_.reset();
  return succeeded_;
}

}  // namespace cilk2chan
