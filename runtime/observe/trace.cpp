#include "runtime/observe/trace.hpp"

#include <fmt/format.h>  // format
#include <unistd.h>      // getpid

#include <algorithm>  // find_if, max
#include <cassert>    // assert
#include <cstdio>     // fprintf

#include "channels/error.hpp"
#include "runtime/observe/interruption.hpp"
#include "runtime/observe/output_file.hpp"
#include "runtime/settings/environment.hpp"

namespace channels::detail {
namespace {

/// The traces of this process by path. Never destroyed: threads that a run left behind may still
/// write to their tracks.
struct registry {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<trace_file>> files;
};

registry& files() {
  static registry& r = *new registry;
  // Writes the traces that are still open when the program ends.
  static const struct closing {
    closing() = default;
    closing(const closing&) = delete;
    closing& operator=(const closing&) = delete;
    ~closing() {
      give_way_to_interruption();
      write_traces();
    }
    at_interruption by_signal{write_traces};
  } at_exit;
  return r;
}

/// The fewest slots of a track.
constexpr std::uint32_t least_events = 16;

/// Throws nothing.
void say_lost(const char* what, const std::exception& why) {
  std::fprintf(stderr, "channels: CHANNELS_TRACE: %s: %s\n", what, why.what());
}

void wait_for_reading(trace_part& part) {
  if (part.reading.valid()) part.reading.get();
}

/// The same, where no caller can catch an exception.
void end_reading(trace_part& part) {
  try {
    wait_for_reading(part);
  } catch (const std::exception& e) {
    say_lost("the last run's compute units are missing", e);
  }
}

/// The caller holds the file's mutex, and cannot catch an exception.
void write(trace_file& file) try {
  if (file.process != getpid()) return;
  for (trace_part& part : file.parts) {
    end_reading(part);
    for (unit_notes& notes : part.notes) enter(std::move(notes), part, file.capacity);
    part.notes.clear();
    part.noted = 0;
  }
  write_output_or_warn("CHANNELS_TRACE", file.path, trace_text(file));
} catch (const std::exception& e) {
  say_lost("the trace is lost", e);
}

}  // namespace

trace_file::trace_file(const settings& options)
    : path(options.trace), capacity(options.trace_events), start(ticks()), process(getpid()) {
  check_files(options);
}

trace_session::~trace_session() {
  const std::lock_guard lock(file_->mutex);
  end_reading(part_);  // the device may be destroyed soon
  part_.in_use = false;
  if (--file_->users == 0) write(*file_);
}

trace_track& track_of(trace_part& part, std::uint32_t number, const std::string& name,
                      std::uint32_t capacity) {
  const auto found = part.tracks.find(number);
  if (found != part.tracks.end()) {
    found->second.name = name;
    return *found->second.track;
  }
  // First, so that there is no entry without one where memory is missing.
  auto made = std::make_unique<trace_track>(std::max(capacity, least_events));
  return *part.tracks.emplace(number, trace_part::named_track{name, std::move(made)})
              .first->second.track;
}

trace_track& trace_session::track(std::uint32_t number, const std::string& name) {
  const std::lock_guard lock(file_->mutex);
  return track_of(part_, number, name, file_->capacity);
}

std::uint64_t trace_session::keep(unit_notes notes, std::size_t count,
                                  std::function<void(std::vector<unit_work>&)> read) {
  const std::lock_guard lock(file_->mutex);
  const std::size_t most = std::size_t{4} * file_->capacity;
  std::uint64_t lost = 0;
  while (!part_.notes.empty() && part_.noted + count > most) {
    std::vector<unit_work>& oldest = part_.notes.front().work;
    lost += oldest.size();
    part_.noted -= oldest.size();
    oldest.clear();
    // Touching new memory would take longer than all other work on notes.
    if (oldest.capacity() > notes.work.capacity()) notes.work = std::move(oldest);
    part_.notes.pop_front();
  }
  part_.noted += count;
  // This thread allocates, not the one that reads: runtime/heap gives memory by the allocating
  // thread.
  notes.work.reserve(count);
  part_.notes.push_back(std::move(notes));
  // Not by oneTBB: the thread sanitizer does not see how that hands work over. If there is no
  // thread for it, the thread that waits reads.
  part_.reading = std::async(std::launch::async | std::launch::deferred,
                             [&to = part_.notes.back().work, read = std::move(read)] { read(to); });
  return lost;
}

void trace_session::finish_reading() {
  const std::lock_guard lock(file_->mutex);
  wait_for_reading(part_);
}

std::uint32_t trace_session::label(const std::string& name,
                                   std::initializer_list<const char*> arguments) {
  const std::lock_guard lock(file_->mutex);
  std::vector<std::string> named(arguments.begin(), arguments.end());
  const auto next = static_cast<std::uint32_t>(file_->labels.size());
  const auto [known, added] = file_->label_numbers.try_emplace({name, named}, next);
  assert(next < no_label);
  if (added) file_->labels.push_back({name, std::move(named)});
  return known->second;
}

std::shared_ptr<trace_session> open_trace(const settings& options, const std::string& name) {
  if (options.trace.empty()) return nullptr;
  registry& all = files();
  std::shared_ptr<trace_file> file;
  {
    const std::lock_guard lock(all.mutex);
    std::shared_ptr<trace_file>& known = all.files[options.trace];
    if (known == nullptr) known = std::make_shared<trace_file>(options);
    file = known;
  }
  const std::lock_guard lock(file->mutex);
  // A part of this name whose session has ended is used again, with its tracks, to bound the
  // memory.
  trace_part* part = nullptr;
  std::string numbered = name;
  for (int number = 2; part == nullptr; numbered = fmt::format("{} {}", name, number++)) {
    const auto same = std::find_if(file->parts.begin(), file->parts.end(),
                                   [&](const trace_part& p) { return p.name == numbered; });
    if (same == file->parts.end()) {
      part = &file->parts.emplace_back();
      part->name = numbered;
    } else if (!same->in_use) {
      part = &*same;
    }
  }
  part->in_use = true;
  ++file->users;
  return std::make_shared<trace_session>(file, *part);
}

void write_traces() {
  registry& all = files();
  const std::lock_guard lock(all.mutex);
  for (const auto& [path, file] : all.files) {
    if (file == nullptr) continue;
    const std::lock_guard its(file->mutex);
    if (file->users != 0) write(*file);
  }
}

}  // namespace channels::detail
