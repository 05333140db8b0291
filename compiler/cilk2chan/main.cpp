// cilk2chan: Cilk in, programs out. Natively: expand, find places, rewrite, compile. Into kernel
// nodes that talk through channels (--tasks): parse, check, analyse, lower, emit, compile.

#include "check.hpp"
#include "emit.hpp"
#include "explain.hpp"
#include "host_compiler.hpp"
#include "native/translate.hpp"
#include "options.hpp"
#include "parse.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
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

bool write(const std::string& name, const std::string& text) {
  if (name.empty() || name == "-") {
    llvm::outs() << text;
    return true;
  }
  std::error_code error;
  llvm::raw_fd_ostream file(name, error);
  if (!error) file << text;
  if (!error) return true;
  llvm::errs() << "cilk2chan: error: cannot write '" << name << "': " << error.message() << '\n';
  return false;
}

// Of several files, the output is the directory.
std::string output_of(const options& chosen, const input_file& source, bool alone) {
  if (alone || chosen.output.empty()) return chosen.output;
  llvm::SmallString<256> name(chosen.output);
  if (llvm::sys::fs::create_directories(name)) return chosen.output;
  llvm::sys::path::append(name, llvm::sys::path::filename(source.name));
  return name.str().str();
}

bool make_tasks(const options& chosen, const installation& place, const std::string& include) {
  std::string text;
  const bool accepted =
      parse(chosen, include, [&](program& source) { text = translate(source, chosen); });
  if (!accepted) return false;
  return chosen.emit == product::source ? write(chosen.output, text) : compile(chosen, place, text);
}

// Nothing in `text` if there was nothing to translate.
bool translate_natively(const options& chosen, translated_file& file, const std::string& include) {
  const input_file& source = file.source;
  const auto buffer = llvm::MemoryBuffer::getFile(source.name);
  if (!buffer) {
    const bool missing = buffer.getError() == std::errc::no_such_file_or_directory;
    llvm::errs() << "cilk2chan: error: "
                 << (missing ? std::string("no such file or directory")
                             : buffer.getError().message())
                 << ": '" << source.name << "'\n";
    return false;
  }
  const bool is_c = source.kind == input_kind::c;
  const std::string text = (*buffer)->getBuffer().str();
  file.text = native::translate({source.name, is_c, text, parser_command(chosen, include, is_c)},
                                chosen.line_directives);
  if (!file.text) return false;
  if (*file.text == text && chosen.emit != product::source) file.text.reset();
  return true;
}

// Everything is translated before anything is written.
bool make_native(const options& chosen, const installation& place, const std::string& include) {
  std::vector<translated_file> files;
  bool fine = true;
  for (const input_file& one : chosen.inputs) {
    if (one.kind == input_kind::linked) continue;
    translated_file& file = files.emplace_back(translated_file{one, std::nullopt});
    if (chosen.serial) continue;
    fine = translate_natively(chosen, file, include) && fine;
  }
  if (!fine) return false;
  if (chosen.emit != product::source) return build(chosen, place, files);
  for (const translated_file& one : files) {
    if (!write(output_of(chosen, one.source, files.size() == 1), *one.text)) return false;
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
    llvm::errs()
        << "cilk2chan: error: cannot find cilk/cilk.h beside the tool; build or install the "
           "project\n";
    return 1;
  }
  const bool made = chosen.tasks && !chosen.serial ? make_tasks(chosen, place, *include)
                                                   : make_native(chosen, place, *include);
  return made ? 0 : 1;
}
