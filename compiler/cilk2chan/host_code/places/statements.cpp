#include "diagnostics/diagnostics.hpp"
#include "host_code/places/place_finder.hpp"

namespace cilk2chan::host_code {

void place_finder::walk(clang::Stmt* statement, const surroundings& around, position where) {
  if (statement == nullptr) return;
  auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (where == position::statement || expression == nullptr) {
    const auto scope = scopes_.find(source_.offset(statement->getBeginLoc()));
    if (scope != scopes_.end()) return walk_scope(statement, scope, around);
  }
  if (expression != nullptr) return walk_expression(expression, around, where);
  walk_statement(statement, around);
}

// Walks the block of a region.
void place_finder::walk_block(clang::Stmt* body, const surroundings& around) {
  auto* block = llvm::dyn_cast<clang::CompoundStmt>(body);
  if (block == nullptr) return walk(body, around, position::statement);
  for (clang::Stmt* one : block->body()) {
    lifetimes_.note_own(one, *around.where);
    walk(one, around, position::statement);
  }
}

void place_finder::walk_compound(clang::CompoundStmt* block, const surroundings& around) {
  const std::size_t before = inside_.size();
  for (clang::Stmt* one : block->body()) {
    if (lifetimes_.note_inside(one, block, *around.where))
      inside_.emplace_back(around.where, llvm::cast<clang::DeclStmt>(one));
    walk(one, around, position::statement);
  }
  inside_.resize(before);
}

void place_finder::walk_scope(clang::Stmt* statement, std::map<unsigned, unsigned>::iterator scope,
                              surroundings around) {
  around.where = add_region(region_kind::scope, around.where, statement, around.where->function);
  list_.scopes.push_back({scope->second, around.where});
  scopes_.erase(scope);
  walk_block(statement, around);
}

void place_finder::walk_statement(clang::Stmt* statement, const surroundings& around) {
  switch (statement->getStmtClass()) {
    case clang::Stmt::CompoundStmtClass:
      return walk_compound(llvm::cast<clang::CompoundStmt>(statement), around);
    case clang::Stmt::DeclStmtClass:
      return walk_declarations(llvm::cast<clang::DeclStmt>(statement), around);
    case clang::Stmt::IfStmtClass: return walk_if(llvm::cast<clang::IfStmt>(statement), around);
    case clang::Stmt::ForStmtClass: return walk_for(llvm::cast<clang::ForStmt>(statement), around);
    case clang::Stmt::CXXForRangeStmtClass:
    case clang::Stmt::WhileStmtClass:
    case clang::Stmt::DoStmtClass: return walk_loop(statement, around);
    case clang::Stmt::SwitchStmtClass:
      return walk_switch(llvm::cast<clang::SwitchStmt>(statement), around);
    case clang::Stmt::CaseStmtClass:
    case clang::Stmt::DefaultStmtClass:
    case clang::Stmt::LabelStmtClass: return walk_label(statement, around);
    case clang::Stmt::AttributedStmtClass:
      return walk(llvm::cast<clang::AttributedStmt>(statement)->getSubStmt(), around,
                  position::statement);
    case clang::Stmt::GotoStmtClass:
      return jumps_.add_goto(llvm::cast<clang::GotoStmt>(statement), around.where);
    case clang::Stmt::BreakStmtClass:
      if (around.breaks != nullptr) {
        refuse(source_, statement->getBeginLoc(),
               around.breaks->spawned ? refusals::block_left : refusals::loop_break, "break");
      }
      return;
    case clang::Stmt::ContinueStmtClass:
      if (around.continues != nullptr && around.continues->spawned)
        refuse(source_, statement->getBeginLoc(), refusals::block_left, "continue");
      return;
    case clang::Stmt::ReturnStmtClass:
    case clang::Stmt::CoreturnStmtClass: return walk_return(statement, around);
    case clang::Stmt::CXXTryStmtClass:
      return walk_try(llvm::cast<clang::CXXTryStmt>(statement), around);
    default: return walk_children(statement, around);
  }
}

void place_finder::walk_children(clang::Stmt* node, const surroundings& around) {
  for (clang::Stmt* one : node->children()) walk(one, around, position::value);
}

void place_finder::walk_if(clang::IfStmt* branch, const surroundings& around) {
  walk_head(branch->getInit(), around);
  walk_head(branch->getConditionVariableDeclStmt(), around);
  if (branch->getConditionVariable() == nullptr) walk(branch->getCond(), around, position::value);
  walk(branch->getThen(), around, position::statement);
  walk(branch->getElse(), around, position::statement);
}

void place_finder::walk_loop(clang::Stmt* statement, surroundings around) {
  around.breaks = around.continues = nullptr;
  if (auto* over = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) {
    if (is_cilk_for(over->getForLoc())) refuse(source_, over->getForLoc(), refusals::range_loop);
    walk_head(over->getInit(), around);
    walk(over->getRangeInit(), around, position::value);
    walk(over->getBody(), around, position::statement);
  } else if (auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
    walk_head(loop->getConditionVariableDeclStmt(), around);
    if (loop->getConditionVariable() == nullptr) walk(loop->getCond(), around, position::value);
    walk(loop->getBody(), around, position::statement);
  } else {
    auto* last = llvm::cast<clang::DoStmt>(statement);
    walk(last->getBody(), around, position::statement);
    walk(last->getCond(), around, position::value);
  }
}

void place_finder::walk_for(clang::ForStmt* loop, const surroundings& around) {
  walk_head(loop->getInit(), around);
  walk_head(loop->getConditionVariableDeclStmt(), around);
  walk(loop->getCond(), around, position::value);
  walk(loop->getInc(), around, position::dropped);
  surroundings inside = around;
  inside.breaks = inside.continues = nullptr;
  const bool spawned = is_spawned_block(loop->getForLoc(), source_.sources);
  if (!spawned && !is_cilk_for(loop->getForLoc()))
    return walk(loop->getBody(), inside, position::statement);
  loop_site& site = list_.loops.emplace_back();
  site.spawned = spawned;
  site.node = loop;
  site.where = around.where;
  site.body = add_region(spawned ? region_kind::block : region_kind::loop, around.where,
                         loop->getBody(), around.where->function);
  const unsigned begin = source_.offset(loop->getForLoc());
  for (const auto& [end, grain] : source_.grains) {
    if (end < begin && source_.next_token(end) == begin) site.grain = grain;
  }
  inside.where = site.body;
  inside.breaks = inside.continues = &site;
  walk_block(loop->getBody(), inside);
}

void place_finder::walk_switch(clang::SwitchStmt* choice, surroundings around) {
  walk_head(choice->getInit(), around);
  walk_head(choice->getConditionVariableDeclStmt(), around);
  if (choice->getConditionVariable() == nullptr) walk(choice->getCond(), around, position::value);
  around.breaks = nullptr;
  around.switch_region = around.where;
  walk(choice->getBody(), around, position::statement);
}

void place_finder::walk_label(clang::Stmt* statement, const surroundings& around) {
  if (auto* label = llvm::dyn_cast<clang::LabelStmt>(statement)) {
    jumps_.add_label(label, around.where);
    return walk(label->getSubStmt(), around, position::statement);
  }
  if (around.switch_region != nullptr) {
    check_jump(source_, around.switch_region, around.where, statement->getBeginLoc());
  }
  walk(llvm::cast<clang::SwitchCase>(statement)->getSubStmt(), around, position::statement);
}

void place_finder::walk_return(clang::Stmt* statement, const surroundings& around) {
  for (const region* at = around.where; at != nullptr; at = at->outer) {
    if (at->kind == region_kind::lambda || at->kind == region_kind::function) break;
    if (at->kind == region_kind::loop || at->kind == region_kind::block) {
      refuse(source_, statement->getBeginLoc(),
             at->kind == region_kind::block ? refusals::block_left : refusals::loop_return,
             "return");
      break;
    }
  }
  walk_children(statement, around);
  const auto* result = llvm::dyn_cast<clang::ReturnStmt>(statement);
  if (result != nullptr && !inside_.empty()) {
    return_site& site = list_.returns.emplace_back(return_site{result, {}});
    for (std::size_t i = 0; i < inside_.size(); ++i) {
      if (i + 1 == inside_.size() || inside_[i].first != inside_[i + 1].first)
        site.leaves.push_back(inside_[i].second);
    }
  }
  if (result == nullptr) {
    coroutine_ = true;
  } else if (result->getRetValue() != nullptr && !list_.spawns.empty()) {
    // The implicit sync follows at once, so nothing is lost if this spawn is a call.
    spawn_site& last = list_.spawns.back();
    last.returned = written(result->getRetValue()) == last.node;
  }
}

void place_finder::walk_try(clang::CXXTryStmt* attempt, surroundings around) {
  for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) {
    walk(attempt->getHandler(i)->getHandlerBlock(), around, position::statement);
  }
  around.where = add_region(region_kind::try_block, around.where, attempt->getTryBlock(),
                            around.where->function);
  walk_block(attempt->getTryBlock(), around);
}

// Init statements and condition variables: a spawn in them can only be a plain call.
void place_finder::walk_head(clang::Stmt* statement, const surroundings& around) {
  auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(statement);
  if (declaration == nullptr) return walk(statement, around, position::dropped);
  for (clang::Decl* one : declaration->decls()) {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
    if (variable != nullptr && variable->hasInit()) {
      walk(variable->getInit(), around, position::value);
    }
  }
}

void place_finder::walk_declarations(clang::DeclStmt* statement, const surroundings& around) {
  for (clang::Decl* one : statement->decls()) {
    auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
    if (variable == nullptr) {
      if (!llvm::isa<clang::FunctionDecl>(one)) TraverseDecl(one);
      continue;
    }
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
  }
}

bool place_finder::is_cilk_for(clang::SourceLocation where) const {
  return is_parallel_for(where, source_.sources);
}

}  // namespace cilk2chan::host_code
