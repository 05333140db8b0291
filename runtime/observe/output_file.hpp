#pragma once

#include <string>       // string
#include <string_view>  // string_view

namespace channels::detail {

/// Makes `text` the whole contents of `file`; every instrument writes its file with it. Returns 0,
/// or the `errno` that says why it could not.
///
/// - A regular file is replaced: its folder gets a temporary file of a name that nobody can foresee,
///   with the mode and owner of the old one, which is synchronised and then renamed. A reader finds
///   the old text or the new one. After an error the old file is as it was, and nothing is left.
/// - Anything else (a device, a pipe, what a symbolic link leads to, a file with several names, one
///   in a folder where no file can be made) stays what it is and is written to. A file is made
///   large enough before it is changed.
/// - A file that the program's output goes to, such as `/dev/stdout`, gets the text behind that.
/// - A pipe has a second to find a reader, and ten for each piece that the reader takes.
[[nodiscard]] int write_output(const std::string& file, std::string_view text);

/// The same; prints a message to stderr if it fails. `variable`: the setting that names the file. A
/// process that is rank 1 or higher of an MPI job writes its own: of `run.json`, `run.1.json`.
void write_output_or_warn(std::string_view variable, const std::string& file,
                          std::string_view text);

}  // namespace channels::detail
