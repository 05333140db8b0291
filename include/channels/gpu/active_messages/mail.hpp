#pragma once

#include <cstdint>      // fixed-width integers
#include <cstring>      // memcpy
#include <type_traits>  // is_trivially_copyable_v

#include "channels/gpu/port/atomic.hpp"
#include "channels/gpu/port/intrinsics.hpp"
#include "channels/gpu/scheduler/peer_block.hpp"

/// How messages lie in memory on their way from one GPU to another.
///
/// For each pair of places there are rings, in the memory of the place that the messages go to.
/// Many wavefronts of the source write to a ring, and one wavefront of the destination reads it. A
/// message's words have half of their 64 bits for data, and in the other half the number of the
/// round of the ring: a word with the expected number has arrived. So no flag follows a message, no
/// fence stands before it, and whoever reads learns of it in the same access.
namespace channels::gpu::detail {

/// Places of one run at most.
inline constexpr std::uint32_t most_places = most_peers;

/// What one place has for the others, in memory that all of them reach. All lanes use these words
/// by atomics of the system's scope.
struct mail_block {
  /// What has arrived, by source and ring: `capacity` messages of each. Not of the place itself.
  std::uint64_t* words;
  /// Where a source's messages end, by source and ring: the number of the run in the upper half,
  /// the lower half of the position in the other.
  std::uint64_t* ends;
  /// What the destination has read of this place's messages, by destination and ring: a position.
  std::uint64_t* read;
};

/// What host and device tell each other, in pinned memory.
struct mail_host {
  std::uint32_t stop;      ///< not 0: all wavefronts shall end
  std::uint32_t beats[1];  ///< of each wavefront: it changes while the wavefront gets somewhere
};

/// One place's view of a run.
struct mail_parameters {
  std::uint32_t here;
  std::uint32_t places;
  std::uint32_t run;            ///< number of the run, from 1
  std::uint32_t rings;          ///< of each pair of places in this run
  std::uint32_t ring_stride;    ///< rings that there is memory for
  std::uint32_t capacity_bits;  ///< a ring has 2^capacity_bits messages
  std::uint32_t readers;        ///< wavefronts of a work-group that read; the others send
  std::uint32_t group_waves;
  std::uint32_t sending;  ///< wavefronts of this place that send
  // This place's own, by atomics of the device's scope:
  std::uint64_t* tails;  ///< next position, by destination and ring
  std::uint64_t* heads;  ///< positions read before this run, by source and ring
  std::uint32_t* ended;  ///< wavefronts that have sent all
  mail_host* host;
  mail_block blocks[most_places];

  [[nodiscard]] CHANNELS_GPU_INLINE std::uint32_t way(std::uint32_t place,
                                                      std::uint32_t ring) const {
    return place * ring_stride + ring;
  }
  /// The first word of a ring from `source` to `place`, of messages of so many words.
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t* ring_at(std::uint32_t place,
                                                           std::uint32_t source, std::uint32_t ring,
                                                           std::uint32_t words) const {
    const std::uint64_t number = way(source < place ? source : source - 1, ring);
    return blocks[place].words + (number << capacity_bits) * words;
  }
  [[nodiscard]] CHANNELS_GPU_INLINE std::uint64_t capacity() const {
    return std::uint64_t{1} << capacity_bits;
  }
  /// Whether the host has asked to end the run. It is microseconds away.
  [[nodiscard]] CHANNELS_GPU_INLINE bool is_stopped() const { return peek(&host->stop) != 0; }
};

/// Words of a message, and where they are in a ring: those of the messages of a wavefront are side
/// by side, so that its lanes write and read whole lines.
template <class Message>
struct mail_layout {
  static_assert(std::is_trivially_copyable_v<Message>, "a message is copied word by word");
  static constexpr std::uint32_t words = (sizeof(Message) + 3) / 4;

  [[nodiscard]] static CHANNELS_GPU_INLINE std::uint64_t* at(std::uint64_t* ring,
                                                             std::uint64_t slot) {
    return ring + slot / wave_width * (wave_width * words) + slot % wave_width;
  }
  static CHANNELS_GPU_INLINE void write(std::uint64_t* first, std::uint32_t round,
                                        const Message& message) {
    std::uint32_t data[words] = {};
    memcpy(data, &message, sizeof message);
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < words; ++i) {
      // Relaxed: a word carries nothing but itself.
      store<order::relaxed, scope::system>(first + i * wave_width,
                                           std::uint64_t{round} << 32U | data[i]);
    }
  }
  /// Whether the message of that round has arrived; then `message` is it.
  [[nodiscard]] static CHANNELS_GPU_INLINE bool read(const std::uint64_t* first,
                                                     std::uint32_t round, Message& message) {
    std::uint32_t data[words];
    bool whole = true;
    CHANNELS_GPU_UNROLL
    for (std::uint32_t i = 0; i < words; ++i) {
      const auto word = load<order::relaxed, scope::system>(first + i * wave_width);
      data[i] = static_cast<std::uint32_t>(word);
      whole = whole && word >> 32U == round;
    }
    memcpy(&message, data, sizeof message);
    return whole;
  }
};

/// The number that the words of the message at `position` have. It is not 0 before 2^32 rounds.
CHANNELS_GPU_INLINE std::uint32_t round_of(const mail_parameters& mail, std::uint64_t position) {
  return static_cast<std::uint32_t>(position >> mail.capacity_bits) + 1;
}

}  // namespace channels::gpu::detail
