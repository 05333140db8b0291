#include "runtime/net_tasks/task_exchange.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // any_of, min
#include <cstdio>     // fflush
#include <cstdlib>    // _Exit
#include <cstring>    // memcpy
#include <new>        // bad_alloc
#include <thread>     // sleep_for
#include <utility>    // move

#include "channels/cilk/device_call.hpp"
#include "channels/error.hpp"
#include "runtime/host_code/views.hpp"
#include "runtime/net_tasks/program_hash.hpp"
#include "runtime/threads/at_fork.hpp"

namespace channels::net_tasks {
namespace {

using namespace std::chrono_literals;

/// How long a rank whose workers are busy keeps a question, for one of them to give a child.
constexpr auto longest_hold = 3ms;
/// A task that has come is passed on to a rank that asks, or back, if no worker has begun it for
/// that long: the one that it was for has found another, and may be busy for long.
constexpr auto before_passing_on = 5ms;
/// A rank asks no more often than this if all others have refused in turn, and seldomer with each
/// round, up to the second.
constexpr auto first_pause = 200us;
constexpr auto longest_pause = 4ms;
/// How long the exchange sleeps when there is nothing to do: first, and at most, while this rank
/// has nothing to run, and while its workers need the core.
constexpr auto first_rest = 50us;
constexpr auto longest_rest_idle = 500us;
constexpr auto longest_rest_busy = 1000us;
/// How long a rank that has failed waits for rank 0 to end the job.
constexpr auto last_words = 2s;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// The result goes where the closure says.
void deliver(const channels_cilk_traveller& how, void* closure, std::span<const std::byte> result) {
  auto* const at = static_cast<std::byte*>(closure) + how.result_at;
  void* to = at;
  if (!how.result_inside) std::memcpy(static_cast<void*>(&to), at, sizeof to);
  std::memcpy(to, result.data(), how.result_size);
}

}  // namespace

task_exchange::task_exchange(std::unique_ptr<transport> by, clock::duration patience)
    : by_(std::move(by)),
      patience_(patience),
      here_(by_->here()),
      ranks_(by_->places()),
      program_(hash_of_this_program()),
      pool_(host_code::worker_pool::instance()),
      me_(pool_.join_net(here_ != 0)),
      peers_(ranks_),
      asked_(here_ == 0 ? 1 : 0) {
  pool_.net_counted = &counts_;
  static_assert(CHANNELS_CILK_MOST_TRAVELLING + sizeof(message_header) <= usual_parcel_bytes);
}

void task_exchange::run() {
  try {
    greet();
    for (;;) {
      const auto now = clock::now();
      const bool busy = take_turn(now);
      if (leaving_ && all_have_left() && unsent_.empty() && by_->sent_all()) break;
      rest(busy);
    }
  } catch (const error& e) {
    fail(fmt::format("rank {}: {}", here_, e.what()));
  } catch (const std::bad_alloc&) {
    cilk::fail_for_memory("tasks of other ranks");
  }
}

void task_exchange::end() {
  const std::lock_guard lock(mutex_);
  ending_ = true;
  woken_.notify_one();
}

bool task_exchange::take_turn(clock::time_point now) {
  bool busy = false;
  while (auto p = by_->poll()) {
    receive(*p);
    by_->give(std::move(p->what));
    busy = true;
  }
  bool ends = false;
  {
    const std::lock_guard lock(mutex_);
    ends = ending_;
  }
  if (ends && !leaving_) leave();
  if (!leaving_) {
    send_results();
    answer(now);
    ask(now);
  }
  watch(now);
  return flush() || busy;
}

void task_exchange::rest(bool busy) {
  // While the workers have enough, latency costs less than the core.
  const auto longest =
      asking_ || pool_.lacks_children(hungry_) ? longest_rest_idle : longest_rest_busy;
  rest_ = busy ? first_rest : std::min<std::chrono::microseconds>(2 * rest_, longest);
  std::unique_lock lock(mutex_);
  if (woken_.wait_for(lock, rest_, [this] { return wake_ || (ending_ && !leaving_); })) {
    wake_ = false;
    rest_ = first_rest / 2;
  }
}

void task_exchange::task_has_ended() noexcept {
  const std::lock_guard lock(mutex_);
  wake_ = true;
  woken_.notify_one();
}

// ---- messages ----

void task_exchange::send(std::uint32_t to, const message_header& h,
                         std::span<const std::byte> body) {
  counts_.bytes.fetch_add(sizeof h + body.size(), std::memory_order_relaxed);
  unsent_.emplace_back(to, make_parcel(*by_, h, body));
}

bool task_exchange::flush() {
  bool any = false;
  while (!unsent_.empty() && by_->post(unsent_.front().first, unsent_.front().second)) {
    unsent_.pop_front();
    any = true;
  }
  return any;
}

void task_exchange::greet() {
  for (std::uint32_t r = 0; r < ranks_; ++r) {
    if (r != here_) send(r, {message_kind::hello, 0, program_, 0});
  }
  flush();
}

void task_exchange::receive(const arrived_parcel& p) {
  const message m = read(p.what);
  peer& from = peers_[p.from];
  from.heard.restart();
  switch (m.header.kind) {
    case message_kind::hello: check_program(p.from, m.header.number); break;
    case message_kind::alive:
      from.away_from.resize(m.body.size() / sizeof(std::uint32_t));
      if (!m.body.empty()) std::memcpy(from.away_from.data(), m.body.data(), m.body.size());
      break;
    case message_kind::ask: held_.push_back({p.from, clock::now() + longest_hold}); break;
    case message_kind::none:
      asking_ = false;
      refused(clock::now());
      break;
    case message_kind::task: take_task(p.from, m); break;
    case message_kind::result: take_result(m); break;
    case message_kind::leave:
      from.left = true;
      if (p.from == 0 && !leaving_) leave();
      break;
    case message_kind::failed: fail({reinterpret_cast<const char*>(m.body.data()), m.body.size()});
  }
}

void task_exchange::check_program(std::uint32_t from, std::uint64_t hash) {
  peers_[from].greeted = true;
  if (hash == program_) return;
  fail(
      fmt::format("rank {} runs another program than rank {}: their files differ; start the same "
                  "file at all ranks",
                  from, here_));
}

// ---- tasks ----

void task_exchange::take_task(std::uint32_t from, const message& m) {
  asking_ = false;
  refusals_ = 0;
  pause_ = {};
  const channels_cilk_traveller* const how = travellers_.at(m.header.what);
  if (how == nullptr || m.body.size() != how->size)
    throw error(fmt::format("rank {} sent a task that is not in this program", from));
  counts_.taken.fetch_add(1, std::memory_order_relaxed);
  arrived_.push_back(
      arrived_task::make(*how, {from, m.header.number}, m.header.detail, m.body, *this));
  pool_.push_from_net(me_, arrived_.back()->record());
}

void task_exchange::send_results() {
  std::erase_if(arrived_, [this](const arrived_task::pointer& t) {
    if (!t->has_ended()) return false;
    if (t->has_thrown())
      fail(fmt::format("an exception left '{}' at rank {}, where it had come from rank {}",
                       t->how().function, here_, t->from().rank));
    send(t->from().rank, {message_kind::result, 0, t->from().number, t->took()}, t->result());
    return true;
  });
}

void task_exchange::take_result(const message& m) {
  const auto found = away_.find(m.header.number);
  if (found == away_.end() || m.body.size() != found->second.how->result_size)
    throw error("the result of a task came that is not away");
  const away_task t = found->second;
  away_.erase(found);
  --peers_[t.at].away;
  const auto now = clock::now();
  const clock::duration away = now - t.since;
  counts_.away_ns.fetch_add(static_cast<std::uint64_t>(std::chrono::nanoseconds(away).count()),
                            std::memory_order_relaxed);
  gate_.child_came_back(now, away, std::chrono::nanoseconds(m.header.detail));
  child& c = *t.record;
  void* closure = c.closure();
  if (arrived_task* const passed_on = arrived_task::of(c)) {
    closure = passed_on->closure();
    passed_on->ran_elsewhere(m.header.detail);
  }
  deliver(*t.how, closure, m.body);
  c.after = host_code::no_views();
  // Release: see child. From here on the record belongs to the parent.
  c.ended.store(true, std::memory_order_release);
}

// ---- questions of others ----

void task_exchange::answer(clock::time_point now) {
  const bool open = gate_.is_open(now);
  const bool spare = open && pool_.has_spare_children(hungry_);
  // A unit of this rank has nothing to do, and it comes first.
  const bool has_none = asking_ || pool_.lacks_children(hungry_);
  std::erase_if(held_, [&](const held_question& q) {
    if (spare && give_to(q.from, now)) return true;
    if (open && !has_none && now < q.until) return false;
    send(q.from, {message_kind::none, 0, 0, 0});
    return true;
  });
  hunger(!held_.empty());
  if (hungry_) pool_.ask_others(me_, hungry_since_, now);
}

bool task_exchange::give_to(std::uint32_t to, clock::time_point now) {
  std::uint32_t number = 0;
  void* closure = nullptr;
  child* const c = pool_.take_for_net(me_, [&](child& one) {
    arrived_task* const passed_on = arrived_task::of(one);
    if (passed_on != nullptr && now - passed_on->since() < before_passing_on) return false;
    const auto found = travellers_.number_of(passed_on != nullptr ? passed_on->how().run : one.run);
    if (!found) return false;
    closure = passed_on != nullptr ? passed_on->closure() : one.closure();
    number = *found;
    return true;
  });
  if (c == nullptr) return false;
  const channels_cilk_traveller* const how = travellers_.at(number);
  send(to, {message_kind::task, number, next_number_, c->depth},
       {static_cast<const std::byte*>(closure), how->size});
  away_.emplace(next_number_++, away_task{c, how, to, now});
  ++peers_[to].away;
  counts_.given.fetch_add(1, std::memory_order_relaxed);
  // Who has a task of this rank has the tasks that come of it.
  if (!asking_) asked_ = to;
  return true;
}

void task_exchange::hunger(bool is) {
  if (is == hungry_) return;
  hungry_ = is;
  if (is) hungry_since_ = clock::now();
  // Relaxed: it only decides how many to give.
  pool_.hungry.fetch_add(is ? 1 : UINT32_MAX, std::memory_order_relaxed);
}

// ---- this rank's question ----

void task_exchange::ask(clock::time_point now) {
  if (asking_ || now < next_question_ || !pool_.lacks_children(hungry_)) return;
  // All tasks come from rank 0, so if none of it is away nobody else has any.
  if (here_ == 0 && away_.empty()) return;
  asking_ = true;
  send(asked_, {message_kind::ask, 0, 0, 0});
}

void task_exchange::refused(clock::time_point now) {
  do asked_ = (asked_ + 1) % ranks_;
  while (asked_ == here_);
  if (++refusals_ < ranks_ - 1) return;
  refusals_ = 0;
  pause_ =
      std::min<clock::duration>(std::max<clock::duration>(2 * pause_, first_pause), longest_pause);
  next_question_ = now + pause_;
}

// ---- the end ----

void task_exchange::leave() {
  leaving_ = true;
  held_.clear();
  hunger(false);
  for (std::uint32_t r = 0; r < ranks_; ++r) {
    if (r != here_) send(r, {message_kind::leave, 0, 0, 0});
  }
}

bool task_exchange::all_have_left() const {
  for (std::uint32_t r = 0; r < ranks_; ++r) {
    if (r != here_ && !peers_[r].left) return false;
  }
  return true;
}

void task_exchange::watch(clock::time_point now) {
  if (!leaving_ && spoken_.look(now) > patience_ / 8) say_alive();
  // Rank 0 looks after all, and the others after rank 0.
  for (std::uint32_t r = 0; r < (here_ == 0 ? ranks_ : 1); ++r) {
    if (r == here_ || peers_[r].left || peers_[r].heard.look(now) <= patience_) continue;
    by_->give_up();
    fail(fmt::format(
        "rank {} of {} is lost: nothing has come from it for {:g} s; {}. If it may be stopped for "
        "that long, set CHANNELS_TIMEOUT higher",
        r, ranks_, std::chrono::duration<double>(patience_).count(), what_was_at(r)));
  }
}

void task_exchange::say_alive() {
  spoken_.restart();
  std::vector<std::uint32_t> away;
  away.reserve(peers_.size());
  for (const peer& p : peers_) away.push_back(p.away);
  if (here_ != 0) send(0, {message_kind::alive, 0, 0, 0}, std::as_bytes(std::span(away)));
  for (std::uint32_t r = 1; here_ == 0 && r < ranks_; ++r) send(r, {message_kind::alive, 0, 0, 0});
}

std::string task_exchange::what_was_at(std::uint32_t rank) const {
  if (!peers_[rank].greeted) return "it has not begun";
  std::uint32_t away = peers_[rank].away;
  for (const peer& p : peers_) {
    if (rank < p.away_from.size()) away += p.away_from[rank];
  }
  std::string text = fmt::format("{} tasks were there", away);
  for (const auto& [number, t] : away_) {
    if (t.at == rank) return text + fmt::format(", '{}' among them", t.how->function);
  }
  return text;
}

void task_exchange::fail(const std::string& why) {
  std::fflush(stdout);
  // Rank 0 says why, as it ends the job. If it is what is lost, others do.
  const bool tells = here_ == 0;
  try {
    for (std::uint32_t r = 0; r < ranks_; ++r) {
      if (r != here_ && (r == 0 || tells))
        send(r, {message_kind::failed, 0, 0, 0},
             bytes_of(why).first(std::min(why.size(), CHANNELS_CILK_MOST_TRAVELLING + 0UL)));
    }
    const auto until = clock::now() + (tells ? 100ms : last_words);
    while (clock::now() < until) {
      flush();
      if (auto p = by_->poll()) by_->give(std::move(p->what));
      std::this_thread::sleep_for(1ms);
    }
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
    // What cannot be sent is said here.
  }
  cilk::fail(error(why));
}

}  // namespace channels::net_tasks
