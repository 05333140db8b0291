#include "tasks/lanes/inlined_calls.hpp"

#include "analysis/usage.hpp"
#include "frontend/tree_walker.hpp"

#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>

#include <algorithm>
#include <map>

namespace cilk2chan {
namespace {

// The names of variables begin with this and a number.
constexpr llvm::StringLiteral prefix_of_names = "cilk_called_";

// Calls in calls are replaced this deep.
constexpr unsigned deepest_call = 4;

using variable_names = std::map<const clang::VarDecl*, clang::VarDecl*>;

// Copies the code of a function for a place where its variables have other names. What names none
// of them is not copied.
class code_copy {
 public:
  code_copy(const program& source, std::string prefix)
      : source_(source), context_(*source.context), prefix_(std::move(prefix)) {}

  [[nodiscard]] bool is_complete() const { return complete_; }

  clang::VarDecl* variable(const clang::VarDecl* from, clang::Expr* value) {
    clang::IdentifierInfo& name = context_.Idents.get(prefix_ + from->getNameAsString());
    auto* made = clang::VarDecl::Create(
        context_, const_cast<clang::DeclContext*>(from->getDeclContext()), from->getLocation(),
        from->getLocation(), &name, from->getType().getUnqualifiedType(), nullptr, clang::SC_None);
    if (value != nullptr) made->setInit(value);
    names_[from] = made;
    return made;
  }
  clang::Stmt* declaration(clang::VarDecl* variable) {
    return new (context_) clang::DeclStmt(clang::DeclGroupRef(variable), variable->getLocation(),
                                          variable->getLocation());
  }

  clang::Stmt* statement(const clang::Stmt* code) {
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
                             nullptr, condition, branch->getLParenLoc(), branch->getRParenLoc(),
                             then, branch->getElseLoc(), otherwise)
                       : nullptr;
    }
    if (llvm::isa<clang::NullStmt>(code)) return const_cast<clang::Stmt*>(code);
    return no();
  }

  clang::Expr* expression(const clang::Expr* from) {
    auto* value = const_cast<clang::Expr*>(from);
    if (value == nullptr || !names_variable(value)) return value;
    // Text for devices writes it in another way.
    if (source_.spelling_of(value) != nullptr) return no();
    clang::Expr* made = copy(value);
    return made != nullptr ? made : no();
  }

 private:
  std::nullptr_t no() {
    complete_ = false;
    return nullptr;
  }

