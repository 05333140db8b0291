#include "analysis/unsynced_reads.hpp"

#include "diagnostics/refusals.hpp"
#include "frontend/children.hpp"  // bare
#include "frontend/tree_walker.hpp"

#include <clang/Lex/Lexer.h>

#include <map>
#include <utility>

namespace cilk2chan {
namespace {

// Where the statements of `cilk_scope` begin.
using scope_places = llvm::DenseSet<clang::SourceLocation>;

// The variable that an expression is, or is a member of; null if it is anything else.
const clang::VarDecl* variable_of(const clang::Expr* place) {
  place = place->IgnoreParens();
  while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) {
    if (member->isArrow()) return nullptr;
    place = member->getBase()->IgnoreParens();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

// Finds the variables that an expression surely reads, when it is evaluated. What is not evaluated,
// or later, is left out.
class read_finder : public tree_walker {
 public:
  std::vector<std::pair<const clang::VarDecl*, clang::SourceLocation>> reads;

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue) add(cast->getSubExpr());
    return true;
  }
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator* node) override {
    add(node->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (node->isIncrementDecrementOp()) add(node->getSubExpr());
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    if (made->getNumArgs() == 1 && made->getConstructor()->isCopyOrMoveConstructor())
      add(made->getArg(0)->IgnoreParenImpCasts());
    return true;
  }
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr*) override { return true; }
  bool TraverseCXXTypeidExpr(clang::CXXTypeidExpr*) override { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr*) override { return true; }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool TraverseStmtExpr(clang::StmtExpr*) override { return true; }
  bool TraverseTypeLoc(clang::TypeLoc) override { return true; }
  bool TraverseCallExpr(clang::CallExpr* call) override {
    // Some of the compiler's own functions do not evaluate what they are given.
    const clang::FunctionDecl* callee = call->getDirectCallee();
    return (callee != nullptr && callee->getBuiltinID() != 0) ||
           tree_walker::TraverseCallExpr(call);
  }

 private:
  void add(const clang::Expr* place) {
    if (const clang::VarDecl* variable = variable_of(place))
      reads.emplace_back(variable, place->getExprLoc());
  }
};

// Whether a sync stands in a statement, or what joins children as a sync does, or a label, to which
// control may come from behind one.
class join_finder : public tree_walker {
 public:
  join_finder(const clang::SourceManager& sources, const scope_places& scopes)
      : sources_(sources), scopes_(scopes) {}

  bool found = false;

  bool VisitStmt(clang::Stmt* node) override {
    const auto* loop = llvm::dyn_cast<clang::ForStmt>(node);
    found = found || is_sync(node, sources_) ||
            scopes_.contains(sources_.getExpansionLoc(node->getBeginLoc())) ||
            llvm::isa<clang::LabelStmt, clang::CXXTryStmt>(node) ||
            (loop != nullptr && is_parallel_for(loop->getForLoc(), sources_));
    return !found;
  }

 private:
  const clang::SourceManager& sources_;
  const scope_places& scopes_;
};

// Follows the ways through a function. At each place it knows the spawns that have been made on
// every way there, and that no sync on any of them has waited for. Where it does not know how
// control goes, it knows of no spawn.
class function_walk {
 public:
  function_walk(clang::ASTContext& context, const scope_places& scopes)
      : context_(context), sources_(context.getSourceManager()), scopes_(scopes) {}

  void walk(const clang::Stmt* node) {
    if (node == nullptr) return;
    const bool scope = scopes_.contains(sources_.getExpansionLoc(node->getBeginLoc()));
    walk_inside(node);
    if (scope) pending_.clear();
  }

 private:
  // By the variable that a spawn sets.
  using spawns = std::map<const clang::VarDecl*, clang::SourceLocation>;

