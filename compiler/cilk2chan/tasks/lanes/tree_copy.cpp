#include "tasks/lanes/tree_copy.hpp"

#include "frontend/tree_walker.hpp"

#include <clang/AST/Expr.h>

#include <vector>

namespace cilk2chan {

clang::VarDecl* tree_copy::variable(const clang::VarDecl* from, clang::Expr* value) {
  clang::IdentifierInfo& name = context_.Idents.get(prefix_ + from->getNameAsString());
  auto* made = clang::VarDecl::Create(
      context_, const_cast<clang::DeclContext*>(from->getDeclContext()), from->getLocation(),
      from->getLocation(), &name, from->getType().getUnqualifiedType(), nullptr, clang::SC_None);
  if (value != nullptr) made->setInit(value);
  names_[from] = made;
  return made;
}
clang::Stmt* tree_copy::statement(const clang::Stmt* code) {
  if (code == nullptr) return nullptr;
  if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) return expression(value);
  if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) {
    std::vector<clang::Stmt*> all;
    for (const clang::Stmt* each : list->body()) all.push_back(statement(each));
    if (!complete_) return nullptr;
    return clang::CompoundStmt::Create(context_, all, clang::FPOptionsOverride(),
                                       list->getLBracLoc(), list->getRBracLoc());
  }
  if (const auto* declares = llvm::dyn_cast<clang::DeclStmt>(code)) return declare(declares);
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) {
    if (loop->getConditionVariable() != nullptr) return no();
    clang::Stmt* first = statement(loop->getInit());
    clang::Expr* condition = expression(loop->getCond());
    clang::Expr* next = expression(loop->getInc());
    clang::Stmt* body = statement(loop->getBody());
    return new (context_)
        clang::ForStmt(context_, first, condition, nullptr, next, body, loop->getForLoc(),
                       loop->getLParenLoc(), loop->getRParenLoc());
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
    if (branch->getConditionVariable() != nullptr || branch->getInit() != nullptr) return no();
    clang::Expr* condition = expression(branch->getCond());
    clang::Stmt* then = statement(branch->getThen());
    clang::Stmt* otherwise = statement(branch->getElse());
    return complete_ ? clang::IfStmt::Create(
                           context_, branch->getIfLoc(), branch->getStatementKind(), nullptr,
                           nullptr, condition, branch->getLParenLoc(), branch->getRParenLoc(), then,
                           branch->getElseLoc(), otherwise)
                     : nullptr;
  }
  if (llvm::isa<clang::NullStmt>(code)) return const_cast<clang::Stmt*>(code);
  return no();
}

clang::Expr* tree_copy::expression(const clang::Expr* from) {
  auto* value = const_cast<clang::Expr*>(from);
  if (value == nullptr || !names_variable(value)) return value;
  if (instead) {
    if (clang::Expr* other = instead(value)) return other;
  }
  // Text for devices writes it in another way.
  if (source_.spelling_of(value) != nullptr) return no();
  clang::Expr* made = copy(value);
  return made != nullptr ? made : no();
}

clang::Stmt* tree_copy::declare(const clang::DeclStmt* declares) {
  std::vector<clang::Decl*> all;
  for (const clang::Decl* each : declares->decls()) {
    const auto* local = llvm::dyn_cast<clang::VarDecl>(each);
    if (local == nullptr || local->isStaticLocal() || local->hasExternalStorage() ||
        local->getType()->isReferenceType() || local->getType()->isVariablyModifiedType() ||
        !(local->getType()->isScalarType() || local->getType()->isConstantArrayType()))
      return no();
    clang::VarDecl* made = variable(local, nullptr);
    if (local->hasInit()) made->setInit(expression(local->getInit()));
    all.push_back(made);
  }
  auto group = clang::DeclGroupRef::Create(context_, all.data(), all.size());
  return new (context_) clang::DeclStmt(group, declares->getBeginLoc(), declares->getEndLoc());
}

bool tree_copy::names_variable(clang::Expr* value) const {
  struct visitor : tree_walker {
    const std::map<const clang::VarDecl*, clang::VarDecl*>* names = nullptr;
    bool found = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      found = found || (variable != nullptr && names->contains(variable));
      return !found;
    }
  };
  visitor look;
  look.names = &names_;
  look.look_through(value);
  return look.found;
}

