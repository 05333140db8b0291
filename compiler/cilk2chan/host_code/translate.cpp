#include "host_code/translate.hpp"

#include "analysis/unsynced_reads.hpp"
#include "diagnostics/refusals.hpp"  // reasons
#include "frontend/expand.hpp"
#include "host_code/no_header.hpp"
#include "host_code/rewriting.hpp"
#include "normal_form/normal_form.hpp"
#include "normal_form/refused_forms.hpp"
#include "tasks/compiler_messages.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroInfo.h>

#include <algorithm>
#include <map>
#include <set>

namespace cilk2chan::host_code {
namespace {

// Records what the preprocessor sees and the syntax tree does not show.
class preprocessor_recorder : public clang::PPCallbacks {
 public:
  preprocessor_recorder(clang::SourceManager& sources, parsed_file& source)
      : sources_(sources), source_(source), keywords_(source.keywords) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& definition,
                    clang::SourceRange range, const clang::MacroArgs* arguments) override {
    keywords_.MacroExpands(name, definition, range, arguments);
    const clang::SourceLocation call = sources_.getExpansionLoc(range.getBegin());
    if (!sources_.isInMainFile(call)) return;
    std::optional<unsigned> defined;
    const clang::MacroInfo* macro = definition.getMacroInfo();
    if (macro != nullptr && sources_.isInMainFile(macro->getDefinitionLoc()))
      defined = sources_.getFileOffset(macro->getDefinitionLoc());
    std::optional<unsigned>& known = source_.macro_calls[sources_.getFileOffset(call)];
    if (!known || (defined && *defined > *known)) known = defined;
  }

  // System headers that the program itself includes.
  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef name,
                          bool angled, clang::CharSourceRange, clang::OptionalFileEntryRef,
                          llvm::StringRef, llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (!angled || kind == clang::SrcMgr::C_User || sources_.isInSystemHeader(hash)) return;
    std::vector<std::string>& headers = source_.system_headers;
    if (std::ranges::find(headers, name) == headers.end()) headers.push_back(name.str());
  }

  // `#pragma cilk grainsize = N`, also with parentheses.
  void PragmaDirective(clang::SourceLocation where, clang::PragmaIntroducerKind kind) override {
    if (kind != clang::PIK_HashPragma || !sources_.isInMainFile(where)) return;
    const unsigned begin = sources_.getFileOffset(where);
    const llvm::StringRef rest = sources_.getBufferData(sources_.getMainFileID()).substr(begin);
    const llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
    llvm::StringRef text = line;
    text.consume_front("#");
    text = text.ltrim();
    if (!text.consume_front("pragma")) return;
    text = text.ltrim();
    if (!text.consume_front("cilk")) return;
    text = text.ltrim();
    if (!text.consume_front("grainsize")) return;
    text = text.ltrim();
    text.consume_front("=");
    text = text.split("//").first.split("/*").first.trim();
    if (!text.empty()) source_.grains[begin + static_cast<unsigned>(line.size())] = text.str();
  }

 private:
  clang::SourceManager& sources_;
  parsed_file& source_;
  keyword_recorder keywords_;
};

struct translation_attempt {
  translation made;
  std::set<unsigned> hidden;
  std::vector<plain_form> forms;
  named_functions kept;      // as `planned_file::kept`
  function_reasons refused;  // as `planned_file::refused`
};

class translation_consumer : public clang::ASTConsumer {
 public:
  translation_consumer(parsed_file& source, translation_attempt& result, const planned_file& file,
                       const translate_options& options)
      : source_(source), result_(result), file_(file), options_(options) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    warn_of_unsynced_reads(context, source_.keywords);
    if (options_.tasks) {
      planned_file file = file_;
      file.system_headers = source_.system_headers;
      result_.made.plan = plan_tasks(context, source_.keywords, file);
    }
    result_.made.text =
        rewrite(source_, options_.tasks ? &result_.made.plan : nullptr, options_.lines,
                options_.races, options_.net, result_.made.explanation);
    result_.made.explanation += result_.made.plan.explanation;
    for (const staying_function& one : result_.made.plan.stay) {
      for (const std::string& why : one.reasons) result_.made.explanation += one.line(why) + "\n";
    }
    result_.hidden = source_.hidden;
    if (options_.tasks && source_.hidden.empty() && !file_.has_plain_forms)
      result_.forms = plain_forms(source_, result_.made.plan, file_.id, !file_.devices.empty(),
                                  result_.kept = file_.kept, result_.refused);
  }

 private:
  parsed_file& source_;
  translation_attempt& result_;
  const planned_file& file_;
  const translate_options& options_;
};

