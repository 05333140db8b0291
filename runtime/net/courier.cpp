#include "runtime/net/courier.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // any_of, min, max
#include <sstream>    // istringstream
#include <thread>     // sleep_for
#include <utility>    // move

#include "channels/error.hpp"

namespace channels::detail {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

/// How often place 0 asks the others whether the run has ended, while it may have.
constexpr microseconds between_waves{50};
/// A place that is busy may be done in a moment: it answers a wave after so long.
constexpr milliseconds before_busy_answer{1};
/// How often the times of other places are looked at.
constexpr milliseconds between_checks{1};
/// Parcels that are received in one turn at most: what they bring is to be run, too.
constexpr int most_in_turn = 64;
/// How long a reliable transport may take for the last parcels.
constexpr milliseconds last_parcels{500};

/// The first line in which two texts differ; "nothing" where one has ended.
std::pair<std::string, std::string> first_difference(const std::string& a, const std::string& b) {
  std::istringstream in_a(a);
  std::istringstream in_b(b);
  for (;;) {
    std::string line_a;
    std::string line_b;
    const bool more_a = static_cast<bool>(std::getline(in_a, line_a));
    const bool more_b = static_cast<bool>(std::getline(in_b, line_b));
    if (!more_a && !more_b) return {};
    if (!more_a) line_a = "nothing";
    if (!more_b) line_b = "nothing";
    if (line_a != line_b) return {line_a, line_b};
  }
}

}  // namespace

courier::courier(endpoint& on, std::string graph, std::vector<far_shape> far,
                 const std::string& description, milliseconds timeout)
    : on_(on),
      graph_(std::move(graph)),
      // A longer one is compared as far as a parcel goes.
      description_(description.substr(0, on.by->parcel_bytes() - header_bytes)),
      timeout_(timeout),
      patience_(on.options.patience.count() != 0 ? on.options.patience : timeout),
      others_(on.by->places()),
      waves_(on.by->places()) {
  std::uint32_t number = 0;
  for (far_shape& s : far)
    traffic_.push_back(std::make_unique<far_traffic>(on, graph_, number++, std::move(s)));
}

void courier::begin() {
  if (!on_.failure.empty()) {
    told_ = true;
    throw error(fmt::format(
        "{}: an earlier run of this world has failed, and the places may not agree any more; make "
        "a new world. It failed with: {}",
        graph_, on_.failure));
  }
  ++on_.run;
  const auto now = on_.by->now();
  since_begin_.restart(now);
  since_progress_.restart(now);
  for (other_place& o : others_) o.heard.restart(now);
  for (std::uint32_t p = 0; p < places(); ++p) {
    if (p != on_.by->here()) send(p, parcel_kind::hello, 0, description_);
  }
  for (std::uint32_t p = 0; p < places(); ++p) {
    // What it handles may be early again.
    std::deque<parcel> early = std::move(on_.early[p]);
    on_.early[p].clear();
    for (parcel& e : early) handle(p, std::move(e));
  }
}

bool courier::turn(const place_state& now) {
  const auto at = on_.by->now();
  came_ = false;
  receive();
  const bool due = at >= next_flush_;
  if (now.idle || due) {
    for (const auto& t : traffic_) t->flush(at, now.idle);
    next_flush_ = at + on_.options.flush_after / 2;
  }
  for (const auto& t : traffic_) t->announce(now.idle || due);
  if (asked_ != 0) answer(now, at);
  if (on_.by->here() == 0 && begun_ + 1 == places()) lead(now, at);
  pump(at);
  if (at >= next_check_) {
    check_others(at);
    next_check_ = at + between_checks;
  }
  return came_;
}

void courier::receive() {
  for (int i = 0; i < most_in_turn; ++i) {
    auto next = on_.by->poll();
    if (!next) return;
    const std::uint32_t from = next->from;
    if (next->what.size < header_bytes ||
        header_of(next->what).version != parcel_header::this_version) {
      throw error(fmt::format(
          "{}: place {} sends parcels of another version of channels; use one version at all "
          "places",
          graph_, from));
    }
    others_[from].heard.restart(on_.by->now());
    on_.links[from]->arrived(std::move(next->what), [&](parcel p) { handle(from, std::move(p)); });
  }
}

