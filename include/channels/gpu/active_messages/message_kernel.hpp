#pragma once

#include <cstddef>  // size_t

#include "channels/gpu/active_messages/message_port.hpp"
#include "channels/gpu/port/clock.hpp"
#include "channels/gpu/port/fences.hpp"
#include "channels/gpu/tuning.hpp"

/// What the wavefronts of a run do: some send, some read what arrives. Those that read wait for
/// nothing but messages, so a full ring is emptied whatever else happens; that is why a wavefront
/// does not do both.
namespace channels::gpu::detail {

template <class Message, class Sender, class Handler>
struct message_run {
  mail_parameters mail;
  std::uint64_t first;  ///< items of this place
  std::uint64_t last;
  Sender sender;
  Handler handler;
};

/// Says now and then that a wavefront gets somewhere. The host is microseconds away.
class heartbeat {
 public:
  CHANNELS_GPU_INLINE heartbeat(const mail_parameters& mail, std::uint32_t wave)
      : word_(mail.host->beats + wave), last_(clock_cycles()) {}
  CHANNELS_GPU_INLINE void beat() {
    const std::uint32_t now = clock_cycles();
    if (now - last_ < message_tuning::cycles_between_beats) return;
    last_ = now;
    // Relaxed: it carries nothing but itself.
    if (lane_index() == 0) store<order::relaxed, scope::system>(word_, ++beats_);
  }

 private:
  std::uint32_t* word_;
  std::uint32_t last_;
  std::uint32_t beats_ = 0;
};

/// Tells the other places where this place's messages end.
CHANNELS_GPU_INLINE void end_messages(const mail_parameters& mail) {
  for (std::uint32_t place = 0; place < mail.places; ++place) {
    if (place == mail.here) continue;
    for (std::uint32_t ring = lane_index(); ring < mail.rings; ring += wave_width) {
      // Relaxed: all positions were taken before the last wavefront counted itself.
      const auto tail = load<order::relaxed>(mail.tails + mail.way(place, ring));
      // Relaxed: messages tell themselves that they have arrived.
      store<order::relaxed, scope::system>(
          mail.blocks[place].ends + mail.way(mail.here, ring),
          std::uint64_t{mail.run} << 32U | static_cast<std::uint32_t>(tail));
    }
  }
}

/// Calls the sender with this wavefront's share of the place's items.
template <class Message, class Sender, class Handler>
CHANNELS_GPU_INLINE void send_all(const message_run<Message, Sender, Handler>& run,
                                  std::uint32_t wave, heartbeat alive) {
  const mail_parameters& mail = run.mail;
  message_port<Message, Handler> out(mail, wave % mail.rings, run.handler);
  const std::uint64_t step = std::uint64_t{mail.sending} * wave_width;
  for (std::uint64_t i = run.first + std::uint64_t{wave} * wave_width; i < run.last; i += step) {
    const std::uint64_t item = i + lane_index();
    if (item < run.last) run.sender(out, item);
    converge();
    alive.beat();
  }
  fence_in_wave();
  std::uint32_t before = 0;
  // Acquire and release: whoever counts last has seen what positions the others took.
  if (lane_index() == 0) before = fetch_add<order::acq_rel>(mail.ended, 1U);
  if (of_lane(before, 0) + 1 == mail.sending) end_messages(mail);
}

/// One ring as its reader knows it. All lanes of the wavefront know the same.
struct ring_state {
  std::uint64_t head = 0;  ///< position of the next message
  std::uint64_t told = 0;  ///< what the source knows of that
};

/// Handles what has arrived in a ring, as far as it is there without a gap. Returns how many.
template <class Message, class Handler>
CHANNELS_GPU_INLINE std::uint32_t handle_arrived(const mail_parameters& mail, std::uint64_t* ring,
                                                 std::uint64_t head, const Handler& handler) {
  using layout = mail_layout<Message>;
  // Several loads under way in each lane.
  constexpr std::uint32_t rows = layout::words >= message_tuning::words_under_way
                                     ? 1
                                     : message_tuning::words_under_way / layout::words;
  Message found[rows];
  bool arrived[rows];
  CHANNELS_GPU_UNROLL
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint64_t position = head + row * wave_width + lane_index();
    arrived[row] = layout::read(layout::at(ring, position & (mail.capacity() - 1)),
                                round_of(mail, position), found[row]);
  }
  std::uint32_t count = 0;
  bool whole = true;
  CHANNELS_GPU_UNROLL
  for (std::uint32_t row = 0; row < rows; ++row) {
    const lane_mask missing = ballot(!arrived[row]);
    if (whole) count += missing == 0 ? wave_width : first(missing);
    whole = whole && missing == 0;
  }
  CHANNELS_GPU_UNROLL
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (row * wave_width + lane_index() < count)
      handler(message_place{mail.here, mail.places}, found[row]);
  }
  converge();
  return count;
}