class translation_action : public clang::ASTFrontendAction {
 public:
  translation_action(translation_attempt& result, const planned_file& file,
                     const translate_options& options)
      : result_(result), file_(file), options_(options) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    source_ = std::make_unique<parsed_file>(compiler.getASTContext(), compiler.getPreprocessor());
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<preprocessor_recorder>(compiler.getSourceManager(), *source_));
    return std::make_unique<translation_consumer>(*source_, result_, file_, options_);
  }

 private:
  translation_attempt& result_;
  const planned_file& file_;
  const translate_options& options_;
  std::unique_ptr<parsed_file> source_;
};

// A translation, and what it was made of.
struct translated_text {
  translation made;
  std::string text;  // the source, with macros expanded that hide something
  std::vector<plain_form> forms;
  named_functions kept;
  function_reasons refused;
};

// Expands macros until none hides what has to change, and translates.
std::optional<translated_text> translate_text(source_file now, const planned_file& planned,
                                              const translate_options& options,
                                              std::string& messages) {
  std::set<unsigned> asked;
  for (int tries = 0; tries < 8; ++tries) {
    // What tasks call on a device has to be marked for it, also in classes and templates, of which
    // C has none.
    const bool own_headers = !planned.devices.empty() && !now.is_c;
    expansion expanded = expand(now, asked, report_no_header, {.own_headers = own_headers});
    if (expanded.fine && !expanded.has_cilk)
      return translated_text{{now.text, now.text, {}, {}}, {}, {}, {}, {}};
    if (expanded.fine) now.text = std::move(expanded.text);
    translation_attempt result;
    std::string said;
    std::vector<std::string> more = options_to_parse_words();
    more.insert(more.end(), {"-Wno-unknown-pragmas", "-Wno-pragma-once-outside-header"});
    // The user does not see messages about plain forms.
    if (planned.has_plain_forms)
      more.insert(more.end(), {"-fno-access-control", "-fno-caret-diagnostics"});
    const bool fine = run_frontend(
        now, std::make_unique<translation_action>(result, planned, options), more, said);
    const bool of_user = !planned.has_plain_forms;
    if (!fine && of_user && !expanded.no_header.empty()) said = expanded.no_header;
    if (!fine || result.hidden.empty()) messages += said;
    if (!fine) return std::nullopt;
    if (result.hidden.empty()) {
      result.made.core = now.text;
      return translated_text{std::move(result.made), now.text, std::move(result.forms),
                             std::move(result.kept), std::move(result.refused)};
    }
    asked = std::move(result.hidden);
  }
  messages += now.name +
              ": error: a macro that is not written in this file hides a part of a spawn, a "
              "loop or a reducer\n";
  return std::nullopt;
}

// The plain forms in which compilers found errors: they have the lines of their functions, and all
// else is known to be right.
std::set<std::string> forms_refused(const std::vector<plain_form>& forms,
                                    const std::vector<compiler_error>& errors) {
  std::set<std::string> found;
  for (const compiler_error& error : errors) {
    for (const auto& [file, line] : error.places) {
      for (const plain_form& one : forms) {
        if (one.has_line(file, line)) found.insert(one.name);
      }
    }
  }
  return found;
}

// Errors that belong to no function stand in types that plain forms need.
std::set<std::string> forms_with_hidden_types(const std::vector<plain_form>& forms) {
  std::set<std::string> found;
  for (const plain_form& one : forms) {
    if (!one.hidden.empty()) found.insert(one.name);
  }
  return found;
}

// The plain forms that are no tasks: guards call the entries of tasks.
std::set<std::string> forms_without_task(const std::vector<plain_form>& forms,
                                         const task_plan& plan) {
  std::set<std::string> found;
  for (const plain_form& form : forms) {
    const bool entered = std::ranges::any_of(
        plan.entries, [&](const task_entry& one) { return one.symbol == form.name; });
    if (!entered && !form.changes.empty()) found.insert(form.name);
    for (const staying_function& one : plan.stay) {
      if (is_of_form(one, form)) found.insert(form.name);
    }
  }
  return found;
}

