/* The former place of <channels/cilk/abi.h>. */
#ifndef CHANNELS_DEPRECATED_CILK_ABI_H
#define CHANNELS_DEPRECATED_CILK_ABI_H

#pragma message("<channels/cilk_abi.h> has moved: include <channels/cilk/abi.h>")
#include <channels/cilk/abi.h>

#endif
