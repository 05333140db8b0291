// The former place of <channels/gpu/compiled_program/unit.hpp>.
#pragma once

#pragma message( \
    "<channels/gpu/program.hpp> has moved: include <channels/gpu/compiled_program/unit.hpp>")
#include <channels/gpu/compiled_program/unit.hpp>
