#pragma once

#include <cstdio>       // fputs
#include <string>       // string, to_string
#include <string_view>  // string_view

#include "channels/cilk/message_format.hpp"
#include "channels/gpu/compiled_program/allocation_failure.hpp"
#include "channels/gpu/compiled_program/kept_messages.hpp"
#include "channels/gpu/compiled_program/unknown_call.hpp"

/// What the host makes of what lanes have told it. Here and in the like functions `root` is the
/// task that the host has called.
namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

inline std::string text_of(const told_place& place, const char* root) {
  std::string name = place.function;
  // cilk2chan puts this in front of a function's name where lanes share its loops.
  constexpr std::string_view by_lanes = "cilk_by_lanes_";
  if (name.starts_with(by_lanes)) name.erase(0, by_lanes.size());
  std::string where = std::string("task ") + root;
  // The nodes of a task, and its leaf, are functions of these names.
  if (!name.empty() && name != "enter" && name != "resume" && name != "leaf")
    where += ", in " + name;
  // A container of the library has no line.
  const std::string line = place.line == 0 ? "" : ":" + std::to_string(place.line);
  return where + " (" + place.file + line + ")";
}

/// `memory`: bytes for all allocations.
inline std::string text_of(const allocation_failure& told, const char* root, std::uint64_t memory) {
  return "device: " + text_of(told.place, root) + ": no memory is left for the " +
         std::to_string(told.bytes) +
         " bytes that it allocates, and nothing was freed meanwhile; CHANNELS_DEVICE_MALLOC sets "
         "how many bytes there are for all tasks, now " +
         std::to_string(memory);
}

inline std::string text_of(const unknown_call& told, const char* root) {
  return "device: " + text_of(told.place, root) +
         ": it calls a function that the device does not have: one of another file, or one that "
         "stays on the host; 'cilk2chan --explain' says which it can call here";
}

inline void kept_messages::print() {
  const std::uint64_t end = used < sizeof text ? used : sizeof text;
  for (std::uint64_t at = 0; at < end;) {
    head* const one = reinterpret_cast<head*>(text + at);
    if (one->state != ready) {
      // The lane was stopped in the middle.
      at += one->bytes != 0 ? one->bytes : 8;
      continue;
    }
    const char* const kinds = text + at + sizeof(head);
    const char* format = kinds;
    while (*format != static_cast<char>(argument_kind::end)) ++format;
    ++format;
    std::fputs(formatted(format, kinds, format + length(format)).c_str(), stderr);
    at += one->bytes;
  }
  if (lost != 0) {
    std::fputs(("channels: " + std::to_string(lost) +
                " more messages of tasks to stderr found no room in the " +
                std::to_string(sizeof text) + " bytes that a run has for them\n")
                   .c_str(),
               stderr);
  }
  for (std::uint64_t i = 0; i < end; ++i) text[i] = 0;
  used = 0;
  lost = 0;
}

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
