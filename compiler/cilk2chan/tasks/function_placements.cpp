#include "tasks/function_placements.hpp"

#include "analysis/reductions.hpp"  // facts_of_c_reducer
#include "diagnostics/error_collector.hpp"
#include "diagnostics/refusals.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/checks/check.hpp"
#include "tasks/node_text.hpp"

#include <clang/AST/Attr.h>

namespace cilk2chan {
namespace {

// Numbers that are constants and whose address the file takes. C++ needs some of them for what it
// computes when it compiles.
class address_finder : public tree_walker {
 public:
  explicit address_finder(const program& source) : source_(source) {}

  llvm::DenseSet<const clang::VarDecl*> found;

  void run() {
    for (clang::Decl* one : source_.context->getTranslationUnitDecl()->decls()) {
      const clang::SourceLocation where = source_.sources().getExpansionLoc(one->getLocation());
      if (where.isValid() && !source_.sources().isInSystemHeader(where)) TraverseDecl(one);
    }
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(node->getSubExpr()->IgnoreParens());
    if (node->getOpcode() != clang::UO_AddrOf || name == nullptr) return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && variable->hasGlobalStorage() && !variable->isStaticLocal() &&
        variable->getType()->isScalarType() && is_constant(*source_.context, variable))
      found.insert(variable->getCanonicalDecl());
    return true;
  }

 private:
  const program& source_;
};

// Finds jumps that pass the initialisation of a variable: C allows these, C++ does not.
class jump_finder : public tree_walker {
 public:
  bool found = false;

  void run(clang::FunctionDecl* function) {
    TraverseDecl(function);
    for (const clang::GotoStmt* one : jumps_) {
      found = found || one->getGotoLoc().isMacroID() || one->getLabel()->getLocation().isMacroID();
      for (const auto& [from, to] : initialised_) {
        const bool passes = !(from < one->getGotoLoc() && one->getGotoLoc() < to) &&
                            from < one->getLabel()->getLocation() &&
                            one->getLabel()->getLocation() < to;
        found = found || passes;
      }
    }
  }
  bool VisitGotoStmt(clang::GotoStmt* jump) override {
    jumps_.push_back(jump);
    return true;
  }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt*) override { return stop(); }
  bool VisitCompoundStmt(clang::CompoundStmt* block) override {
    for (const clang::Stmt* one : block->body()) {
      if (const auto* head = llvm::dyn_cast<clang::DeclStmt>(one); head != nullptr && sets(head))
        initialised_.emplace_back(head->getEndLoc(), block->getEndLoc());
    }
    return true;
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    if (loop->getInit() != nullptr && llvm::isa<clang::DeclStmt>(loop->getInit()))
      initialised_.emplace_back(loop->getInit()->getEndLoc(), loop->getEndLoc());
    return true;
  }
  bool VisitSwitchStmt(clang::SwitchStmt* choice) override {
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(choice->getBody());
    if (block == nullptr) return true;
    for (const clang::Stmt* one : block->body()) {
      while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(one)) one = label->getSubStmt();
      if (llvm::isa<clang::DeclStmt>(one)) return stop();
    }
    return true;
  }

 private:
  static bool sets(const clang::DeclStmt* head) {
    for (const clang::Decl* one : head->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable != nullptr &&
          (variable->hasInit() || variable->getType()->isVariablyModifiedType()))
        return true;
    }
    return false;
  }
  bool stop() {
    found = true;
    return false;
  }

  std::vector<const clang::GotoStmt*> jumps_;
  // From the declaration of a variable with an initial value to the end of its block.
  std::vector<std::pair<clang::SourceLocation, clang::SourceLocation>> initialised_;
};

bool jumps_over_declarations(const clang::FunctionDecl* definition) {
  jump_finder jumps;
  jumps.run(const_cast<clang::FunctionDecl*>(definition));
  return jumps.found;
}

bool has_no_name(clang::QualType type) {
  while (!type->getPointeeType().isNull()) type = type->getPointeeType();
  const clang::TagDecl* tag = type->getBaseElementTypeUnsafe()->getAsTagDecl();
  return tag != nullptr && !tag->hasNameForLinkage();
}

}  // namespace

bool stays_in_text(const clang::FunctionDecl* definition) {
  if (definition->isTemplated() || definition->isTemplateInstantiation()) return true;
  if (definition->isConstexpr()) return true;
  if (definition->isInlined() && definition->isExternallyVisible()) return true;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  if (method == nullptr) return false;
  return !method->isOutOfLine() || method->isInlined() || !method->isExternallyVisible();
}

