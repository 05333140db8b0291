#include "host_code/no_header.hpp"

#include "diagnostics/refusals.hpp"
#include "frontend/expand.hpp"

#include <clang/Frontend/FrontendActions.h>

namespace cilk2chan::host_code {

void report_no_header(clang::DiagnosticsEngine& diagnostics, clang::SourceLocation where,
                      llvm::StringRef keyword) {
  cilk2chan::refuse(diagnostics, where, refusals::no_header, keyword);
}

bool lacks_header(const source_file& file) {
  const expansion result = expand(file, {}, report_no_header);
  std::string messages;
  if (result.no_header.empty() ||
      run_frontend(file, std::make_unique<clang::SyntaxOnlyAction>(), {"-w"}, messages))
    return false;
  llvm::errs() << result.no_header;
  return true;
}

}  // namespace cilk2chan::host_code
