#include "native/places.hpp"

#include "native/diagnostics.hpp"
#include "native/reducers.hpp"  // holds_reducer

#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/DenseMap.h>

#include <algorithm>

namespace cilk2chan::native {
namespace {

// What a statement needs to know about what is around it.
struct context {
  region* where = nullptr;
  const loop_site* breaks = nullptr;  // the cilk_for that a `break` here would leave
  region* switch_region = nullptr;    // where the innermost switch stands
};

enum class position { statement, dropped, value };

class finder : public clang::RecursiveASTVisitor<finder> {
 public:
  explicit finder(unit& source) : source_(source) {
    for (const keyword_use& use : source.keywords) {
      if (use.word != keyword::scope || !source.sources.isInMainFile(use.location)) continue;
      const unsigned at = source.sources.getFileOffset(use.location);
      scopes_[source.next_token(at + 10)] = at;
    }
    outside_ = add_region(region_kind::outside, nullptr, nullptr, nullptr);
  }

  place_list run() {
    for (clang::Decl* declaration : source_.context.getTranslationUnitDecl()->decls()) {
      if (source_.in_main_file(declaration->getLocation())) TraverseDecl(declaration);
    }
    find_unread();
    for (const auto& [statement, keyword] : scopes_) {
      refuse(source_, keyword, refusals::scope_without_statement);
    }
    return std::move(list_);
  }

  // Declarations are the visitor's; statements are walked with what is around them.
  bool TraverseStmt(clang::Stmt* statement) {
    walk(statement, {outside_, nullptr, nullptr}, position::value);
    return true;
  }
  bool TraverseFunctionHelper(clang::FunctionDecl* function) {
    clang::Stmt* body = function->doesThisDeclarationHaveABody() ? function->getBody() : nullptr;
    if (body == nullptr || function->isImplicit() || function->isDefaulted()) return true;
    if (auto* coroutine = llvm::dyn_cast<clang::CoroutineBodyStmt>(body))
      body = coroutine->getBody();
    region* around = add_region(region_kind::function, outside_, body, function);
    function_state outer = enter_function();
    if (auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
      for (clang::CXXCtorInitializer* one : constructor->inits()) {
        if (one->isWritten()) walk(one->getInit(), {outside_, nullptr, nullptr}, position::value);
      }
    }
    if (auto* attempt = llvm::dyn_cast<clang::CXXTryStmt>(body)) {
      around->body = attempt->getTryBlock();
      around->kind = region_kind::try_block;
      walk_block(attempt->getTryBlock(), {around, nullptr, nullptr});
      region* handlers = add_region(region_kind::outside, nullptr, nullptr, function);
      for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) {
        walk(attempt->getHandler(i)->getHandlerBlock(), {handlers, nullptr, nullptr},
             position::value);
      }
    } else {
      walk_block(body, {around, nullptr, nullptr});
    }
    leave_function(outer);
    return true;
  }
  bool TraverseFunctionDecl(clang::FunctionDecl* d) { return TraverseFunctionHelper(d); }
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl* d) { return TraverseFunctionHelper(d); }
  bool TraverseCXXConstructorDecl(clang::CXXConstructorDecl* d) {
    return TraverseFunctionHelper(d);
  }
  bool TraverseCXXDestructorDecl(clang::CXXDestructorDecl* d) { return TraverseFunctionHelper(d); }
  bool TraverseCXXConversionDecl(clang::CXXConversionDecl* d) { return TraverseFunctionHelper(d); }

 private:
  struct jump {
    const clang::Stmt* statement;
    const clang::LabelDecl* label;
    region* from;
  };
  struct jumps {
    llvm::DenseMap<const clang::LabelDecl*, region*> labels;
    std::vector<jump> gotos;
  };

  struct function_state {
    jumps around;
    bool coroutine;
    std::size_t sites;
  };

  region* add_region(region_kind kind, region* outer, const clang::Stmt* body,
                     const clang::FunctionDecl* function) {
    region& made = list_.regions.emplace_back();
    made.kind = kind;
    made.outer = outer;
    made.body = body;
    made.function = function;
    return &made;
  }