/// A parcel in its turn.
void courier::handle(std::uint32_t from, parcel p) {
  const parcel_header h = header_of(p);
  if (h.run > on_.run) {
    on_.early[from].push_back(std::move(p));
    return;
  }
  if (h.run == on_.run) {
    const bool of_channel = h.kind == parcel_kind::data || h.kind == parcel_kind::credit;
    if (of_channel && h.channel >= far_channels()) {
      throw error(fmt::format("{}: place {} sends to far channel {}, and there are {}", graph_,
                              from, h.channel, far_channels()));
    }
    switch (h.kind) {
      case parcel_kind::notice: break;
      case parcel_kind::hello:
        compare(from, text_of(p));
        others_[from].begun = true;
        ++begun_;
        for (const auto& t : traffic_) t->open_credit(from);
        came_ = true;
        break;
      case parcel_kind::data:
        traffic_[h.channel]->allow(from, h.limit);
        traffic_[h.channel]->arrived(from, std::move(p), h.count);
        came_ = true;
        return;
      case parcel_kind::credit:
        traffic_[h.channel]->allow(from, h.limit);
        came_ = true;
        break;
      case parcel_kind::wave:
        asked_ = h.limit;
        asked_at_ = on_.by->now();
        break;
      case parcel_kind::report: {
        wave_report r;
        std::memcpy(&r, p.bytes.get() + header_bytes, sizeof r);
        waves_.take(from, r);
        break;
      }
      case parcel_kind::end: ended_ = true; break;
      case parcel_kind::failed:
        told_ = true;
        lost_ = h.limit != 0;
        throw error(fmt::format("{}: place {} has failed: {}", graph_, from, text_of(p)));
    }
  }
  on_.by->give(std::move(p));  // one of an earlier run says nothing any more
}

/// Throws if the graph of another place is not this one.
void courier::compare(std::uint32_t from, const std::string& theirs) const {
  const auto [mine, other] = first_difference(description_, theirs);
  if (mine == other) return;
  throw error(fmt::format(
      "{}: place {} runs another graph: it has '{}' where place {} has '{}'; make the same graph "
      "at all places",
      graph_, from, other, on_.by->here(), mine));
}

void courier::send(std::uint32_t to, parcel_kind kind, std::uint64_t number,
                   const std::string& rest) {
  parcel_header h;
  h.kind = kind;
  h.run = on_.run;
  h.limit = number;
  parcel p = on_.by->take();
  fill(p, h, on_.by->parcel_bytes(), rest);
  on_.links[to]->send(std::move(p));
}

wave_report courier::report(std::uint64_t wave, const place_state& now) const {
  wave_report r;
  r.wave = wave;
  r.passive = now.passive ? 1 : 0;
  r.progress = now.progress;
  r.busy = now.idle ? 0 : 1;
  for (const auto& t : traffic_) {
    r.sent += t->sent();
    r.done += t->done();
    if (t->holds_arrivals() || t->holds_departures()) r.passive = 0;
  }
  r.progress += r.sent + r.done;
  return r;
}

void courier::answer(const place_state& now, clock::time_point at) {
  if (!now.idle && at - asked_at_ < before_busy_answer) return;
  const wave_report r = report(asked_, now);
  asked_ = 0;
  send(0, parcel_kind::report, 0, {reinterpret_cast<const char*>(&r), sizeof r});
}

/// Place 0: sends waves, and judges what comes back.
void courier::lead(const place_state& now, clock::time_point at) {
  if (!waves_.is_out()) {
    if (ended_ || !((now.passive && at >= next_wave_) || at >= next_look_around_)) return;
    next_look_around_ = at + patience_ / 8;
    const std::uint64_t wave = waves_.begin();
    asked_at_ = at;
    ++on_.counts.waves;
    for (std::uint32_t p = 1; p < places(); ++p) send(p, parcel_kind::wave, wave, {});
  }
  if (!waves_.waits_for_me() || (!now.idle && at - asked_at_ < before_busy_answer)) return;
  waves_.take(0, report(waves_.number(), now));
  const auto found = waves_.judge();
  if (waves_.moved()) since_progress_.restart(at);
  next_wave_ = found == termination_waves::verdict::goes_on ? at + between_waves : at;
  if (found != termination_waves::verdict::ended) return;
  ended_ = true;
  for (std::uint32_t p = 1; p < places(); ++p) send(p, parcel_kind::end, 0, {});
}

void courier::pump(clock::time_point at) {
  for (std::uint32_t p = 0; p < places(); ++p) {
    if (p != on_.by->here()) on_.links[p]->pump(at, patience_ / 8);
  }
}

