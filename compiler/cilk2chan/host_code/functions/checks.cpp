#include "diagnostics/diagnostics.hpp"
#include "frontend/survey.hpp"
#include "host_code/rewriting.hpp"

#include <llvm/ADT/StringSwitch.h>

namespace cilk2chan::host_code {
namespace {

enum class jump_kind { none, set, go };

jump_kind jump_of(const clang::CallExpr* call) {
  const clang::IdentifierInfo* name = call->getDirectCallee()->getIdentifier();
  if (name == nullptr) return jump_kind::none;
  return llvm::StringSwitch<jump_kind>(name->getName())
      .Cases("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp", jump_kind::set)
      .Cases("longjmp", "_longjmp", "siglongjmp", "__builtin_longjmp", jump_kind::go)
      .Default(jump_kind::none);
}

// A longjmp over calls that have given children away would leave these children behind.
void check_jumps(const parsed_file& source, const survey& facts,
                 llvm::DenseSet<const clang::FunctionDecl*> spawning) {
  const llvm::DenseSet<const clang::FunctionDecl*> own = spawning;
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto* function : facts.order) {
      if (spawning.contains(function)) continue;
      for (const auto* call : facts.facts.find(function)->second.calls) {
        if (!spawning.contains(call->getDirectCallee()->getCanonicalDecl())) continue;
        grew = spawning.insert(function).second || grew;
        break;
      }
    }
  }
  for (const auto* function : facts.order) {
    for (const auto* call : facts.facts.find(function)->second.calls) {
      const jump_kind kind = jump_of(call);
      const std::string name = call->getDirectCallee()->getNameAsString();
      if (kind == jump_kind::set && spawning.contains(function))
        refuse(source, call->getExprLoc(), refusals::set_jump, name);
      if (kind == jump_kind::go && own.contains(function))
        refuse(source, call->getExprLoc(), refusals::long_jump, name);
    }
  }
}

}  // namespace

void check_functions(rewriting& out) {
  llvm::DenseSet<const clang::FunctionDecl*> spawning;
  const auto note = [&](const region* where, clang::SourceLocation at) {
    if (where->function == nullptr || where->kind == region_kind::outside) return;
    if (where->function->isConstexpr() &&
        !llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(where->function)) {
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(where->function);
      // A lambda is `constexpr` if it can be.
      const bool lambda = method != nullptr && method->getParent()->isLambda();
      if (!lambda)
        refuse(out.source, at, refusals::constexpr_function, where->function->getNameAsString());
    }
    spawning.insert(where->function->getCanonicalDecl());
  };
  for (const spawn_site& one : out.places.spawns) note(one.where, one.node->getOperatorLoc());
  for (const loop_site& one : out.places.loops) note(one.where, one.node->getForLoc());
  check_jumps(out.source, take_survey(out.source.context), std::move(spawning));
}

}  // namespace cilk2chan::host_code
