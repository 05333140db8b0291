#include "host_code/rewriting.hpp"

#include <clang/Lex/Lexer.h>
#include <llvm/Support/SaveAndRestore.h>

namespace cilk2chan::host_code {
namespace {

// Where the declaration that contains `offset` begins: behind the last `;`, `}` or directive before
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

void write_preceding_text(rewriting& out) {
  for (const region& one : out.places.regions) {
    const clang::FunctionDecl* function = one.function;
    if (function == nullptr || one.body == nullptr ||
        (one.kind != region_kind::function && one.kind != region_kind::try_block))
      continue;
    if (!out.outlined.contains(function) && !out.prototypes.contains(function) &&
        !out.giving_versions.contains(function))
      continue;
    unsigned begin = out.source.offset(function->getBeginLoc());
    // In C++ the function may be in a namespace, and nothing is written before it.
    if (out.source.is_c()) begin = start_of_declaration(out.source, begin);
    const unsigned end = out.source.range(function->getBody()).end;
    if (end == 0) continue;
    out.text.replace(
        {begin, end},
        [&out, function, begin, end] {
          std::string body = out.text.render({begin, end});
          // Rendering the body writes the functions of its loops, so it comes first.
          std::string text = out.prototypes[function] + out.outlined[function];
          if (text.empty() && !out.giving_versions.contains(function)) return body;
          text = out.own_lines() + text;
          if (out.giving_versions.contains(function)) {
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

}  // namespace cilk2chan::host_code
