#pragma once

#include "channels/host/free_run.hpp"
#include "channels/host/task_lane.hpp"

namespace channels::host {

/// The code of a task's two nodes on the host: a loop over wavefronts, and in it one over lanes.
template <task Task, readiness Rule>
class task_kernel {
 public:
  /// The pre-spawn node.
  static void enter(compute_unit& cu, batch& b, const void* /*arguments*/) {
    task_ports<Task, Rule> ports(cu, b);
    lane lane(ports, b.level);
    std::uint32_t done = 0;
    bool full = false;
    for (std::uint32_t i = 0; i < b.run_count && !full && !cu.stopped(); ++i) {
      const std::uint32_t consumed = enter_run(ports, lane, b, b.runs[i], done);
      b.source->view.tfree({b.runs[i].first, consumed});
      done += consumed;
      full = consumed != b.runs[i].count;
    }
    b.spawned = lane.close();
    b.consumed = done;
    cu.counters.tasks += done;
    cu.counters.retries += full ? 1 : 0;
  }

  /// The post-spawn node.
  static void resume(compute_unit& cu, batch& b, const void* /*arguments*/) {
    task_ports<Task, Rule> ports(cu, b);
    lane lane(ports, b.level);
    free_run freed(b.source->view);
    std::uint32_t done = 0;
    if (b.tickets != nullptr) {
      for (; done < b.count && !(done % cu.width == 0 && cu.stopped()); ++done) {
        ports.lanes_left = b.count - done;
        resume_one(ports, lane, freed, b, b.tickets[done]);
      }
    } else {
      for (std::uint32_t i = 0; i < b.run_count && !cu.stopped(); ++i) {
        ports.lanes_left = b.count - done;
        for (std::uint32_t k = 0; k < b.runs[i].count; ++k) {
          resume_one(ports, lane, freed, b, b.runs[i].first + k);
        }
        done += b.runs[i].count;
      }
    }
    freed.flush();
    b.spawned = lane.close();
    b.consumed = done;
    cu.counters.resumed += done;
    cu.counters.waves += (done + cu.width - 1) / cu.width;
    cu.counters.lanes += done;
  }

  /// Runs a frame whose last child has just finished, on that child's lane. The task may finish. If
  /// it spawns, it finds no room here, yields, and goes on in a batch of its own level. Returns the
  /// parent that has to be told if the task finished.
  static frame_head* resume_inline(compute_unit& cu, frame_head* head)
    requires(Rule == readiness::counted)
  {
    auto* const r = record::of(head);
    r->head.join = frame_head::running;
    const bound_channel* const home = head->home;
    task_ports<Task, Rule> ports(cu, batch{});
    lane lane(ports, 0);
    const std::uint64_t ticket = head->ticket;
    frame_head* parent = nullptr;
    lane.begin_resume(r, ticket);
    ++cu.counters.resumed;
    for (;;) {
      const outcome o = Task::resume(lane, r->frame, r->point);
      if (o == outcome::suspended && lane.take_all_finished()) continue;
      if (o == outcome::finished) {
        parent = lane.up().parent;
        lane.release_memory();
        home->view.tfree({ticket, 1});
      } else if (o == outcome::yielded) {
        ++cu.counters.yields;
        ports.restart(ticket, home, lane.take_reason());
      }
      break;
    }
    lane.close();
    return parent;
  }

 private:
  using lane = task_lane<Task, Rule>;
  using record = frame_record<Task, Rule>;
  using element_record = task_element<Task, Rule>;

  /// Runs the elements of `r`, wavefront by wavefront, until a lane finds no room. Returns the
  /// number consumed. `before`: elements of the batch consumed before.
  static CHANNELS_INLINE std::uint32_t enter_run(task_ports<Task, Rule>& ports, lane& lane,
                                                 const batch& b, run r, std::uint32_t before) {
    compute_unit& cu = ports.cu;
    const channel_view& source = b.source->view;
    auto* const elements = reinterpret_cast<const element_record*>(source.data());
    const std::uint32_t mask = source.capacity() - 1;
    std::uint32_t done = 0;
    while (done < r.count && !cu.stopped()) {
      const std::uint32_t wave_end = r.count < done + cu.width ? r.count : done + cu.width;
      ports.lanes_left = b.count - before - done;
      ++cu.counters.waves;
      const std::uint32_t wave_begin = done;
      for (; done < wave_end; ++done) {
        const element_record e = elements[static_cast<std::uint32_t>(r.first + done) & mask];
        lane.begin(e.up());
        const outcome o = Task::enter(lane, e.arguments);
        if (o == outcome::finished) [[likely]] {
          lane.drop_frame();
          if constexpr (Rule == readiness::counted) report(cu, e.up().parent);
        } else if (o == outcome::suspended) {
          if constexpr (Rule == readiness::counted) {
            if (lane.take_all_finished()) go_on(ports, lane);
          }
        } else if (o == outcome::yielded) {
          ++cu.counters.yields;
          lane.leave_frame_out();
          ports.restart(lane.ticket(), ports.frames.target(), lane.take_reason());
        } else {
          lane.drop_frame();
          cu.counters.lanes += done - wave_begin;
          return done;
        }
      }
      cu.counters.lanes += done - wave_begin;
    }
    return done;
  }

  static CHANNELS_INLINE void resume_one(task_ports<Task, Rule>& ports, lane& lane, free_run& freed,
                                         batch& b, std::uint64_t ticket) {
    compute_unit& cu = ports.cu;
    const bound_channel* const home = b.source;
    auto* const r = aos_record(home->view, ticket);
    lane.begin_resume(r, ticket);
    for (;;) {
      const outcome o = Task::resume(lane, r->frame, r->point);
      if (o == outcome::finished) [[likely]] {
        lane.release_memory();
        if constexpr (Rule == readiness::counted) {
          frame_head* const parent = lane.up().parent;
          freed.add(ticket);
          report(cu, parent);
        } else {
          freed.add(ticket);
        }
      } else if (o == outcome::suspended) {
        if constexpr (Rule == readiness::counted) {
          if (lane.take_all_finished()) continue;
        } else {
          ports.restart(ticket, home, restart_reason::suspended);
        }
      } else {
        ++cu.counters.yields;
        ++b.restarted;
        ports.restart(ticket, home, lane.take_reason());
      }
      return;
    }
  }

  /// A frame that this lane opened, and whose children all finished before its `sync`, is resumed
  /// as a restart context.
  CHANNELS_COLD static void go_on(task_ports<Task, Rule>& ports, lane& lane) {
    ports.restart(lane.ticket(), ports.frames.target(), restart_reason::ready);
  }

  /// Tells a parent that a child has finished. The last child runs the parent, then tells the
  /// grandparent, and so on.
  static CHANNELS_INLINE void report(compute_unit& cu, frame_head* parent) {
    while (parent != nullptr && parent->child_finished(cu)) {
      parent =
          parent->resume == &resume_inline ? resume_inline(cu, parent) : parent->resume(cu, parent);
    }
  }

  static CHANNELS_INLINE record* aos_record(const channel_view& view, std::uint64_t ticket) {
    return reinterpret_cast<record*>(view.data()) + view.slot(ticket);
  }
};

template <task Task, readiness Rule>
CHANNELS_INLINE void task_lane<Task, Rule>::open_head() {
  record_->head = {frame_head::running, ticket_, ports_->frames.target(),
                   &task_kernel<Task, readiness::counted>::resume_inline};
}

}  // namespace channels::host
