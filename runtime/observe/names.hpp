#pragma once

#include "channels/settings.hpp"

/// Values of settings as their variables name them.
namespace channels::detail {

[[nodiscard]] inline const char* name_of(readiness r) {
  return r == readiness::counted ? "counted" : "levelized";
}

[[nodiscard]] inline const char* name_of(run_order o) {
  return o == run_order::channels ? "channels" : "depth-first";
}

[[nodiscard]] inline const char* name_of(giving g) {
  switch (g) {
    case giving::automatic: return "auto";
    case giving::always: return "always";
    case giving::never: return "never";
    case giving::random: break;
  }
  return "random";
}

}  // namespace channels::detail
