// cilk2chan compiles Cilk programs. Host code: expand, find places, rewrite, compile. Tasks: parse,
// check, analyse, lower, emit, compile; beside host code, or alone (--tasks).

#include "analysis/unsynced_reads.hpp"
#include "driver/device_compiler.hpp"
#include "driver/flags.hpp"
#include "driver/host_compiler.hpp"
#include "driver/options.hpp"
#include "driver/outputs.hpp"
#include "driver/workplace.hpp"
#include "frontend/parse.hpp"
#include "host_code/no_header.hpp"
#include "host_code/translate.hpp"
#include "openmp/front_end.hpp"
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

// Counts what became a task, in a program of tasks alone: there is nothing else in it.
task_counts counts_of(const program& source) {
  task_counts all;
  for (const auto& task : source.tasks) {
    if (task->leaf) continue;
    const bool loop = task->loop != nullptr;
    all += {loop ? 0U : 1U, loop ? 0U : 1U, loop ? 1U : 0U, loop ? 1U : 0U};
  }
  return all;
}

std::string translate(program& source, const options& chosen) {
  const survey facts = take_survey(*source.context);
  if (!check(source, facts)) return {};
  warn_of_unsynced_reads(*source.context, source.keywords);
  std::vector<finished_task> tasks;
  tasks.reserve(source.tasks.size());
  for (const auto& task : source.tasks) tasks.push_back(finish_task(source, *task));
  if (source.context->getDiagnostics().hasErrorOccurred()) return {};
  std::string text = chosen.emit == product::graph
                         ? graph_of(source, tasks)
                         : emit_file(source, tasks, {chosen.input, chosen.line_directives});
  if (source.context->getDiagnostics().hasErrorOccurred()) return {};
  if (chosen.explain) {
    explain(source, tasks, llvm::errs());
    llvm::errs() << summary(counts_of(source));
  }
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

// Whether the file is Cilk without its header, which it prints. A file that cannot be read is not:
// the compiler says so.
bool lacks_header(const options& chosen, const input_file& source, const std::string& include) {
  const auto buffer = llvm::MemoryBuffer::getFile(source.name);
  if (!buffer) return false;
  const bool is_c = source.kind == input_kind::c;
  return host_code::lacks_header(
      {source.name, is_c, (*buffer)->getBuffer().str(), parser_command(chosen, include, is_c)});
}

bool make_tasks(const options& given, const installation& place, const std::string& include) {
  std::string text;
  const auto source_of = std::ranges::find_if(
      given.inputs, [](const input_file& one) { return one.kind != input_kind::linked; });
  const auto own = options_for(given, *source_of);
  if (!own) return false;
  const options& chosen = *own;
  if (lacks_header(chosen, *source_of, include)) return false;
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

// Says that a program without Cilk has directives of OpenMP that nobody follows.
void tell_of_openmp(const options& chosen, const input_file& source, const std::string& text) {
  const auto follows = [](llvm::StringRef one) { return one.starts_with("-fopenmp"); };
  const unsigned line = openmp::line_of_directive(text);
  if (line == 0 || std::ranges::any_of(chosen.for_host, follows)) return;
  llvm::errs() << source.name << ':' << line
               << ": remark: directives of OpenMP have no effect without '-fopenmp-tasks'\n";
}

// Translates a file to host code and tasks. Leaves `file.text` empty if nothing changed. `errors`:
// what compilers have found in its tasks before.
std::optional<host_code::translation> translate_file(translated_file& file,
                                                     const std::string& include,
                                                     const std::vector<compiler_error>& errors) {
  const options& chosen = file.chosen;
  const input_file& source = file.source;
  const auto buffer = llvm::MemoryBuffer::getFile(source.name);
  if (!buffer) {
    const bool missing = buffer.getError() == std::errc::no_such_file_or_directory;
    fail((missing ? std::string("no such file or directory") : buffer.getError().message()) +
         ": '" + source.name + "'");
    return std::nullopt;
  }
  const bool is_c = source.kind == input_kind::c;
  host_code::source_file read{source.name, is_c, (*buffer)->getBuffer().str(),
                              parser_command(chosen, include, is_c)};
  if (chosen.openmp) {
    auto as_cilk = openmp::as_cilk(read);
    if (!as_cilk) return std::nullopt;
    read.text = std::move(*as_cilk);
  }
  // With -flto, objects hold the compiler's own code, whose symbols objcopy cannot change.
  const bool optimised_later = std::ranges::any_of(
      chosen.for_host, [](llvm::StringRef one) { return one.starts_with("-flto"); });
  host_code::translate_options wanted;
  wanted.lines = chosen.line_directives;
  wanted.races = chosen.races;
  wanted.net = chosen.net;
  wanted.tasks = chosen.task_forms && !optimised_later;
  for (const device_kind device : chosen.devices) wanted.devices.emplace_back(name_of(device));
  wanted.chooses_device = chosen.on_host_too;
  wanted.id = id_of(chosen, source.name);
  wanted.whole_program = is_whole_program(chosen);
  wanted.forced_headers = forced_headers(chosen);
  wanted.macros = macros_of_program(chosen);
  wanted.all_reasons = chosen.explain || !chosen.devices.empty();
  wanted.errors = errors;
  auto made = host_code::translate(read, wanted);
  if (!made) return std::nullopt;
  const bool changed = chosen.openmp || made->text != read.text;
  if (!changed) tell_of_openmp(chosen, source, read.text);
  if (changed || chosen.emit == product::source) file.text = made->text;
  file.tasks.reset();
  if (!made->plan.text.empty()) {
    file.tasks = task_part{made->plan.text, made->plan.device_text, {}, made->plan.plain};
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
    for (const staying_function& each : one.plan.stay) {
      for (const std::string& why : each.reasons)
        llvm::errs() << "cilk2chan: " << (refused ? "error: " : "warning: ") << each.line(why)
                     << '\n';
    }
  }
  if (!refused) return true;
  return fail(
      "nothing in this program can run on a device; leave out '--device', or change what "
      "stands in the way");
}

// The files of a program on their way through the compilers.
class program_files {
 public:
  program_files(const options& chosen, const installation& place, const std::string& include)
      : chosen_(chosen), place_(place), include_(include) {}

  // Translates all files before it writes any.
  bool make() {
    if (!translate()) return false;
    const bool runs = tell_what_stays(chosen_, made_);
    const bool compiles = chosen_.emit == product::executable || chosen_.emit == product::object;
    const bool made = runs && (!compiles || build(chosen_, place_, files_));
    // Last, since the compilers may refuse what was to be a task.
    if (chosen_.explain) explain_all();
    return made && (compiles || write_all());
  }

 private:
  bool translate() {
    bool fine = true;
    // The files stay where they are, because `translate_again` knows them by reference.
    files_.reserve(chosen_.inputs.size());
    for (const input_file& one : chosen_.inputs) {
      if (one.kind == input_kind::linked) continue;
      const auto own = options_for(chosen_, one);
      if (!own) return false;
      translated_file& file = files_.emplace_back(translated_file{one, *own, {}, {}, {}});
      if (chosen_.serial) {
        fine = !lacks_header(file.chosen, one, include_) && fine;
        continue;
      }
      auto translated = translate_file(file, include_, {});
      fine = fine && translated.has_value();
      if (!translated) continue;
      file.translate_again = [this, &file, at = made_.size(), all = std::vector<compiler_error>()](
                                 const std::vector<compiler_error>& errors) mutable {
        all.insert(all.end(), errors.begin(), errors.end());
        return translate_again(file, made_[at], all);
      };
      made_.push_back(std::move(*translated));
    }
    return fine;
  }

  // Returns whether another function is left out, and the program may still run on its devices.
  bool translate_again(translated_file& file, host_code::translation& made,
                       const std::vector<compiler_error>& errors) const {
    translated_file without = file;
    auto translated = translate_file(without, include_, errors);
    if (!translated) return false;
    const std::size_t before = made.plan.left_to_host.size();
    const std::vector<std::string>& now = translated->plan.left_to_host;
    for (std::size_t i = before; i < now.size(); ++i)
      llvm::errs() << "cilk2chan: remark: " << now[i] << '\n';
    if (now.size() == before || (!chosen_.devices.empty() && !without.tasks)) return false;
    file.text = std::move(without.text);
    file.tasks = std::move(without.tasks);
    made = std::move(*translated);
    return true;
  }

  void explain_all() const {
    task_counts counts;
    for (const host_code::translation& one : made_) {
      llvm::errs() << one.explanation;
      counts += one.plan.counts;
    }
    if (chosen_.task_forms) llvm::errs() << summary(counts);
  }

  bool write_all() const {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const std::string& text = chosen_.emit == product::core     ? made_[i].core
                                : chosen_.emit == product::source ? made_[i].text
                                : chosen_.emit == product::graph  ? made_[i].plan.graph
                                : chosen_.devices.empty()         ? made_[i].plan.text
                                                                  : made_[i].plan.device_text;
      if (!write(output_of(chosen_, files_[i].source, files_.size() == 1), text)) return false;
    }
    return true;
  }

  const options& chosen_;
  const installation& place_;
  const std::string& include_;
  std::vector<translated_file> files_;
  std::vector<host_code::translation> made_;
};

}  // namespace

int main(int argc, char** argv) {
  const command_line line = read_command_line(argc, argv);
  if (line.exit_status) return *line.exit_status;
  options chosen = line.chosen;
  const installation place(argv[0]);
  const auto include = place.include_directory();
  if (!include) {
    llvm::errs() << "cilk2chan: error: cannot find channels/cilk/abi.h beside the tool; build or "
                    "install the "
                    "project\n";
    return 1;
  }
  // Before other folders: the compiler's omp.h is for its own runtime.
  if (chosen.openmp)
    chosen.for_both.insert(chosen.for_both.begin(), {"-isystem", *include + "/channels/openmp"});
  if (!outputs_are_no_inputs(chosen)) return 1;
  return in_workplace([&] {
    const bool made = chosen.tasks && !chosen.serial
                          ? make_tasks(chosen, place, *include)
                          : program_files(chosen, place, *include).make();
    return made ? 0 : 1;
  });
}