  // The block of a region.
  void walk_block(clang::Stmt* body, context around) {
    if (auto* block = llvm::dyn_cast<clang::CompoundStmt>(body)) {
      for (clang::Stmt* one : block->body()) {
        note_destroyed(one, around.where->destroyed);
        walk(one, around, position::statement);
      }
    } else {
      walk(body, around, position::statement);
    }
  }

  void note_destroyed(const clang::Stmt* one, std::vector<const clang::DeclStmt*>& list) const {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(one);
    if (declaration != nullptr && is_destroyed(declaration)) list.push_back(declaration);
  }

  // Variables of blocks that are not a region's own.
  void note_variables(const clang::Stmt* one, const clang::Stmt* block) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(one);
    if (declaration == nullptr) return;
    for (const clang::Decl* variable : declaration->decls()) blocks_[variable] = block;
  }

  // What is assigned to a variable can be read after a sync, and only in its block.
  void find_unread() {
    for (spawn_site& site : list_.spawns) {
      const clang::VarDecl* variable = site.variable;
      if (site.form == spawn_form::assigned) {
        const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(site.place->IgnoreParens());
        variable = name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      }
      const auto block = blocks_.find(variable);
      if (variable == nullptr || !variable->hasLocalStorage() || block == blocks_.end()) continue;
      const text_range range = source_.range(block->second);
      site.unread = std::ranges::none_of(list_.syncs, [&](const sync_site& sync) {
        const unsigned at = source_.offset(sync.node->getBeginLoc());
        return range.begin <= at && at < range.end;
      });
    }
  }

  bool is_destroyed(const clang::DeclStmt* declaration) const {
    return std::ranges::any_of(declaration->decls(), [&](const clang::Decl* one) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr || !variable->hasLocalStorage()) return false;
      if (variable->hasAttr<clang::CleanupAttr>()) return true;
      // An array of variable length goes with its block; with the sanitizer, everything does.
      if (variable->getType()->isVariableArrayType()) return true;
      if (!variable->getType()->isReferenceType() &&
          source_.context.getLangOpts().Sanitize.has(clang::SanitizerKind::Address))
        return true;
      if (source_.is_c()) return false;
      if (holds_reducer(variable)) return true;
      if (variable->getType()->isReferenceType()) {
        const clang::Expr* value = variable->getInit();
        if (value != nullptr && llvm::isa<clang::ExprWithCleanups>(value)) {
          value = llvm::cast<clang::ExprWithCleanups>(value)->getSubExpr();
        }
        return llvm::isa_and_nonnull<clang::MaterializeTemporaryExpr>(value);
      }
      return variable->getType()->isDependentType() ||
             variable->getType().isDestructedType() != clang::QualType::DK_none;
    });
  }

  void walk(clang::Stmt* statement, const context& around, position where) {
    if (statement == nullptr) return;
    if (where == position::statement || !llvm::isa<clang::Expr>(statement)) {
      const auto scope = scopes_.find(source_.offset(statement->getBeginLoc()));
      if (scope != scopes_.end()) return walk_scope(statement, scope, around);
    }
    if (auto* expression = llvm::dyn_cast<clang::Expr>(statement)) {
      return walk_expression(expression, around, where);
    }
    walk_statement(statement, around);
  }

  void walk_scope(clang::Stmt* statement, std::map<unsigned, unsigned>::iterator scope,
                  const context& around) {
    region* inner = add_region(region_kind::scope, around.where, statement, around.where->function);
    list_.scopes.push_back({scope->second, inner});
    scopes_.erase(scope);
    context inside = around;
    inside.where = inner;
    walk_block(statement, inside);
  }

  void walk_statement(clang::Stmt* statement, const context& around) {
    if (is_sync(statement, source_.sources)) {
      list_.syncs.push_back({statement, around.where});
      return;
    }
    switch (statement->getStmtClass()) {
      case clang::Stmt::CompoundStmtClass:
        for (clang::Stmt* one : statement->children()) {
          note_destroyed(one, around.where->destroyed_inside);
          note_variables(one, statement);
          walk(one, around, position::statement);
        }
        return;
      case clang::Stmt::DeclStmtClass:
        return walk_declarations(llvm::cast<clang::DeclStmt>(statement), around);
      case clang::Stmt::IfStmtClass: {
        auto* branch = llvm::cast<clang::IfStmt>(statement);
        walk_head(branch->getInit(), around);
        walk_head(branch->getConditionVariableDeclStmt(), around);
        if (branch->getConditionVariable() == nullptr)
          walk(branch->getCond(), around, position::value);
        walk(branch->getThen(), around, position::statement);
        return walk(branch->getElse(), around, position::statement);
      }
      case clang::Stmt::ForStmtClass:
        return walk_for(llvm::cast<clang::ForStmt>(statement), around);
      case clang::Stmt::CXXForRangeStmtClass: {
        auto* loop = llvm::cast<clang::CXXForRangeStmt>(statement);
        if (is_cilk_for(loop->getForLoc()))
          refuse(source_, loop->getForLoc(), refusals::range_loop);
        walk_head(loop->getInit(), around);
        walk(loop->getRangeInit(), around, position::value);
        return walk(loop->getBody(), inside_loop(around), position::statement);
      }
      case clang::Stmt::WhileStmtClass: {
        auto* loop = llvm::cast<clang::WhileStmt>(statement);
        walk_head(loop->getConditionVariableDeclStmt(), around);
        if (loop->getConditionVariable() == nullptr) walk(loop->getCond(), around, position::value);
        return walk(loop->getBody(), inside_loop(around), position::statement);
      }
      case clang::Stmt::DoStmtClass: {
        auto* loop = llvm::cast<clang::DoStmt>(statement);
        walk(loop->getBody(), inside_loop(around), position::statement);
        return walk(loop->getCond(), around, position::value);
      }
      case clang::Stmt::SwitchStmtClass: {
        auto* choice = llvm::cast<clang::SwitchStmt>(statement);
        walk_head(choice->getInit(), around);
        walk_head(choice->getConditionVariableDeclStmt(), around);
        if (choice->getConditionVariable() == nullptr)
          walk(choice->getCond(), around, position::value);
        context inside = inside_loop(around);
        inside.switch_region = around.where;
        return walk(choice->getBody(), inside, position::statement);
      }
      case clang::Stmt::CaseStmtClass:
      case clang::Stmt::DefaultStmtClass:
        if (around.switch_region != nullptr && around.switch_region != around.where) {
          jumps_into(around.where, around.switch_region, statement->getBeginLoc());
        }
        return walk(llvm::cast<clang::SwitchCase>(statement)->getSubStmt(), around,
                    position::statement);
      case clang::Stmt::LabelStmtClass:
        jumps_.labels[llvm::cast<clang::LabelStmt>(statement)->getDecl()] = around.where;
        return walk(llvm::cast<clang::LabelStmt>(statement)->getSubStmt(), around,
                    position::statement);
      case clang::Stmt::GotoStmtClass:
        jumps_.gotos.push_back(
            {statement, llvm::cast<clang::GotoStmt>(statement)->getLabel(), around.where});
        return;
      case clang::Stmt::AttributedStmtClass:
        return walk(llvm::cast<clang::AttributedStmt>(statement)->getSubStmt(), around,
                    position::statement);
      case clang::Stmt::BreakStmtClass:
        if (around.breaks != nullptr)
          refuse(source_, statement->getBeginLoc(), refusals::loop_break);
        return;
      case clang::Stmt::ReturnStmtClass:
      case clang::Stmt::CoreturnStmtClass:
        if (llvm::isa<clang::CoreturnStmt>(statement)) coroutine_ = true;
        if (in_loop(around.where)) refuse(source_, statement->getBeginLoc(), refusals::loop_return);
        for (clang::Stmt* one : statement->children()) walk(one, around, position::value);
        if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(statement))
          note_returned(result->getRetValue());
        return;
      case clang::Stmt::CXXTryStmtClass: {
        auto* attempt = llvm::cast<clang::CXXTryStmt>(statement);
        context inside = around;
        inside.where = add_region(region_kind::try_block, around.where, attempt->getTryBlock(),
                                  around.where->function);
        walk_block(attempt->getTryBlock(), inside);
        for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) {
          walk(attempt->getHandler(i)->getHandlerBlock(), around, position::statement);
        }
        return;
      }
      default:
        for (clang::Stmt* one : statement->children()) walk(one, around, position::value);
    }
  }

  // The implicit sync follows at once: nothing is lost.
  void note_returned(const clang::Expr* value) {
    if (value == nullptr || list_.spawns.empty()) return;
    spawn_site& last = list_.spawns.back();
    if (written(value) == last.node) last.returned = true;
  }

  // Init statements and condition variables: a spawn there has nowhere to go but to be called.
  void walk_head(clang::Stmt* statement, const context& around) {
    if (auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(statement)) {
      for (clang::Decl* one : declaration->decls()) {
        if (auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) {
          if (variable->hasInit()) walk(variable->getInit(), around, position::value);
        }
      }
    } else {
      walk(statement, around, position::dropped);
    }
  }

  static context inside_loop(context around) {
    around.breaks = nullptr;
    return around;
  }

  bool is_cilk_for(clang::SourceLocation where) const {
    return where.isMacroID() &&
           clang::Lexer::getImmediateMacroName(where, source_.sources,
                                               source_.context.getLangOpts()) == "cilk_for";
  }

  void walk_for(clang::ForStmt* loop, const context& around) {
    walk_head(loop->getInit(), around);
    walk_head(loop->getConditionVariableDeclStmt(), around);
    walk(loop->getCond(), around, position::value);
    walk(loop->getInc(), around, position::dropped);
    if (!is_cilk_for(loop->getForLoc())) {
      return walk(loop->getBody(), inside_loop(around), position::statement);
    }
    loop_site& site = list_.loops.emplace_back();
    site.node = loop;
    site.where = around.where;
    site.body =
        add_region(region_kind::loop, around.where, loop->getBody(), around.where->function);
    const unsigned begin = source_.offset(loop->getForLoc());
    for (const auto& [end, grain] : source_.grains) {
      if (end < begin && source_.next_token(end) == begin) site.grain = grain;
    }
    context inside = around;
    inside.where = site.body;
    inside.breaks = &site;
    walk_block(loop->getBody(), inside);
  }

  static bool in_loop(const region* where) {
    for (; where != nullptr; where = where->outer) {
      if (where->kind == region_kind::loop) return true;
      if (where->kind == region_kind::lambda || where->kind == region_kind::function) return false;
    }
    return false;
  }

  void walk_declarations(clang::DeclStmt* statement, const context& around) {
    for (clang::Decl* one : statement->decls()) {
      if (auto* variable = llvm::dyn_cast<clang::VarDecl>(one)) {
        clang::Expr* value = variable->getInit();
        if (value == nullptr) continue;
        const auto* spawn = llvm::dyn_cast<clang::UnaryOperator>(written(value));
        if (spawn == nullptr || !is_spawn(spawn, source_.sources) || !variable->hasLocalStorage()) {
          walk(value, around, position::value);
          continue;
        }
        spawn_site& site = add_spawn(spawn, around);
        site.form = spawn_form::declared;
        site.variable = variable;
        site.statement = statement;
        site.value = value;
        site.assignment = "=";
      } else if (!llvm::isa<clang::FunctionDecl>(one)) {
        TraverseDecl(one);
      }
    }
  }

  spawn_site& add_spawn(const clang::UnaryOperator* node, const context& around) {
    spawn_site& site = list_.spawns.emplace_back();
    site.node = node;
    site.where = around.where;
    const clang::Expr* operand = node->getSubExpr()->IgnoreUnlessSpelledInSource()->IgnoreParens();
    operand = operand->IgnoreUnlessSpelledInSource();
    site.call = llvm::dyn_cast<clang::CallExpr>(operand);
    if (site.call == nullptr || llvm::isa<clang::UserDefinedLiteral>(site.call)) {
      // In a template `T(x)` may be a call or not.
      refuse(source_, node->getOperatorLoc(), refusals::spawn_without_call);
      site.call = nullptr;
      return site;
    }
    walk_children(const_cast<clang::CallExpr*>(site.call), around);
    return site;
  }

  void walk_children(clang::Stmt* node, const context& around) {
    for (clang::Stmt* one : node->children()) walk(one, around, position::value);
  }

  void walk_expression(clang::Expr* node, const context& around, position where) {
    const bool dropped = where != position::value;
    const position part = dropped ? position::dropped : position::value;
    if (is_sync(node, source_.sources)) {
      list_.syncs.push_back({node, around.where});
      return;
    }
    if (auto* full = llvm::dyn_cast<clang::FullExpr>(node))
      return walk(full->getSubExpr(), around, where);
    if (auto* temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(node)) {
      return walk(temporary->getSubExpr(), around, where);
    }
    if (auto* parens = llvm::dyn_cast<clang::ParenExpr>(node))
      return walk(parens->getSubExpr(), around, part);
    if (auto* cast = llvm::dyn_cast<clang::CastExpr>(node)) {
      const bool to_void =
          dropped && (llvm::isa<clang::ImplicitCastExpr>(cast) || cast->getType()->isVoidType());
      return walk(cast->getSubExpr(), around, to_void ? part : position::value);
    }
    if (auto* operation = llvm::dyn_cast<clang::UnaryOperator>(node)) {
      if (is_spawn(operation, source_.sources)) {
        spawn_site& site = add_spawn(operation, around);
        site.form = dropped && around.where->kind != region_kind::outside ? spawn_form::dropped
                                                                          : spawn_form::plain;
        site.whole = operation;
        site.value = operation;
        site.operand = where == position::dropped;
        return;
      }
    }
    if (auto* operation = llvm::dyn_cast<clang::BinaryOperator>(node)) {
      if (operation->isAssignmentOp() &&
          walk_assignment(operation, operation->getLHS(), operation->getRHS(),
                          operation->getOpcodeStr(), around, where)) {
        return;
      }
      if (operation->getOpcode() == clang::BO_Comma) {
        walk(operation->getLHS(), around, position::dropped);
        return walk(operation->getRHS(), around, part);
      }
    }
    if (auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(node)) {
      if (operation->isAssignmentOp() && operation->getNumArgs() == 2 &&
          walk_assignment(operation, operation->getArg(0), operation->getArg(1),
                          clang::getOperatorSpelling(operation->getOperator()), around, where)) {
        return;
      }
    }
    if (auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(node);
        choice != nullptr && dropped) {
      walk(choice->getCond(), around, position::value);
      const std::size_t before = list_.spawns.size();
      walk(choice->getTrueExpr(), around, position::dropped);
      walk(choice->getFalseExpr(), around, position::dropped);
      if (list_.spawns.size() != before) {
        list_.void_arms.push_back(choice->getTrueExpr());
        list_.void_arms.push_back(choice->getFalseExpr());
      }
      return;
    }
    if (auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(node)) return walk_lambda(lambda, around);
    if (auto* block = llvm::dyn_cast<clang::StmtExpr>(node)) {
      auto* body = block->getSubStmt();
      for (clang::Stmt* one : body->body()) {
        // What the last statement computes is the value of all.
        const bool value = one == body->body_back() && llvm::isa<clang::Expr>(one) && !dropped;
        walk(one, around, value ? position::value : position::statement);
      }
      return;
    }
    if (auto* list = llvm::dyn_cast<clang::InitListExpr>(node)) {
      clang::InitListExpr* form = list->isSemanticForm() && list->getSyntacticForm() != nullptr
                                      ? list->getSyntacticForm()
                                      : list;
      return walk_children(form, around);
    }
    if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXDefaultArgExpr,
                  clang::CXXDefaultInitExpr, clang::CXXNoexceptExpr, clang::RequiresExpr>(node)) {
      return;
    }
    if (llvm::isa<clang::CoroutineSuspendExpr, clang::DependentCoawaitExpr>(node))
      coroutine_ = true;
    walk_children(node, around);
  }

  bool walk_assignment(clang::Expr* whole, clang::Expr* place, clang::Expr* value,
                       llvm::StringRef assignment, const context& around, position where) {
    const auto* spawn = llvm::dyn_cast<clang::UnaryOperator>(written(value));
    if (spawn == nullptr || !is_spawn(spawn, source_.sources)) return false;
    walk(place, around, position::value);
    spawn_site& site = add_spawn(spawn, around);
    site.whole = whole;
    site.place = place;
    site.value = value;
    site.assignment = assignment.str();
    site.operand = where == position::dropped;
    if (where == position::value || around.where->kind == region_kind::outside) return true;
    site.form = assignment == "=" ? spawn_form::assigned : spawn_form::compound;
    return true;
  }

  void walk_lambda(clang::LambdaExpr* lambda, const context& around) {
    for (unsigned i = 0; i < lambda->capture_size(); ++i) {
      const clang::LambdaCapture& one = *(lambda->capture_begin() + i);
      if (lambda->isInitCapture(&one))
        walk(lambda->capture_init_begin()[i], around, position::value);
    }
    clang::Stmt* body = lambda->getBody();
    if (auto* coroutine = llvm::dyn_cast<clang::CoroutineBodyStmt>(body))
      body = coroutine->getBody();
    region* inner = add_region(region_kind::lambda, around.where, body, lambda->getCallOperator());
    function_state outer = enter_function();
    walk_block(body, {inner, nullptr, nullptr});
    leave_function(outer);
  }

  function_state enter_function() {
    function_state outer{std::move(jumps_), coroutine_, list_.spawns.size() + list_.loops.size()};
    jumps_ = jumps();
    coroutine_ = false;
    return outer;
  }

  void leave_function(function_state& outer) {
    check_jumps();
    if (coroutine_ && list_.spawns.size() + list_.loops.size() != outer.sites) {
      const auto where = list_.spawns.empty() ? list_.loops.back().node->getForLoc()
                                              : list_.spawns.back().node->getOperatorLoc();
      refuse(source_, where, refusals::coroutine);
    }
    jumps_ = std::move(outer.around);
    coroutine_ = outer.coroutine;
  }

  void check_jumps() {
    for (const jump& one : jumps_.gotos) {
      const auto label = jumps_.labels.find(one.label);
      if (label == jumps_.labels.end()) continue;
      jumps_into(label->second, one.from, one.statement->getBeginLoc());
      for (const region* at = one.from; at != nullptr && at != label->second; at = at->outer) {
        if (at->kind != region_kind::loop) continue;
        refuse(source_, one.statement->getBeginLoc(), refusals::loop_goto);
        break;
      }
    }
  }

  void jumps_into(const region* to, const region* from, clang::SourceLocation where) {
    llvm::DenseSet<const region*> around;
    for (const region* at = from; at != nullptr; at = at->outer) around.insert(at);
    for (const region* at = to; at != nullptr && !around.contains(at); at = at->outer) {
      if (at->kind == region_kind::scope || at->kind == region_kind::loop) {
        return refuse(source_, where, refusals::jump_into,
                      at->kind == region_kind::loop ? "cilk_for" : "cilk_scope");
      }
    }
  }

  unit& source_;
  place_list list_;
  region* outside_ = nullptr;
  std::map<unsigned, unsigned> scopes_;  // from the statement to the keyword
  jumps jumps_;
  llvm::DenseMap<const clang::Decl*, const clang::Stmt*> blocks_;
  bool coroutine_ = false;  // the function that is being walked
};

}  // namespace

const clang::Expr* written(const clang::Expr* value) {
  for (;;) {
    // IgnoreParens would take `__extension__` away, too.
    const clang::Expr* inner = value->IgnoreUnlessSpelledInSource();
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(inner);
        list != nullptr && list->getNumInits() == 1) {
      inner = list->getInit(0);
    } else if (const auto* parens = llvm::dyn_cast<clang::ParenListExpr>(inner);
               parens != nullptr && parens->getNumExprs() == 1) {
      inner = parens->getExpr(0);
    } else if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(inner)) {
      inner = cast->getSubExpr();
    }
    if (inner == value) return value;
    value = inner;
  }
}

place_list find_places(unit& source) { return finder(source).run(); }

}  // namespace cilk2chan::native
