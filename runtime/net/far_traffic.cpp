#include "runtime/net/far_traffic.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min, max, any_of
#include <utility>    // move, exchange

#include "channels/error.hpp"

namespace channels::detail {

far_traffic::far_traffic(endpoint& on, std::string graph, std::uint32_t number, far_shape shape)
    : far_outboxes(on.by->places(), on.by->here(), shape.element_bytes),
      on_(on),
      graph_(std::move(graph)),
      number_(number),
      shape_(std::move(shape)),
      most_in_parcel_((on.by->parcel_bytes() - header_bytes) / shape_.element_bytes),
      peers_(on.by->places()) {
  if (on.by->parcel_bytes() < header_bytes + shape_.element_bytes) {
    throw error(fmt::format(
        "{}: far channel '{}' has elements of {} bytes, and a parcel has room for {}; give the "
        "transport larger parcels",
        graph_, shape_.name, shape_.element_bytes, on.by->parcel_bytes() - header_bytes));
  }
  for (peer& p : peers_) p.promised = p.announced = shape_.capacity;
  peers_[here()].limit = shape_.capacity;
}

void far_traffic::refuse(std::uint64_t place) const {
  throw error(fmt::format(
      "{}: the route of far channel '{}' sends an element to place {}, and there are {} places",
      graph_, shape_.name, static_cast<std::int64_t>(place), places()));
}

bool far_traffic::open(std::uint32_t place) {
  peer& to = peers_[place];
  if (to.filling && in_box(place) == most_in_parcel_) ship(place);
  const std::uint64_t boxed = in_box(place);
  const std::uint64_t used = to.shipped + boxed;
  const std::uint64_t room = std::min(most_in_parcel_ - boxed, to.limit - used);
  if (room == 0) {
    ++on_.counts.credit_waits;
    ++to.credit_waits;
    return false;
  }
  outbox& box = box_of(place);
  if (!to.filling) {
    to.filling = on_.by->take();
    to.opened = on_.by->now();
    box.next = to.filling.bytes.get() + header_bytes;
  }
  box.room = static_cast<std::uint32_t>(room);
  return true;
}

/// Elements in the outbox.
std::uint64_t far_traffic::in_box(std::uint32_t place) const {
  const peer& to = peers_[place];
  if (!to.filling) return 0;
  const std::byte* const next = box_of(place).next;
  return static_cast<std::uint64_t>(next - to.filling.bytes.get() - header_bytes) /
         shape_.element_bytes;
}

parcel_header far_traffic::header(std::uint32_t place, parcel_kind kind) {
  peer& p = peers_[place];
  p.announced = p.promised;
  parcel_header h;
  h.kind = kind;
  h.run = on_.run;
  h.channel = number_;
  h.limit = p.promised;
  return h;
}

/// Sends what the outbox holds, which is something.
void far_traffic::ship(std::uint32_t place) {
  peer& to = peers_[place];
  const auto count = static_cast<std::uint32_t>(in_box(place));
  parcel p = std::exchange(to.filling, {});
  box_of(place) = {};
  to.shipped += count;
  if (place == here()) {
    arrived(place, std::move(p), count);
    return;
  }
  parcel_header h = header(place, parcel_kind::data);
  h.count = count;
  fill(p, h, header_bytes);
  p.size = header_bytes + count * shape_.element_bytes;
  sent_ += count;  // before it leaves: a wave never sees it arrived and not sent
  on_.counts.elements_sent += count;
  ++on_.counts.parcels_sent;
  on_.counts.bytes_sent += p.size;
  ++to.parcels;
  to.bytes += p.size;
  on_.links[place]->send(std::move(p));
}

void far_traffic::flush(transport::clock::time_point now, bool all) {
  for (std::uint32_t p = 0; p < places(); ++p) {
    if (in_box(p) == 0) continue;
    if (all || now - peers_[p].opened >= on_.options.flush_after) ship(p);
  }
}

void far_traffic::allow(std::uint32_t place, std::uint64_t limit) {
  peers_[place].limit = std::max(peers_[place].limit, limit);
}

link_statistics far_traffic::counted(std::uint32_t place) const {
  const peer& p = peers_[place];
  return {here(), place, p.shipped, p.arrived, p.parcels, p.bytes, p.credit_waits};
}

bool far_traffic::holds_departures() const {
  for (std::uint32_t p = 0; p < places(); ++p)
    if (in_box(p) != 0) return true;
  return false;
}

std::uint64_t far_traffic::credit(std::uint32_t place) const {
  return peers_[place].limit - peers_[place].shipped - in_box(place);
}

void far_traffic::arrived(std::uint32_t from, parcel p, std::uint32_t count) {
  peer& source = peers_[from];
  source.arrived += count;
  if (source.arrived > source.promised ||
      (from != here() && p.size != header_bytes + count * shape_.element_bytes)) {
    throw error(fmt::format(
        "{}: far channel '{}': place {} has sent {} elements, {} of them in a parcel of {} bytes, "
        "and may send {} of {} bytes each",
        graph_, shape_.name, from, source.arrived, count, p.size, source.promised,
        shape_.element_bytes));
  }
  if (from != here()) on_.counts.elements_arrived += count;
  source.waiting.push_back({std::move(p), 0, count});
}

landing_elements far_traffic::next_from(std::uint32_t source) const {
  const peer& p = peers_[source];
  if (p.waiting.empty()) return {};
  const held& first = p.waiting.front();
  return {first.what.bytes.get() + header_bytes + first.next * shape_.element_bytes,
          first.count - first.next};
}

void far_traffic::landed(std::uint32_t source, std::uint32_t count) {
  peer& p = peers_[source];
  held& first = p.waiting.front();
  first.next += count;
  p.landed += count;
  if (source != here()) done_ += count;
  if (first.next != first.count) return;
  on_.by->give(std::move(first.what));
  p.waiting.pop_front();
}

void far_traffic::set_room(std::uint32_t source, std::uint64_t room) {
  peer& p = peers_[source];
  p.promised = std::max(p.promised, p.landed + room);
  if (source == here()) allow(source, p.promised);
}

void far_traffic::announce(bool all) {
  // The source can go on for a while with what it has.
  const std::uint64_t enough = shape_.capacity / 2;
  const std::uint64_t much = std::max(shape_.capacity / 4, 1U);
  for (std::uint32_t s = 0; s < places(); ++s) {
    const peer& p = peers_[s];
    if (s == here() || p.promised == p.announced || p.announced - p.arrived > enough) continue;
    if (all || p.promised - p.announced >= much) tell(s);
  }
}

void far_traffic::tell(std::uint32_t place) {
  parcel p = on_.by->take();
  fill(p, header(place, parcel_kind::credit), header_bytes);
  on_.links[place]->send(std::move(p));
}

bool far_traffic::holds_arrivals() const {
  return std::any_of(peers_.begin(), peers_.end(),
                     [](const peer& p) { return !p.waiting.empty(); });
}

}  // namespace channels::detail
