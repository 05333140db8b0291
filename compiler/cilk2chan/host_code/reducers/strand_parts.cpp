#include "host_code/reducers/strand_parts.hpp"

#include "analysis/reducer_types.hpp"  // holds_reducer
#include "frontend/tree_walker.hpp"

#include <clang/Lex/Lexer.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Support/SaveAndRestore.h>

#include <utility>

namespace cilk2chan::host_code {
namespace {

class loop_nest_finder : public tree_walker {
 public:
  loop_nest_finder(parsed_file& source, const place_list& places,
                   std::deque<strand_parts::nest>& loops,
                   llvm::DenseMap<const clang::Expr*, const strand_parts::nest*>& nests)
      : source_(source), loops_(loops), nests_(nests) {
    for (const loop_site& site : places.loops) sites_[site.node] = &site;
    if (!source.is_c()) return;
    for (const region& one : places.regions) {
      joins_.insert(one.destroyed.begin(), one.destroyed.end());
      joins_.insert(one.destroyed_inside.begin(), one.destroyed_inside.end());
    }
  }

  // A function inside a function is not part of the loops around it.
  bool TraverseDecl(clang::Decl* declaration) override {
    if (declaration == nullptr || !llvm::isa<clang::FunctionDecl>(declaration))
      return tree_walker::TraverseDecl(declaration);
    const llvm::SaveAndRestore outside(innermost_, static_cast<strand_parts::nest*>(nullptr));
    return tree_walker::TraverseDecl(declaration);
  }

  bool TraverseStmt(clang::Stmt* node) override {
    if (node == nullptr) return true;
    if (auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(node)) return walk_lambda(lambda);
    note(node);
    if (auto* loop = llvm::dyn_cast<clang::ForStmt>(node); loop != nullptr && sites_.contains(loop))
      return walk_cilk_for(loop);
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(node) &&
        can_be_wrapped(node))
      return walk_inside(node, innermost_, {node, nullptr}, node);
    if (auto* choice = llvm::dyn_cast<clang::SwitchStmt>(node)) {
      const llvm::SaveAndRestore around(at_switch_, innermost_);
      return tree_walker::TraverseStmt(choice);
    }
    return tree_walker::TraverseStmt(node);
  }

 private:
  // Notes nodes that end the strand, or that let a jump enter a loop after its start.
  void note(clang::Stmt* node) {
    if (llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(node)) {
      nests_[llvm::cast<clang::Expr>(node)] = innermost_;
      return;
    }
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(node)) {
      attributed_ =
          attributed->getSubStmt();  // perhaps a pragma, which has to stand right before the loop
      return;
    }
    const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(node);
    const bool spawns = operation != nullptr && is_spawn(operation, source_.sources);
    // An exception joins children on its way to a handler in the loop.
    if (spawns || is_sync(node, source_.sources) ||
        llvm::isa<clang::LabelStmt, clang::CXXTryStmt>(node) || may_join(node))
      return end_strand(nullptr);
    if (llvm::isa<clang::SwitchCase>(node)) end_strand(at_switch_);
  }

  // Whether the end of the declaration's block joins children: a local reducer, a guard in C.
  bool may_join(const clang::Stmt* node) const {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(node);
    if (declaration == nullptr) return false;
    if (joins_.contains(declaration)) return true;
    for (const clang::Decl* one : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable != nullptr && variable->hasLocalStorage() && holds_reducer(variable))
        return true;
    }
    return false;
  }

  void end_strand(const strand_parts::nest* outermost) {
    for (auto* at = innermost_; at != outermost && at != nullptr; at = at->outer)
      at->one_strand = false;
  }

  bool can_be_wrapped(const clang::Stmt* loop) const {
    return loop != attributed_ && !loop->getBeginLoc().isMacroID() &&
           clang::Lexer::makeFileCharRange(
               clang::CharSourceRange::getTokenRange(loop->getSourceRange()), source_.sources,
               source_.context.getLangOpts())
               .isValid();
  }

  bool walk_lambda(clang::LambdaExpr* lambda) {
    for (clang::Expr* one : lambda->capture_inits()) TraverseStmt(one);
    const llvm::SaveAndRestore outside(innermost_, static_cast<strand_parts::nest*>(nullptr));
    return TraverseStmt(lambda->getBody());
  }

  bool walk_cilk_for(clang::ForStmt* loop) {
    TraverseStmt(loop->getInit());
    TraverseStmt(loop->getCond());
    TraverseStmt(loop->getInc());
    return walk_inside(loop->getBody(), nullptr, {loop->getBody(), sites_.lookup(loop)}, nullptr);
  }

  // Walks `node` as the strand part `part`. If `node` is `known`, its own kind has been handled.
  bool walk_inside(clang::Stmt* node, strand_parts::nest* outer, strand_part part,
                   const clang::Stmt* known) {
    loops_.push_back({outer, part});
    const llvm::SaveAndRestore inside(innermost_, &loops_.back());
    return node == known ? tree_walker::TraverseStmt(node) : TraverseStmt(node);
  }

  parsed_file& source_;
  std::deque<strand_parts::nest>& loops_;
  llvm::DenseMap<const clang::Expr*, const strand_parts::nest*>& nests_;
  llvm::DenseMap<const clang::ForStmt*, const loop_site*> sites_;
  llvm::DenseSet<const clang::Stmt*> joins_;
  strand_parts::nest* innermost_ = nullptr;
  strand_parts::nest* at_switch_ = nullptr;  // what the innermost switch stands in
  const clang::Stmt* attributed_ = nullptr;
};

}  // namespace

strand_parts::strand_parts(parsed_file& source, const place_list& places) : source_(source) {
  loop_nest_finder finder(source, places, loops_, nests_);
  for (clang::Decl* declaration : source.context.getTranslationUnitDecl()->decls()) {
    if (source.in_main_file(declaration->getLocation())) finder.TraverseDecl(declaration);
  }
}

bool strand_parts::is_inside(const clang::VarDecl* variable, const nest& loop) const {
  if (!source_.in_main_file(variable->getLocation())) return false;
  const unsigned at = source_.offset(variable->getLocation());
  return source_.offset(loop.part.loop->getBeginLoc()) <= at &&
         at <= source_.offset(loop.part.loop->getEndLoc());
}

const strand_part* strand_parts::around(const clang::Expr* use,
                                        const clang::VarDecl* variable) const {
  const strand_part* found = nullptr;
  for (const nest* at = nests_.lookup(use); at != nullptr && at->one_strand; at = at->outer) {
    if (variable != nullptr && is_inside(variable, *at)) break;
    found = &at->part;
  }
  return found;
}

}  // namespace cilk2chan::host_code
