#pragma once

#include "driver/options.hpp"

#include <string>

namespace cilk2chan {

/// The object file that `-c` makes of a source.
[[nodiscard]] std::string object_of(const options& chosen, const input_file& source);

/// The file into which `--emit` writes the text of a source; empty or "-" for the output. With
/// several sources `-o` names a folder. `alone`: there is one source.
[[nodiscard]] std::string text_output_of(const options& chosen, const input_file& source,
                                         bool alone);

/// Prints an error and returns false if a file that would be written is one of the inputs, by
/// whatever name, or is a folder.
[[nodiscard]] bool outputs_are_no_inputs(const options& chosen);

}  // namespace cilk2chan
