#include "diagnostics/diagnostics.hpp"

namespace cilk2chan::host_code {

void refuse(const parsed_file& source, clang::SourceLocation where, const refusal& why,
            llvm::StringRef name) {
  // A keyword is a macro. The message shows where it is used, not how it is defined.
  cilk2chan::refuse(source.context.getDiagnostics(), source.sources.getExpansionLoc(where), why,
                    name);
}

void refuse(const parsed_file& source, unsigned offset, const refusal& why, llvm::StringRef name) {
  const auto start = source.sources.getLocForStartOfFile(source.sources.getMainFileID());
  refuse(source, start.getLocWithOffset(static_cast<int>(offset)), why, name);
}

void warn_serial(const parsed_file& source, clang::SourceLocation where, llvm::StringRef what,
                 llvm::StringRef reason) {
  source.serial[source.offset(source.sources.getExpansionLoc(where))] = reason.str();
  clang::DiagnosticsEngine& diagnostics = source.context.getDiagnostics();
  const unsigned id = diagnostics.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Remark,
                                                                      "this %0 runs serially: %1");
  diagnostics.Report(source.sources.getExpansionLoc(where), id) << what << reason;
}

}  // namespace cilk2chan::host_code
