#pragma once

#include <cstdint>           // fixed-width integers
#include <deque>             // deque
#include <functional>        // function
#include <future>            // future
#include <initializer_list>  // initializer_list
#include <map>               // map
#include <memory>            // shared_ptr
#include <mutex>             // mutex
#include <string>            // string
#include <utility>           // pair
#include <vector>            // vector

#include "channels/settings.hpp"
#include "runtime/observe/ticks.hpp"
#include "runtime/observe/trace_track.hpp"
#include "runtime/observe/unit_notes.hpp"

namespace channels::detail {

/// What events are called, and their arguments.
struct trace_label {
  std::string name;
  std::vector<std::string> arguments;
};

/// A part of the program that has tracks of its own: a runtime, the host code, another device. What
/// Perfetto calls a process.
struct trace_part {
  struct named_track {
    std::string name;
    std::unique_ptr<trace_track> track;
  };

  std::string name;
  bool in_use = false;
  std::map<std::uint32_t, named_track> tracks;  ///< in the order in which they are shown
  std::deque<unit_notes> notes;                 ///< that are no events yet, the oldest first
  std::size_t noted = 0;                        ///< in all of them
  std::future<void> reading;                    ///< of what is in the newest
};

/// The part's track with this number, made if there is none. With the file's mutex held.
trace_track& track_of(trace_part& part, std::uint32_t number, const std::string& name,
                      std::uint32_t capacity);

/// One file's trace. Kept until the process ends: what runs later adds to it, in the same memory.
struct trace_file {
  explicit trace_file(const settings& options);

  std::string path;
  std::uint32_t capacity;  ///< slots of each track
  std::uint64_t start;     ///< of the trace, in ticks
  int process;             ///< a forked child does not write its parent's file
  std::mutex mutex;        ///< of all that follows
  std::deque<trace_part> parts;
  std::deque<trace_label> labels;
  std::map<std::pair<std::string, std::vector<std::string>>, std::uint32_t> label_numbers;
  std::uint32_t users = 0;
};

/// Holds a part of a trace open. The last one that goes writes the file.
class trace_session {
 public:
  trace_session(std::shared_ptr<trace_file> file, trace_part& part)
      : file_(std::move(file)), part_(part) {}
  trace_session(const trace_session&) = delete;
  trace_session& operator=(const trace_session&) = delete;
  ~trace_session();

  /// The track with this number, made if there is none; for one thread at a time.
  [[nodiscard]] trace_track& track(std::uint32_t number, const std::string& name);
  /// A number for events of this name. `arguments`: names of those that they have, at most 7.
  [[nodiscard]] std::uint32_t label(const std::string& name,
                                    std::initializer_list<const char*> arguments = {});
  /// To be entered when the trace is written, with `count` entries that `read` appends, soon,
  /// beside the program: it takes a third of a millisecond for 65,536. Returns how many entries of
  /// earlier runs make room for them: four times as many are kept as events of a thread. Nothing
  /// may be read at that time: `finish_reading` comes before.
  [[nodiscard]] std::uint64_t keep(unit_notes notes, std::size_t count,
                                   std::function<void(std::vector<unit_work>&)> read);
  /// Returns when all has been read.
  void finish_reading();

 private:
  std::shared_ptr<trace_file> file_;
  trace_part& part_;
};

/// A part called `name` of the trace that the settings ask for; null if they ask for none. Throws
/// `channels::error` if the file cannot be written.
[[nodiscard]] std::shared_ptr<trace_session> open_trace(const settings& options,
                                                        const std::string& name);

/// Writes what there is of all traces that are still in use: no destructor will.
void write_traces();

/// The Trace Event Format, as JSON: see docs/guide.md. With the file's mutex held.
[[nodiscard]] std::string trace_text(const trace_file& file);

}  // namespace channels::detail
