#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>

#include <memory>
#include <string>
#include <vector>

namespace cilk2chan {

/// An error that was collected: it keeps functions from being tasks, but not the program from being
/// compiled.
struct obstacle {
  clang::SourceLocation where;
  std::string what;      // as a diagnostic says it
  bool of_form = false;  // a plain form may do without it
};

/// Collects errors while it lives, in place of reporting them. The engine has seen no error when it
/// ends.
class error_collector : public clang::DiagnosticConsumer {
 public:
  explicit error_collector(clang::DiagnosticsEngine& engine)
      : engine_(engine),
        before_(engine.getClient()),
        owned_(engine.ownsClient() ? engine.takeClient() : nullptr) {
    engine.setClient(this, false);
  }
  error_collector(const error_collector&) = delete;
  error_collector& operator=(const error_collector&) = delete;
  ~error_collector() override {
    const bool owns = owned_ != nullptr;
    (void)owned_.release();
    engine_.setClient(before_, owns);
    if (heard_) engine_.Reset(true);
  }

  std::vector<obstacle> found;

  // Otherwise the engine stops at its limit of errors, and says so here.
  [[nodiscard]] bool IncludeInDiagnosticCounts() const override { return false; }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error) return;
    heard_ = true;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    found.push_back({diagnostic.getLocation(), text.str().str()});
  }

 private:
  clang::DiagnosticsEngine& engine_;
  clang::DiagnosticConsumer* before_;
  std::unique_ptr<clang::DiagnosticConsumer> owned_;
  bool heard_ = false;
};

}  // namespace cilk2chan
