#include "runtime/host_code/travellers.hpp"

namespace channels::host_code {
namespace {

/// The last that was added.
channels_cilk_traveller* last = nullptr;

}  // namespace

traveller_table::traveller_table() {
  for (const channels_cilk_traveller* one = last; one != nullptr; one = one->next) {
    by_run_.emplace(one->run, static_cast<std::uint32_t>(all_.size()));
    all_.push_back(one);
  }
}

const channels_cilk_traveller* traveller_table::at(std::uint32_t number) const {
  return number < all_.size() ? all_[number] : nullptr;
}

std::optional<std::uint32_t> traveller_table::number_of(void (*run)(void*)) const {
  const auto found = by_run_.find(run);
  if (found == by_run_.end()) return std::nullopt;
  return found->second;
}

}  // namespace channels::host_code

extern "C" void channels_cilk_travels(channels_cilk_traveller* how) {
  how->next = channels::host_code::last;
  channels::host_code::last = how;
}
