#include "host_code/places/places.hpp"

#include "diagnostics/diagnostics.hpp"
#include "host_code/places/place_finder.hpp"

namespace cilk2chan::host_code {

place_finder::place_finder(parsed_file& source) : source_(source), lifetimes_(source) {
  for (const keyword_use& use : source.keywords) {
    if (use.word != keyword::scope || !source.sources.isInMainFile(use.location)) continue;
    const unsigned at = source.sources.getFileOffset(use.location);
    scopes_[source.next_token(at + word_length(source.text(), at))] = at;
  }
  outside_ = add_region(region_kind::outside, nullptr, nullptr, nullptr);
}

place_list place_finder::run() {
  for (clang::Decl* declaration : source_.context.getTranslationUnitDecl()->decls()) {
    if (source_.in_main_file(declaration->getLocation())) TraverseDecl(declaration);
  }
  lifetimes_.mark_unread(list_);
  for (const auto& [statement, keyword] : scopes_) {
    refuse(source_, keyword, refusals::scope_without_statement);
  }
  return std::move(list_);
}

region* place_finder::add_region(region_kind kind, region* outer, const clang::Stmt* body,
                                 const clang::FunctionDecl* function) {
  region& made = list_.regions.emplace_back();
  made.kind = kind;
  made.outer = outer;
  made.body = body;
  made.function = function;
  return &made;
}

bool place_finder::walk_function(clang::FunctionDecl* function) {
  clang::Stmt* body = function->doesThisDeclarationHaveABody() ? function->getBody() : nullptr;
  if (body == nullptr || function->isImplicit() || function->isDefaulted()) return true;
  if (auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
    for (clang::CXXCtorInitializer* one : constructor->inits()) {
      if (one->isWritten()) TraverseStmt(one->getInit());
    }
  }
  region* around = add_region(region_kind::function, outside_, body, function);
  auto* attempt = llvm::dyn_cast<clang::CXXTryStmt>(body);
  if (attempt == nullptr) {
    walk_function_body(body, around);
    return true;
  }
  around->kind = region_kind::try_block;
  walk_function_body(attempt->getTryBlock(), around);
  for (unsigned i = 0; i < attempt->getNumHandlers(); ++i) {
    TraverseStmt(attempt->getHandler(i)->getHandlerBlock());
  }
  return true;
}

void place_finder::walk_lambda(clang::LambdaExpr* lambda, const surroundings& around) {
  for (unsigned i = 0; i < lambda->capture_size(); ++i) {
    if (!lambda->isInitCapture(lambda->capture_begin() + i)) continue;
    walk(lambda->capture_init_begin()[i], around, position::value);
  }
  clang::Stmt* body = lambda->getBody();
  walk_function_body(
      body, add_region(region_kind::lambda, around.where, body, lambda->getCallOperator()));
}

void place_finder::walk_function_body(clang::Stmt* body, region* around) {
  if (auto* coroutine = llvm::dyn_cast<clang::CoroutineBodyStmt>(body)) body = coroutine->getBody();
  around->body = body;
  function_state outer = enter_function();
  walk_block(body, {around, nullptr, nullptr});
  if (jumps_.any()) lifetimes_.allow_jumps(list_, around->function);
  leave_function(std::move(outer));
}

place_finder::function_state place_finder::enter_function() {
  function_state outer{std::move(jumps_), coroutine_, sites(), std::move(inside_)};
  inside_.clear();
  jumps_ = jumps();
  coroutine_ = false;
  return outer;
}

void place_finder::leave_function(function_state outer) {
  jumps_.check(source_);
  if (coroutine_ && sites() != outer.sites) {
    const auto where = list_.spawns.empty() ? list_.loops.back().node->getForLoc()
                                            : list_.spawns.back().node->getOperatorLoc();
    refuse(source_, where, refusals::coroutine);
  }
  jumps_ = std::move(outer.around);
  coroutine_ = outer.coroutine;
  inside_ = std::move(outer.inside);
}

place_list find_places(parsed_file& source) { return place_finder(source).run(); }

}  // namespace cilk2chan::host_code