// Null for what is of another kind.
clang::Expr* tree_copy::copy(clang::Expr* value) {
  const clang::QualType type = value->getType();
  const clang::ExprValueKind kind = value->getValueKind();
  const clang::ExprObjectKind object = value->getObjectKind();
  if (auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
    clang::VarDecl* now = names_.at(llvm::cast<clang::VarDecl>(name->getDecl()));
    if (now == nullptr) return nullptr;
    return clang::DeclRefExpr::Create(context_, clang::NestedNameSpecifierLoc(),
                                      clang::SourceLocation(), now, false, name->getLocation(),
                                      type, kind);
  }
  if (auto* around = llvm::dyn_cast<clang::ParenExpr>(value)) {
    clang::Expr* inner = expression(around->getSubExpr());
    return inner == nullptr ? nullptr
                            : new (context_)
                                  clang::ParenExpr(around->getLParen(), around->getRParen(), inner);
  }
  if (auto* cast = llvm::dyn_cast<clang::CastExpr>(value)) return copy_cast(cast);
  if (auto* change = llvm::dyn_cast<clang::CompoundAssignOperator>(value)) {
    clang::Expr* left = expression(change->getLHS());
    clang::Expr* right = expression(change->getRHS());
    if (!complete_) return nullptr;
    return clang::CompoundAssignOperator::Create(
        context_, left, right, change->getOpcode(), type, kind, object, change->getOperatorLoc(),
        change->getStoredFPFeaturesOrDefault(), change->getComputationLHSType(),
        change->getComputationResultType());
  }
  if (auto* node = llvm::dyn_cast<clang::BinaryOperator>(value)) {
    clang::Expr* left = expression(node->getLHS());
    clang::Expr* right = expression(node->getRHS());
    if (!complete_) return nullptr;
    return clang::BinaryOperator::Create(context_, left, right, node->getOpcode(), type, kind,
                                         object, node->getOperatorLoc(),
                                         node->getStoredFPFeaturesOrDefault());
  }
  if (auto* node = llvm::dyn_cast<clang::UnaryOperator>(value)) {
    clang::Expr* inner = expression(node->getSubExpr());
    if (!complete_) return nullptr;
    return clang::UnaryOperator::Create(context_, inner, node->getOpcode(), type, kind, object,
                                        node->getOperatorLoc(), node->canOverflow(),
                                        node->getStoredFPFeaturesOrDefault());
  }
  if (auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(value)) {
    clang::Expr* left = expression(element->getLHS());
    clang::Expr* right = expression(element->getRHS());
    if (!complete_) return nullptr;
    return new (context_)
        clang::ArraySubscriptExpr(left, right, type, kind, object, element->getRBracketLoc());
  }
  if (auto* member = llvm::dyn_cast<clang::MemberExpr>(value)) {
    clang::Expr* base = expression(member->getBase());
    if (!complete_ || !llvm::isa<clang::FieldDecl>(member->getMemberDecl())) return nullptr;
    return clang::MemberExpr::CreateImplicit(context_, base, member->isArrow(),
                                             member->getMemberDecl(), type, kind, object);
  }
  if (auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
    clang::Expr* condition = expression(choice->getCond());
    clang::Expr* left = expression(choice->getTrueExpr());
    clang::Expr* right = expression(choice->getFalseExpr());
    if (!complete_) return nullptr;
    return new (context_)
        clang::ConditionalOperator(condition, choice->getQuestionLoc(), left, choice->getColonLoc(),
                                   right, type, kind, object);
  }
  if (auto* list = llvm::dyn_cast<clang::InitListExpr>(value)) {
    std::vector<clang::Expr*> all;
    for (clang::Expr* each : list->inits()) all.push_back(expression(each));
    if (!complete_ || list->hasArrayFiller()) return nullptr;
    auto* made = new (context_)
        clang::InitListExpr(context_, list->getLBraceLoc(), all, list->getRBraceLoc());
    made->setType(type);
    return made;
  }
  if (auto* call = llvm::dyn_cast<clang::CallExpr>(value)) return copy_call(call);
  return nullptr;
}
clang::Expr* tree_copy::copy_cast(clang::CastExpr* cast) {
  clang::Expr* inner = expression(cast->getSubExpr());
  if (!complete_ || !cast->path_empty()) return nullptr;
  if (llvm::isa<clang::ImplicitCastExpr>(cast))
    return clang::ImplicitCastExpr::Create(context_, cast->getType(), cast->getCastKind(), inner,
                                           nullptr, cast->getValueKind(),
                                           clang::FPOptionsOverride());
  const auto* written = llvm::dyn_cast<clang::CStyleCastExpr>(cast);
  if (written == nullptr) return nullptr;
  return clang::CStyleCastExpr::Create(context_, cast->getType(), cast->getValueKind(),
                                       cast->getCastKind(), inner, nullptr,
                                       clang::FPOptionsOverride(), written->getTypeInfoAsWritten(),
                                       written->getLParenLoc(), written->getRParenLoc());
}
clang::Expr* tree_copy::copy_call(clang::CallExpr* call) {
  if (call->getStmtClass() != clang::Stmt::CallExprClass || call->getDirectCallee() == nullptr)
    return nullptr;
  std::vector<clang::Expr*> arguments;
  for (clang::Expr* each : call->arguments()) arguments.push_back(expression(each));
  if (!complete_) return nullptr;
  return clang::CallExpr::Create(context_, call->getCallee(), arguments, call->getType(),
                                 call->getValueKind(), call->getRParenLoc(),
                                 clang::FPOptionsOverride());
}

