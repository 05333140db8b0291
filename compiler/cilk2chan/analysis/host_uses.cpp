#include "analysis/host_uses.hpp"

#include "frontend/children.hpp"  // ends_in_return
#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"

#include <clang/AST/Attr.h>
#include <llvm/ADT/DenseMap.h>

#include <algorithm>
#include <utility>

namespace cilk2chan {
namespace {

using clang::CompoundStmt;
using clang::Stmt;

const Stmt* front_of(const Stmt* code) {
  const auto* block = llvm::dyn_cast_or_null<CompoundStmt>(code);
  return block == nullptr || block->body_empty() ? nullptr : block->body_front();
}

// The guard at the beginning of a function that gives way to its plain form: a test that ends in a
// return, in a template behind a test for the instance. That of a region goes on behind it. Null:
// there is none.
const Stmt* guard_of(const clang::FunctionDecl* function) {
  const Stmt* const first = front_of(function->getBody());
  const auto* of_instance = llvm::dyn_cast_or_null<clang::IfStmt>(first);
  const Stmt* const guard = of_instance != nullptr ? of_instance->getThen() : first;
  const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(front_of(guard));
  if (declared == nullptr || !declared->isSingleDecl()) return nullptr;
  const auto* order = llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl());
  if (order == nullptr || !order->getName().starts_with(guard_mark)) return nullptr;
  const auto* test = llvm::dyn_cast<clang::IfStmt>(llvm::cast<CompoundStmt>(guard)->body_back());
  return test != nullptr && ends_in_return(test->getThen()) ? first : nullptr;
}

// Whether a function is among these, or is what a virtual call of one of them may call.
bool is_named(const llvm::DenseSet<const clang::FunctionDecl*>& functions,
              const clang::FunctionDecl* function) {
  if (functions.contains(function->getCanonicalDecl())) return true;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return method != nullptr &&
         std::ranges::any_of(method->overridden_methods(), [&](const clang::CXXMethodDecl* one) {
           return is_named(functions, one);
         });
}

class name_finder : public tree_walker {
 public:
  using functions = llvm::DenseSet<const clang::FunctionDecl*>;

  explicit name_finder(const functions& tasks) : tasks_(tasks) {}

  host_uses found;
  /// By functions, canonical, that give way to plain forms, or by which a template does.
  llvm::DenseMap<const clang::FunctionDecl*, const Stmt*> guards;

  bool TraverseFunctionDecl(clang::FunctionDecl* function) override {
    return leave_out(function) || tree_walker::TraverseFunctionDecl(function);
  }
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl* function) override {
    return leave_out(function) || tree_walker::TraverseCXXMethodDecl(function);
  }
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (const auto* label = function->getAttr<clang::AsmLabelAttr>())
      found.symbols.insert(label->getLabel());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl())) add(function);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl()))
      add(function);
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* names) override {
    for (const clang::NamedDecl* one : names->decls()) {
      if (const auto* function = one->getUnderlyingDecl()->getAsFunction()) add(function);
    }
    return true;
  }
  [[nodiscard]] bool shouldVisitTemplateInstantiations() const override { return true; }
  [[nodiscard]] bool shouldVisitImplicitCode() const override { return true; }

 private:
  void add(const clang::FunctionDecl* function) {
    found.functions.insert(function->getCanonicalDecl());
  }
  bool leave_out(const clang::FunctionDecl* function) {
    if (tasks_.contains(function->getCanonicalDecl())) return true;
    if (!function->isThisDeclarationADefinition()) return false;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    const bool of_instance = method != nullptr && method->getParent()->getName() == instance_mark;
    const Stmt* const guard = of_instance ? function->getBody() : guard_of(function);
    if (guard != nullptr) guards[function->getCanonicalDecl()] = guard;
    return guard != nullptr;
  }

  const functions& tasks_;
};

}  // namespace

host_uses find_host_uses(const clang::ASTContext& context,
                         const llvm::DenseSet<const clang::FunctionDecl*>& tasks,
                         reference_finder& finder,
                         llvm::function_ref<bool(const clang::FunctionDecl*)> is_called_elsewhere) {
  name_finder names(tasks);
  names.look_through(context.getTranslationUnitDecl());
  for (const clang::FunctionDecl* task : tasks) {
    const auto& addressed = finder.of(task).addressed;
    names.found.functions.insert(addressed.begin(), addressed.end());
  }
  // A guard counts if host code may call its function, perhaps through another guard.
  for (bool more = true; more;) {
    more = false;
    for (auto& [function, guard] : names.guards) {
      const bool called =
          is_named(names.found.functions, function) || is_called_elsewhere(function);
      if (guard == nullptr || !called) continue;
      names.look_through(std::exchange(guard, nullptr));
      more = true;
    }
  }
  return std::move(names.found);
}

}  // namespace cilk2chan
