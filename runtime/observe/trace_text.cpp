// A trace as JSON: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU,
// the Trace Event Format, which Perfetto and Chrome read.

#include <fmt/format.h>  // format_to

#include <iterator>  // back_inserter

#include <nlohmann/json.hpp>  // json, to quote

#include "runtime/observe/phases.hpp"
#include "runtime/observe/trace.hpp"

namespace channels::detail {
namespace {

std::string as_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Writes events one after the other, with commas between.
class event_list {
 public:
  event_list(const trace_file& file, std::string& to) : file_(file), to_(to) {}

  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    to_ += first_ ? "\n" : ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(to_), format, std::forward<Values>(values)...);
  }

  void name(const char* what, std::size_t part, std::uint32_t track, const std::string& name) {
    line(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}})", what, part, track,
         as_json(name));
  }
  void sort_index(std::size_t part, std::uint32_t track) {
    line(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
         part, track, track);
  }

  void dropped(std::size_t part, std::uint32_t track, const trace_event& before,
               std::uint64_t count) {
    line(R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":"{} earlier events dropped"}})",
         part, track, moment(before.start), count);
  }

  void event(std::size_t part, std::uint32_t track, const trace_event& e) {
    switch (e.what) {
      case trace_event::type::slice:
        line(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"args":{}}})", part, track,
             moment(e.start), duration(e.start, e.duration), as_json(label(e).name), arguments(e));
        break;
      case trace_event::type::instant:
        line(R"({{"ph":"i","s":"t","pid":{},"tid":{},"ts":{},"name":{},"args":{}}})", part, track,
             moment(e.start), as_json(label(e).name), arguments(e));
        break;
      case trace_event::type::counters:
        for (std::size_t i = 0; i < counters_of_an_event; ++i) {
          if (const auto [label, value] = counter(e, i); label != no_label) {
            line(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{"elements":{}}}}})", part,
                 moment(e.start), as_json(file_.labels[label].name), value);
          }
        }
        break;
      case trace_event::type::phases: phases(part, track, e); break;
    }
  }

 private:
  /// From the trace's start to `at`.
  [[nodiscard]] std::string moment(std::uint64_t at) const {
    return text_of(scale_.moment(at) - scale_.moment(file_.start));
  }
  /// Rounds both ends and not the duration, so that events that follow each other show no gap, and
  /// an event does not end before one that it contains.
  [[nodiscard]] std::string duration(std::uint64_t from, std::uint64_t ticks) const {
    return text_of(scale_.moment(from + ticks) - scale_.moment(from));
  }
  /// In microseconds.
  static std::string text_of(std::uint64_t ns) {
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
  }

  [[nodiscard]] const trace_label& label(const trace_event& e) const {
    return file_.labels[e.label];
  }

  [[nodiscard]] std::string arguments(const trace_event& e) const {
    std::string text = "{";
    for (std::size_t i = 0; i < label(e).arguments.size(); ++i) {
      if (i != 0) text += ',';
      text += fmt::format("{}:{}", as_json(label(e).arguments[i]), e.arguments[i]);
    }
    return text + "}";
  }

  void phases(std::size_t part, std::uint32_t track, const trace_event& e) {
    std::uint64_t at = e.start;
    const std::uint64_t end = e.start + e.duration;
    for (std::size_t i = 0; i < phase_names.size(); ++i) {
      const std::uint64_t took =
          i < phase_argument.size() ? e.arguments[phase_argument[i]] : end - at;
      if (took == 0) continue;
      line(R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":"{}"}})", part, track,
           moment(at), duration(at, took), phase_names[i]);
      at += took;
    }
  }

  const trace_file& file_;
  std::string& to_;
  tick_scale scale_;
  bool first_ = true;
};

}  // namespace

std::string trace_text(const trace_file& file) {
  std::string text = R"({"displayTimeUnit":"ns","traceEvents":[)";
  event_list list(file, text);
  std::string dropped;
  std::size_t part = 0;
  for (const trace_part& p : file.parts) {
    ++part;
    list.name("process_name", part, 0, p.name);
    for (const auto& [number, named] : p.tracks) {
      list.name("thread_name", part, number, named.name);
      list.sort_index(part, number);
      const std::vector<trace_event> events = named.track->events();
      const std::uint64_t lost = named.track->count() - events.size();
      if (lost != 0 && !events.empty()) list.dropped(part, number, events[0], lost);
      for (const trace_event& e : events) list.event(part, number, e);
      dropped += fmt::format("{}{}:{}", dropped.empty() ? "" : ",",
                             as_json(p.name + ", " + named.name), lost);
    }
  }
  text += fmt::format(
      "\n],\"otherData\":{{\"events_kept_for_each_track\":{},\"setting\":\"CHANNELS_TRACE_EVENTS\","
      "\"dropped\":{{{}}}}}}}\n",
      file.capacity, dropped);
  return text;
}

}  // namespace channels::detail
