#pragma once

#include <algorithm>  // sort, lower_bound, min
#include <cstring>    // memcpy
#include <vector>     // vector

#include "channels/gpu/device/batch_slot.hpp"
#include "channels/host/free_run.hpp"

namespace channels::gpu::detail {

/// What batches that have ended mean for the channels: what they consumed is freed, and what they
/// wrote and said goes to the aggregator.
class batch_ends {
 public:
  /// Applies the report and remarks of the batch in slot `s` to channels and to `f`, and counts
  /// what it did, without its wavefronts.
  void take(const batch_slot& s, channels::detail::flight& f,
            const channels::detail::run_setup& setup, work_counters& counted) {
    batch& b = f.work;
    const batch_report& r = *s.report;
    read_remarks(s, r.remarks);
    b.consumed = b.count;
    if (!s.frames_are_free) free_source(b);
    f.written.clear();
    for (std::uint32_t i = 0; i < b.output_count; ++i) {
      if (b.outputs[i] == nullptr) continue;
      const window& w = s.parameters.outputs[i];
      const std::uint64_t written = close_window(f, i, w, std::min(r.taken[i], w.count));
      if (!setup.model->stacks[f.node->outputs[i].stack].frames) b.spawned += written;
    }
    const channel_view& restarts = setup.restarts->view;
    for (const remark& m : remarks_) {
      const bool of_source = m.channel == b.source->id;
      switch (m.kind()) {
        case remark::no_room:
          restart(restarts, m, restart_reason::no_room);
          b.restarted += of_source ? 1 : 0;
          (of_source && !f.frames ? counted.retries : counted.yields) += 1;
          break;
        case remark::no_memory:
          restart(restarts, m, restart_reason::no_memory);
          b.restarted += of_source ? 1 : 0;
          ++counted.yields;
          break;
        case remark::no_memory_granted:
          restart(restarts, m, restart_reason::no_memory_granted);
          b.restarted += of_source ? 1 : 0;
          ++counted.yields;
          break;
        case remark::suspended: restart(restarts, m, restart_reason::suspended); break;
        case remark::ready: restart(restarts, m, restart_reason::ready); break;
        case remark::denied:
          if (!b.denied.pushed) b.denied = m.room();
          break;
        case remark::kept:
        case remark::unused: break;
      }
    }
    if (f.frames) {
      counted.resumed += s.frames_are_free ? r.frames : b.count;
    } else {
      counted.tasks += b.count - b.restarted;
    }
  }

 private:
  /// Sorted by channel and ticket.
  void read_remarks(const batch_slot& s, std::uint32_t count) {
    const std::uint32_t near = std::min(count, pinned_remarks);
    remarks_.resize(count);
    if (count == 0) return;
    std::memcpy(remarks_.data(), s.remarks.get(), sizeof(remark) * near);
    if (count > near) {
      check(CHANNELS_GPU(Memcpy)(remarks_.data() + near, s.more_remarks.get() + near,
                                 sizeof(remark) * (count - near), CHANNELS_GPU(MemcpyDeviceToHost)),
            "remarks");
    }
    std::sort(remarks_.begin(), remarks_.end(), [](const remark& a, const remark& b) {
      return a.channel != b.channel ? a.channel < b.channel : a.ticket < b.ticket;
    });
  }
  /// The first remark of `channel` at or behind `ticket`.
  [[nodiscard]] std::vector<remark>::const_iterator remark_from(std::uint32_t channel,
                                                                std::uint64_t ticket) const {
    return std::lower_bound(remarks_.begin(), remarks_.end(), ticket,
                            [channel](const remark& m, std::uint64_t t) {
                              return m.channel != channel ? m.channel < channel : m.ticket < t;
                            });
  }

  /// Calls `whole(run)` for the pieces of `all` without a remark, and `remarked(remark)`
  /// for what is between them.
  template <class Whole, class Remarked>
  void for_pieces(std::uint32_t channel, run all, const Whole& whole,
                  const Remarked& remarked) const {
    std::uint64_t at = all.first;
    const auto piece = [&](std::uint64_t end) {
      if (end > at) whole(run{at, static_cast<std::uint32_t>(end - at)});
    };
    for (auto m = remark_from(channel, all.first);
         m != remarks_.end() && m->channel == channel && m->ticket < all.end(); ++m) {
      piece(m->ticket);
      remarked(*m);
      at = m->ticket + m->count();
    }
    piece(all.end());
  }

  /// Frees what the batch consumed: all elements without a remark.
  void free_source(const batch& b) const {
    const channel_view& view = b.source->view;
    if (b.tickets == nullptr) {
      for (std::uint32_t i = 0; i < b.run_count; ++i) {
        for_pieces(b.source->id, b.runs[i], [&](run r) { view.tfree(r); }, [](const remark&) {});
      }
      return;
    }
    host::free_run freed(view);
    for (std::uint32_t i = 0; i < b.count; ++i) {
      const auto m = remark_from(b.source->id, b.tickets[i]);
      const bool remarked =
          m != remarks_.end() && m->channel == b.source->id && m->ticket == b.tickets[i];
      if (!remarked) freed.add(b.tickets[i]);
    }
    freed.flush();
  }

  /// Finds what was written, of `taken` elements, and gives back the rest. Returns how much was
  /// written.
  std::uint64_t close_window(channels::detail::flight& f, std::uint32_t output, const window& w,
                             std::uint32_t taken) const {
    const channel_view& view = f.work.outputs[output]->view;
    std::uint64_t written = 0;
    for_pieces(
        w.channel, {w.first, taken},
        [&](run r) {
          f.written.push_back({output, r});
          written += r.count;
        },
        [&](const remark& m) {
          if (m.kind() == remark::unused) {
            view.tfree({m.ticket, m.count()});
          } else {
            written += m.count();
          }
        });
    view.give_back({w.first + taken, w.count - taken});
    return written;
  }

  static void restart(const channel_view& to, const remark& m, restart_reason why) {
    const run place = to.talloc(1);
    // No lane asks twice, and no more lanes are in flight than it has elements.
    if (!place) throw error("device: no room for a restart context; please report this");
    layout_of<restart_context>::store(to.data(), to.capacity(), to.slot(place.first),
                                      {m.ticket, m.channel, why});
    to.enq(place);
  }

  std::vector<remark> remarks_;  ///< of the batch that has ended last
};

}  // namespace channels::gpu::detail
