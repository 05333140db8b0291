#include "driver/header_cache.hpp"

#include "paths.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Chrono.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

namespace cilk2chan {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// Each takes some 15 MB.
constexpr std::size_t most_files = 16;

// Where the files are kept; empty: nowhere.
std::string folder() {
  llvm::SmallString<256> found;
  if (const char* chosen = std::getenv("CHANNELS_CACHE")) {
    found = chosen;
  } else if (path::cache_directory(found)) {
    path::append(found, "channels");
  }
  if (found.empty() || fs::create_directories(found)) return {};
  return found.str().str();
}

std::string described(const fs::file_status& file) {
  return std::to_string(file.getSize()) + ' ' +
         std::to_string(file.getLastModificationTime().time_since_epoch().count());
}

// A name for all that the precompiled form depends on, but for the headers: clang compares these.
std::optional<std::string> name_for(const command& compiler, const std::string& header) {
  const auto program = llvm::sys::findProgramByName(compiler.program);
  fs::file_status file;
  if (!program || fs::status(*program, file)) return std::nullopt;
  std::string all =
      std::string(paths::version) + '\n' + *program + '\n' + described(file) + '\n' + header + '\n';
  const arguments& options = compiler.options;
  bool relative = false;
  for (std::size_t i = 0; i < options.size(); ++i) {
    // Ours include no file of the user's by a quoted name.
    if (options[i] == "-iquote") {
      ++i;
      continue;
    }
    all += '\n' + options[i];
    llvm::StringRef folder = options[i];
    if (folder.starts_with("-") && !folder.consume_front("-I")) continue;
    relative = relative || (!folder.empty() && !path::is_absolute(folder));
  }
  llvm::SmallString<256> here;
  if (relative && fs::current_path(here)) return std::nullopt;
  all += here;
  return llvm::utohexstr(llvm::xxh3_64bits(all), true, 16) + ".pch";
}

void forget_the_oldest(const std::string& folder) {
  std::vector<std::pair<llvm::sys::TimePoint<>, std::string>> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const auto status = at->status();
    if (status && llvm::StringRef(at->path()).contains(".pch"))
      files.emplace_back(status->getLastModificationTime(), at->path());
  }
  std::ranges::sort(files, std::greater());
  for (std::size_t i = most_files; i < files.size(); ++i) (void)fs::remove(files[i].second);
}

// Makes `file` under a name of its own first: others may want the same one.
bool make(const command& compiler, const std::string& header, const std::string& file) {
  llvm::SmallString<256> unfinished;
  if (fs::createUniqueFile(file + "-%%%%%%", unfinished)) return false;
  const temporary_file messages("txt");
  command line = compiler;
  append(line.options, {"-x", "c++-header", header, "-o", unfinished.str().str()});
  if (messages && running(line, messages.name()).succeeded() && !fs::rename(unfinished, file))
    return true;
  (void)fs::remove(unfinished);
  return false;
}

// Says when the file was last of use.
void touch(const std::string& file) {
  int opened = -1;
  if (fs::openFileForReadWrite(file, opened, fs::CD_OpenExisting, fs::OF_None)) return;
  (void)fs::setLastAccessAndModificationTime(opened, std::chrono::system_clock::now());
  (void)llvm::sys::Process::SafelyCloseFileDescriptor(opened);
}

std::string precompiled(const command& compiler, const std::string& header) {
  if (!path::filename(compiler.program).contains("clang")) return {};
  // Headers that the command line includes come before ours.
  if (std::ranges::find(compiler.options, "-include") != compiler.options.end()) return {};
  const std::string place = folder();
  const auto name = name_for(compiler, header);
  if (place.empty() || !name) return {};
  llvm::SmallString<256> file(place);
  path::append(file, *name);
  if (fs::exists(file)) {
    touch(file.str().str());
    return file.str().str();
  }
  if (!make(compiler, header, file.str().str())) return {};
  forget_the_oldest(place);
  return file.str().str();
}

command with(command compiler, const arguments& more) {
  append(compiler.options, more);
  return compiler;
}

}  // namespace

compilation::compilation(command compiler, const arguments& rest, const std::string& header,
                         const std::string& messages)
    : plain_(with(compiler, rest)),
      messages_(messages),
      precompiled_(precompiled(compiler, header)) {
  command first = plain_;
  if (!precompiled_.empty()) {
    append(compiler.options,
           {"-include-pch", precompiled_, "-Xclang", "-fmodules-validate-system-headers"});
    first = with(std::move(compiler), rest);
  }
  process_ = std::make_unique<running>(first, messages_);
}

bool compilation::succeeded() {
  if (process_->succeeded()) return true;
  if (precompiled_.empty()) return false;
  // Clang names the file if a header has changed since it was made, or another process removed it.
  const auto said = llvm::MemoryBuffer::getFile(messages_);
  if (!said || !(*said)->getBuffer().contains(precompiled_)) return false;
  (void)fs::remove(precompiled_);
  precompiled_.clear();
  process_ = std::make_unique<running>(plain_, messages_);
  return process_->succeeded();
}

}  // namespace cilk2chan