function_placements::function_placements(const program& source,
                                         const std::vector<finished_task>& tasks,
                                         reference_finder& finder, bool for_devices)
    : source_(source), tasks_(tasks), finder_(finder), for_devices_(for_devices) {
  if (!source.is_c()) return;
  address_finder addresses(source);
  addresses.run();
  addressed_constants_ = std::move(addresses.found);
}

void function_placements::find() {
  for (const finished_task& task : tasks_) {
    if (task.task->leaf) {
      want(task.task->definition, false);
    } else {
      follow(finder_.of(task.task->definition), task.task->definition);
    }
  }
  place_waiting();
  called_ = wanted_;
  only_text_ = true;
  // Text that stays has to compile, even if no task uses it.
  if (!source_.is_c()) follow_text(source_.context->getTranslationUnitDecl());
  place_waiting();
  if (for_devices_) return;
  // A copy of a static function has another address than the function, so functions whose address
  // is taken are shared.
  for (auto& [function, what] : placements_) {
    if (what == placement::copy && addressed_.contains(function) &&
        !function->isExternallyVisible())
      what = placement::share;
  }
}

void function_placements::place_waiting() {
  while (!waiting_.empty()) {
    const clang::FunctionDecl* function = waiting_.back();
    waiting_.pop_back();
    const clang::FunctionDecl* definition = function->getDefinition();
    const references& found = finder_.of(definition);
    if (!in_main_file(definition)) {
      if (found.kept != nullptr && !definition->isExternallyVisible())
        refuse(source_.context->getDiagnostics(), definition->getLocation(),
               refusals::header_variable, name_of(found.kept));
      follow(found, definition);
    } else if (stays_in_text(definition)) {
      placements_[function] = placement::leave;
      follow(found, definition);
    } else if (can_copy(definition)) {
      placements_[function] = placement::copy;
      follow(found, definition);
    } else {
      placements_[function] = placement::share;
    }
  }
}

void function_placements::follow_text(const clang::DeclContext* around) {
  for (const clang::Decl* one : around->decls()) {
    if (one->isImplicit() || !in_main_file(one)) continue;
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(one);
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(one)) {
      follow_text(llvm::cast<clang::DeclContext>(one));
    } else if (llvm::isa<clang::TemplateDecl, clang::TagDecl>(one) ||
               (function != nullptr && stays_in_text(function))) {
      follow(reference_finder::in(one), nullptr);
    }
  }
}

placement function_placements::of(const clang::FunctionDecl* function) const {
  const auto found = placements_.find(function->getCanonicalDecl());
  return found == placements_.end() ? placement::none : found->second;
}

std::vector<const clang::FunctionDecl*> function_placements::left() const {
  // By offset: the instances of a template are one entry, which is one that tasks call if there is.
  std::map<unsigned, const clang::FunctionDecl*> found;
  for (const auto& [function, what] : placements_) {
    const clang::FunctionDecl* definition = function->getDefinition();
    if (what != placement::leave || definition->getLocation().isMacroID()) continue;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
    if (method != nullptr && method->getParent()->isLambda()) continue;
    if (definition->isImplicit()) continue;
    const clang::SourceManager& sources = source_.sources();
    const unsigned at = sources.getFileOffset(sources.getExpansionLoc(definition->getBeginLoc()));
    const auto [known, fresh] = found.try_emplace(at, definition);
    if (!fresh && is_called(function)) known->second = definition;
  }
  std::vector<const clang::FunctionDecl*> list;
  for (const auto& [offset, definition] : found) list.push_back(definition);
  return list;
}

bool function_placements::is_copied(const clang::VarDecl* variable) const {
  if (!is_constant(*source_.context, variable) || has_address(variable)) return false;
  for (const clang::VarDecl* one : variable->redecls()) {
    if (one->hasExternalStorage() || !in_main_file(one)) return false;
  }
  return true;
}

void function_placements::want(const clang::FunctionDecl* function, bool addressed) {
  function = function->getCanonicalDecl();
  if (addressed) addressed_.insert(function);
  const task_function* task = source_.task_of(function);
  if (task != nullptr && !task->leaf) return;
  if (!wanted_.insert(function).second) return;
  const clang::FunctionDecl* definition = function->getDefinition();
  if (definition == nullptr || !definition->hasBody()) return;
  if (source_.sources().isInSystemHeader(definition->getLocation())) {
    follow(finder_.of(definition), definition);
  } else {
    waiting_.push_back(function);
  }
}

