#include "runtime/observe/run_document.hpp"

#include <fmt/chrono.h>  // format of times
#include <fmt/format.h>  // format

#include <chrono>       // system_clock
#include <fstream>      // ifstream
#include <span>         // span
#include <string>       // getline
#include <string_view>  // string_view
#include <variant>      // visit
#include <vector>       // vector

#include <nlohmann/json.hpp>  // json

#include "runtime/observe/memory_reserve.hpp"
#include "runtime/observe/statistics_table.hpp"
#include "runtime/settings/table.hpp"

namespace channels::detail {
namespace {

using json = nlohmann::ordered_json;

/// Goes up when a field changes its meaning or is removed. New fields do not change it.
constexpr int schema = 1;

std::vector<std::string> command_line() {
  std::ifstream in("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

json json_of(const settings& s) {
  json all;
  for (const setting& row : all_settings()) {
    if (!row.in_document) continue;
    std::visit([&](const auto& value) { all[row.variable] = value; }, row.value(s));
  }
  return all;
}

/// Adds the fields of one record of `run` to `to`.
template <class Record>
void add_fields_to(json& to, std::span<const statistic<Record>> fields, const Record& of,
                   const statistics& run) {
  for (const statistic<Record>& row : fields) {
    if (!row.shown->holds(run)) continue;
    const std::string_view name = row.field;
    const std::size_t dot = name.find('.');
    json& value = dot == std::string_view::npos
                      ? to[std::string(name)]
                      : to[std::string(name.substr(0, dot))][std::string(name.substr(dot + 1))];
    value = row.value(of, run);
  }
}

template <class Record>
json list_of(std::span<const statistic<Record>> fields, const std::vector<Record>& all,
             const statistics& run) {
  json list = json::array();
  for (const Record& one : all) add_fields_to(list.emplace_back(json::object()), fields, one, run);
  return list;
}

}  // namespace

json document_of_process(const settings& options) {
  const std::vector<std::string> words = command_line();
  const std::string path = words.empty() ? "" : words.front();
  json j;
  j["schema"] = schema;
  j["program"] = path.substr(path.rfind('/') + 1);
  j["arguments"] = words.empty() ? words : std::vector(words.begin() + 1, words.end());
  j["written"] = fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  j["form"] = "interface";
  j["order"] = name_of(run_order::channels);
  add_settings_to(j, options);
  return j;
}

void add_settings_to(json& j, const settings& options) {
  j["device"] = options.device;
  j["settings"] = json_of(options);
}

void add_to_document(json& j, const statistics& s) {
  add_fields_to(j, run_fields(), s, s);
  j["channels"] = list_of(channel_fields(), s.channels, s);
  if (!s.links.empty()) j["links"] = list_of(link_fields(), s.links, s);
  if (!s.timed) return;
  j["nodes"] = list_of(node_fields(), s.nodes, s);
  j["units"] = list_of(unit_fields(), s.units, s);
}

std::string text_of(const json& document) {
  // A command line may have bytes that are not UTF-8; they are replaced, as JSON has to be UTF-8.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace channels::detail

namespace channels {

std::string statistics::json() const {
  const detail::memory_reserve reserve;
  nlohmann::ordered_json j;
  detail::add_to_document(j, *this);
  return detail::text_of(j);
}

}  // namespace channels
