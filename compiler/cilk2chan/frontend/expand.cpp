#include "frontend/expand.hpp"

#include "frontend/keywords.hpp"  // keyword_of
#include "frontend/task_words.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/TokenConcatenation.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <map>

namespace cilk2chan::host_code {
namespace {

struct piece {
  unsigned end = 0;
  std::string text;
  bool wanted = false;
};

// One entering of a file; the preprocessor may enter a header several times.
struct entered {
  std::map<unsigned, piece> macros;            // by where the macro call begins
  std::map<unsigned, clang::FileID> includes;  // by where the directive begins
  std::map<unsigned, std::string> skipped;     // likewise, for a header not entered again; its name
  llvm::StringRef name;
  bool has_cilk = false;
  bool inlined = false;
};

class include_recorder : public clang::PPCallbacks {
 public:
  include_recorder(const clang::SourceManager& sources, std::map<clang::FileID, entered>& files,
                   bool openmp)
      : sources_(sources), files_(files), openmp_(openmp) {}

  void PragmaDirective(clang::SourceLocation where, clang::PragmaIntroducerKind) override {
    const auto [id, offset] = sources_.getDecomposedLoc(sources_.getExpansionLoc(where));
    llvm::StringRef text = sources_.getBufferData(id).substr(offset);
    text = text.take_until([](char c) { return c == '\n'; });
    if (openmp_ && text.contains("omp") && !sources_.isInSystemHeader(where))
      files_[id].has_cilk = true;
  }

  void InclusionDirective(clang::SourceLocation hash, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    hash_ = hash;
  }
  void FileSkipped(const clang::FileEntryRef& file, const clang::Token&,
                   clang::SrcMgr::CharacteristicKind) override {
    if (hash_.isInvalid()) return;
    const auto [id, offset] = sources_.getDecomposedLoc(hash_);
    files_[id].skipped[offset] = file.getName().str();
  }
  void LexedFileChanged(clang::FileID id, LexedFileChangeReason reason,
                        clang::SrcMgr::CharacteristicKind, clang::FileID,
                        clang::SourceLocation) override {
    if (reason != LexedFileChangeReason::EnterFile || hash_.isInvalid()) return;
    const auto [parent, offset] = sources_.getDecomposedLoc(hash_);
    files_[parent].includes[offset] = id;
    hash_ = {};
  }

 private:
  const clang::SourceManager& sources_;
  std::map<clang::FileID, entered>& files_;
  bool openmp_;
  clang::SourceLocation hash_;
};

class expansion_action : public clang::PreprocessorFrontendAction {
 public:
  expansion_action(expansion& result, const std::set<unsigned>& asked, no_header_report report,
                   reading how)
      : result_(result), asked_(asked), report_(report), how_(how) {}

 protected:
  void ExecuteAction() override {
    clang::Preprocessor& preprocessor = getCompilerInstance().getPreprocessor();
    sources_ = &preprocessor.getSourceManager();
    options_ = &preprocessor.getLangOpts();
    preprocessor.addPPCallbacks(std::make_unique<include_recorder>(*sources_, files_, how_.openmp));
    preprocessor.EnterMainSourceFile();
    read_tokens(preprocessor);
    const clang::FileID main = sources_->getMainFileID();
    for (auto& [id, file] : files_) result_.has_cilk = result_.has_cilk || file.has_cilk;
    for (bool grew = true; grew;) grew = mark_inlined();
    const std::string text = text_of(main, true);
    result_.changed = text != sources_->getBufferData(main);
    result_.text = text;
  }

 private:
  // A `cilk_spawn` that was the last token: written there, or in what a macro call yields.
  struct last_spawn {
    entered* file = nullptr;
    unsigned begin = 0;
    llvm::StringRef word;
    piece* call = nullptr;
  };

  static bool is_spawn_word(llvm::StringRef name) { return keyword_of(name) == keyword::spawn; }

  // Writes another word for a spawn that stands before a block.
  static void mark_block(const last_spawn& spawn) {
    if (spawn.file == nullptr) return;
    if (spawn.call != nullptr) {
      std::string& text = spawn.call->text;
      if (!llvm::StringRef(text).ends_with(spawn.word)) return;
      text.replace(text.size() - spawn.word.size(), spawn.word.size(), block_word.str());
      return;
    }
    piece& made = spawn.file->macros[spawn.begin];
    made.end = spawn.begin + static_cast<unsigned>(spawn.word.size());
    made.text = block_word.str();
    made.wanted = true;
  }