void function_placements::follow(const references& found, const clang::FunctionDecl* from) {
  for (const clang::FunctionDecl* one : found.functions) want(one, found.addressed.contains(one));
  for (const clang::VarDecl* variable : found.variables) {
    const refusal* why = obstacle_to(variable);
    if (why == nullptr) {
      variables_.insert(variable);
    } else if (from != nullptr && !only_text_) {
      refuse(source_.context->getDiagnostics(), from->getLocation(), *why, name_of(variable));
    }
  }
}

bool function_placements::can_copy(const clang::FunctionDecl* definition) {
  const references& found = finder_.of(definition);
  if (found.kept != nullptr || definition->isMain()) return false;
  if (source_.not_cxx.contains(definition->getCanonicalDecl())) return false;
  if (llvm::isa<clang::CXXMethodDecl>(definition) && !is_copied_member(definition)) return false;
  if (definition->getStorageClass() == clang::SC_Extern) return false;
  if (definition->getLocation().isMacroID() || definition->getEndLoc().isMacroID()) return false;
  if (llvm::isa<clang::LinkageSpecDecl>(definition->getLexicalDeclContext())) return false;
  if (definition->getTemplateSpecializationKind() != clang::TSK_Undeclared) return false;
  for (const clang::Attr* one : definition->attrs()) {
    if (llvm::isa<clang::ConstructorAttr, clang::DestructorAttr, clang::WeakAttr, clang::AliasAttr,
                  clang::SectionAttr, clang::AsmLabelAttr, clang::GNUInlineAttr>(one))
      return false;
  }
  for (const clang::VarDecl* variable : found.variables) {
    if (obstacle_to(variable) != nullptr) return false;
  }
  return !source_.is_c() || is_c_and_cxx(definition);
}

// A member that is defined outside of its class. The class has to be in this file: for a device its
// declaration of the member is marked, too.
bool function_placements::is_copied_member(const clang::FunctionDecl* definition) const {
  return for_devices_ && definition->isOutOfLine() && in_main_file(definition->getCanonicalDecl());
}

const refusal& function_placements::why_shared(const clang::FunctionDecl* definition) const {
  if (finder_.of(definition).kept != nullptr) return refusals::device_kept_variable;
  if (llvm::isa<clang::CXXMethodDecl>(definition) && !is_copied_member(definition))
    return refusals::device_member_outside;
  if (!source_.is_c()) return refusals::device_shared_function;
  if (jumps_over_declarations(definition)) return refusals::device_jump;
  const bool reads_alike =
      !source_.not_cxx.contains(definition->getCanonicalDecl()) && is_c_and_cxx(definition);
  return reads_alike ? refusals::device_shared_function : refusals::device_not_cxx;
}

bool function_placements::is_c_and_cxx(const clang::FunctionDecl* definition) const {
  auto* declaration = const_cast<clang::FunctionDecl*>(definition);
  if (jumps_over_declarations(definition)) return false;
  error_collector errors(source_.context->getDiagnostics());
  check_c(source_, declaration);
  (void)text_changes(source_, declaration);
  return errors.found.empty();
}

const refusal* function_placements::obstacle_to(const clang::VarDecl* variable) const {
  if (source_.sources().isInSystemHeader(variable->getLocation())) return nullptr;
  if (is_constant(*source_.context, variable) && !has_address(variable)) return nullptr;
  const clang::VarDecl* definition = variable->getDefinition(*source_.context);
  if (definition == nullptr) definition = variable;
  if (definition->isTemplated() || definition->isConstexpr()) return nullptr;
  if (definition->isStaticDataMember() ||
      (definition->isInline() && definition->isExternallyVisible()))
    return definition->isExternallyVisible() ? nullptr : &refusals::hidden_variable;
  if (!definition->isExternallyVisible()) {
    if (!in_main_file(definition)) return &refusals::header_variable;
    if (definition->getTLSKind() != clang::VarDecl::TLS_None) return &refusals::static_thread_local;
  }
  if (in_main_file(definition) && has_no_name(definition->getType()))
    return &refusals::hidden_variable;
  // CILK_C_REDUCER_OPADD and its like declare one variable, of the name that they get.
  if (definition->getLocation().isMacroID() && !facts_of_c_reducer(definition->getType()))
    return &refusals::hidden_variable;
  return nullptr;
}

bool function_placements::in_main_file(const clang::Decl* declaration) const {
  const clang::SourceManager& sources = source_.sources();
  return sources.isInMainFile(sources.getExpansionLoc(declaration->getLocation()));
}

}  // namespace cilk2chan
