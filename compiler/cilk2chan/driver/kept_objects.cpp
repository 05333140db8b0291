#include "driver/kept_objects.hpp"

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
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace cilk2chan {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

// Each takes a megabyte.
constexpr std::size_t most_files = 64;

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

std::string described(const fs::basic_file_status& file) {
  return std::to_string(file.getSize()) + ' ' +
         std::to_string(file.getLastModificationTime().time_since_epoch().count());
}

// Names, sizes and times of all headers of channels, in the order of their names.
std::string described_headers(const std::string& include_directory) {
  llvm::SmallString<256> top(include_directory);
  path::append(top, "channels");
  std::vector<std::string> all;
  std::error_code error;
  for (fs::recursive_directory_iterator at(top, error), end; !error && at != end;
       at.increment(error)) {
    const auto status = at->status();
    if (status && status->type() == fs::file_type::regular_file)
      all.push_back(at->path() + ' ' + described(*status) + '\n');
  }
  std::ranges::sort(all);
  std::string joined;
  for (const std::string& one : all) joined += one;
  return joined;
}

// A name for all that the object depends on.
std::optional<std::string> name_for(const command& compiler, const std::string& text,
                                    const std::string& include_directory) {
  const auto program = llvm::sys::findProgramByName(compiler.program);
  fs::file_status file;
  if (!program || fs::status(*program, file)) return std::nullopt;
  std::string all = std::string(paths::version) + '\n' + *program + '\n' + described(file) + '\n' +
                    text + '\n' + described_headers(include_directory);
  for (const std::string& option : compiler.options) all += '\n' + option;
  return llvm::utohexstr(llvm::xxh3_64bits(all), true, 16) + ".o";
}

void forget_the_oldest(const std::string& folder) {
  std::vector<std::pair<llvm::sys::TimePoint<>, std::string>> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const auto status = at->status();
    if (status && llvm::StringRef(at->path()).contains(".o"))
      files.emplace_back(status->getLastModificationTime(), at->path());
  }
  std::ranges::sort(files, std::greater());
  for (std::size_t i = most_files; i < files.size(); ++i) (void)fs::remove(files[i].second);
}

// Says when the file was last of use.
void touch(const std::string& file) {
  int opened = -1;
  if (fs::openFileForReadWrite(file, opened, fs::CD_OpenExisting, fs::OF_None)) return;
  (void)fs::setLastAccessAndModificationTime(opened, std::chrono::system_clock::now());
  (void)llvm::sys::Process::SafelyCloseFileDescriptor(opened);
}

}  // namespace

struct kept_object::work {
  explicit work(const char* suffix) : source(suffix) {}

  std::string program;
  std::string folder;  // empty: the object is not kept
  temporary_file source;
  temporary_file messages{"txt"};
  temporary_file object{"o"};
  llvm::SmallString<256> unfinished;  // of its own first: others may want the same one
  std::unique_ptr<running> compiler;
};

kept_object::kept_object(const command& compiler, const std::string& text, const char* suffix,
                         const std::string& include_directory) {
  const std::string place = folder();
  const auto name = place.empty() ? std::nullopt : name_for(compiler, text, include_directory);
  if (name) {
    llvm::SmallString<256> file(place);
    path::append(file, *name);
    file_ = file.str().str();
    std::uint64_t bytes = 0;
    if (!fs::file_size(file_, bytes) && bytes != 0) {
      touch(file_);
      return;
    }
  }
  work_ = std::make_unique<work>(suffix);
  if (!work_->source || !work_->messages || !work_->object || !work_->source.write(text) ||
      !work_->messages.write(""))
    return;
  if (file_.empty() || fs::createUniqueFile(file_ + "-%%%%%%", work_->unfinished)) {
    file_ = work_->object.name();
    work_->unfinished = file_;
  } else {
    work_->folder = place;
  }
  command line = compiler;
  work_->program = line.program;
  append(line.options, {"-c", "-o", work_->unfinished.str().str(), work_->source.name()});
  work_->compiler = std::make_unique<running>(line, work_->messages.name());
}

kept_object::~kept_object() {
  if (work_ != nullptr && !work_->folder.empty()) (void)fs::remove(work_->unfinished);
}

std::string kept_object::finish() {
  if (work_ == nullptr) return file_;
  if (work_->compiler == nullptr) return {};
  if (!work_->compiler->succeeded()) {
    const auto said = llvm::MemoryBuffer::getFile(work_->messages.name());
    if (said) llvm::errs() << (*said)->getBuffer();
    fail("'" + work_->program + "' does not compile what channels needs on the device's host");
    return {};
  }
  if (work_->folder.empty()) return file_;
  if (fs::rename(work_->unfinished, file_)) {
    fail("cannot write '" + file_ + "'");
    return {};
  }
  forget_the_oldest(std::exchange(work_->folder, {}));
  return file_;
}

}  // namespace cilk2chan
