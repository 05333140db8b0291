#pragma once

#include "bench/elision.hpp"

// Each competitor has its own.
namespace {
#define main __attribute__((unused)) elision_main
#include <corpus/heat.c>
#undef main
#undef f
}  // namespace