  clang::Stmt* declare(const clang::DeclStmt* declares) {
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

  bool names_variable(clang::Expr* value) {
    struct visitor : tree_walker {
      const variable_names* names = nullptr;
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
  clang::Expr* copy(clang::Expr* value) {
    const clang::QualType type = value->getType();
    const clang::ExprValueKind kind = value->getValueKind();
    const clang::ExprObjectKind object = value->getObjectKind();
    if (auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value)) {
      clang::VarDecl* now = names_.at(llvm::cast<clang::VarDecl>(name->getDecl()));
      return clang::DeclRefExpr::Create(context_, clang::NestedNameSpecifierLoc(),
                                        clang::SourceLocation(), now, false, name->getLocation(),
                                        type, kind);
    }
    if (auto* around = llvm::dyn_cast<clang::ParenExpr>(value)) {
      clang::Expr* inner = expression(around->getSubExpr());
      return inner == nullptr
                 ? nullptr
                 : new (context_) clang::ParenExpr(around->getLParen(), around->getRParen(), inner);
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
          clang::ConditionalOperator(condition, choice->getQuestionLoc(), left,
                                     choice->getColonLoc(), right, type, kind, object);
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
  clang::Expr* copy_cast(clang::CastExpr* cast) {
    clang::Expr* inner = expression(cast->getSubExpr());
    if (!complete_ || !cast->path_empty()) return nullptr;
    if (llvm::isa<clang::ImplicitCastExpr>(cast))
      return clang::ImplicitCastExpr::Create(context_, cast->getType(), cast->getCastKind(), inner,
                                             nullptr, cast->getValueKind(),
                                             clang::FPOptionsOverride());
    const auto* written = llvm::dyn_cast<clang::CStyleCastExpr>(cast);
    if (written == nullptr) return nullptr;
    return clang::CStyleCastExpr::Create(
        context_, cast->getType(), cast->getValueKind(), cast->getCastKind(), inner, nullptr,
        clang::FPOptionsOverride(), written->getTypeInfoAsWritten(), written->getLParenLoc(),
        written->getRParenLoc());
  }
  clang::Expr* copy_call(clang::CallExpr* call) {
    if (call->getStmtClass() != clang::Stmt::CallExprClass || call->getDirectCallee() == nullptr)
      return nullptr;
    std::vector<clang::Expr*> arguments;
    for (clang::Expr* each : call->arguments()) arguments.push_back(expression(each));
    if (!complete_) return nullptr;
    return clang::CallExpr::Create(context_, call->getCallee(), arguments, call->getType(),
                                   call->getValueKind(), call->getRParenLoc(),
                                   clang::FPOptionsOverride());
  }

  const program& source_;
  clang::ASTContext& context_;
  std::string prefix_;
  variable_names names_;
  bool complete_ = true;
};

// Writes a function's body anew around the calls that are replaced.
class inliner {
 public:
  inliner(const program& source, const clang::FunctionDecl* function, reference_finder& finder)
      : source_(source), context_(*source.context), caller_(function), finder_(finder) {}

  std::set<const clang::FunctionDecl*> inlined;

  // `in_loop`: the code stands in a loop. Returns the same code if nothing in it is replaced.
  clang::Stmt* rewritten(clang::Stmt* code, bool in_loop) {
    if (code == nullptr) return nullptr;
    if (auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) {
      std::vector<clang::Stmt*> all;
      bool changed = false;
      for (clang::Stmt* each : list->body()) {
        clang::Stmt* made = rewritten(each, in_loop);
        changed = changed || made != each;
        // Names are no others, so what was called needs no block of its own.
        const auto* inner = llvm::dyn_cast<clang::CompoundStmt>(made);
        if (made != each && llvm::isa<clang::Expr>(each) && inner != nullptr) {
          all.insert(all.end(), inner->body_begin(), inner->body_end());
        } else {
          all.push_back(made);
        }
      }
      return changed ? clang::CompoundStmt::Create(context_, all, clang::FPOptionsOverride(),
                                                   list->getLBracLoc(), list->getRBracLoc())
                     : code;
    }
    if (auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) {
      clang::Stmt* body = rewritten(loop->getBody(), true);
      if (body == loop->getBody()) return code;
      return new (context_) clang::ForStmt(
          context_, loop->getInit(), loop->getCond(), loop->getConditionVariable(), loop->getInc(),
          body, loop->getForLoc(), loop->getLParenLoc(), loop->getRParenLoc());
    }
    if (auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
      clang::Stmt* then = rewritten(branch->getThen(), in_loop);
      clang::Stmt* otherwise = rewritten(branch->getElse(), in_loop);
      if (then == branch->getThen() && otherwise == branch->getElse()) return code;
      return clang::IfStmt::Create(context_, branch->getIfLoc(), branch->getStatementKind(),
                                   branch->getInit(), branch->getConditionVariable(),
                                   branch->getCond(), branch->getLParenLoc(),
                                   branch->getRParenLoc(), then, branch->getElseLoc(), otherwise);
    }
    if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(code)) {
      clang::Stmt* body = rewritten(loop->getBody(), true);
      if (body == loop->getBody()) return code;
      return clang::WhileStmt::Create(context_, loop->getConditionVariable(), loop->getCond(), body,
                                      loop->getWhileLoc(), loop->getLParenLoc(),
                                      loop->getRParenLoc());
    }
    auto* call = llvm::dyn_cast<clang::CallExpr>(code);
    clang::Stmt* made = in_loop && call != nullptr ? replaced(call) : nullptr;
    return made != nullptr ? made : code;
  }

 private:
  clang::Stmt* replaced(clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
    if (definition == nullptr || depth_ == deepest_call || !is_plain(definition) ||
        call->getStmtClass() != clang::Stmt::CallExprClass ||
        call->getNumArgs() != definition->getNumParams())
      return nullptr;
    code_copy copy(source_, prefix_of_names.str() + std::to_string(++calls_) + "_");
    std::vector<clang::Stmt*> all;
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      if (call->getArg(i)->HasSideEffects(context_)) return nullptr;
      all.push_back(copy.declaration(copy.variable(definition->getParamDecl(i), call->getArg(i))));
    }
    const auto* body = llvm::cast<clang::CompoundStmt>(definition->getBody());
    for (const clang::Stmt* each : body->body()) all.push_back(copy.statement(each));
    if (!copy.is_complete()) return nullptr;
    inlined.insert(definition->getCanonicalDecl());
    clang::Stmt* made = clang::CompoundStmt::Create(context_, all, clang::FPOptionsOverride(),
                                                    call->getBeginLoc(), call->getEndLoc());
    ++depth_;
    made = rewritten(made, true);
    --depth_;
    return made;
  }

  // Whether the caller may stand for the function.
  bool is_plain(const clang::FunctionDecl* callee) {
    const clang::SourceManager& sources = source_.sources();
    if (!llvm::isa<clang::CompoundStmt>(callee->getBody()) || callee->isVariadic() ||
        llvm::isa<clang::CXXMethodDecl>(callee) || callee->isTemplateInstantiation() ||
        source_.task_of(callee) != nullptr || callee == caller_ ||
        sources.isInSystemHeader(callee->getLocation()) ||
        !sources.isBeforeInTranslationUnit(callee->getLocation(), caller_->getLocation()) ||
        !callee->getDeclContext()->Equals(caller_->getDeclContext()))
      return false;
    const references& names = finder_.of(callee);
    if (names.kept != nullptr || !names.pointer_calls.empty() || !names.virtual_calls.empty() ||
        names.functions.contains(callee->getCanonicalDecl()) || hides_name_of(callee))
      return false;
    const variable_usage usage = usage_of(callee->getBody());
    return usage.escaped.empty() &&
           std::ranges::all_of(callee->parameters(), [](const clang::ParmVarDecl* one) {
             return one->getType()->isScalarType() && !one->getType().isVolatileQualified();
           });
  }

  // Whether a variable of the caller has a name that means something else in the function.
  bool hides_name_of(const clang::FunctionDecl* callee) const {
    struct visitor : tree_walker {
      const std::set<llvm::StringRef>* names = nullptr;
      bool found = false;
      bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        const bool local = variable != nullptr && variable->hasLocalStorage();
        found = found || (!local && name->getDecl()->getIdentifier() != nullptr &&
                          names->contains(name->getDecl()->getName()));
        return !found;
      }
    };
    visitor look;
    look.names = &own_names_;
    look.look_through(callee->getBody());
    return look.found;
  }

  static std::set<llvm::StringRef> names_in(const clang::FunctionDecl* function) {
    struct visitor : tree_walker {
      std::set<llvm::StringRef> names;
      bool VisitVarDecl(clang::VarDecl* variable) override {
        if (variable->getIdentifier() != nullptr) names.insert(variable->getName());
        return true;
      }
    };
    visitor look;
    look.look_through(function->getBody());
    for (const clang::ParmVarDecl* one : function->parameters()) {
      if (one->getIdentifier() != nullptr) look.names.insert(one->getName());
    }
    return look.names;
  }

  const program& source_;
  clang::ASTContext& context_;
  const clang::FunctionDecl* caller_;
  reference_finder& finder_;
  std::set<llvm::StringRef> own_names_ = names_in(caller_);
  unsigned calls_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

inlined_body with_inlined_calls(const program& source, const clang::FunctionDecl* function,
                                reference_finder& finder) {
  inliner how(source, function, finder);
  inlined_body made;
  made.code = how.rewritten(function->getBody(), false);
  made.inlined = std::move(how.inlined);
  return made;
}

std::string name_in_source(const clang::VarDecl* variable) {
  llvm::StringRef name = variable->getName();
  while (name.consume_front(prefix_of_names)) name = name.split('_').second;
  return name.str();
}

}  // namespace cilk2chan
