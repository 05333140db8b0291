#pragma once

#include <algorithm>  // stable_partition
#include <cstddef>    // byte, size_t
#include <cstring>    // memcmp, memcpy
#include <memory>     // unique_ptr
#include <vector>     // vector

#include "channels/gpu/compiled_program/tables.hpp"
#include "channels/gpu/compiled_program/variables.hpp"
#include "channels/gpu/port/memory.hpp"
#include "channels/gpu/tuning.hpp"

namespace channels::cilk {

inline namespace CHANNELS_CILK_ON {

/// Copies of a unit's variables in the device's memory, for variables that are only reached by
/// their names, so that no code can tell that tasks work on copies. All small ones lie in one
/// block. It takes one copy to the device, if the host has changed any variable since the last, and
/// one back, if tasks may have changed any. Large ones are tables (`table_copy`).
///
/// While the device runs, the host's strands may work on other variables, elements and members:
/// what tasks have not changed stays as the host has it.
///
/// For one thread at a time: a thread that runs tasks holds the program's runtime.
class variable_copies final : public named_variables {
 public:
  /// Whether there are copies that tasks change. Then only one GPU may have copies.
  [[nodiscard]] bool changes() const { return changes_; }

  /// Makes room for the copies of all that has been named, and tells the device code where it is.
  void place() {
    take_tables(changed_, true);
    take_tables(read_, false);
    if (!tables_.empty()) stream_.make();
    // Variables that are copied back lie in front.
    std::size_t end = 0;
    for (entry& one : changed_) end = lay(one, end);
    changed_bytes_ = end;
    for (entry& one : read_) end = lay(one, end);
    bytes_ = end;
    if (bytes_ == 0) return;
    block_ = gpu::detail::allocate<std::byte>(bytes_, "memory for variables");
    known_ = gpu::detail::allocate_on_host<std::byte>(bytes_ + changed_bytes_, "pinned memory");
    for (const entry& one : changed_) one.bind_to(one.symbol, block_.get() + one.offset);
    for (const entry& one : read_) one.bind_to(one.symbol, block_.get() + one.offset);
  }

  /// Before a run: the copies become what the host's variables are.
  void to_device() {
    for (table_copy& one : tables_) one.to_device();
    if (!tables_.empty()) gpu::detail::finish_copies();
    bool any = !copied_;
    for (const entry& one : changed_) any = note(one) || any;
    for (const entry& one : read_) any = note(one) || any;
    if (!any || bytes_ == 0) return;
    gpu::detail::check(
        CHANNELS_GPU(Memcpy)(block_.get(), known_.get(), bytes_, CHANNELS_GPU(MemcpyHostToDevice)),
        "variables");
    // Such copies may go on when the vendor's function has returned.
    gpu::detail::finish_copies();
    copied_ = true;
  }

  /// After a run that has ended well: the host's variables become what tasks have made of them.
  void from_device() {
    for (table_copy& one : tables_) one.from_device(stream_);
    if (!tables_.empty()) stream_.wait("variables after the run");
    if (changed_bytes_ == 0) return;
    std::byte* const back = known_.get() + bytes_;
    gpu::detail::check(
        CHANNELS_GPU(Memcpy)(back, block_.get(), changed_bytes_, CHANNELS_GPU(MemcpyDeviceToHost)),
        "variables");
    for (const entry& one : changed_) {
      std::byte* const was = known_.get() + one.offset;
      const std::byte* const is = back + one.offset;
      if (std::memcmp(was, is, one.bytes) == 0) continue;
      for (std::size_t i = 0; i < one.bytes; i += one.unit) {
        if (std::memcmp(was + i, is + i, one.unit) != 0)
          std::memcpy(one.variable + i, is + i, one.unit);
      }
      std::memcpy(was, is, one.bytes);
    }
  }

 private:
  void add(const entry& one, bool changes) override {
    (changes ? changed_ : read_).push_back(one);
    changes_ = changes_ || changes;
  }

  void take_tables(std::vector<entry>& from, bool changed) {
    const auto first = std::stable_partition(from.begin(), from.end(), [](const entry& one) {
      return one.bytes <= gpu::program_memory_tuning::largest_small_variable;
    });
    for (auto one = first; one != from.end(); ++one) {
      const table of_host{one->variable, one->bytes, one->unit};
      table_copy made(of_host, changed);
      // Without room for it, tasks use the host's.
      one->bind_to(one->symbol, made ? made.data() : one->variable);
      if (made) tables_.push_back(std::move(made));
    }
    from.erase(first, from.end());
  }

  static std::size_t lay(entry& one, std::size_t end) {
    one.offset = (end + one.alignment - 1) / one.alignment * one.alignment;
    return one.offset + one.bytes;
  }

  // Whether the host has changed the variable since it was last copied; notes its value.
  bool note(const entry& one) {
    std::byte* const was = known_.get() + one.offset;
    if (std::memcmp(was, one.variable, one.bytes) == 0) return false;
    std::memcpy(was, one.variable, one.bytes);
    return true;
  }

  std::vector<entry> changed_;
  std::vector<entry> read_;
  bool changes_ = false;
  std::vector<table_copy> tables_;
  gpu::detail::own_stream stream_;
  std::size_t bytes_ = 0;
  std::size_t changed_bytes_ = 0;
  bool copied_ = false;
  std::unique_ptr<std::byte, gpu::detail::free_memory> block_;
  /// What the block holds between runs; behind that, room for what comes back.
  std::unique_ptr<std::byte, gpu::detail::free_host_memory> known_;
};

}  // namespace CHANNELS_CILK_ON

}  // namespace channels::cilk
