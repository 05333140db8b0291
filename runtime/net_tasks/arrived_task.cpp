#include "runtime/net_tasks/arrived_task.hpp"

#include <cstring>  // memcpy

#include "runtime/host_code/views.hpp"

namespace channels::net_tasks {
namespace {

constexpr std::size_t alignment = 64;  // of closures: see abi.h
constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

arrived_task::pointer arrived_task::make(const channels_cilk_traveller& how, origin from,
                                         std::uint64_t depth, std::span<const std::byte> closure,
                                         listener& told) {
  const std::size_t bytes = sizeof(host_code::child) + rounded(sizeof(arrived_task)) +
                            rounded(how.size) + rounded(how.result_size);
  auto* const memory = ::operator new(bytes, std::align_val_t{alignment});
  auto* const record = new (memory) host_code::child;
  // The record's closure is this object, and the task's closure is behind it.
  pointer made(new (record->closure()) arrived_task(how, from, told));
  record->run = run;
  record->before = host_code::no_views();
  record->depth = depth;
  record->computation = host_code::no_computation;
  std::memcpy(made->closure(), closure.data(), how.size);
  if (!how.result_inside) {
    void* const result = static_cast<std::byte*>(made->closure()) + rounded(how.size);
    std::memcpy(static_cast<std::byte*>(made->closure()) + how.result_at,
                static_cast<const void*>(&result), sizeof result);
  }
  return made;
}

void arrived_task::freed::operator()(arrived_task* t) const {
  host_code::child* const record = &t->record();
  t->~arrived_task();
  record->~channels_cilk_child();
  ::operator delete(record, std::align_val_t{alignment});
}

arrived_task* arrived_task::of(host_code::child& c) {
  return c.run == run ? static_cast<arrived_task*>(c.closure()) : nullptr;
}

void* arrived_task::closure() {
  return reinterpret_cast<std::byte*>(this) + rounded(sizeof(arrived_task));
}

std::span<const std::byte> arrived_task::result() {
  const auto* const begin = static_cast<const std::byte*>(closure());
  return {begin + (how_->result_inside ? how_->result_at : rounded(how_->size)), how_->result_size};
}

void arrived_task::run(void* closure) {
  auto& task = *static_cast<arrived_task*>(closure);
  const auto start = host_code::clock::now();
  try {
    task.how_->run(task.closure());
  } catch (...) {
    task.threw_ = true;
  }
  task.took_ =
      static_cast<std::uint64_t>(std::chrono::nanoseconds(host_code::clock::now() - start).count());
  task.told_->task_has_ended();
}

}  // namespace channels::net_tasks
