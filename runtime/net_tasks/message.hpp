#pragma once

#include <cstddef>      // byte, size_t
#include <cstdint>      // fixed-width integers
#include <cstring>      // memcpy
#include <span>         // span
#include <type_traits>  // is_trivially_copyable_v

#include "channels/net/transport.hpp"

namespace channels::net_tasks {

/// What ranks that exchange tasks say to each other.
enum class message_kind : std::uint32_t {
  hello,   ///< the first from each rank; `number` is the hash of its program
  alive,   ///< nothing but that; to rank 0 followed by its `away` counts, a number for each rank
  ask,     ///< has nothing to do
  none,    ///< has nothing to give: the answer to `ask`
  task,    ///< followed by its closure; the other answer to `ask`
  result,  ///< of a task, followed by the bytes
  leave,   ///< the last
  failed,  ///< followed by why
};

/// What each message begins with. All ranks run the same program, so it goes as it is.
struct message_header {
  message_kind kind = message_kind::alive;
  std::uint32_t what = 0;    ///< of a task: its number in the traveller_table
  std::uint64_t number = 0;  ///< of a task: its sender's number for it, which the result repeats
  std::uint64_t detail = 0;  ///< of a task: the depth of its frame in bytes; of a result: its time
};

static_assert(std::is_trivially_copyable_v<message_header>);

/// A message that has arrived.
struct message {
  message_header header;
  std::span<const std::byte> body;
};

inline parcel make_parcel(transport& by, const message_header& h, std::span<const std::byte> body) {
  parcel p = by.take();
  std::memcpy(p.bytes.get(), &h, sizeof h);
  if (!body.empty()) std::memcpy(p.bytes.get() + sizeof h, body.data(), body.size());
  p.size = sizeof h + body.size();
  return p;
}

inline message read(const parcel& p) {
  message m;
  std::memcpy(&m.header, p.bytes.get(), sizeof m.header);
  m.body = {p.bytes.get() + sizeof m.header, p.size - sizeof m.header};
  return m;
}

}  // namespace channels::net_tasks
