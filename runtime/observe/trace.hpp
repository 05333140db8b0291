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

/// The name of events, and the names of their arguments.
struct trace_label {
  std::string name;
  std::vector<std::string> arguments;
};

/// A part of the program that has its own tracks: a runtime, the host code, another device.
/// Perfetto shows it as a process.
struct trace_part {
  struct named_track {
    std::string name;
    std::unique_ptr<trace_track> track;
  };

  std::string name;
  bool in_use = false;
  std::map<std::uint32_t, named_track> tracks;  ///< in the order in which they are shown
  std::deque<unit_notes> notes;                 ///< not made into events yet, the oldest first
  std::size_t noted = 0;                        ///< entries in all `notes`
  std::future<void> reading;                    ///< fills the newest of `notes`
};

/// The part's track with this number, made if there is none. The caller holds the file's mutex.
trace_track& track_of(trace_part& part, std::uint32_t number, const std::string& name,
                      std::uint32_t capacity);

/// The trace of one file. It is kept until the process ends: later runs add to it and use the same
/// memory.
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

/// Holds a part of a trace open. The destructor of the last session writes the file.
class trace_session {
 public:
  trace_session(std::shared_ptr<trace_file> file, trace_part& part)
      : file_(std::move(file)), part_(part) {}
  trace_session(const trace_session&) = delete;
  trace_session& operator=(const trace_session&) = delete;
  ~trace_session();

  /// The track with this number, made if there is none. One thread at a time may write to it.
  [[nodiscard]] trace_track& track(std::uint32_t number, const std::string& name);
  /// The number of the label with this name. `arguments`: the names of the events' arguments, at
  /// most 7.
  [[nodiscard]] std::uint32_t label(const std::string& name,
                                    std::initializer_list<const char*> arguments = {});
  /// Keeps `notes`, which become events when the trace is written. Another thread calls `read`,
  /// which appends the `count` entries of the notes; it takes a third of a millisecond for 65,536.
  /// Returns how many entries of earlier runs were dropped to make room: the part keeps four times
  /// as many entries as a track has slots. Call `finish_reading` before.
  [[nodiscard]] std::uint64_t keep(unit_notes notes, std::size_t count,
                                   std::function<void(std::vector<unit_work>&)> read);
  /// Returns when `read` of the last `keep` has ended. Throws what it threw.
  void finish_reading();

 private:
  std::shared_ptr<trace_file> file_;
  trace_part& part_;
};

/// Opens a part called `name` of the trace that the settings ask for; null if they ask for none.
/// Throws `channels::error` if the file cannot be written.
[[nodiscard]] std::shared_ptr<trace_session> open_trace(const settings& options,
                                                        const std::string& name);

/// Writes all traces that are still in use, where no destructor will.
void write_traces();

/// The trace as JSON in the Trace Event Format. The caller holds the file's mutex.
[[nodiscard]] std::string trace_text(const trace_file& file);

}  // namespace channels::detail
