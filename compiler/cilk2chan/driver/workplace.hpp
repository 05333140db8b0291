#pragma once

#include <functional>
#include <string>

namespace cilk2chan {

/// Runs `work` in a process of its own whose TMPDIR is a new folder, so that the compilers put
/// their temporary files there, too. However the work ends (a signal to either process, a full
/// disk, an error of LLVM), the folder goes, with what `deliver` has not finished. Returns the exit
/// status of `work`; ends by the signal that ended it.
int in_workplace(const std::function<int()>& work);

/// Puts a file of the workplace in the place of `target`, which is whole or as it was at any time.
/// What is no regular file, such as a device, is written to. Prints an error and returns false if
/// that fails. Only within `in_workplace`.
[[nodiscard]] bool deliver(const std::string& made, const std::string& target);
/// The same with a text.
[[nodiscard]] bool deliver_text(const std::string& text, const std::string& target);

}  // namespace cilk2chan
