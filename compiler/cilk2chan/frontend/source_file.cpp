#include "frontend/source_file.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace cilk2chan::host_code {

namespace {

// Clang says how many errors it has found on a stream of its own, also of a run whose messages
// nobody sees. This puts the line among the messages.
class counted_among_messages : public clang::WrapperFrontendAction {
 public:
  counted_among_messages(std::unique_ptr<clang::FrontendAction> action, llvm::raw_ostream& messages)
      : WrapperFrontendAction(std::move(action)), messages_(messages) {}

 protected:
  bool BeginInvocation(clang::CompilerInstance& compiler) override {
    compiler.setVerboseOutputStream(messages_);
    return WrapperFrontendAction::BeginInvocation(compiler);
  }

 private:
  llvm::raw_ostream& messages_;
};

}  // namespace

bool run_frontend(const source_file& file, std::unique_ptr<clang::FrontendAction> action,
                  const std::vector<std::string>& more_options, std::string& messages) {
  const llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> system(
      new llvm::vfs::OverlayFileSystem(llvm::vfs::getRealFileSystem()));
  const llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(
      new llvm::vfs::InMemoryFileSystem);
  if (auto here = system->getCurrentWorkingDirectory()) {
    memory->setCurrentWorkingDirectory(*here);
  }
  memory->addFile(file.name, 0, llvm::MemoryBuffer::getMemBufferCopy(file.text, file.name));
  system->pushOverlay(memory);
  const llvm::IntrusiveRefCntPtr<clang::FileManager> files(
      new clang::FileManager(clang::FileSystemOptions(), system));

  std::vector<std::string> command = file.command;
  command.insert(command.end(), more_options.begin(), more_options.end());
  command.insert(command.end(), {"-x", file.is_c ? "c" : "c++", file.name});
  const llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options(new clang::DiagnosticOptions);
  // The lines that directives name: plain forms have those of what they stand for.
  options->ShowPresumedLoc = 1;
  options->ShowColors = llvm::sys::Process::StandardErrHasColors() ? 1 : 0;
  llvm::raw_string_ostream stream(messages);
  clang::tooling::ToolInvocation invocation(
      std::move(command), std::make_unique<counted_among_messages>(std::move(action), stream),
      files.get());
  clang::TextDiagnosticPrinter printer(stream, options.get());
  invocation.setDiagnosticConsumer(&printer);
  return invocation.run();
}

}  // namespace cilk2chan::host_code
