#include "analysis/overlapped_calls.hpp"
#include "diagnostics/refusals.hpp"
#include "frontend/declaration_chunks.hpp"
#include "tasks/emission/emit.hpp"
#include "tasks/node_text.hpp"
#include "tasks/sums.hpp"

#include <clang/AST/DeclCXX.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace cilk2chan {
namespace {

class file_emitter {
 public:
  file_emitter(const program& source, const std::vector<finished_task>& tasks,
               const emit_options& options)
      : source_(source), sources_(source.sources()), tasks_(tasks), options_(options) {}

  std::string run() {
    for (const finished_task& task : tasks_) {
      if (!task.task->leaf && task.task->loop == nullptr) replace_function(task);
    }
    if (source_.is_c()) adapt_c();
    const std::string text = sources_.getBufferData(sources_.getMainFileID()).str();
    return prologue() + apply(replacements_, text, 0);
  }

 private:
  std::string prologue() const {
    std::string text = "// Made by cilk2chan from " + options_.file + ".\n";
    text += "#include <channels/cilk/tasks.hpp>\n\n#include <cstdint>\n";
    const llvm::StringRef input = sources_.getBufferData(sources_.getMainFileID());
    if (source_.is_c() && input.contains("restrict")) text += "#define restrict __restrict\n";
    if (source_.is_c() && input.contains("_Bool")) text += "#define _Bool bool\n";
    return text + line_directive(1);
  }

  std::string line_directive(unsigned line) const {
    if (!options_.line_directives) return "";
    return cilk2chan::line_directive(options_.file, line);
  }

  // A task takes the place of its function. The functions that run the tasks follow the last task,
  // where all tasks are complete types.
  void replace_function(const finished_task& task) {
    const clang::FunctionDecl* function = task.task->definition;
    writer out(options_.line_directives);
    const clang::SourceLocation after = clang::Lexer::getLocForEndOfToken(
        function->getEndLoc(), 0, sources_, source_.context->getLangOpts());
    const unsigned from = sources_.getFileOffset(sources_.getExpansionLoc(function->getBeginLoc()));
    const macro_directives macros = macros_in(source_, from, sources_.getFileOffset(after));
    if (!macros.twice.empty())
      refuse(source_.context->getDiagnostics(), function->getLocation(),
             refusals::macro_defined_twice, macros.twice);
    out.line("");
    if (!macros.defined.empty()) out.line(macros.defined);
    if (first()) {
      for (const finished_task& one : tasks_) out.line("struct " + one.task->name + ";");
      out.line("");
    }
    for (const finished_task& one : tasks_) {
      if (one.task->definition == function) emit_leaves(*one.task, out);
    }
    ++replaced_;
    out.line(prototype(source_, *task.task) + ";");
    out.line("");
    for (const finished_task& one : tasks_) {
      if (one.task->definition == function && !one.task->leaf) emit_task(source_, one, out);
    }
    if (last()) {
      out.line("");
      out.line("// What the rest of the program calls.");
      for (const finished_task& one : tasks_) {
        if (!one.task->leaf && one.task->loop == nullptr) emit_wrapper(source_, one, out);
      }
    }
    if (!macros.ended.empty()) out.line(macros.ended);
    std::string text = out.take();
    // Text behind the function on its last line keeps its line number.
    text += line_directive(sources_.getSpellingLineNumber(after));
    replacements_.push_back({from, sources_.getFileOffset(after) - from, text, false});
  }

  // A leaf stands before the first task that spawns it, where its function and types are declared.
  void emit_leaves(const task_function& spawner, writer& out) {
    for (const finished_task& one : tasks_) {
      const bool spawned = std::ranges::any_of(spawner.children, [&](const auto& entry) {
        return source_.task_of(*entry.second) == one.task;
      });
      if (!one.task->leaf || !spawned || !leaves_.insert(one.task).second) continue;
      emit_task(source_, one, out);
      out.line("");
    }
  }

  bool first() const { return replaced_ == 0; }
  bool last() const {
    const auto functions = std::ranges::count_if(tasks_, [](const finished_task& one) {
      return !one.task->leaf && one.task->loop == nullptr;
    });
    return replaced_ == static_cast<unsigned>(functions);
  }

  // Gives C functions C linkage, and writes implicit conversions of C as casts.
  void adapt_c() {
    for (clang::Decl* declaration : source_.context->getTranslationUnitDecl()->decls()) {
      if (!sources_.isInMainFile(declaration->getLocation())) continue;
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      const task_function* task = source_.task_of(function);
      const bool is_task = task != nullptr && !task->leaf;
      if (is_task && function->isThisDeclarationADefinition()) continue;
      if (function != nullptr && !function->isImplicit()) add_linkage(*function);
      for (replacement& one : text_changes(source_, declaration))
        replacements_.push_back(std::move(one));
    }
  }

  void add_linkage(const clang::FunctionDecl& function) {
    const clang::SourceLocation begin = sources_.getExpansionLoc(function.getBeginLoc());
    if (function.isMain() || function.getStorageClass() == clang::SC_Static) return;
    if (function.getLocation().isMacroID()) return;
    const unsigned offset = sources_.getFileOffset(begin);
    const llvm::StringRef text = sources_.getBufferData(sources_.getMainFileID()).substr(offset);
    // `int f(void), g(void);` is two declarations that begin at one place.
    if (offset == linkage_at_) return;
    linkage_at_ = offset;
    const bool is_extern = text.starts_with("extern");
    replacements_.push_back(
        {offset, is_extern ? 6U : 0U, is_extern ? "extern \"C\"" : "extern \"C\" ", false});
  }

  const program& source_;
  const clang::SourceManager& sources_;
  const std::vector<finished_task>& tasks_;
  const emit_options& options_;
  std::vector<replacement> replacements_;
  llvm::DenseSet<const task_function*> leaves_;  // those emitted so far
  unsigned replaced_ = 0;
  unsigned linkage_at_ = ~0U;
};

}  // namespace

finished_task finish_task(const program& source, task_function& task) {
  finished_task made;
  made.task = &task;
  made.sums_up = task.leaf;
  if (task.leaf) return made;
  made.usage = usage_of(task.definition->getBody());

  overlap_calls(source, task, made.usage);
  const join_points waits = find_join_points(source, task);
  if (source.context->getDiagnostics().hasErrorOccurred()) return made;
  made.live = std::make_unique<liveness>(source, task);
  made.lowered = lower(source, task, made.usage, waits);
  made.sums_up = sums_up(made.lowered, made.usage);
  if (!made.sums_up) {
    auto arrays = find_summed_arrays(source, task, made.usage);
    made.sums_up = sums_up_in_loops(made.lowered, made.usage, arrays);
    if (made.sums_up) made.summed = std::move(arrays);
  }
  variable_set also;
  // Liveness ignores code that cannot be reached, which has to compile too: its variables are added
  // to the frame until none is missing.
  for (bool complete = false; !complete;) {
    made.frame = lay_out_frame(source, made.lowered, made.usage, *made.live, also, made.summed);
    writer draft(false);
    variable_set missing;
    emit_resume(source, made, draft, missing);
    complete = missing.empty();
    also.insert(missing.begin(), missing.end());
  }
  task.members = made.frame.variables;
  task.converted = made.frame.converted;
  return made;
}

std::string emit_file(const program& source, const std::vector<finished_task>& tasks,
                      const emit_options& options) {
  return file_emitter(source, tasks, options).run();
}

}  // namespace cilk2chan
