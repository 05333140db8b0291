#include "native/translate.hpp"

#include "native/expand.hpp"
#include "native/rewriting.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/MacroInfo.h>

namespace cilk2chan::native {
namespace {

// What the preprocessor sees and the tree does not show.
class recorder : public clang::PPCallbacks {
 public:
  recorder(clang::SourceManager& sources, unit& source)
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
  unit& source_;
  keyword_recorder keywords_;
};

struct attempt {
  std::string text;
  std::set<unsigned> hidden;
};

class consumer : public clang::ASTConsumer {
 public:
  consumer(unit& source, attempt& result, bool lines)
      : source_(source), result_(result), lines_(lines) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    result_.text = rewrite(source_, lines_);
    result_.hidden = source_.hidden;
  }

 private:
  unit& source_;
  attempt& result_;
  bool lines_;
};

class action : public clang::ASTFrontendAction {
 public:
  action(attempt& result, bool lines) : result_(result), lines_(lines) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    source_ = std::make_unique<unit>(compiler.getASTContext(), compiler.getPreprocessor());
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<recorder>(compiler.getSourceManager(), *source_));
    return std::make_unique<consumer>(*source_, result_, lines_);
  }

 private:
  attempt& result_;
  bool lines_;
  std::unique_ptr<unit> source_;
};

}  // namespace

std::optional<std::string> translate(const source_file& file, bool lines) {
  source_file now = file;
  std::set<unsigned> asked;
  for (int tries = 0; tries < 8; ++tries) {
    expansion expanded = expand(now, asked);
    if (expanded.fine && !expanded.has_cilk) return file.text;
    if (expanded.fine) now.text = std::move(expanded.text);
    attempt result;
    std::string messages;
    const bool fine = run_frontend(
        now, std::make_unique<action>(result, lines),
        {"-DCHANNELS_CILK_PARSE", "-Wno-unknown-pragmas", "-Wno-pragma-once-outside-header"},
        messages);
    if (!fine || result.hidden.empty()) llvm::errs() << messages;
    if (!fine) return std::nullopt;
    if (result.hidden.empty()) return result.text;
    asked = std::move(result.hidden);
  }
  llvm::errs() << file.name
               << ": error: a macro that is not written in this file hides a part of a spawn, a "
                  "loop or a reducer\n";
  return std::nullopt;
}

}  // namespace cilk2chan::native
