#include "runtime/aggregator/aggregator.hpp"

#include <fmt/format.h>  // format

#include <algorithm>  // min, max
#include <exception>  // exception_ptr
#include <optional>   // optional
#include <utility>    // move

#include "channels/error.hpp"
#include "runtime/aggregator/room_failures.hpp"
#include "runtime/aggregator/run_report.hpp"
#include "runtime/observe/dot.hpp"

namespace channels::detail {

aggregator::aggregator(device& on, const graph_model& model, const scheduling_policy& policy,
                       const settings& options, std::shared_ptr<trace_session> trace)
    : device_(on),
      policy_(policy),
      options_(options),
      core_(options.slow_aggregator),
      memory_(on, model, model.allocates ? options.memory / 2 : options.memory),
      task_memory_(make_task_memory(on, model, options.memory - memory_.bytes())),
      restarts_(memory_, on, model, options),
      table_(model, options, memory_.after(restarts_.bytes()), memory_.bytes() - restarts_.bytes(),
             !on.reports_writes()),
      run_{on, model, options, table_, memory_.bytes()},
      copies_(run_, memory_.all()),
      headway_(options.force_yield),
      accounts_(run_, std::move(trace)),
      flights_(run_),
      pushes_(run_, copies_),
      waiters_(task_memory_.get(), table_, headway_),
      handovers_(run_, flights_, headway_, accounts_, restarts_),
      room_(run_),
      candidates_(run_, policy, room_, restarts_.most_in_batch()),
      parked_(run_, copies_, headway_),
      relief_(run_, headway_, waiters_, room_, parked_),
      far_(model.far.empty() ? nullptr : std::make_unique<far_channels>(run_, copies_, headway_)) {}

aggregator::~aggregator() {
  if (ended_well_) restarts_.clear();
}

void aggregator::execute() {
  if (far_ == nullptr) return run_to_its_end();
  try {
    run_to_its_end();
  } catch (const std::exception& e) {
    far_->tell_failure(e.what());
    throw;
  } catch (...) {
    far_->tell_failure("a kernel node threw what is no std::exception");
    throw;
  }
  far_->finish();
}

void aggregator::run_to_its_end() {
  std::unique_lock lock(state_mutex_);
  begin();
  std::exception_ptr failure;
  try {
    if (far_ != nullptr) far_->begin();
    for (;;) {
      take_what_ended();
      collect_restarts();
      tell_progress();
      waiters_.retry_after_releases();
      push();
      const bool moved = far_ != nullptr && far_->turn(false, false, headway_.finished());
      decide();
      if (in_flight() != 0) {
        lend(lock);
      } else if (far_ != nullptr && !stopping() && !far_->have_ended()) {
        go_on_with_others(lock, moved);
      } else if (stopping() || has_ended()) {
        break;
      } else if (waits_for_feed()) {
        wait_for_feed(lock);
      } else {
        find_room();
      }
    }
  } catch (...) {
    failure = std::current_exception();
    drain(lock);
  }
  end(failure);
}

void aggregator::begin() {
  run_setup setup;
  setup.restarts = &restarts_.bound();
  setup.memory = task_memory_.get();
  setup.width = options_.wavefront_width;
  setup.refuse_share = static_cast<std::uint32_t>(options_.force_yield * 4294967295.0);
  setup.seed = options_.seed;
  setup.timed = accounts_.timed();
  setup.log = accounts_.traced() ? options_.trace_events : 0;
  setup.model = &run_.model;
  device_.begin(setup);
  if (options_.aggregator == aggregator_place::device) handovers_.allow(policy_);
  accounts_.begin();
}

void aggregator::take_what_ended() {
  handovers_.take_back_if_ended();
  while (flight* const f = device_.poll()) {
    auto& ended = static_cast<flight_record&>(*f);
    // Before its channels are read anew, which may take the memory of empty ones back.
    const std::string lost = ended.work.denied.pushed ? describe_lost_element(run_, ended) : "";
    complete(ended);
    if (!lost.empty()) throw error(lost);
  }
}

/// Takes back what a batch that has ended did not consume, and finds out what can run now that
/// could not before.
void aggregator::complete(flight_record& f) {
  flights_.ended(f);
  accounts_.batch_ended(f);
  if (f.work.consumed != f.work.count) flights_.put_back(f);
  note_denial(run_, f);
  headway_.batch_ended(f);
  flights_.close(f);
  accounts_.count_time(phase::collect);
}

void aggregator::collect_restarts() {
  if (!restarts_.collect([this](const restart_context& context) { file(context); })) return;
  headway_.look_again();
  accounts_.count_time(phase::restart);
}

/// Files a restart context under the channel of the frame or element that it names.
void aggregator::file(const restart_context& context) {
  channel_state& c = table_.by_id(context.channel);
  switch (context.reason) {
    case restart_reason::no_room:
      c.waiting.push_back(context.ticket);
      accounts_.yielded();
      break;
    case restart_reason::suspended: c.suspended.push_back(context.ticket); break;
    case restart_reason::ready: c.resumable.push_back(context.ticket); break;
    case restart_reason::no_memory:
    case restart_reason::no_memory_granted:
      waiters_.add(c, context.ticket, context.reason == restart_reason::no_memory_granted);
      accounts_.yielded();
      break;
  }
  table_.mark_active(c.level);
}

void aggregator::tell_progress() {
  accounts_.sample();
  if (!options_.progress) return;
  const handover_progress there = handovers_.how_far();
  progress_.publish({accounts_.tasks() + there.tasks, accounts_.yields(), run_.memory_in_use(),
                     std::max(table_.deepest(), there.level)});
}

void aggregator::push() {
  if (!pushes_.left()) return;
  pushes_.tell(progress());
  // What is parked needs the room more. A run that was given up has no elements any more.
  if (parked_.empty() && !stopping() && pushes_.push()) headway_.advance();
}

/// Hands over to the device aggregator, or dispatches batches until enough are in flight or nothing
/// is worth a dispatch.
void aggregator::decide() {
  if (!headway_.undecided() || handovers_.is_on() || stopping()) return;
  if (!pushes_.left() && handovers_.hand_over()) return;
  while (flights_.count() < most_in_flight() && dispatch_next()) {
  }
  if (flights_.count() != 0) headway_.decided();
}

/// One decision. True if a batch was dispatched.
bool aggregator::dispatch_next() {
  table_.release_frames();
  std::optional<candidate_list::choice> chosen;
  const std::uint64_t most = restarts_.room(flights_.lanes());
  if (most != 0) {
    chosen = choose();
  }
  accounts_.count_time(phase::decide);
  if (!chosen) return false;
  // While all units are busy a small batch can wait: it may have grown when one of them is done.
  if (flights_.count() >= device_.compute_units() &&
      chosen->room < restarts_.most_in_batch() / 16) {
    return false;
  }
  dispatch(*chosen, most);
  accounts_.count_time(phase::dispatch);
  return true;
}

/// What to dispatch, if anything.
std::optional<candidate_list::choice> aggregator::choose() {
  const bool in_flight = flights_.count() != 0;
  auto chosen = candidates_.choose(in_flight, headway_.epoch());
  if (chosen || in_flight) return chosen;
  if (parked_.park_waiting()) {
    headway_.advance();
    chosen = candidates_.choose(false, headway_.epoch());
  }
  return chosen ? chosen : candidates_.choose_without_room(headway_.epoch());
}

/// `most`: elements that have room for their restart contexts.
void aggregator::dispatch(const candidate_list::choice& c, std::uint64_t most) {
  const std::uint64_t ready =
      std::min<std::uint64_t>(c.source->count_of(c.what), restarts_.most_in_batch());
  const std::uint64_t count = std::min(batch_size(c, ready), most);
  handovers_.host_dispatched();
  flight_record& f = flights_.make(*c.source, c.what, headway_.alone());
  if (waiters_.grants(*c.source, c.what)) {
    f.granted = true;
    waiters_.went_alone();
  }
  take_elements(f, static_cast<std::uint32_t>(count));
  for (const output_model& out : f.node->outputs) {
    f.add_output(table_.find(out.stack, table_.level_of(out, c.source->level)),
                 std::max<std::uint64_t>(std::uint64_t{f.work.count} * out.bound, 1));
  }
  if (c.room < ready) accounts_.cut_by_room();
  core_.catch_up();
  flights_.dispatched(f);
  accounts_.batch_dispatched(f);
  device_.submit(&f);
}

/// How many of `ready` elements the batch takes, if their restart contexts have room.
std::uint64_t aggregator::batch_size(const candidate_list::choice& c, std::uint64_t ready) const {
  if (waiters_.grants(*c.source, c.what)) return 1;
  std::uint64_t count = std::min(ready, c.room);
  const std::uint32_t units = device_.compute_units();
  if (units > 1) {  // leave units that have nothing to do their share
    const std::uint32_t idle = units > flights_.count() ? units - flights_.count() : 1;
    const std::uint64_t share =
        std::min<std::uint64_t>((count + idle - 1) / idle, restarts_.most_in_batch() / 2);
    count = std::min(count,
                     std::max<std::uint64_t>(share, 4 * std::uint64_t{options_.wavefront_width}));
  }
  return count;
}

/// Moves `count` elements from their list to the batch.
void aggregator::take_elements(flight_record& f, std::uint32_t count) {
  channel_state& c = *f.source;
  if (f.what == ready_kind::fresh) {
    f.work.count = c.ready.take(f.work.runs, batch::most_runs, count, f.work.run_count);
    if (f.frames) c.eligible -= f.work.count;
    return;
  }
  auto& list = f.what == ready_kind::resumable ? c.resumable : c.waiting;
  f.tickets.assign(list.end() - static_cast<std::ptrdiff_t>(count), list.end());
  list.resize(list.size() - count);
  f.work.tickets = f.tickets.data();
  f.work.count = count;
  if (f.what == ready_kind::waiting) accounts_.restarted(c, count);
}

void aggregator::lend(std::unique_lock<std::timed_mutex>& lock) {
  core_.catch_up();
  lock.unlock();
  const bool ran = device_.lend(device::clock::now() + std::chrono::milliseconds(1));
  lock.lock();
  core_.begin();
  accounts_.count_lent(ran);
}

/// Nothing runs: the run is over when no channel holds anything and the host has nothing to push.
bool aggregator::has_ended() { return !pushes_.left() && parked_.empty() && table_.is_empty(); }

/// Nothing runs, and nothing is there that could.
bool aggregator::waits_for_feed() {
  return pushes_.only_fed() && parked_.empty() && table_.is_empty();
}

void aggregator::wait_for_feed(std::unique_lock<std::timed_mutex>& lock) {
  lock.unlock();
  pushes_.wait_for_feed(std::chrono::milliseconds(1));
  lock.lock();
}

/// Nothing runs and nothing can.
void aggregator::find_room() {
  if (!headway_.alone()) {
    // Others may have held what a batch did not get, or reclaiming may have hidden it.
    headway_.go_alone();
  } else {
    relief_.find_room_or_fail();
  }
}

/// The same, in a run with far channels: there may be something to do when others have sent it.
/// `moved`: elements have come or gone in this round of the loop.
void aggregator::go_on_with_others(std::unique_lock<std::timed_mutex>& lock, bool moved) {
  const bool passive = has_ended();
  moved |= far_->turn(true, passive, headway_.finished());
  if (moved || far_->have_ended()) return;
  if (!passive && !far_->wait_for_credit() && !waits_for_feed()) return find_room();
  if (!passive && far_->has_paused_long()) relief_.make_room_for_arrivals();
  lock.unlock();
  far_->pause();
  lock.lock();
}

/// Lets what is in flight end, in a run that has failed.
void aggregator::drain(std::unique_lock<std::timed_mutex>& lock) {
  device_.stop();
  while (in_flight() != 0) {
    handovers_.drop_if_ended();
    while (flight* const f = device_.poll()) complete(static_cast<flight_record&>(*f));
    lock.unlock();
    device_.lend(device::clock::now() + std::chrono::milliseconds(1));
    lock.lock();
  }
}

/// Ends the run on the device, and throws if it failed or was stopped.
void aggregator::end(std::exception_ptr failure) {
  try {
    accounts_.take_work(device_.end());
  } catch (const error& e) {
    // What kept the run from ending belongs to why it was to end.
    const auto reason = stop_.reason();
    failure =
        reason ? std::make_exception_ptr(error(*reason + e.what())) : std::current_exception();
  } catch (...) {
    failure = std::current_exception();
  }
  // A person wants to know what a run did that failed, too.
  accounts_.parked(parked_.moves());
  if (far_ != nullptr) accounts_.take_links(far_->counted());
  accounts_.end();
  if (failure) std::rethrow_exception(failure);
  if (const auto reason = stop_.reason()) throw error(*reason);
  ended_well_ = true;
}

void aggregator::stop(std::string why) {
  stop_.ask(std::move(why));
  device_.stop();
}

std::string aggregator::report(std::chrono::milliseconds deadline) const {
  const std::unique_lock lock(state_mutex_, deadline);
  if (!lock.owns_lock()) return "The aggregator itself does not answer.\n";
  return describe_channels(run_, in_flight());
}

std::string aggregator::dot(std::chrono::milliseconds deadline) const {
  const std::unique_lock lock(state_mutex_, deadline);
  return lock.owns_lock() ? draw_channels(run_) : to_dot(run_.model);
}

/// Null unless tasks allocate.
std::unique_ptr<task_allocations> aggregator::make_task_memory(device& on, const graph_model& model,
                                                               std::size_t bytes) {
  if (!model.allocates) return nullptr;
  try {
    return on.make_task_memory(bytes);
  } catch (const error& e) {
    throw error(fmt::format("{}: {}", model.name, e.what()));
  }
}

}  // namespace channels::detail
