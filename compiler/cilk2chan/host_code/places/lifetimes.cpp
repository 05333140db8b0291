#include "host_code/places/lifetimes.hpp"

#include "analysis/reducer_types.hpp"  // holds_reducer

#include <algorithm>

namespace cilk2chan::host_code {

void lifetimes::note_own(const clang::Stmt* statement, region& around) {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (declaration == nullptr) return;
  const bool destroyed = is_destroyed(statement);
  if (destroyed || is_checked()) around.destroyed.push_back(declaration);
  if (!destroyed) only_checked_.insert(declaration);
}

void lifetimes::allow_jumps(place_list& places, const clang::FunctionDecl* function) const {
  for (region& one : places.regions) {
    if (one.function != function) continue;
    for (auto* list : {&one.destroyed, &one.destroyed_inside}) {
      std::erase_if(*list, [&](const clang::DeclStmt* declaration) {
        return only_checked_.contains(declaration);
      });
    }
  }
}

bool lifetimes::note_inside(const clang::Stmt* statement, const clang::Stmt* block,
                            region& around) {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (declaration == nullptr) return false;
  for (const clang::Decl* variable : declaration->decls()) blocks_[variable] = block;
  const bool destroyed = is_destroyed(statement);
  // An exception leaves inner blocks before the children are joined.
  const bool left = is_checked() && source_.context.getLangOpts().CXXExceptions;
  if (destroyed || left) around.destroyed_inside.push_back(declaration);
  if (!destroyed) only_checked_.insert(declaration);
  return destroyed;
}

bool lifetimes::is_checked() const {
  return source_.context.getLangOpts().Sanitize.has(clang::SanitizerKind::Address);
}

void lifetimes::mark_unread(place_list& places) {
  for (spawn_site& site : places.spawns) {
    const clang::VarDecl* variable = site.variable;
    if (site.form == spawn_form::assigned) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(site.place->IgnoreParens());
      variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    }
    const auto block = blocks_.find(variable);
    if (variable == nullptr || !variable->hasLocalStorage() || block == blocks_.end()) continue;
    const text_range range = source_.range(block->second);
    const auto is_inside = [&](const clang::Stmt* code) {
      const unsigned at = source_.offset(code->getBeginLoc());
      return range.begin <= at && at < range.end;
    };
    if (range.end == 0) continue;  // a macro's
    // What joins its children at its end, such as a scope, is a sync, too.
    bool joined = false;
    for (const region* around = site.where; around != nullptr; around = around->outer)
      joined = joined || (around->body != nullptr && is_inside(around->body));
    site.unread = !joined && std::ranges::none_of(places.syncs, [&](const sync_site& sync) {
      return is_inside(sync.node);
    });
  }
}

bool lifetimes::is_destroyed(const clang::Stmt* statement) const {
  const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
  return declaration != nullptr &&
         std::ranges::any_of(declaration->decls(), [&](const clang::Decl* one) {
           const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
           return variable != nullptr && variable->hasLocalStorage() && is_destroyed(variable);
         });
}

bool lifetimes::is_destroyed(const clang::VarDecl* variable) const {
  const clang::QualType type = variable->getType();
  if (variable->hasAttr<clang::CleanupAttr>()) return true;
  // The memory of an array of variable length ends with its block.
  if (type->isVariableArrayType()) return true;
  if (source_.is_c()) return false;
  if (holds_reducer(variable) || type->isDependentType()) return true;
  if (!type->isReferenceType()) return type.isDestructedType() != clang::QualType::DK_none;
  // A reference keeps a temporary object alive.
  const clang::Expr* value = variable->getInit();
  if (const auto* full = llvm::dyn_cast_or_null<clang::ExprWithCleanups>(value)) {
    value = full->getSubExpr();
  }
  return llvm::isa_and_nonnull<clang::MaterializeTemporaryExpr>(value);
}

}  // namespace cilk2chan::host_code
