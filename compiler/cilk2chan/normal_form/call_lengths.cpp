#include "normal_form/call_lengths.hpp"

#include "analysis/loop_forms.hpp"
#include "analysis/usage.hpp"  // is_changed
#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"

#include <clang/AST/ExprCXX.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// Finds loops, and how deep they are in others and in branches.
class nest_finder {
 public:
  nest_finder(const clang::ASTContext& context, const clang::FunctionDecl* definition)
      : context_(context), definition_(definition) {}

  std::vector<loop_nest> found;

  void look(const clang::Stmt* code, bool on_condition) {
    if (code == nullptr || llvm::isa<clang::Expr>(code)) return;
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) {
      if (auto nest = read(loop, on_condition)) found.push_back(std::move(*nest));
      return;
    }
    const bool branch = llvm::isa<clang::IfStmt, clang::SwitchStmt>(code);
    if (!branch && !llvm::isa<clang::CompoundStmt>(code)) return;
    for (const clang::Stmt* each : code->children()) {
      look(each, on_condition || branch);
      // A check that pointers are there may stand before what uses them.
      on_condition = on_condition || !llvm::isa_and_nonnull<clang::DeclStmt, clang::ForStmt>(each);
    }
  }

 private:
  std::optional<loop_nest> read(const clang::ForStmt* loop, bool on_condition) const {
    const auto form = find_form(context_, loop);
    if (!form || loop->getInit() == nullptr || !form->variable->getType()->isIntegerType())
      return std::nullopt;
    const clang::Expr* first = first_value(loop, *form);
    if (first == nullptr || !is_known(first, on_condition) ||
        !is_known(form->limit, on_condition) ||
        (form->step != nullptr && !form->step->isEvaluatable(context_)))
      return std::nullopt;
    loop_nest made;
    made.loops.push_back({*form, first});
    const clang::ForStmt* inner = inside(loop->getBody());
    made.has_more = inner != nullptr;
    if (inner == nullptr) return made;
    if (const auto more = read(inner, true)) {
      made.loops.insert(made.loops.end(), more->loops.begin(), more->loops.end());
      made.has_more = more->has_more;
    }
    return made;
  }

  static const clang::ForStmt* inside(const clang::Stmt* body) {
    struct visitor : tree_walker {
      const clang::ForStmt* found = nullptr;
      bool VisitForStmt(clang::ForStmt* loop) override { return (found = loop, false); }
    };
    visitor look;
    look.look_through(body);
    return look.found;
  }

  // Whether it is made of arguments as they came, of variables of the program and of constants. A
  // pointer that a branch looks at first may be null.
  bool is_known(const clang::Expr* value, bool on_condition) const {
    value = value->IgnoreParens();
    if (value->isEvaluatable(context_)) return true;
    if (!value->getType()->isIntegerType() && !llvm::isa<clang::DeclRefExpr>(value)) return false;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(value))
      return is_known_place(cast->getSubExpr(), on_condition) ||
             is_known(cast->getSubExpr(), on_condition);
    const auto* node = llvm::dyn_cast<clang::BinaryOperator>(value);
    return node != nullptr && (node->isAdditiveOp() || node->getOpcode() == clang::BO_Mul) &&
           is_known(node->getLHS(), on_condition) && is_known(node->getRHS(), on_condition);
  }
  bool is_known_place(const clang::Expr* place, bool on_condition) const {
    place = place->IgnoreParenImpCasts();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
      return llvm::isa<clang::FieldDecl>(member->getMemberDecl()) &&
             !(member->isArrow() && on_condition) &&
             is_known_place(member->getBase(), on_condition);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
    const auto* variable =
        name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || variable->getType()->isReferenceType()) return false;
    if (variable->getType().isVolatileQualified()) return false;
    if (variable->hasGlobalStorage())
      return !variable->isStaticLocal() && variable->getTLSKind() == clang::VarDecl::TLS_None;
    return llvm::isa<clang::ParmVarDecl>(variable) && variable->getDeclContext() == definition_ &&
           !is_changed(variable, definition_->getBody());
  }

  const clang::ASTContext& context_;
  const clang::FunctionDecl* definition_;
};

// Whether a function may come to what spawns.
class spawn_search : public tree_walker {
 public:
  explicit spawn_search(const parsed_file& source) : source_(source) {}

  bool found = false;

  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    return !(found = found || is_spawn(node, source_.sources));
  }
  bool VisitForStmt(clang::ForStmt* loop) override {
    return !(found = found || is_parallel_for(loop->getForLoc(), source_.sources) ||
                     is_spawned_block(loop->getForLoc(), source_.sources));
  }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return !(found = true); }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (callee == nullptr || (method != nullptr && method->isVirtual())) return !(found = true);
    const clang::FunctionDecl* definition = callee->getDefinition();
    if (definition == nullptr || !definition->hasBody() ||
        source_.sources.isInSystemHeader(definition->getLocation()) ||
        !seen_.insert(definition).second)
      return true;
    TraverseStmt(definition->getBody());
    return !found;
  }

 private:
  const parsed_file& source_;
  llvm::DenseSet<const clang::FunctionDecl*> seen_;
};

}  // namespace

std::vector<loop_nest> loops_by_arguments(const clang::ASTContext& context,
                                          const clang::FunctionDecl* definition) {
  const bool plain = definition->hasBody() && !llvm::isa<clang::CXXMethodDecl>(definition) &&
                     !definition->isVariadic() && !definition->isTemplateInstantiation() &&
                     !definition->isTemplated() && definition->getIdentifier() != nullptr &&
                     (definition->hasPrototype() || definition->getNumParams() > 0);
  if (!plain) return {};
  const bool numbers = std::ranges::all_of(definition->parameters(), [](const auto* one) {
    const clang::QualType type = one->getType();
    return (type->isScalarType() || type.isTrivialType(one->getASTContext())) &&
           !type->isReferenceType() && !one->getOriginalType()->isVariablyModifiedType() &&
           one->getIdentifier() != nullptr;
  });
  if (!numbers) return {};
  nest_finder finder(context, definition);
  finder.look(definition->getBody(), false);
  return std::move(finder.found);
}

const clang::CallExpr* long_call(const parsed_file& source, const clang::Stmt* code) {
  const clang::ASTContext& context = source.context;
  const auto* value = llvm::dyn_cast<clang::Expr>(code);
  const auto* call =
      value == nullptr ? nullptr : llvm::dyn_cast<clang::CallExpr>(value->IgnoreParenCasts());
  if (call == nullptr || llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(call))
    return nullptr;
  const clang::FunctionDecl* callee = call->getDirectCallee();
  const clang::FunctionDecl* definition = callee == nullptr ? nullptr : callee->getDefinition();
  if (definition == nullptr || call->getNumArgs() != definition->getNumParams()) return nullptr;
  const bool quiet = std::ranges::none_of(call->arguments(), [&](const clang::Expr* one) {
    return one->HasSideEffects(context) || one->isInstantiationDependent() ||
           llvm::isa<clang::CXXDefaultArgExpr>(one);
  });
  if (!quiet || loops_by_arguments(context, definition).empty()) return nullptr;
  spawn_search search(source);
  search.look_through(definition->getBody());
  return search.found ? nullptr : call;
}

}  // namespace cilk2chan