  void read_tokens(clang::Preprocessor& preprocessor) {
    clang::TokenConcatenation joins(preprocessor);
    clang::Token before;
    clang::Token last;
    before.startToken();
    last.startToken();
    piece* current = nullptr;
    last_spawn spawn;
    atomic_type atomic;
    for (clang::Token token; preprocessor.Lex(token), token.isNot(clang::tok::eof);) {
      const clang::IdentifierInfo* identifier = token.getIdentifierInfo();
      const bool cilk = identifier != nullptr && keyword_of(identifier->getName()).has_value();
      const bool unknown = cilk && !identifier->hasMacroDefinition();
      if (unknown && result_.no_header.empty()) tell_no_header(preprocessor, token);
      const clang::CharSourceRange range = sources_->getExpansionRange(token.getLocation());
      const auto [id, begin] = sources_->getDecomposedLoc(range.getBegin());
      entered& file = files_[id];
      if (cilk) file.has_cilk = true;
      read_atomic(atomic, token, file, begin);
      if (token.is(clang::tok::l_brace)) mark_block(spawn);
      spawn = {};
      // A keyword is a macro that yields itself.
      const auto written = sources_->getBufferData(id).substr(begin);
      if (!token.getLocation().isMacroID() ||
          (cilk && written.starts_with(identifier->getName()))) {
        current = nullptr;
        if (cilk && is_spawn_word(identifier->getName()))
          spawn = {&file, begin, identifier->getName(), nullptr};
        continue;
      }
      piece& call = file.macros[begin];
      const auto [end_id, end] = sources_->getDecomposedLoc(range.getEnd());
      // A call that begins in one file and ends in another cannot be replaced.
      if (end_id == id) {
        call.end = std::max(
            call.end, end + clang::Lexer::MeasureTokenLength(range.getEnd(), *sources_, *options_));
      }
      if (cilk || (id == sources_->getMainFileID() && asked_.contains(begin)) ||
          is_task_word(word_at(written)))
        call.wanted = true;
      const bool first = current != &call;
      current = &call;
      if (!first && (token.hasLeadingSpace() || token.isAtStartOfLine() ||
                     joins.AvoidConcat(before, last, token))) {
        call.text += ' ';
      }
      call.text += preprocessor.getSpelling(token);
      if (cilk && is_spawn_word(identifier->getName()))
        spawn = {&file, begin, identifier->getName(), &call};
      before = last;
      last = token;
    }
  }

  // `_Atomic` in front of a type: `begin` and `end` are where the words stand.
  struct atomic_type {
    entered* file = nullptr;
    unsigned begin = 0;
    unsigned end = 0;
    std::string words;
  };

  // Writes `_Atomic(long)` for `_Atomic long`, which C++ can have.
  void read_atomic(atomic_type& now, const clang::Token& token, entered& file, unsigned begin) {
    const bool written = token.getLocation().isFileID();
    if (now.file != nullptr) {
      const bool in_row = written && now.file == &file;
      const bool number = token.isOneOf(
          clang::tok::kw_unsigned, clang::tok::kw_signed, clang::tok::kw_long, clang::tok::kw_int,
          clang::tok::kw_short, clang::tok::kw_char, clang::tok::kw__Bool);
      if (in_row && (number || (token.is(clang::tok::identifier) && now.words.empty()))) {
        now.end = begin + token.getLength();
        now.words += (now.words.empty() ? "" : " ") + word_at(text_at(token)).str();
        return;
      }
      if (!now.words.empty()) {
        piece& made = now.file->macros[now.begin];
        made.end = now.end;
        made.text = "_Atomic(" + now.words + ")";
        made.wanted = true;
      }
      now = {};
    }
    if (written && token.is(clang::tok::kw__Atomic)) now = {&file, begin, begin, {}};
  }
  llvm::StringRef text_at(const clang::Token& token) const {
    const auto [id, offset] = sources_->getDecomposedLoc(token.getLocation());
    return sources_->getBufferData(id).substr(offset);
  }

  static llvm::StringRef word_at(llvm::StringRef text) {
    return text.take_while([](char letter) { return llvm::isAlnum(letter) || letter == '_'; });
  }

  void tell_no_header(clang::Preprocessor& preprocessor, const clang::Token& token) {
    clang::DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
    llvm::raw_string_ostream stream(result_.no_header);
    clang::TextDiagnosticPrinter printer(stream, &diagnostics.getDiagnosticOptions());
    clang::DiagnosticConsumer* const before = diagnostics.getClient();
    const auto owned = diagnostics.takeClient();
    diagnostics.setClient(&printer, false);
    printer.BeginSourceFile(*options_, &preprocessor);
    report_(diagnostics, sources_->getExpansionLoc(token.getLocation()),
            token.getIdentifierInfo()->getName());
    printer.EndSourceFile();
    diagnostics.setClient(before, false);
  }

  // Marks headers whose text takes the place of their #include: those that use a keyword, and those
  // that include such a header; all of the program's own, if asked for.
  bool mark_inlined() {
    bool grew = false;
    llvm::DenseSet<llvm::StringRef> names;
    for (auto& [id, file] : files_) {
      if (file.inlined) names.insert(name_of(id));
    }
    for (auto& [id, file] : files_) {
      if (file.inlined || id == sources_->getMainFileID() || id.isInvalid()) continue;
      bool inlined = file.has_cilk || (how_.own_headers && is_users(id));
      for (const auto& [offset, child] : file.includes) inlined = inlined || files_[child].inlined;
      for (const auto& [offset, name] : file.skipped) inlined = inlined || names.contains(name);
      // A header that the command line includes has no directive to replace.
      if (inlined && sources_->getFileEntryRefForID(id)) file.inlined = grew = true;
    }
    return grew;
  }

