// cilk2chan compiles Cilk programs. Host code: expand, find places, rewrite, compile. Tasks: parse,
// check, analyse, lower, emit, compile; beside host code, or alone (--tasks).

#include "driver/device_compiler.hpp"
#include "driver/flags.hpp"
#include "driver/host_compiler.hpp"
#include "driver/options.hpp"
#include "driver/outputs.hpp"
#include "driver/workplace.hpp"
#include "frontend/parse.hpp"
#include "host_code/translate.hpp"
#include "paths.hpp"
#include "tasks/checks/check.hpp"
#include "tasks/emission/emit.hpp"
#include "tasks/explain.hpp"
#include "tasks/graph.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <llvm/ADT/StringExtras.h>  // utohexstr
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <system_error>

namespace {

using namespace cilk2chan;

std::string translate(program& source, const options& chosen) {
  const survey facts = take_survey(*source.context);
  if (!check(source, facts)) return {};
  std::vector<finished_task> tasks;
  tasks.reserve(source.tasks.size());
  for (const auto& task : source.tasks) tasks.push_back(finish_task(source, *task));
  if (source.context->getDiagnostics().hasErrorOccurred()) return {};
  std::string text = chosen.emit == product::graph
                         ? graph_of(source, tasks)
                         : emit_file(source, tasks, {chosen.input, chosen.line_directives});
  if (source.context->getDiagnostics().hasErrorOccurred()) return {};
  if (chosen.explain) explain(source, tasks, llvm::errs());
  return text;
}

bool write(const std::string& name, const std::string& text) {
  if (name.empty() || name == "-") {
    llvm::outs() << text;
    llvm::outs().flush();
    if (!llvm::outs().has_error()) return true;
    fail("cannot write the output: " + llvm::outs().error().message());
    llvm::outs().clear_error();
    return false;
  }
  return deliver_text(text, name);
}

// The file to write. For several sources, the output is a folder.
std::string output_of(const options& chosen, const input_file& source, bool alone) {
  const std::string name = text_output_of(chosen, source, alone);
  if (name != chosen.output) (void)llvm::sys::fs::create_directories(chosen.output);
  return name;
}

bool make_tasks(const options& given, const installation& place, const std::string& include) {
  std::string text;
  const auto source_of = std::ranges::find_if(
      given.inputs, [](const input_file& one) { return one.kind != input_kind::linked; });
  const auto own = options_for(given, *source_of);
  if (!own) return false;
  const options& chosen = *own;
  const bool accepted =
      parse({chosen.input, chosen.is_c, chosen.standard, tasks_alone_options(chosen),
             std::string(paths::resource_directory), header_options("-isystem", include)},
            [&](program& source) { text = translate(source, chosen); });
  if (!accepted) return false;
  return chosen.emit == product::executable ? compile(chosen, place, text)
                                            : write(chosen.output, text);
}

// A number that differs between the files of a program, for symbols that are local to a file.
std::string id_of(const options& chosen, const std::string& name) {
  llvm::SmallString<256> path(name);
  (void)llvm::sys::fs::make_absolute(path);
  std::string all = path.str().str() + '\n' + chosen.output;
  for (const auto* list : {&chosen.for_both, &chosen.for_host}) {
    for (const std::string& one : *list) all += '\n' + one;
  }
  return llvm::utohexstr(llvm::xxh3_64bits(all), true).substr(0, 12);
}

// Whether the one source is the whole program: no other file can name what is in it. The system's
// libraries do not. Text output (--emit) counts as the text of an executable.
bool is_whole_program(const options& chosen) {
  const auto sources = std::ranges::count_if(
      chosen.inputs, [](const input_file& one) { return one.kind != input_kind::linked; });
  const bool systems_only = std::ranges::all_of(chosen.inputs, [](const input_file& one) {
    return one.kind != input_kind::linked || one.name == "-lm" || one.name == "-lpthread" ||
           one.name == "-ldl" || one.name == "-lrt";
  });
  const bool as_usual = std::ranges::all_of(chosen.for_link, [](llvm::StringRef option) {
    return option == "-static" || option == "-pie" || option == "-no-pie" || option == "-s";
  });
  return chosen.emit != product::object && sources == 1 && systems_only && as_usual;
}

// Translates a file to host code and tasks. Leaves `file.text` empty if nothing changed.
std::optional<host_code::translation> translate_file(const options& chosen, translated_file& file,
                                                     const std::string& include) {
  const input_file& source = file.source;
  const auto buffer = llvm::MemoryBuffer::getFile(source.name);
  if (!buffer) {
    const bool missing = buffer.getError() == std::errc::no_such_file_or_directory;
    fail((missing ? std::string("no such file or directory") : buffer.getError().message()) +
         ": '" + source.name + "'");
    return std::nullopt;
  }
  const bool is_c = source.kind == input_kind::c;
  const std::string text = (*buffer)->getBuffer().str();
  // With -flto, objects hold the compiler's own code, whose symbols objcopy cannot change.
  const bool optimised_later = std::ranges::any_of(
      chosen.for_host, [](llvm::StringRef one) { return one.starts_with("-flto"); });
  host_code::translate_options wanted;
  wanted.lines = chosen.line_directives;
  wanted.races = chosen.races;
  wanted.tasks = chosen.task_forms && !optimised_later;
  for (const device_kind device : chosen.devices) wanted.devices.emplace_back(name_of(device));
  wanted.id = id_of(chosen, source.name);
  wanted.whole_program = is_whole_program(chosen);
  wanted.forced_headers = forced_headers(chosen);
  auto made = host_code::translate({source.name, is_c, text, parser_command(chosen, include, is_c)},
                                   wanted);
  if (!made) return std::nullopt;
  if (made->text != text || chosen.emit == product::source) file.text = made->text;
  if (!made->plan.text.empty()) {
    file.tasks = task_part{made->plan.text, made->plan.device_text, {}};
    for (const task_entry& one : made->plan.entries) {
      if (one.external) file.tasks->entered.push_back(one.symbol);
    }
  }
  return made;
}

// With --device, prints which functions stay on the host. Refuses a program if none of its
// functions can run on a device; the object files of a program are not refused, as others may have
// tasks.
bool tell_what_stays(const options& chosen, const std::vector<host_code::translation>& made) {
  if (chosen.devices.empty()) return true;
  bool any = false;
  bool none = false;
  for (const host_code::translation& one : made) {
    any = any || !one.plan.entries.empty();
    none = none || (one.plan.entries.empty() && !one.plan.stay.empty());
  }
  const bool refused = none && !any && chosen.emit != product::object;
  for (const host_code::translation& one : made) {
    for (const std::string& line : one.plan.stay)
      llvm::errs() << "cilk2chan: " << (refused ? "error: " : "warning: ") << line << '\n';
  }
  if (!refused) return true;
  return fail(
      "nothing in this program can run on a device; leave out '--device', or change what "
      "stands in the way");
}

// Translates all files before it writes any.
bool make_program(const options& chosen, const installation& place, const std::string& include) {
  std::vector<translated_file> files;
  std::vector<host_code::translation> made;
  bool fine = true;
  for (const input_file& one : chosen.inputs) {
    if (one.kind == input_kind::linked) continue;
    const auto own = options_for(chosen, one);
    if (!own) return false;
    translated_file& file = files.emplace_back(translated_file{one, *own, {}, {}});
    if (chosen.serial) continue;
    auto translated = translate_file(file.chosen, file, include);
    fine = fine && translated.has_value();
    if (translated) made.push_back(std::move(*translated));
  }
  if (!fine || !tell_what_stays(chosen, made)) return false;
  if (chosen.explain) {
    for (const host_code::translation& one : made) llvm::errs() << one.explanation;
  }
  if (chosen.emit == product::executable || chosen.emit == product::object)
    return build(chosen, place, files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& text = chosen.emit == product::source  ? made[i].text
                              : chosen.emit == product::graph ? made[i].plan.graph
                              : chosen.devices.empty()        ? made[i].plan.text
                                                              : made[i].plan.device_text;
    if (!write(output_of(chosen, files[i].source, files.size() == 1), text)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const command_line line = read_command_line(argc, argv);
  if (line.exit_status) return *line.exit_status;
  const options& chosen = line.chosen;
  const installation place(argv[0]);
  const auto include = place.include_directory();
  if (!include) {
    llvm::errs() << "cilk2chan: error: cannot find channels/cilk/abi.h beside the tool; build or "
                    "install the "
                    "project\n";
    return 1;
  }
  if (!outputs_are_no_inputs(chosen)) return 1;
  return in_workplace([&] {
    const bool made = chosen.tasks && !chosen.serial ? make_tasks(chosen, place, *include)
                                                     : make_program(chosen, place, *include);
    return made ? 0 : 1;
  });
}
