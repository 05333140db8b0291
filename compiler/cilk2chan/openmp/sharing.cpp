#include "openmp/sharing.hpp"

#include "analysis/block_variables.hpp"

#include <algorithm>

namespace cilk2chan::openmp {
namespace {

template <class Clause>
void add_variables(file_changes& out, const clang::OMPExecutableDirective* directive,
                   llvm::SetVector<const clang::VarDecl*>& to) {
  for (const auto* clause : directive->getClausesOfKind<Clause>()) {
    for (const clang::Expr* one : clause->varlists()) {
      const clang::VarDecl* variable = variable_named(one);
      if (variable == nullptr) {
        out.refuse(one->getBeginLoc(), refusals::openmp_member);
      } else {
        to.insert(variable);
      }
    }
  }
}

// Whether a spawned block has a copy of the variable by itself.
bool is_copied(const clang::ASTContext& context, const variable_uses_finder& uses,
               const llvm::DenseSet<const clang::VarDecl*>& shared,
               const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  if (type->isReferenceType() || type->isArrayType() || !type.isTriviallyCopyableType(context))
    return false;
  if (shared.contains(variable) || !variable->hasLocalStorage()) return false;
  return std::ranges::all_of(uses.names, [&](const auto& one) {
    return one.first->getDecl() != variable || one.second == variable_use::read ||
           one.second == variable_use::constant;
  });
}

bool uses(const variable_uses_finder& all, const clang::VarDecl* variable) {
  return std::ranges::any_of(all.names,
                             [&](const auto& one) { return one.first->getDecl() == variable; });
}

// An array travels in a structure, whose copy is a copy of it.
void copy_array(file_changes& out, const clang::FunctionDecl* function,
                const clang::OMPExecutableDirective* directive, const clang::VarDecl* variable,
                copies& made) {
  const std::string name = variable->getNameAsString();
  const std::string member = out.declared(variable->getType(), "values");
  const std::string inner = out.declared(variable->getType(), name);
  const bool fine =
      !variable->getType()->isVariablyModifiedType() && !member.empty() && !inner.empty();
  if (!fine) return out.refuse(directive, refusals::openmp_array, name);
  const std::string type = "struct cilk_omp_array_" + std::to_string(out.next_number());
  out.insert_before(function, type + " { " + member + "; }; ");
  // The block has a copy of a variable whose address is used nowhere.
  const std::string from = "cilk_omp_from_" + name;
  made.outside += type + " " + from + "; __builtin_memcpy(" + from + ".values, " + name +
                  ", sizeof " + from + "); " + type + " cilk_omp_" + name + " = " + from + "; ";
  made.inside += type + " cilk_omp_own_" + name + " = cilk_omp_" + name + "; " + inner +
                 "; __builtin_memcpy(" + name + ", cilk_omp_own_" + name + ".values, sizeof " +
                 name + "); ";
}

}  // namespace

const clang::VarDecl* variable_named(const clang::Expr* item) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(item->IgnoreParenImpCasts());
  const auto* variable =
      name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  return llvm::isa_and_nonnull<clang::OMPCapturedExprDecl>(variable) ? nullptr : variable;
}

own_variables own_variables_of(file_changes& out, const clang::OMPExecutableDirective* directive) {
  own_variables found;
  add_variables<clang::OMPFirstprivateClause>(out, directive, found.first);
  add_variables<clang::OMPPrivateClause>(out, directive, found.fresh);
  add_variables<clang::OMPLastprivateClause>(out, directive, found.fresh);
  found.fresh.remove_if([&](const auto* one) { return found.first.contains(one); });
  return found;
}

copies copies_for(file_changes& out, const clang::FunctionDecl* function,
                  const clang::OMPExecutableDirective* directive, const own_variables& own) {
  copies made;
  const clang::Stmt* code = statement_of(directive);
  const variable_uses_finder all(code);
  const auto shared = shared_variables(function->getBody());
  for (const clang::VarDecl* one : own.first) {
    if (!uses(all, one)) continue;
    // In another instance of a template its type may be one that blocks do not copy.
    if (!out.in_template && is_copied(out.source.context, all, shared, one)) continue;
    if (one->getType()->isArrayType()) {
      copy_array(out, function, directive, one, made);
      continue;
    }
    const std::string name = one->getNameAsString();
    const auto copy = [&](const std::string& as) {
      return out.in_template ? "auto " + as : out.like(one, as);
    };
    made.outside += copy("cilk_omp_" + name) + " = " + name + "; ";
    made.inside += copy(name) + " = cilk_omp_" + name + "; ";
  }
  for (const clang::VarDecl* one : own.fresh) {
    if (!uses(all, one)) continue;
    if (one->getType()->isVariablyModifiedType()) {
      out.refuse(directive, refusals::openmp_array, one->getName());
      continue;
    }
    made.inside += out.like(one, one->getNameAsString()) + "; ";
  }
  return made;
}

bool only_reads(const clang::Stmt* code, const own_variables& own) {
  const variable_uses_finder all(code);
  return std::ranges::all_of(all.names, [&](const auto& one) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(one.first->getDecl());
    if (variable == nullptr) return true;
    if (own.fresh.contains(variable)) return false;
    return !own.first.contains(variable) || one.second == variable_use::read;
  });
}

std::vector<const clang::VarDecl*> shared_in(const file_changes& out,
                                             const clang::FunctionDecl* function,
                                             const clang::Stmt* code, const own_variables& own) {
  const variable_uses_finder all(code);
  const auto shared = shared_variables(function->getBody());
  llvm::SetVector<const clang::VarDecl*> found;
  for (const auto& [name, used] : all.names) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const bool outside = variable != nullptr && variable->hasLocalStorage() &&
                         !all.declared.contains(variable) && !own.first.contains(variable) &&
                         !own.fresh.contains(variable);
    if (outside && !is_copied(out.source.context, all, shared, variable)) found.insert(variable);
  }
  return {found.begin(), found.end()};
}

}  // namespace cilk2chan::openmp
