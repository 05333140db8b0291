#include "diagnostics/refusals.hpp"

namespace cilk2chan {

namespace {

void report(clang::DiagnosticsEngine& diagnostics, clang::DiagnosticIDs::Level level,
            clang::SourceLocation where, const char* text, llvm::StringRef name) {
  const unsigned id = diagnostics.getDiagnosticIDs()->getCustomDiagID(level, text);
  auto builder = diagnostics.Report(where, id);
  if (!name.empty()) builder << name;
}

}  // namespace

void refuse(clang::DiagnosticsEngine& diagnostics, clang::SourceLocation where, const refusal& why,
            llvm::StringRef name) {
  report(diagnostics, clang::DiagnosticIDs::Error, where, why.error, name);
  report(diagnostics, clang::DiagnosticIDs::Note, where, why.note, name);
}

void warn(clang::DiagnosticsEngine& diagnostics, clang::SourceLocation where,
          clang::SourceLocation from, const refusal& what, llvm::StringRef name) {
  // Clang maps only its own warnings as -w and -Werror want.
  if (diagnostics.getIgnoreAllWarnings()) return;
  const auto level = diagnostics.getWarningsAsErrors() ? clang::DiagnosticIDs::Error
                                                       : clang::DiagnosticIDs::Warning;
  report(diagnostics, level, where, what.error, name);
  report(diagnostics, clang::DiagnosticIDs::Note, from, what.note, name);
}

std::string name_of(const clang::NamedDecl* declaration) {
  std::string name = declaration->getNameAsString();
  return name.empty() ? "(unnamed)" : name;
}

std::string place_of(const clang::SourceManager& sources, clang::SourceLocation where) {
  const clang::PresumedLoc place = sources.getPresumedLoc(where);
  if (place.isInvalid()) return {};
  return std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ":" +
         std::to_string(place.getColumn()) + ": ";
}

}  // namespace cilk2chan