clang::Stmt* tree_rewriter::rewritten(clang::Stmt* code) {
  if (code == nullptr) return nullptr;
  clang::Stmt* now = with_inside(code);
  if (llvm::isa<clang::CompoundStmt, clang::IfStmt>(now)) return now;
  clang::Stmt* made = instead_of(now);
  return made != nullptr ? made : now;
}

clang::Stmt* tree_rewriter::inside_of_loop(clang::Stmt* body) {
  ++loops_;
  clang::Stmt* made = rewritten(body);
  --loops_;
  return made;
}

clang::Stmt* tree_rewriter::with_inside(clang::Stmt* code) {
  if (auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) {
    std::vector<clang::Stmt*> all;
    bool changed = false;
    for (clang::Stmt* each : list->body()) {
      clang::Stmt* made = rewritten(each);
      changed = changed || made != each;
      // What stands for an expression needs no block of its own.
      const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(made);
      if (inner != nullptr && llvm::isa<clang::Expr>(each)) {
        all.insert(all.end(), inner->body_begin(), inner->body_end());
      } else {
        all.push_back(made);
      }
    }
    return changed ? clang::CompoundStmt::Create(context_, all, clang::FPOptionsOverride(),
                                                 list->getLBracLoc(), list->getRBracLoc())
                   : code;
  }
  if (auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
    clang::Stmt* then = rewritten(branch->getThen());
    clang::Stmt* otherwise = rewritten(branch->getElse());
    if (then == branch->getThen() && otherwise == branch->getElse()) return code;
    return clang::IfStmt::Create(context_, branch->getIfLoc(), branch->getStatementKind(),
                                 branch->getInit(), branch->getConditionVariable(),
                                 branch->getCond(), branch->getLParenLoc(), branch->getRParenLoc(),
                                 then, branch->getElseLoc(), otherwise);
  }
  if (auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) {
    clang::Stmt* body = inside_of_loop(loop->getBody());
    if (body == loop->getBody()) return code;
    return new (context_) clang::ForStmt(
        context_, loop->getInit(), loop->getCond(), loop->getConditionVariable(), loop->getInc(),
        body, loop->getForLoc(), loop->getLParenLoc(), loop->getRParenLoc());
  }
  if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(code)) {
    clang::Stmt* body = inside_of_loop(loop->getBody());
    if (body == loop->getBody()) return code;
    return clang::WhileStmt::Create(context_, loop->getConditionVariable(), loop->getCond(), body,
                                    loop->getWhileLoc(), loop->getLParenLoc(),
                                    loop->getRParenLoc());
  }
  return code;
}

clang::Stmt* declaration_of(clang::ASTContext& context, clang::VarDecl* variable) {
  return new (context) clang::DeclStmt(clang::DeclGroupRef(variable), variable->getLocation(),
                                       variable->getLocation());
}

}  // namespace cilk2chan