// Of forms that are no tasks those that have a reason of their own. To the plan all objects in
// boxes have one `end`: if one of them cannot end on a device, forms with others are refused, too,
// which are well without it.
std::set<std::string> with_own_reason(const std::vector<plain_form>& forms,
                                      const std::set<std::string>& refused, const task_plan& plan) {
  const std::string of_boxes = reasons::calls_host_code({"end"});
  std::set<std::string> found = refused;
  for (const plain_form& form : forms) {
    bool is_told = false;
    bool has_own = false;
    for (const staying_function& one : plan.stay) {
      if (!is_of_form(one, form)) continue;
      is_told = true;
      has_own = has_own || std::ranges::any_of(one.reasons, [&](const std::string& why) {
                  return why.find(of_boxes) == std::string::npos;
                });
    }
    if (is_told && !has_own) found.erase(form.name);
  }
  return found.empty() ? refused : found;
}

// The translation with all plain forms that do. Nothing where a task should have given way to one
// that does not: then the file is to be translated anew, and the task is among `planned.kept`.
std::optional<translation> with_forms(const source_file& file, const translate_options& options,
                                      translated_text& done, planned_file& planned) {
  std::string messages;
  std::vector<plain_form>& forms = done.forms;
  named_functions lost = std::move(done.kept);
  // Twice: the regions of a form that is left out may have the error in them, too.
  for (int i = 0; i < 2; ++i) lost.merge(leave_out(forms, forms_refused(forms, options.errors)));
  const auto is_lost = [&] {
    const std::size_t before = planned.kept.size();
    planned.kept.insert(lost.begin(), lost.end());
    if (planned.kept.size() == before) return false;
    planned.has_plain_forms = false;
    planned.replaced.clear();
    planned.cut.clear();
    planned.refused.clear();
    return true;
  };
  if (is_lost()) return std::nullopt;
  planned.refused = std::move(done.refused);
  // Ends, because each round leaves out at least one form.
  while (!forms.empty()) {
    planned.has_plain_forms = true;
    planned.replaced = replaced_functions(forms);
    planned.cut.clear();
    for (const plain_form& one : forms) {
      if (one.regions != 0) planned.cut.push_back(one.lines);
    }
    source_file plain = file;
    plain.text = with_plain_forms(done.text, file.name, options.id, forms, file.is_c);
    messages.clear();
    auto made = translate_text(plain, planned, options, messages);
    std::set<std::string> refused = made ? forms_without_task(forms, made->made.plan)
                                         : forms_refused(forms, errors_in(messages, {}));
    if (!made && refused.empty()) refused = forms_with_hidden_types(forms);
    if (made && refused.empty()) {
      made->made.plan.plain = true;
      return std::move(made->made);
    }
    if (refused.empty()) break;
    if (made) {
      refused = with_own_reason(forms, refused, made->made.plan);
      std::vector<plain_form> left;
      std::ranges::copy_if(forms, std::back_inserter(left),
                           [&](const plain_form& one) { return refused.contains(one.name); });
      note_staying(left, made->made.plan, planned.refused);
    } else {
      note_not_compiled(forms, errors_in(messages, {}), planned.refused);
    }
    lost = leave_out(forms, refused);
    lost.merge(leave_out_idle(forms, planned.refused));
    if (is_lost()) return std::nullopt;
  }
  if (planned.refused.empty()) return std::move(done.made);
  // Nothing has a plain form. Once more, because the program says why.
  planned.has_plain_forms = true;
  planned.replaced.clear();
  planned.cut.clear();
  source_file plain = file;
  plain.text = done.text;
  auto again = translate_text(plain, planned, options, messages);
  return std::move(again ? again->made : done.made);
}

}  // namespace

std::optional<translation> translate(const source_file& file, const translate_options& options) {
  planned_file planned;
  planned.name = file.name;
  planned.id = options.id;
  planned.forced_headers = options.forced_headers;
  planned.macros = options.macros;
  planned.line_directives = options.lines;
  planned.devices = options.devices;
  planned.chooses_device = options.chooses_device;
  planned.whole_program = options.whole_program;
  planned.all_reasons = options.all_reasons;
  planned.errors = options.errors;
  std::string messages;
  auto done = translate_text(file, planned, options, messages);
  llvm::errs() << messages;
  // Ends, because each round keeps at least one task more as it is.
  for (; done; done = translate_text(file, planned, options, messages)) {
    if (auto made = with_forms(file, options, *done, planned)) return made;
  }
  return std::nullopt;
}

}  // namespace cilk2chan::host_code
