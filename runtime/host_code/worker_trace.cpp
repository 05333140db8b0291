#include "runtime/host_code/worker_trace.hpp"

#include <fmt/format.h>  // format

#include <utility>  // move

namespace channels::host_code {

worker_trace::worker_trace(std::shared_ptr<detail::trace_session> session, std::uint32_t worker,
                           bool of_crew)
    : session_(std::move(session)),
      track_(session_->track(
          worker, fmt::format("worker {}{}", worker, of_crew ? "" : " (the program's thread)"))),
      stolen_(session_->label("stolen child", {"of_worker", "stack_depth"})),
      taken_back_(session_->label("child taken back", {"stack_depth"})),
      join_(session_->label("join waits")),
      search_(session_->label("searches")),
      given_(session_->label("gives a child", {"stack_depth"})),
      halved_(session_->label("halves a loop")) {}

void worker_trace::slice(std::uint32_t label, std::uint64_t start, std::uint64_t first,
                         std::uint64_t second) {
  detail::trace_event e;
  e.start = start;
  e.duration = detail::ticks() - start;
  e.label = label;
  e.arguments = {detail::narrow(first), detail::narrow(second)};
  track_.put(e);
}

void worker_trace::instant(std::uint32_t label, std::uint64_t first) {
  detail::trace_event e;
  e.what = detail::trace_event::type::instant;
  e.start = detail::ticks();
  e.label = label;
  e.arguments = {detail::narrow(first)};
  track_.put(e);
}

void worker_trace::gave(std::uint64_t depth) { instant(given_, depth); }
void worker_trace::halved_loop() { instant(halved_, 0); }

}  // namespace channels::host_code
