// cilk2chan: Cilk in, kernel nodes that talk through channels out. The stages, in order: parse,
// check, analyse, lower, emit, compile.

#include "check.hpp"
#include "emit.hpp"
#include "explain.hpp"
#include "host_compiler.hpp"
#include "options.hpp"
#include "parse.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

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
  std::string text = emit_file(source, tasks, {chosen.input, chosen.line_directives});
  if (chosen.explain) explain(source, tasks, llvm::errs());
  return text;
}

bool write(const options& chosen, const std::string& text) {
  if (chosen.output.empty() || chosen.output == "-") {
    llvm::outs() << text;
    return true;
  }
  std::error_code error;
  llvm::raw_fd_ostream file(chosen.output, error);
  if (!error) file << text;
  if (!error) return true;
  llvm::errs() << "cilk2chan: error: cannot write '" << chosen.output << "': " << error.message()
               << '\n';
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const command_line line = read_command_line(argc, argv);
  if (line.exit_status) return *line.exit_status;
  const options& chosen = line.chosen;
  const installation place(argv[0]);
  if (chosen.serial) return compile_serial(chosen, place) ? 0 : 1;

  const auto include = place.include_directory();
  if (!include) {
    llvm::errs()
        << "cilk2chan: error: cannot find cilk/cilk.h beside the tool; build or install the "
           "project\n";
    return 1;
  }
  std::string text;
  const bool accepted =
      parse(chosen, *include, [&](program& source) { text = translate(source, chosen); });
  if (!accepted) return 1;
  const bool written =
      chosen.emit == product::source ? write(chosen, text) : compile(chosen, place, text);
  return written ? 0 : 1;
}
