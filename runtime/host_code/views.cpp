#include "runtime/host_code/views.hpp"

#include <exception>      // exception_ptr
#include <memory>         // unique_ptr
#include <new>            // align_val_t
#include <unordered_map>  // unordered_map

#include "channels/cilk/device_call.hpp"
#include "channels/error.hpp"
#include "runtime/host_device/task_strand.hpp"

CHANNELS_CILK_THREAD channels_cilk_views* channels_cilk_strand = nullptr;

namespace channels::host_code {
namespace {

/// Views, like closures, may hold vector registers' values.
constexpr std::align_val_t view_alignment{64};

struct kept_view {
  void* at = nullptr;  ///< the view; the variable itself in the strand that declares it
  void (*reduce)(void*, void*) = nullptr;
};

/// The views of a strand, by variable. `channels_cilk_views` is the view that was used last.
struct view_map : channels_cilk_views {
  explicit view_map(bool is_of_task) : channels_cilk_views{nullptr, nullptr}, of_task(is_of_task) {}
  std::unordered_map<void*, kept_view> all;
  bool of_task;  ///< the strand is one that a kernel node has called

  void forget_last() { leftmost = view = nullptr; }
};

channels_cilk_views none{nullptr, nullptr};

view_map& own_map() {
  if (channels_cilk_strand == &none) channels_cilk_strand = new view_map(false);
  if (channels_cilk_strand == &detail::task_strand) channels_cilk_strand = new view_map(true);
  return static_cast<view_map&>(*channels_cilk_strand);
}

[[noreturn]] void fail_in_task() {
  cilk::fail(
      error("a task calls a function that is host code, such as one of another file, and that "
            "function uses a reducer from outside. Tasks run in no serial order, so there is no "
            "view for it: let the function return its part, or set CHANNELS_ORDER=depth-first"));
}

/// *left += *right; frees the memory of `right`.
void reduce(void* left, const kept_view& right) {
  struct freed {
    void* memory;
    ~freed() { ::operator delete(memory, view_alignment); }
  };
  const freed after{right.at};
  right.reduce(left, right.at);
}

}  // namespace

channels_cilk_views* no_views() { return &none; }

channels_cilk_views* merge(channels_cilk_views* left, channels_cilk_views* right) {
  if (right == &none) return left;
  if (left == &none) return right;
  // `right` is not the leftmost strand, because it has a left neighbour.
  const std::unique_ptr<view_map> from(static_cast<view_map*>(right));
  auto* const into = static_cast<view_map*>(left);
  std::exception_ptr thrown;
  for (const auto& [variable, v] : from->all) {
    void* target = variable;
    if (into != nullptr) {
      const auto [at, is_new] = into->all.try_emplace(variable, v);
      if (is_new) continue;
      target = at->second.at;
    }
    if (v.at == variable) continue;  // a local reducer, declared by the right strand
    try {
      reduce(target, v);
    } catch (...) {
      if (!thrown) thrown = std::current_exception();
    }
  }
  if (thrown) std::rethrow_exception(thrown);
  return left;
}

}  // namespace channels::host_code

using namespace channels::host_code;

extern "C" {

void* channels_cilk_find_view(void* leftmost, std::size_t size, void (*identity)(void*),
                              void (*reduce)(void*, void*)) {
  if (channels_cilk_strand == nullptr) return leftmost;
  view_map& map = own_map();
  auto at = map.all.find(leftmost);
  if (at == map.all.end()) {
    if (map.of_task) fail_in_task();
    void* const memory = ::operator new(size, view_alignment);
    try {
      // `identity` may use reducers itself.
      identity(memory);
      at = own_map().all.emplace(leftmost, kept_view{memory, reduce}).first;
    } catch (...) {
      ::operator delete(memory, view_alignment);
      throw;
    }
  }
  map.leftmost = leftmost;
  map.view = at->second.at;
  return at->second.at;
}

void channels_cilk_reducer_begin(void* leftmost, std::size_t /*size*/, void (* /*identity*/)(void*),
                                 void (*reduce)(void*, void*)) {
  if (channels_cilk_strand == nullptr) return;
  own_map().all.insert_or_assign(leftmost, kept_view{leftmost, reduce});
  own_map().forget_last();
}

void channels_cilk_reducer_end(void* leftmost) {
  if (channels_cilk_strand == nullptr || channels_cilk_strand == no_views() ||
      channels_cilk_strand == &channels::detail::task_strand)
    return;
  view_map& map = own_map();
  const auto at = map.all.find(leftmost);
  if (at == map.all.end()) return;
  const kept_view v = at->second;
  map.all.erase(at);
  map.forget_last();
  if (map.of_task && map.all.empty()) {
    delete &map;
    channels_cilk_strand = &channels::detail::task_strand;
  }
  if (v.at != leftmost) reduce(leftmost, v);
}
}
