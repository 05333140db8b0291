// What Clang's thread sanitizer leaves out for `cilk2chan --races`: a plugin of clang++
// (-fpass-plugin) whose passes run before the sanitizer's.

#include <llvm/Analysis/CaptureTracking.h>  // PointerMayBeCaptured
#include <llvm/IR/DebugInfoMetadata.h>      // DISubprogram
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Utils/EscapeEnumerator.h>

namespace {

/// Whether `use` has to name the variable itself.
bool is_about_the_variable(const llvm::Use& use) {
  const auto* const user = llvm::dyn_cast<llvm::IntrinsicInst>(use.getUser());
  return user != nullptr && (user->isLifetimeStartOrEnd() || user->isDroppable());
}

void hide(llvm::AllocaInst& variable) {
  llvm::Instruction* after = variable.getNextNode();
  // Variables of fixed size stay together at the function's begin, where compilers expect them.
  while (variable.isStaticAlloca() && llvm::isa<llvm::AllocaInst>(after))
    after = after->getNextNode();
  llvm::IRBuilder<> builder(after);
  auto* const type = llvm::FunctionType::get(variable.getType(), {variable.getType()}, false);
  llvm::InlineAsm* const nothing = llvm::InlineAsm::get(type, "", "=r,0", false);
  llvm::CallInst* const address = builder.CreateCall(nothing, {&variable});
  variable.replaceUsesWithIf(address, [address](const llvm::Use& use) {
    return use.getUser() != address && !is_about_the_variable(use);
  });
}

/// The sanitizer makes no calls for accesses of a local variable that stays in its function. Clang
/// 19 asks that of the part that is accessed, and not of the variable: of `v.size()` it does not
/// see that a child has the address of all of `v`. So this hides where the addresses of variables
/// come from that leave their functions.
bool hide_escaped_locals(llvm::Function& function) {
  llvm::SmallVector<llvm::AllocaInst*> escaped;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& one : block) {
      auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(&one);
      if (variable == nullptr || variable->isSwiftError() || variable->isUsedWithInAlloca())
        continue;
      if (llvm::PointerMayBeCaptured(variable, true, true)) escaped.push_back(variable);
    }
  }
  for (llvm::AllocaInst* const one : escaped) hide(*one);
  return !escaped.empty();
}

/// Whether the function is of an installed header, such as the C++ library's.
bool is_of_library(const llvm::Function& function) {
  const llvm::DISubprogram* const written = function.getSubprogram();
  if (written == nullptr || written->getFile() == nullptr) return false;
  const llvm::StringRef file = written->getFilename();
  return file.starts_with("/usr/") && !file.starts_with("/usr/src/") && file.contains("/include/");
}

/// An access in a library's function counts to the user's code that called the library: the
/// function lies in a section of its own, and notes its caller.
void note_caller(llvm::Function& function) {
  if (!function.hasSection()) function.setSection("channels_races_library");
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  llvm::Type* const pointer = builder.getPtrTy();
  llvm::Value* const caller =
      builder.CreateIntrinsic(llvm::Intrinsic::returnaddress, {}, {builder.getInt32(0)});
  llvm::Module& all = *function.getParent();
  const auto throws_nothing = llvm::AttributeList::get(
      all.getContext(), llvm::AttributeList::FunctionIndex, {llvm::Attribute::NoUnwind});
  const auto enter =
      all.getOrInsertFunction("channels_races_enter_library", throws_nothing, pointer, pointer);
  const auto leave = all.getOrInsertFunction("channels_races_leave_library", throws_nothing,
                                             builder.getVoidTy(), pointer);
  llvm::Value* const before = builder.CreateCall(enter, {caller});
  llvm::EscapeEnumerator ways_out(function, "channels_races", true);
  while (llvm::IRBuilder<>* const at = ways_out.Next()) at->CreateCall(leave, {before});
}

struct race_pass : llvm::PassInfoMixin<race_pass> {
  // LLVM calls these two, and gives them their names.
  static llvm::PreservedAnalyses run(llvm::Module& all, llvm::ModuleAnalysisManager&) {
    bool changed = false;
    for (llvm::Function& function : all) {
      if (function.isDeclaration() || !function.hasFnAttribute(llvm::Attribute::SanitizeThread))
        continue;
      changed = hide_escaped_locals(function) || changed;
      // Other bodies are the library's own, and dropped.
      if (!is_of_library(function) || function.hasAvailableExternallyLinkage()) continue;
      note_caller(function);
      changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "channels-races", "1", [](llvm::PassBuilder& passes) {
            passes.registerOptimizerLastEPCallback(
                [](llvm::ModulePassManager& all, llvm::OptimizationLevel) {
                  all.addPass(race_pass());
                });
          }};
}
