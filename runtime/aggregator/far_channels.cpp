#include "runtime/aggregator/far_channels.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min
#include <chrono>     // microseconds
#include <thread>     // yield, sleep_for
#include <utility>    // move

#include "channels/error.hpp"

namespace channels::detail {
namespace {

std::vector<far_shape> shapes_of(const graph_model& model) {
  std::vector<far_shape> shapes;
  for (const far_model& f : model.far) {
    const stack_model& landing = model.stacks[f.landings.front()];
    shapes.push_back({f.name, landing.element_bytes, landing.capacity});
  }
  return shapes;
}

}  // namespace

std::string description_of(const graph_model& model) {
  // What the runtime has added for far channels is the same if those are.
  std::string text = fmt::format("graph '{}'\n", model.name);
  std::vector<bool> added(model.stacks.size(), false);
  for (const far_model& f : model.far)
    for (const std::uint32_t s : f.landings) added[s] = true;
  for (std::size_t i = 0; i < model.stacks.size(); ++i) {
    const stack_model& s = model.stacks[i];
    if (added[i]) continue;
    text += fmt::format("{} '{}': capacity {}, elements of {} bytes\n",
                        s.levels ? "stack" : "channel", s.name, s.capacity, s.element_bytes);
  }
  for (const node_model& n : model.nodes) {
    if (added[n.stack]) continue;
    text += fmt::format("kernel node '{}' of '{}'", n.name, model.stacks[n.stack].name);
    for (const output_model& o : n.outputs)
      text += fmt::format(" to '{}'", model.stacks[o.stack].name);
    text += '\n';
  }
  for (const far_model& f : model.far) {
    text += fmt::format("far channel '{}' to '{}', landing channels of {}\n", f.name,
                        model.stacks[f.home].name, model.stacks[f.landings.front()].capacity);
  }
  return text;
}

far_channels::far_channels(const run_context& run, const element_copies& copies, headway& progress)
    : run_(run),
      copies_(copies),
      headway_(progress),
      courier_(*run.model.here, run.model.name, shapes_of(run.model), description_of(run.model),
               run.options.timeout) {}

bool far_channels::turn(bool idle, bool passive, std::uint64_t progress) {
  bool any = courier_.turn({idle, passive, progress});
  any |= land();
  any |= depart();
  headway_.beat();  // that nobody gets anywhere place 0 sees
  if (!any) return false;
  headway_.others_moved();
  pauses_ = 0;
  naps_ = 0;
  return true;
}

bool far_channels::land() {
  bool any = false;
  for (std::uint32_t f = 0; f < courier_.far_channels(); ++f) {
    far_traffic& traffic = courier_.traffic(f);
    for (std::uint32_t s = 0; s < courier_.places(); ++s)
      any |= land_from(run_.model.far[f], traffic, s);
  }
  return any;
}

/// What has arrived from one source goes into its landing channel, as far as there is room.
bool far_channels::land_from(const far_model& far, far_traffic& traffic, std::uint32_t source) {
  const std::uint32_t stack = far.landings[source];
  const stack_model& s = run_.model.stacks[stack];
  channel_state* c = run_.table.find(stack, 0);
  if (c == nullptr) {
    if (traffic.next_from(source).count == 0) return false;
    c = run_.table.prepare(stack, 0, s.capacity);
    if (c == nullptr) {
      throw error(fmt::format(
          "{}: no memory for the landing channel '{}'; {} bytes are not enough for all channels: "
          "set CHANNELS_MEMORY higher, or give the channel a smaller capacity",
          run_.model.name, s.name, run_.memory_bytes));
    }
  }
  bool any = false;
  for (;;) {
    const landing_elements e = traffic.next_from(source);
    if (e.count == 0) break;
    if (c->live + e.count > c->geometry.capacity) run_.table.reclaim(*c);
    const run r = c->bound.view.talloc_between(1, e.count);
    if (!r) break;
    copies_.store(*c, r, e.first);
    run_.table.enqueue(*c, r);
    traffic.landed(source, r.count);
    run_.table.refresh(*c);
    any = true;
  }
  traffic.set_room(source,
                   c->geometry.capacity - std::min<std::uint64_t>(c->live, c->geometry.capacity));
  return any;
}

bool far_channels::depart() {
  bool any = false;
  waiting_ = false;
  for (std::uint32_t f = 0; f < courier_.far_channels(); ++f) {
    const far_model& far = run_.model.far[f];
    channel_state* const c = run_.table.find(far.departures, 0);
    if (c == nullptr || c->live == 0) continue;
    run_.table.collect(*c);
    if (c->ready.count() == 0) continue;
    any |= depart_from(*c, far, courier_.traffic(f));
    waiting_ |= c->ready.count() != 0;
  }
  return any;
}

/// What is ready goes to outboxes, in order, until one has no credit.
bool far_channels::depart_from(channel_state& c, const far_model& far, far_traffic& to) {
  bool any = false;
  for (;;) {
    run next;
    std::uint32_t runs = 0;
    if (c.ready.take(&next, 1, channel_geometry::largest_capacity, runs) == 0) break;
    const std::uint32_t gone = far.depart(far.route.get(), c.bound.view, next, to);
    if (gone != 0) {
      c.bound.view.tfree({next.first, gone});
      any = true;
    }
    if (gone == next.count) continue;
    c.ready.push_front({next.first + gone, next.count - gone});
    break;
  }
  if (any) run_.table.reclaim(c);
  return any;
}

std::vector<link_statistics> far_channels::counted() const {
  std::vector<link_statistics> links;
  for (std::uint32_t p = 0; p < courier_.places(); ++p) {
    if (p == courier_.here()) continue;
    link_statistics& link = links.emplace_back(link_statistics{courier_.here(), p});
    for (std::uint32_t f = 0; f < courier_.far_channels(); ++f)
      link += courier_.traffic(f).counted(p);
  }
  return links;
}

void far_channels::pause() {
  // Other places may be threads or processes on the same core, so it is theirs at first, and is
  // left alone when nothing comes. By time and not by number: where others keep the core busy, one
  // yield takes milliseconds, and a nap ends sooner.
  constexpr std::chrono::microseconds soon{100};
  constexpr std::chrono::microseconds nap{50};
  const auto now = std::chrono::steady_clock::now();
  if (pauses_++ == 0) idle_since_ = now;
  if (now - idle_since_ < soon) {
    std::this_thread::yield();
  } else {
    ++naps_;
    std::this_thread::sleep_for(nap);
  }
}

}  // namespace channels::detail