/// Tells the source what this wavefront has read of its ring, so that it may use the room.
CHANNELS_GPU_INLINE void give_room(const mail_parameters& mail, std::uint32_t source,
                                   std::uint32_t ring, ring_state& state) {
  // Relaxed, and yet no lane reads a word after the source has written over it: what is stored has
  // been computed from the words that all lanes have read. A release would wait until all writes of
  // the compute unit have arrived, those to other GPUs too, and its senders go on writing: a
  // quarter of a millisecond (H200), and a tenth of the speed.
  if (lane_index() == 0) {
    store<order::relaxed, scope::system>(mail.blocks[source].read + mail.way(mail.here, ring),
                                         state.head);
  }
  state.told = state.head;
}

/// Reads ring number `ring` of each source until all of them have ended.
template <class Message, class Sender, class Handler>
CHANNELS_GPU_INLINE void read_all(const message_run<Message, Sender, Handler>& run,
                                  std::uint32_t ring, heartbeat alive) {
  using layout = mail_layout<Message>;
  const mail_parameters& mail = run.mail;
  const mail_block& own = mail.blocks[mail.here];
  ring_state states[most_places];
  for (std::uint32_t source = 0; source < mail.places; ++source)
    states[source].head = states[source].told = mail.heads[mail.way(source, ring)];
  bool over = false;
  for (std::uint32_t idle = 0; !over;) {
    over = true;
    bool moved = false;
    for (std::uint32_t source = 0; source < mail.places; ++source) {
      if (source == mail.here) continue;
      const std::uint32_t way = mail.way(source, ring);
      ring_state& state = states[source];
      std::uint64_t* const words = mail.ring_at(mail.here, source, ring, layout::words);
      const std::uint32_t count = handle_arrived<Message>(mail, words, state.head, run.handler);
      state.head += count;
      moved = moved || count != 0;
      const std::uint64_t untold = state.head - state.told;
      if (untold >= mail.capacity() / 8 || (count == 0 && untold != 0))
        give_room(mail, source, ring, state);
      if (count == 0) {
        // Relaxed: see end_messages.
        const auto end = load<order::relaxed, scope::system>(own.ends + way);
        over = over &&
               end == (std::uint64_t{mail.run} << 32U | static_cast<std::uint32_t>(state.head));
      } else {
        over = false;
      }
    }
    // All lanes have read the same words, but not at the same time.
    over = ballot(!over) == 0;
    if (moved) {
      alive.beat();
      idle = 0;
    } else if (!over) {
      if (++idle % message_tuning::looks_between_stops == 0 && ballot(mail.is_stopped()) != 0)
        return;
      nap();
    }
  }
  if (lane_index() == 0) {
    for (std::uint32_t source = 0; source < mail.places; ++source)
      mail.heads[mail.way(source, ring)] = states[source].head;
  }
}

template <class Message, class Sender, class Handler>
CHANNELS_GPU_BATCH_KERNEL exchange_messages(
    const CHANNELS_GPU_PARAMETER message_run<Message, Sender, Handler> run) {
  const mail_parameters& mail = run.mail;
  const std::uint32_t in_group = wave_in_group();
  const heartbeat alive(mail, group_index() * mail.group_waves + in_group);
  if (in_group >= mail.readers) {
    const std::uint32_t senders = mail.group_waves - mail.readers;
    send_all(run, group_index() * senders + in_group - mail.readers, alive);
  } else {
    read_all(run, group_index() * mail.readers + in_group, alive);
  }
}

}  // namespace channels::gpu::detail
