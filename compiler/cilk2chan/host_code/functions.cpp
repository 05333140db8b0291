#include "host_code/entries.hpp"
#include "host_code/rewriting.hpp"

#include <clang/Lex/Lexer.h>
#include <llvm/Support/SaveAndRestore.h>

namespace cilk2chan::host_code {
namespace {

// Where the declaration that holds `offset` begins: behind the last `;`, `}` or directive before
// it.
unsigned start_of_declaration(const parsed_file& source, unsigned offset) {
  const llvm::StringRef all = source.text();
  const clang::SourceLocation start =
      source.sources.getLocForStartOfFile(source.sources.getMainFileID());
  clang::Lexer lexer(start, source.context.getLangOpts(), all.begin(), all.begin(), all.end());
  unsigned begin = 0;
  bool fresh = true;  // the next token begins a declaration
  bool directive = false;
  for (clang::Token token;;) {
    lexer.LexFromRawLexer(token);
    const unsigned at = source.sources.getFileOffset(token.getLocation());
    if (token.isAtStartOfLine()) {
      if (directive) fresh = true;
      directive = token.is(clang::tok::hash);
    }
    if (directive) {
      if (at >= offset) return begin;
      continue;
    }
    if (fresh) begin = at;
    fresh = false;
    if (at >= offset || token.is(clang::tok::eof)) return begin;
    if (token.isOneOf(clang::tok::semi, clang::tok::r_brace)) fresh = true;
  }
}

}  // namespace

void rewrite_functions(rewriting& out) {
  for (const region& one : out.places.regions) {
    const clang::FunctionDecl* function = one.function;
    if (function == nullptr || one.body == nullptr ||
        (one.kind != region_kind::function && one.kind != region_kind::try_block))
      continue;
    if (!out.helpers.contains(function) && !out.prototypes.contains(function) &&
        !out.giving.contains(function))
      continue;
    unsigned begin = out.source.offset(function->getBeginLoc());
    // In C++ it may stand in a namespace, and has nothing before it.
    if (out.source.is_c()) begin = start_of_declaration(out.source, begin);
    const unsigned end = out.source.range(function->getBody()).end;
    if (end == 0) continue;
    out.text.replace(
        {begin, end},
        [&out, function, begin, end] {
          std::string body = out.text.render({begin, end});
          // Loops write their functions while the body is written.
          std::string text = out.prototypes[function] + out.helpers[function];
          if (text.empty() && !out.giving.contains(function)) return body;
          text = out.own_lines() + text;
          if (out.giving.contains(function)) {
            const bool known = function->getStorageClass() == clang::SC_Static;
            text += std::string("CHANNELS_CILK_GIVING") + (known ? "\n" : " static\n");
            if (out.lines) text += out.source.line_directive(begin);
            text += body + "\n" + out.own_lines();
            const llvm::SaveAndRestore serially(out.text.serial, true);
            body = out.text.render({begin, end});
          }
          const llvm::StringRef before = out.source.text().take_front(begin);
          const std::size_t last = before.rfind('\n') + 1;
          const bool alone = before.substr(last).trim().empty();
          if (!alone) text = "\n" + text;
          if (out.lines) text += out.source.line_directive(begin);
          return text + body;
        },
        9);
  }
}

std::string rewrite(parsed_file& source, const task_plan* plan, bool lines,
                    std::string& explanation) {
  place_list places = find_places(source);
  if (source.context.getDiagnostics().hasErrorOccurred()) return {};
  rewriting out(source, places, plan, lines);
  check_functions(out);
  rewrite_entries(out);
  rewrite_reducers(out);
  rewrite_loops(out);
  rewrite_spawns(out);
  rewrite_frames(out);
  rewrite_copies(out);
  rewrite_functions(out);
  if (!source.hidden.empty() || source.context.getDiagnostics().hasErrorOccurred()) return {};
  const std::string start =
      "#define CHANNELS_CILK_HOST_CODE 1\n" + (lines ? source.line_directive(0) : std::string());
  explanation = explain_host(out);
  return start + out.text.render_all() + epilogue(out);
}

}  // namespace cilk2chan::host_code
