#pragma once

#include <memory>  // shared_ptr

#include "runtime/observe/trace.hpp"

namespace channels::host_code {

/// A worker's track of a trace, and the names of its events. The worker's thread writes it.
class worker_trace {
 public:
  worker_trace(std::shared_ptr<detail::trace_session> session, std::uint32_t worker, bool of_crew);

  /// Ran a child that it took from another worker.
  void took(std::uint64_t start, std::uint32_t from, std::uint64_t depth) {
    slice(stolen_, start, from, depth);
  }
  /// Ran a child that it gave and no worker took.
  void took_back(std::uint64_t start, std::uint64_t depth) { slice(taken_back_, start, depth, 0); }
  /// Joined a child that another worker ran; includes what this worker ran meanwhile.
  void joined(std::uint64_t start) { slice(join_, start, 0, 0); }
  /// Searched for something to run.
  void searched(std::uint64_t start) { slice(search_, start, 0, 0); }
  void gave(std::uint64_t depth);
  void halved_loop();

 private:
  void slice(std::uint32_t label, std::uint64_t start, std::uint64_t first, std::uint64_t second);
  void instant(std::uint32_t label, std::uint64_t first);

  std::shared_ptr<detail::trace_session> session_;
  detail::trace_track& track_;
  std::uint32_t stolen_, taken_back_, join_, search_, given_, halved_;
};

}  // namespace channels::host_code
