#pragma once

#include <cstdint>        // uint32_t
#include <optional>       // optional
#include <unordered_map>  // unordered_map
#include <vector>         // vector

#include "channels/cilk/abi.h"

namespace channels::host_code {

/// The children of this program that may run at other ranks, numbered alike at all ranks: the
/// program's constructors have added them, in the order in which they run.
class traveller_table {
 public:
  traveller_table();

  /// Null if there is no such number.
  [[nodiscard]] const channels_cilk_traveller* at(std::uint32_t number) const;
  /// The number of the child that `run` runs; none if it stays here.
  [[nodiscard]] std::optional<std::uint32_t> number_of(void (*run)(void*)) const;

 private:
  std::vector<const channels_cilk_traveller*> all_;
  std::unordered_map<void (*)(void*), std::uint32_t> by_run_;
};

}  // namespace channels::host_code