  bool is_users(clang::FileID id) const {
    // A directive in it may say that it is the system's.
    return result_.has_cilk && !sources_->isInSystemHeader(sources_->getLocForEndOfFile(id));
  }

  llvm::StringRef name_of(clang::FileID id) const {
    const auto file = sources_->getFileEntryRefForID(id);
    return file ? file->getName() : llvm::StringRef();
  }

  std::string text_of(clang::FileID id, bool is_main) {
    const llvm::StringRef input = sources_->getBufferData(id);
    const entered& file = files_[id];
    std::string text;
    std::size_t at = 0;
    auto macro = file.macros.begin();
    auto include = file.includes.begin();
    auto skipped = file.skipped.begin();
    const auto replace = [&](std::size_t begin, std::size_t end, const std::string& by) {
      if (begin < at) return;
      text += input.slice(at, begin);
      text += by;
      at = end;
    };
    for (;;) {
      const unsigned next_macro = macro == file.macros.end() ? ~0U : macro->first;
      const unsigned next_include = include == file.includes.end() ? ~0U : include->first;
      const unsigned next_skipped = skipped == file.skipped.end() ? ~0U : skipped->first;
      const unsigned next = std::min({next_macro, next_include, next_skipped});
      if (next == ~0U) break;
      if (next == next_macro) {
        const piece& call = macro->second;
        if (call.wanted && call.end > next) {
          const auto lines = input.slice(next, call.end).count('\n');
          replace(next, call.end, call.text + std::string(lines, '\n'));
        }
        ++macro;
      } else if (next == next_include) {
        const clang::FileID child = include->second;
        const std::size_t end = line_end(input, next);
        if (files_[child].inlined) {
          replace(next, end,
                  line_directive(1, name_of(child)) + text_of(child, false) + "\n" +
                      resume_directive(id, end));
        } else if (!is_main && quoted(input, next)) {
          replace(next, end, include_of(name_of(child)));
        }
        ++include;
      } else {
        const std::size_t end = line_end(input, next);
        if (is_inlined(skipped->second)) {
          replace(next, end, std::string(input.slice(next, end).count('\n'), '\n'));
        } else if (!is_main && quoted(input, next)) {
          replace(next, end, include_of(skipped->second));
        }
        ++skipped;
      }
    }
    text += input.substr(at);
    return text;
  }

  // Absolute: the text is compiled as a file of another folder.
  static std::string include_of(llvm::StringRef name) {
    llvm::SmallString<256> path(name);
    llvm::sys::fs::make_absolute(path);
    return "#include \"" + path.str().str() + "\"";
  }

  bool is_inlined(llvm::StringRef name) {
    return std::any_of(files_.begin(), files_.end(), [&](const auto& one) {
      return one.second.inlined && name_of(one.first) == name;
    });
  }

  // Whether the directive looks for its file next to the one that it stands in.
  static bool quoted(llvm::StringRef input, std::size_t at) {
    const std::size_t mark = input.find_first_of("\"<\n", at);
    return mark != llvm::StringRef::npos && input[mark] == '"';
  }

  // The end of the directive's line, which a backslash or a comment may have made longer.
  static std::size_t line_end(llvm::StringRef input, std::size_t at) {
    for (bool comment = false; at < input.size(); ++at) {
      if (comment) {
        if (input.substr(at).starts_with("*/")) comment = false;
      } else if (input.substr(at).starts_with("/*")) {
        comment = true;
      } else if (input[at] == '\n' && (at == 0 || input[at - 1] != '\\')) {
        return at;
      }
    }
    return at;
  }

  std::string line_directive(unsigned line, llvm::StringRef name) const {
    std::string text = "#line " + std::to_string(line) + " \"";
    for (const char c : name) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    return text + "\"\n";
  }

  // #line for what follows the directive, which is the end of its line.
  std::string resume_directive(clang::FileID id, std::size_t end) const {
    const clang::SourceLocation where =
        sources_->getLocForStartOfFile(id).getLocWithOffset(static_cast<int>(end));
    const clang::PresumedLoc presumed = sources_->getPresumedLoc(where);
    std::string text = line_directive(presumed.getLine() + 1, presumed.getFilename());
    text.pop_back();
    return text;
  }

  expansion& result_;
  const std::set<unsigned>& asked_;
  no_header_report report_;
  reading how_;
  const clang::SourceManager* sources_ = nullptr;
  const clang::LangOptions* options_ = nullptr;
  std::map<clang::FileID, entered> files_;
};

}  // namespace

expansion expand(const source_file& file, const std::set<unsigned>& asked, no_header_report report,
                 reading how) {
  expansion result;
  // Dropped: the parser reports the same errors.
  std::string messages;
  std::vector<std::string> more = options_to_keep_words();
  more.emplace_back("-w");
  result.fine = run_frontend(file, std::make_unique<expansion_action>(result, asked, report, how),
                             more, messages);
  return result;
}

}  // namespace cilk2chan::host_code
