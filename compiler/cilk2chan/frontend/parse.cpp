#include "frontend/parse.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/Tooling.h>

namespace cilk2chan {
namespace {

class program_consumer : public clang::ASTConsumer {
 public:
  program_consumer(program& source, const std::function<void(program&)>& use)
      : source_(source), use_(use) {}

  void HandleTranslationUnit(clang::ASTContext& context) override {
    // A tree with errors is incomplete, which later stages do not expect.
    if (context.getDiagnostics().hasErrorOccurred()) return;
    source_.context = &context;
    use_(source_);
  }

 private:
  program& source_;
  const std::function<void(program&)>& use_;
};

class program_action : public clang::ASTFrontendAction {
 public:
  explicit program_action(const std::function<void(program&)>& use) : use_(use) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<keyword_recorder>(source_.keywords));
    return std::make_unique<program_consumer>(source_, use_);
  }

 private:
  program source_;
  const std::function<void(program&)>& use_;
};

}  // namespace

bool parse(const parse_request& request, const std::function<void(program&)>& use) {
  std::vector<std::string> command = {request.is_c ? "clang" : "clang++", "-fsyntax-only",
                                      "-resource-dir", request.resource_directory};
  command.insert(command.end(), request.headers.begin(), request.headers.end());
  const std::string standard = request.is_c ? "gnu17" : "gnu++20";
  command.push_back("-std=" + (request.standard.empty() ? standard : request.standard));
  command.insert(command.end(), request.options.begin(), request.options.end());
  const std::vector<std::string> words = options_to_parse_words();
  command.insert(command.end(), words.begin(), words.end());
  command.push_back(request.input);

  const llvm::IntrusiveRefCntPtr<clang::FileManager> files(
      new clang::FileManager(clang::FileSystemOptions()));
  clang::tooling::ToolInvocation invocation(std::move(command),
                                            std::make_unique<program_action>(use), files.get());
  return invocation.run();
}

}  // namespace cilk2chan
