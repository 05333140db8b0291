#include "runtime/settings/table.hpp"

#include <fmt/format.h>  // format

namespace channels::detail {
namespace {

// Names of choices, in the order of their enumerations.
constexpr const char* aggregator_names[] = {"host", "device"};
constexpr const char* order_names[] = {"depth-first", "channels"};
constexpr const char* readiness_names[] = {"levelized", "counted"};
constexpr const char* policy_names[] = {"auto", "bounded-breadth-first", "first-come",
                                        "level-first"};
constexpr const char* giving_names[] = {"auto", "always", "never", "random"};

/// Made by the compiler: compiled programs read it before constructors run.
constexpr setting rows[] = {
    // Which machine runs what.
    {"CHANNELS_DEVICE",
     "device that runs the program's tasks: host, or cuda, hip or emulated if the program was "
     "compiled for it; auto: each call where it is expected to be over first",
     "auto if the program was compiled for the host and for a GPU", free_text{&settings::device}},
    {"CHANNELS_ORDER",
     "how a compiled program's spawns run: depth-first as host code (on a GPU, by its own "
     "scheduler), or channels as tasks through channels, breadth-first",
     "", choice_of<&settings::order>(order_names)},
    {"CHANNELS_DEVICES",
     "GPUs that a call uses: how many, such as 2, or which, such as 0,1; if it is not set, all "
     "that reach each other's memory, of the emulated device one. Calls whose tasks cannot travel "
     "between GPUs use the first",
     "", gpu_numbers{&settings::devices}},
    {"CHANNELS_CUS", "compute units: threads on the host; 0 takes one for each core", "",
     whole_number<std::uint32_t>{&settings::compute_units, 0, 1024,
                                 "expected at most 1024 compute units"}},
    {"CHANNELS_WIDTH", "lanes of a wavefront, 8 to 64", "",
     whole_number<std::uint32_t>{&settings::wavefront_width, 8, 64, "expected 8 to 64 lanes"}},

    // Runs through channels.
    {"CHANNELS_MEMORY",
     "bytes at most for channels, or for tasks of a GPU's own scheduler, with K, M or G; in "
     "channels half of them for arrays of variable length and alloca, if tasks have these",
     "on a GPU, for channels an eighth of what is free there, at most 8G, for its own scheduler "
     "two fifths, at most 32G",
     byte_count{&settings::memory, 4096, std::uint64_t{1} << 46U, "expected at least 4096 bytes",
                true}},
    {"CHANNELS_CAPACITY", "most elements of one channel, a power of two", "1048576 on a GPU",
     whole_number<std::uint32_t>{&settings::capacity, 4, 1U << 28U,
                                 "expected a power of two, 4 to 268435456", true}},
    {"CHANNELS_LEVELS", "most levels of recursion; 0 leaves it to memory", "",
     whole_number<std::uint32_t>{&settings::levels}},
    {"CHANNELS_BATCH", "most elements of one batch", "262144 on a GPU",
     whole_number<std::uint32_t>{&settings::batch, 1, 1U << 20U, "expected 1 to 1048576 elements"}},
    {"CHANNELS_DONE_GROUP",
     "elements that share a done count, a power of two; on a GPU a large channel has larger groups",
     "",
     whole_number<std::uint32_t>{&settings::done_group, 1, 1U << 16U,
                                 "expected a power of two up to 65536, 64 is usual", true}},
    {"CHANNELS_READINESS",
     "when a frame may be resumed: levelized, when nothing deeper is left; or counted, when its "
     "children have ended",
     "", choice_of<&settings::rule>(readiness_names)},
    {"CHANNELS_POLICY",
     "what is dispatched next: bounded-breadth-first, the largest batch that there is room for; "
     "first-come, the oldest; level-first, the level nearest to the root; or auto, for graphs with "
     "levels level-first by the levelized rule on other devices than the host, else "
     "bounded-breadth-first, for others first-come",
     "", choice_of<&settings::policy>(policy_names)},
    {"CHANNELS_AGGREGATOR", "where the aggregator of a GPU is: host or device", "",
     choice_of<&settings::aggregator>(aggregator_names)},
    {"CHANNELS_TIMEOUT",
     "seconds without progress before a run is stopped; not those in which the process is stopped "
     "itself",
     "", time_span{&settings::timeout}},
    {"CHANNELS_FORCE_YIELD", "share of reservations refused at random, 0 to 0.9, for tests", "",
     real_number{&settings::force_yield, 0, 0.9, "expected a share, such as 0.1",
                 "expected 0 to 0.9"}},
    {"CHANNELS_SLOW_AGGREGATOR",
     "how many times as long the aggregator takes for all that it does, 1 to 1000, for "
     "measurements",
     "",
     real_number{&settings::slow_aggregator, 1, 1000, "expected a factor, such as 4",
                 "expected 1 to 1000"}},

    // Host code.
    {"CHANNELS_GIVE",
     "which spawns of host code offer their child to other workers: auto, as these ask; always, "
     "never or random force a schedule, for tests",
     "", choice_of<&settings::give>(giving_names)},
    {"CHANNELS_SPAN",
     "1 measures work and span of host code, on one worker, for the statistics; channels-scale "
     "draws them",
     "", flag{&settings::span}},
    {"CHANNELS_SEED", "seeds refusals of CHANNELS_FORCE_YIELD, and giving", "",
     whole_number<std::uint64_t>{&settings::seed}},

    // Memory of programs on a device.
    {"CHANNELS_HEAP",
     "most bytes that the program allocates, on a device that cannot read the host's memory; 0 "
     "takes half of what is free there",
     "", byte_count{&settings::heap}},
    {"CHANNELS_DEVICE_MALLOC",
     "most bytes for malloc and new in tasks on a device; 0 takes what is free there, as tasks use "
     "it",
     "",
     byte_count{&settings::device_malloc, 1U << 20U, std::uint64_t{1} << 40U,
                "expected 1M to 1024G, or 0 for what is free", false, true}},
    {"CHANNELS_DEVICE_STACK",
     "bytes of a lane's stack on a device, for functions that are not tasks and call themselves",
     "", byte_count{&settings::device_stack, 1024, 512U << 10U, "expected 1K to 512K"}},

    // Seeing a run.
    {"CHANNELS_STATS",
     "statistics of the program: 1 for a table on stderr, json for JSON there, json:FILE for a "
     "file; 0 for none",
     "", statistics_place{&settings::statistics},
     // The file of the document itself.
     false},
    {"CHANNELS_TRACE", "a file for a trace of what ran when, which Perfetto opens", "",
     file_name{&settings::trace}},
    {"CHANNELS_TRACE_EVENTS",
     "most events that each track of a trace keeps, a power of two; new ones replace the oldest",
     "",
     whole_number<std::uint32_t>{&settings::trace_events, 16, 1U << 26U,
                                 "expected a power of two, 16 to 67108864", true}},
    {"CHANNELS_GRAPH",
     "a file for the graph of a run through channels, with what its channels hold, in DOT", "",
     file_name{&settings::graph, true}},
    {"CHANNELS_PROGRESS", "1 for a line on the terminal that says how far a run of tasks is", "",
     flag{&settings::progress}},
};

/// By name.
constexpr other_variable others[] = {
    {"CHANNELS_BENCH_QUICK", "benchmarks of GPUs: small sizes"},
    {"CHANNELS_CACHE",
     "`cilk2chan`: the folder for what it keeps between compilations; empty for none"},
    {"CHANNELS_CC", "`cilk2chan`: the host compiler for C"},
    {"CHANNELS_CXX", "`cilk2chan`: the host compiler for C++"},
    {"CHANNELS_HELP", "programs: print the settings and end"},
    {"CHANNELS_REPORT", "tests: the report program that they test"},
    {"CHANNELS_TESTS_QUICK", "tests of GPUs: small sizes"},
    {"CHANNELS_TEST_SEED", "tests of the channel: the seed to replay"},
};

}  // namespace

void setting::read(settings& into, const std::string& text) const {
  std::visit([&](const auto& k) { k.read(into, variable, text); }, kind);
}

void setting::check(const settings& of) const {
  std::visit([&](const auto& k) { k.check(of, variable); }, kind);
}

std::string setting::show(const settings& of) const {
  return std::visit([&](const auto& k) { return k.show(of); }, kind);
}

setting_value setting::value(const settings& of) const {
  return std::visit([&](const auto& k) { return k.value(of); }, kind);
}

std::string setting::shown_default() const {
  const std::string usual = show(settings{});
  return *other_default == '\0' ? usual : fmt::format("{}; {}", usual, other_default);
}

std::vector<std::string> setting::files(const settings& of) const {
  return std::visit(
      [&](const auto& k) -> std::vector<std::string> {
        if constexpr (requires { k.files(of); }) return k.files(of);
        return {};
      },
      kind);
}

std::span<const setting> all_settings() { return rows; }

std::span<const other_variable> other_variables() { return others; }

const char* name_of(run_order order) { return order_names[static_cast<std::size_t>(order)]; }

}  // namespace channels::detail
