#pragma once

#include <cstdint>  // fixed-width integers
#include <string>   // string

namespace channels::detail {

/// Memory that the tasks of one run allocate besides their frames, as the aggregator sees it. The
/// aggregator's thread calls it.
class task_allocations {
 public:
  task_allocations() = default;
  task_allocations(const task_allocations&) = delete;
  task_allocations& operator=(const task_allocations&) = delete;
  virtual ~task_allocations() = default;

  /// A count that grows when frames that found no memory may find some now.
  [[nodiscard]] virtual std::uint64_t releases() const = 0;
  /// The text of the error if a frame that has to go on found no memory; otherwise empty.
  [[nodiscard]] virtual std::string failure() const = 0;
  /// Joins free pieces into larger ones. Called only when nothing runs.
  virtual void join() {}
  /// Whether some memory is kept for frames that go on alone (`flight::granted`).
  [[nodiscard]] virtual bool grants() const { return false; }
};

}  // namespace channels::detail
