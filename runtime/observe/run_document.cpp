#include "runtime/observe/run_document.hpp"

#include <fmt/chrono.h>  // format of times
#include <fmt/format.h>  // format

#include <chrono>   // system_clock
#include <fstream>  // ifstream
#include <string>   // getline

#include <nlohmann/json.hpp>  // json

#include "runtime/observe/names.hpp"

namespace channels::detail {
namespace {

using json = nlohmann::ordered_json;

/// Goes up when a field changes its meaning or goes away; new ones may come at any time.
constexpr int schema = 1;

std::vector<std::string> command_line() {
  std::ifstream in("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  return words;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

json json_of(const settings& s) {
  return {{"CHANNELS_DEVICE", s.device},
          {"CHANNELS_ORDER", name_of(s.order)},
          {"CHANNELS_AGGREGATOR", s.aggregator == aggregator_place::device ? "device" : "host"},
          {"CHANNELS_CUS", s.compute_units},
          {"CHANNELS_WIDTH", s.wavefront_width},
          {"CHANNELS_MEMORY", s.memory},
          {"CHANNELS_CAPACITY", s.capacity},
          {"CHANNELS_LEVELS", s.levels},
          {"CHANNELS_BATCH", s.batch},
          {"CHANNELS_DONE_GROUP", s.done_group},
          {"CHANNELS_READINESS", name_of(s.rule)},
          {"CHANNELS_TIMEOUT", static_cast<double>(s.timeout.count()) / 1000},
          {"CHANNELS_FORCE_YIELD", s.force_yield},
          {"CHANNELS_SLOW_AGGREGATOR", s.slow_aggregator},
          {"CHANNELS_HEAP", s.heap},
          {"CHANNELS_DEVICE_MALLOC", s.device_malloc},
          {"CHANNELS_DEVICE_STACK", s.device_stack},
          {"CHANNELS_GIVE", name_of(s.give)},
          {"CHANNELS_SEED", s.seed},
          {"CHANNELS_TRACE", s.trace},
          {"CHANNELS_TRACE_EVENTS", s.trace_events},
          {"CHANNELS_GRAPH", s.graph},
          {"CHANNELS_PROGRESS", s.progress ? 1 : 0}};
}

json json_of(const channel_statistics& c) {
  return {{"name", c.name},
          {"levels", c.levels},
          {"largest_capacity", c.largest_capacity},
          {"most_live", c.most_in_level},
          {"elements", c.elements}};
}

json json_of(const node_statistics& n, std::uint32_t width) {
  return {{"name", n.name},
          {"batches", n.batches},
          {"elements", n.elements},
          {"wavefronts", n.waves},
          {"lanes_active", share(n.lanes, n.waves * width)},
          {"retries", n.retries},
          {"yields", n.yields},
          {"restarts", n.restarts},
          {"busy_ns", n.busy_ns}};
}

json json_of(const unit_statistics& u) {
  return {{"batches", u.batches}, {"elements", u.elements}, {"busy_ns", u.busy_ns}};
}

/// Pairs of a size and how many batches were of at most that, and above the one before.
json json_of_sizes(const statistics& s) {
  json sizes = json::array();
  for (std::size_t i = 0; i < s.batch_sizes.size(); ++i) {
    if (s.batch_sizes[i] == 0) continue;
    sizes.push_back({{"up_to", std::uint64_t{1} << i}, {"batches", s.batch_sizes[i]}});
  }
  return sizes;
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
  j["order"] = name_of(options.order);
  j["device"] = options.device;
  j["settings"] = json_of(options);
  return j;
}

void add_to_document(json& j, const statistics& s) {
  if (!s.device_model.empty()) j["device_name"] = s.device_model;
  j["runs"] = s.runs;
  j["run_ns"] = s.run_ns;
  j["compute_units"] = s.compute_units;
  j["width"] = s.width;
  j["tasks"] = s.work.tasks;
  j["continuations"] = s.work.resumed;
  j["batches"] = s.batches;
  j["batch_elements"] = s.batch_elements;
  j["largest_batch"] = s.largest_batch;
  j["batch_sizes"] = json_of_sizes(s);
  j["cut_by_room"] = s.cut_by_room;
  j["wavefronts"] = s.work.waves;
  j["lanes_active"] = s.lanes_active();
  j["retries"] = s.work.retries;
  j["yields"] = s.work.yields;
  j["restarts"] = s.restarts;
  j["blocks"] = s.work.blocks;
  j["join_atomics"] = s.work.join_atomics;
  j["memory_high_water"] = s.memory_high_water;
  j["memory_limit"] = s.memory_limit;
  j["memory_minimum"] = s.memory_minimum;
  j["deepest_level"] = s.deepest_level;
  j["channels_made"] = s.channels_made;
  if (s.timed) {
    j["aggregator_ns"] = {{"collect", s.collect_ns}, {"restart", s.restart_ns},
                          {"decide", s.decide_ns},   {"dispatch", s.dispatch_ns},
                          {"lent", s.lent_ns},       {"idle", s.idle_ns}};
    j["busy_ns"] = s.work.busy_ns;
    j["units_waiting"] = s.waiting_share;
  }
  if (s.handovers != 0) {
    j["on_device"] = {
        {"times", s.handovers}, {"decide_ns", s.device_decide_ns}, {"idle_ns", s.device_idle_ns}};
  }
  const auto list = [&j](const char* name) -> json& { return j[name] = json::array(); };
  json& channels = list("channels");
  for (const channel_statistics& c : s.channels) channels.push_back(json_of(c));
  if (!s.timed) return;
  json& nodes = list("nodes");
  for (const node_statistics& n : s.nodes) nodes.push_back(json_of(n, s.width));
  json& units = list("units");
  for (const unit_statistics& u : s.units) units.push_back(json_of(u));
}

std::string text_of(const json& document) {
  // What is no UTF-8, of a command line for example, is replaced: the document has to be JSON.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace channels::detail

namespace channels {

std::string statistics::json() const {
  nlohmann::ordered_json j;
  detail::add_to_document(j, *this);
  return detail::text_of(j);
}

}  // namespace channels
