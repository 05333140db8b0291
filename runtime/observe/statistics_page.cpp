#include <fmt/format.h>  // format

#include "runtime/observe/statistics_table.hpp"

namespace channels::detail {
namespace {

/// A field that is not of a run through channels, and so is in none of the tables.
struct other_field {
  const char* name;
  const char* unit;
  const char* meaning;
};

// runtime/observe/run_document.cpp and program_report.cpp write these.
constexpr other_field fields_of_program[] = {
    {"schema", "", "1; goes up when a field changes its meaning or is removed"},
    {"program", "", "its name"},
    {"arguments", "", "a list of its arguments"},
    {"written", "", "when the document was begun, UTC"},
    {"form", "", "`compiled` by cilk2chan, or on the C++ `interface`"},
    {"order", "", "`depth-first` or `channels`"},
    {"device", "", "`host`, `cuda`, `hip`, `emulated`, or `auto` if each call chose"},
    {"settings", "",
     "all [settings](settings.md) but `CHANNELS_STATS`, by the names of their variables"},
    {"wall_ns", "ns", "from the start of the program to its end"},
    {"processor_ns", "ns", "time of all cores, also of what the program does besides"},
    {"error", "", "the message with which the program, or its last run that failed, ended"},
    {"runtimes", "",
     "if runtimes of the program differ in their settings: a list with `device`, `settings` and "
     "the fields of runs through channels for each, in the place of those here"},
};

// runtime/host_code/report.cpp writes these.
constexpr other_field fields_of_host_code[] = {
    {"host_code.given", "", "children given"},
    {"host_code.workers", "", "workers that there were"},
    {"host_code.declined", "", "spawns that were run as plain calls after all"},
    {"host_code.taken_back", "", "given children that the worker that gave them took back"},
    {"host_code.stolen", "", "given children that another worker took"},
    {"host_code.loops_halved", "", "loops halved"},
    {"host_code.joins_waited", "", "joins that waited"},
    {"host_code.idle_ns", "ns", "all workers, waiting or without work"},
    {"host_code.to_ranks", "", "children that went to other ranks (`--net=mpi`)"},
    {"host_code.from_ranks", "", "children that came from other ranks"},
    {"host_code.rank_bytes", "bytes", "sent to other ranks"},
    {"host_code.away_ns", "ns", "from sending a child to its result, of all that went"},
    {"host_code.work_ns", "ns",
     "time of all strands (with `CHANNELS_SPAN`, if only the main thread spawns)"},
    {"host_code.span_ns", "ns",
     "time of the longest chain of strands of which each waits for the one before (with "
     "`CHANNELS_SPAN`, if only the main thread spawns)"},
};

// runtime/compiled_program/device_calls.cpp and placed_call.cpp write these.
constexpr other_field fields_of_device[] = {
    {"calls", "", "calls of tasks on the device"},
    {"lanes", "", "lanes of the device"},
    {"gifts", "", "gifts between wavefronts"},
    {"given", "", "tasks in gifts"},
    {"host_steps", "", "steps of tasks that cores of the host took"},
    {"memory", "bytes", "memory of the device"},
    {"gpus", "",
     "if calls may use several GPUs, each of them: its number `gpu`, the `tasks` that "
     "it ran, and of tasks those `given` to other GPUs and `taken` from them"},
    {"on_one_gpu", "",
     "with `gpus`: the functions whose calls use one of them, each with the reason"},
    {"placed_calls", "",
     "if each call chose its device (`CHANNELS_DEVICE=auto`): for each `function` the `host_calls` "
     "and `device_calls`, their times `host_ns` and `device_ns`, and why (`why`) the last one ran "
     "where it did. Of calls below 20 us only some are counted"},
};

std::string rows_of(std::span<const other_field> fields) {
  std::string rows = "| field | unit | meaning |\n| --- | --- | --- |\n";
  for (const other_field& f : fields) {
    rows += fmt::format("| `{}` | {} | {} |\n", f.name, f.unit, f.meaning);
  }
  return rows;
}

template <class Record>
std::string rows_of(std::span<const statistic<Record>> fields) {
  std::string rows = "| field | unit | meaning |\n| --- | --- | --- |\n";
  for (const statistic<Record>& row : fields) {
    const std::string condition =
        *row.shown->text == '\0' ? "" : fmt::format(" ({})", row.shown->text);
    rows += fmt::format("| `{}` | {} | {}{} |\n", row.field, row.unit, row.meaning, condition);
  }
  return rows;
}

}  // namespace

std::string statistics_page() {
  return fmt::format(
      "# Statistics\n\n"
      "`scripts/reference` writes this page from `runtime/observe/statistics_table.cpp`.\n\n"
      "`CHANNELS_STATS=1` prints a table when a program ends, `CHANNELS_STATS=json:FILE` writes\n"
      "one JSON document of all its runs. Both are for compiled Cilk programs and for programs\n"
      "on the graph API. The runs of a process are added up, those of several runtimes if\n"
      "these have the same settings; otherwise there is a table, or an entry of `runtimes`,\n"
      "for each. In C++, `settings::statistics` of a runtime says where its runs are reported,\n"
      "`runtime::last_run()` has the statistics of the last run and `runtime::json()` its\n"
      "document. There are times, `nodes` and `units` if `settings::statistics`, `trace` or\n"
      "`graph` is not empty. Under mpirun, each rank writes a file: FILE is that of rank 0, and\n"
      "of `run.json` that of rank 1 is `run.1.json`. Traces and graphs have names like these.\n\n"
      "## The program\n\n{}\n"
      "## Runs through channels\n\nIf there was one. `a.b` is field `b` of the object `a`.\n\n{}\n"
      "### `channels`: a list of channels and stacks\n\n{}\n"
      "### `nodes`: a list of kernel nodes (with times)\n\n{}\n"
      "### `units`: a list of compute units (with times)\n\n{}\n"
      "### `links`: a list of links to other places (at several places)\n\n{}\n"
      "## Host code\n\n{}\n"
      "## Calls of tasks on another device\n\n"
      "Calls that the GPU's own scheduler ran. `run_ns`, `tasks`, `continuations`, `yields` and\n"
      "`lanes_active` are there, too.\n\n{}",
      rows_of(std::span(fields_of_program)), rows_of(run_fields()), rows_of(channel_fields()),
      rows_of(node_fields()), rows_of(unit_fields()), rows_of(link_fields()),
      rows_of(std::span(fields_of_host_code)), rows_of(std::span(fields_of_device)));
}

}  // namespace channels::detail
