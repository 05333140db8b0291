#pragma once

#include <span>    // span
#include <string>  // string
#include <vector>  // vector

#include "channels/settings.hpp"
#include "runtime/settings/kinds.hpp"

/// The table of all settings. Parsing, `settings::check`, the help, docs/reference/settings.md and
/// the JSON of a run are made from it.
namespace channels::detail {

/// A row of the table.
struct setting {
  const char* variable;
  const char* meaning;        ///< what stands before "(default ...)", in a few words
  const char* other_default;  ///< what is to be said of other devices' default; "" for nothing
  setting_kind kind;
  bool in_document = true;  ///< whether the JSON of a run has it

  /// Sets the member from `text`. Throws `channels::error`, as `check` does.
  void read(settings& into, const std::string& text) const;
  void check(const settings& of) const;
  /// The value as the variable names it.
  [[nodiscard]] std::string show(const settings& of) const;
  /// The value for the JSON of a run.
  [[nodiscard]] setting_value value(const settings& of) const;
  /// The files that the program writes because of it.
  [[nodiscard]] std::vector<std::string> files(const settings& of) const;
  /// The default as help and documents show it; "" for none.
  [[nodiscard]] std::string shown_default() const;
};

/// All rows, in the order of the help.
[[nodiscard]] std::span<const setting> all_settings();

/// A variable whose name begins as a setting's does, and which is none.
struct other_variable {
  const char* name;
  const char* reader;  ///< which program reads it, and for what
};

/// All of these. Any other `CHANNELS_` variable is an error (environment.hpp).
[[nodiscard]] std::span<const other_variable> other_variables();

/// An order of runs as `CHANNELS_ORDER` names it.
[[nodiscard]] const char* name_of(run_order order);

/// The text of docs/reference/settings.md.
[[nodiscard]] std::string settings_page();

}  // namespace channels::detail
