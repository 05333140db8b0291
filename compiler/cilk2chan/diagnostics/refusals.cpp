#include "diagnostics/refusals.hpp"

namespace cilk2chan {

void refuse(clang::DiagnosticsEngine& diagnostics, clang::SourceLocation where, const refusal& why,
            llvm::StringRef name) {
  const auto report = [&](clang::DiagnosticIDs::Level level, const char* text) {
    const unsigned id = diagnostics.getDiagnosticIDs()->getCustomDiagID(level, text);
    auto builder = diagnostics.Report(where, id);
    if (!name.empty()) builder << name;
  };
  report(clang::DiagnosticIDs::Error, why.error);
  report(clang::DiagnosticIDs::Note, why.note);
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
