#include "host_code/translate.hpp"

#include "analysis/unsynced_reads.hpp"
#include "frontend/expand.hpp"
#include "host_code/no_header.hpp"
#include "host_code/rewriting.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroInfo.h>

#include <algorithm>

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
    result_.made.text = rewrite(source_, options_.tasks ? &result_.made.plan : nullptr,
                                options_.lines, options_.races, result_.made.explanation);
    result_.made.explanation += result_.made.plan.explanation;
    for (const staying_function& one : result_.made.plan.stay) {
      for (const std::string& why : one.reasons) result_.made.explanation += one.line(why) + "\n";
    }
    result_.hidden = source_.hidden;
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

}  // namespace

std::optional<translation> translate(const source_file& file, const translate_options& options) {
  source_file now = file;
  std::set<unsigned> asked;
  planned_file planned;
  planned.name = file.name;
  planned.id = options.id;
  planned.forced_headers = options.forced_headers;
  planned.line_directives = options.lines;
  planned.devices = options.devices;
  planned.whole_program = options.whole_program;
  planned.all_reasons = options.all_reasons;
  planned.errors = options.errors;
  for (int tries = 0; tries < 8; ++tries) {
    expansion expanded = expand(now, asked, report_no_header);
    if (expanded.fine && !expanded.has_cilk) return translation{file.text, {}, {}};
    if (expanded.fine) now.text = std::move(expanded.text);
    translation_attempt result;
    std::string messages;
    std::vector<std::string> more = options_to_parse_words();
    more.insert(more.end(), {"-Wno-unknown-pragmas", "-Wno-pragma-once-outside-header"});
    const bool fine = run_frontend(
        now, std::make_unique<translation_action>(result, planned, options), more, messages);
    if (!fine && !expanded.no_header.empty()) messages = expanded.no_header;
    if (!fine || result.hidden.empty()) llvm::errs() << messages;
    if (!fine) return std::nullopt;
    if (result.hidden.empty()) return std::move(result.made);
    asked = std::move(result.hidden);
  }
  llvm::errs() << file.name
               << ": error: a macro that is not written in this file hides a part of a spawn, a "
                  "loop or a reducer\n";
  return std::nullopt;
}

}  // namespace cilk2chan::host_code