void courier::check_others(clock::time_point at) {
  const bool all_begun = begun_ + 1 == places();
  const auto waited = since_begin_.look(at);
  for (std::uint32_t p = 0; p < places(); ++p) {
    if (p == on_.by->here()) continue;
    if (!others_[p].begun) {
      others_[p].heard.restart(at);
      if (waited <= timeout_) continue;
      lost_ = true;
      throw error(fmt::format(
          "{}: place {} has not begun this run within {} ms; each place has to execute the same "
          "graph. If it may take that long, set CHANNELS_TIMEOUT higher",
          graph_, p, timeout_.count()));
    }
    if (others_[p].heard.look(at) > patience_) fail_as_lost(p);
  }
  if (on_.by->here() != 0 || ended_) return;
  if (!all_begun) since_progress_.restart(at);
  if (since_progress_.look(at) > timeout_ + patience_ / 4) fail_as_stuck();
}

void courier::fail_as_lost(std::uint32_t place) {
  lost_ = true;
  throw error(fmt::format(
      "{}: place {} is lost: nothing has come from it for {} ms. {}. If a kernel node may keep it "
      "that long, set world_options::patience or CHANNELS_TIMEOUT higher",
      graph_, place, patience_.count(), what_is_out(place)));
}

void courier::fail_as_stuck() const {
  std::string active;
  for (std::uint32_t p = 0; p < places(); ++p) {
    const wave_report& r = waves_.reports()[p];
    active += fmt::format("\n  place {}: {}, {} elements sent, {} arrived; {}", p,
                          r.passive != 0 ? "nothing left to do" : "not done", r.sent, r.done,
                          what_is_out(p));
  }
  throw error(fmt::format(
      "{}: no place has got anywhere for {} ms; if a kernel node may take that long, set "
      "CHANNELS_TIMEOUT higher{}",
      graph_, timeout_.count(), active));
}

std::string courier::what_is_out(std::uint32_t place) const {
  const peer_link& link = *on_.links[place];
  std::string text = fmt::format("the last parcel to it was number {}", link.last_sent());
  if (!on_.by->can().reliable)
    text += fmt::format(", acknowledged up to {}", link.last_acknowledged());
  text += fmt::format(", the last from it number {}", link.last_arrived());
  for (const auto& t : traffic_) {
    text += fmt::format("; far channel '{}' may send it {} of {} elements", t->shape().name,
                        t->credit(place), t->shape().capacity);
  }
  return text;
}

void courier::finish() {
  if (on_.by->can().reliable) {
    drain(last_parcels, {});
  } else {
    // The last acknowledgements may be lost, and who waits for them sends again: so each place
    // stays for as long as that may take a few times.
    drain(64 * on_.options.resend_after, 16 * on_.options.resend_after);
  }
}

void courier::tell_failure(const std::string& why) noexcept {
  try {
    on_.failure = why;
    if (!told_ && on_.run != 0) {
      told_ = true;
      for (std::uint32_t p = 0; p < places(); ++p) {
        if (p != on_.by->here()) send(p, parcel_kind::failed, lost_ ? 1 : 0, why);
      }
      drain(std::min<clock::duration>(patience_, 64 * on_.options.resend_after), {});
    }
  } catch (...) {
    // The transport has failed, too: there is nobody to tell, and the first error is thrown.
    lost_ = true;
  }
  // If all places are there, they end as after any run.
  if (lost_) on_.by->give_up();
}

/// Sends what is to be sent, for `longest` at most, and for `at_least` in any case.
void courier::drain(clock::duration longest, clock::duration at_least) {
  const auto begin = on_.by->now();
  for (;;) {
    const auto at = on_.by->now();
    while (auto next = on_.by->poll()) {
      if (next->what.size < header_bytes) continue;
      // Nothing of this run matters any more; what is of the next one is kept.
      const std::uint32_t from = next->from;
      on_.links[from]->arrived(std::move(next->what), [&](parcel p) {
        if (header_of(p).run > on_.run) {
          on_.early[from].push_back(std::move(p));
        } else {
          on_.by->give(std::move(p));
        }
      });
    }
    pump(at);
    bool out = on_.by->sent_all();
    for (std::uint32_t p = 0; p < places(); ++p)
      out &= p == on_.by->here() || on_.links[p]->all_out();
    if ((out && at - begin >= at_least) || at - begin >= longest) return;
    std::this_thread::sleep_for(microseconds(20));
  }
}

}  // namespace channels::detail