  void walk_inside(const clang::Stmt* node) {
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(node)) return evaluate(expression);
    switch (node->getStmtClass()) {
      case clang::Stmt::NullStmtClass: return;
      case clang::Stmt::CompoundStmtClass:
      case clang::Stmt::AttributedStmtClass:
        for (const clang::Stmt* one : node->children()) walk(one);
        return;
      case clang::Stmt::DeclStmtClass: return declare(llvm::cast<clang::DeclStmt>(node));
      case clang::Stmt::IfStmtClass: return walk_if(llvm::cast<clang::IfStmt>(node));
      case clang::Stmt::WhileStmtClass: {
        const auto* loop = llvm::cast<clang::WhileStmt>(node);
        return walk_loop(loop, {loop->getCond(), loop->getBody()});
      }
      case clang::Stmt::DoStmtClass: {
        const auto* loop = llvm::cast<clang::DoStmt>(node);
        return walk_loop(loop, {loop->getBody(), loop->getCond()});
      }
      case clang::Stmt::ForStmtClass: return walk_for(llvm::cast<clang::ForStmt>(node));
      case clang::Stmt::ReturnStmtClass:
        walk(llvm::cast<clang::ReturnStmt>(node)->getRetValue());
        return end();
      case clang::Stmt::BreakStmtClass:
      case clang::Stmt::ContinueStmtClass:
      case clang::Stmt::GotoStmtClass: return end();
      default:
        // Such as `switch` and `try`.
        for (const clang::Stmt* one : node->children()) {
          pending_.clear();
          walk(one);
        }
        ends_ = false;
        pending_.clear();
    }
  }

  void end() {
    ends_ = true;
    pending_.clear();
  }

  void declare(const clang::DeclStmt* node) {
    for (const clang::Decl* one : node->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr || variable->getInit() == nullptr) continue;
      const clang::UnaryOperator* spawn = spawn_in(variable->getInit());
      read(spawn != nullptr ? spawn->getSubExpr() : variable->getInit());
      if (spawn != nullptr) add(variable, spawn);
    }
  }

  void evaluate(const clang::Expr* node) {
    if (is_sync(node, sources_)) return pending_.clear();
    const clang::Expr* expression = bare(node);
    const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
    if (operation != nullptr && operation->isAssignmentOp()) {
      if (const clang::UnaryOperator* spawn = spawn_in(operation->getRHS())) {
        read(operation->getLHS());
        read(spawn->getSubExpr());
        return add(variable_of(operation->getLHS()), spawn);
      }
    }
    read(node);
  }

  const clang::UnaryOperator* spawn_in(const clang::Expr* value) const {
    const auto* node = llvm::dyn_cast<clang::UnaryOperator>(bare(value));
    return node != nullptr && is_spawn(node, sources_) ? node : nullptr;
  }

  void add(const clang::VarDecl* variable, const clang::UnaryOperator* spawn) {
    if (variable == nullptr) return;
    const clang::QualType type = variable->getType();
    // Who reads a volatile or atomic variable may mean to wait for it.
    if (type->isReferenceType() || type.isVolatileQualified() || type->isAtomicType()) return;
    pending_.emplace(variable, spawn->getOperatorLoc());
  }

  void read(const clang::Expr* expression) {
    join_finder joins(sources_, scopes_);
    joins.look_through(expression);
    if (joins.found) return pending_.clear();
    read_finder finder;
    finder.look_through(expression);
    for (const auto& [variable, where] : finder.reads) {
      const auto spawn = pending_.find(variable);
      if (spawn == pending_.end() || !told_.insert(spawn->second).second) continue;
      warn(context_.getDiagnostics(), sources_.getExpansionLoc(where),
           sources_.getExpansionLoc(spawn->second), warnings::unsynced_read, name_of(variable));
    }
  }

  void walk_if(const clang::IfStmt* node) {
    walk(node->getInit());
    walk(node->getConditionVariableDeclStmt());
    if (node->getCond() != nullptr) walk(node->getCond());
    const spawns before = pending_;
    walk(node->getThen());
    const bool first_ends = std::exchange(ends_, false);
    const spawns first = std::exchange(pending_, before);
    walk(node->getElse());
    if (ends_) {
      pending_ = first;
      ends_ = first_ends;
    } else if (!first_ends) {
      std::erase_if(pending_, [&](const auto& one) { return !first.contains(one.first); });
    }
  }

  void walk_for(const clang::ForStmt* loop) {
    walk(loop->getInit());
    if (!is_parallel_for(loop->getForLoc(), sources_))
      return walk_loop(loop, {loop->getCond(), loop->getBody(), loop->getInc()});
    // An iteration joins its own children.
    pending_.clear();
    walk(loop->getBody());
    ends_ = false;
    pending_.clear();
  }

  // Each part may come first in an iteration, or not at all.
  void walk_loop(const clang::Stmt* loop, std::initializer_list<const clang::Stmt*> parts) {
    join_finder joins(sources_, scopes_);
    joins.look_through(loop);
    if (joins.found) pending_.clear();
    const spawns before = pending_;
    for (const clang::Stmt* one : parts) {
      pending_ = before;
      walk(one);
    }
    ends_ = false;
    pending_ = before;
  }

  clang::ASTContext& context_;
  const clang::SourceManager& sources_;
  const scope_places& scopes_;
  spawns pending_;
  llvm::DenseSet<clang::SourceLocation> told_;  // spawns; one warning is enough for each
  bool ends_ = false;                           // control does not come to the next statement
};

// Walks each function and each lambda of the program's own files.
class body_finder : public tree_walker {
 public:
  body_finder(clang::ASTContext& context, const scope_places& scopes)
      : context_(context), scopes_(scopes) {}

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->doesThisDeclarationHaveABody())
      function_walk(context_, scopes_).walk(function->getBody());
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    function_walk(context_, scopes_).walk(lambda->getBody());
    return true;
  }

 private:
  clang::ASTContext& context_;
  const scope_places& scopes_;
};

}  // namespace

void warn_of_unsynced_reads(clang::ASTContext& context, const std::vector<keyword_use>& keywords) {
  const clang::SourceManager& sources = context.getSourceManager();
  const auto scopes = scope_statements(keywords, context);
  body_finder finder(context, scopes);
  for (clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
    if (!sources.isInSystemHeader(declaration->getLocation())) finder.TraverseDecl(declaration);
  }
}

}  // namespace cilk2chan
