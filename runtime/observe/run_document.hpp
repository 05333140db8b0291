#pragma once

#include <nlohmann/json_fwd.hpp>  // ordered_json

#include "channels/settings.hpp"
#include "channels/statistics.hpp"

/// The JSON that `CHANNELS_STATS` writes; docs/reference/statistics.md describes it.
namespace channels::detail {

/// Begins the document of this process: its program, the time, its settings by the names of their
/// variables. The program counts as one on the C++ interface, whose runs all go through channels.
[[nodiscard]] nlohmann::ordered_json document_of_process(const settings& options);

/// Adds the device and the settings, by the names of their variables.
void add_settings_to(nlohmann::ordered_json& document, const settings& options);

/// Adds the fields of statistics_table.hpp.
void add_to_document(nlohmann::ordered_json& document, const statistics& s);

/// The text of a document, for a file.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& document);

}  // namespace channels::detail
