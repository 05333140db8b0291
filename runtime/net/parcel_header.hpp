#pragma once

#include <cstddef>      // byte, size_t
#include <cstdint>      // fixed-width integers
#include <cstring>      // memcpy
#include <string>       // string
#include <string_view>  // string_view
#include <type_traits>  // is_trivially_copyable_v

#include "channels/net/transport.hpp"

namespace channels::detail {

/// What a parcel is about.
enum class parcel_kind : std::uint16_t {
  notice,  ///< that this place is alive, and what has arrived; outside of the sequence
  hello,   ///< the run begins; followed by the graph's description
  data,    ///< followed by elements
  credit,  ///< only what the header says
  wave,    ///< a wave asks; its number is in `limit`
  report,  ///< followed by a `wave_report`
  end,     ///< the run has ended everywhere
  failed,  ///< the run has failed; followed by why. `limit` is 1 if a place is gone
};

/// What each parcel begins with. All places are of one kind of machine, so it goes as it is.
struct parcel_header {
  /// Changes with what is sent: parcels of another version are refused.
  static constexpr std::uint32_t this_version = 0x63680001;

  std::uint32_t version = this_version;
  parcel_kind kind = parcel_kind::notice;
  std::uint16_t reserved = 0;
  std::uint32_t run = 0;      ///< the number of the run in its world, from 1 on
  std::uint32_t channel = 0;  ///< the far channel
  std::uint32_t count = 0;    ///< elements in this parcel
  std::uint32_t unused = 0;
  std::uint64_t sequence = 0;      ///< of the sender's parcels to this place, from 1 on; 0: none
  std::uint64_t acknowledged = 0;  ///< all parcels of the receiver up to this one have arrived
  /// How many elements of `channel` the receiver may have sent in this run, in all.
  std::uint64_t limit = 0;
};

/// Where elements begin: a multiple of any element's alignment.
inline constexpr std::size_t header_bytes = 64;
static_assert(sizeof(parcel_header) <= header_bytes && std::is_trivially_copyable_v<parcel_header>);

/// What a place answers to a wave.
struct wave_report {
  std::uint64_t wave = 0;
  std::uint64_t sent = 0;      ///< elements to other places
  std::uint64_t done = 0;      ///< elements from other places that are in channels here
  std::uint64_t progress = 0;  ///< grows while this place gets anywhere
  std::uint64_t busy = 0;      ///< 1 if something runs here
  std::uint64_t passive = 0;   ///< 1 if nothing is left to do here
};

inline parcel_header header_of(const parcel& p) {
  parcel_header h;
  std::memcpy(&h, p.bytes.get(), sizeof h);
  return h;
}
inline void set_header(parcel& p, const parcel_header& h) {
  std::memcpy(p.bytes.get(), &h, sizeof h);
}
/// Makes `p` a parcel with this header and what follows it, cut to the room there is.
inline void fill(parcel& p, const parcel_header& h, std::size_t room, std::string_view rest = {}) {
  std::memset(p.bytes.get(), 0, header_bytes);
  set_header(p, h);
  rest = rest.substr(0, room - header_bytes);
  if (!rest.empty()) std::memcpy(p.bytes.get() + header_bytes, rest.data(), rest.size());
  p.size = header_bytes + rest.size();
}
inline std::string text_of(const parcel& p) {
  return {reinterpret_cast<const char*>(p.bytes.get()) + header_bytes, p.size - header_bytes};
}

}  // namespace channels::detail
