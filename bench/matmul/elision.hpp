#pragma once

#include "bench/elision.hpp"

// Each competitor has its own.
namespace {
#define main __attribute__((unused)) elision_main
#include <corpus/matmul.c>
#undef main
}  // namespace
