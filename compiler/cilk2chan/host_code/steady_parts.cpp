#include "host_code/steady_parts.hpp"

#include "analysis/reducer_types.hpp"  // holds_reducer

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Support/SaveAndRestore.h>

#include <utility>

namespace cilk2chan::host_code {
namespace {

class nest_finder : public clang::RecursiveASTVisitor<nest_finder> {
 public:
  nest_finder(parsed_file& source, const place_list& places, std::deque<steady_parts::nest>& loops,
              llvm::DenseMap<const clang::Expr*, const steady_parts::nest*>& nests)
      : source_(source), loops_(loops), nests_(nests) {
    for (const loop_site& site : places.loops) sites_[site.node] = &site;
    if (!source.is_c()) return;
    for (const region& one : places.regions) {
      joins_.insert(one.destroyed.begin(), one.destroyed.end());
      joins_.insert(one.destroyed_inside.begin(), one.destroyed_inside.end());
    }
  }

  // A function of its own, whatever is around it.
  bool TraverseDecl(clang::Decl* declaration) {
    if (declaration == nullptr || !llvm::isa<clang::FunctionDecl>(declaration))
      return RecursiveASTVisitor::TraverseDecl(declaration);
    const llvm::SaveAndRestore outside(innermost_, static_cast<steady_parts::nest*>(nullptr));
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool TraverseStmt(clang::Stmt* node) {
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
      return RecursiveASTVisitor::TraverseStmt(choice);
    }
    return RecursiveASTVisitor::TraverseStmt(node);
  }

 private:
  // What ends the strand, or lets a jump go around the start of a loop.
  void note(clang::Stmt* node) {
    if (llvm::isa<clang::DeclRefExpr, clang::MemberExpr>(node)) {
      nests_[llvm::cast<clang::Expr>(node)] = innermost_;
      return;
    }
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(node)) {
      attributed_ = attributed->getSubStmt();  // a pragma, perhaps, that stands right before it
      return;
    }
    const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(node);
    const bool spawns = operation != nullptr && is_spawn(operation, source_.sources);
    // Who catches an exception in a loop has let its way there join children.
    if (spawns || is_sync(node, source_.sources) ||
        llvm::isa<clang::LabelStmt, clang::CXXTryStmt>(node) || may_join(node))
      return end_strand(nullptr);
    if (llvm::isa<clang::SwitchCase>(node)) end_strand(at_switch_);
  }

  // Whether the end of a declaration's block joins children: local reducers, guards in C.
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

  void end_strand(const steady_parts::nest* outermost) {
    for (auto* at = innermost_; at != outermost && at != nullptr; at = at->outer)
      at->steady = false;
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
    const llvm::SaveAndRestore outside(innermost_, static_cast<steady_parts::nest*>(nullptr));
    return TraverseStmt(lambda->getBody());
  }

  bool walk_cilk_for(clang::ForStmt* loop) {
    TraverseStmt(loop->getInit());
    TraverseStmt(loop->getCond());
    TraverseStmt(loop->getInc());
    return walk_inside(loop->getBody(), nullptr, {loop->getBody(), sites_.lookup(loop)}, nullptr);
  }

  // Walks through `node`, a statement whose own kind is dealt with if it is `known`.
  bool walk_inside(clang::Stmt* node, steady_parts::nest* outer, steady_part part,
                   const clang::Stmt* known) {
    loops_.push_back({outer, part});
    const llvm::SaveAndRestore inside(innermost_, &loops_.back());
    return node == known ? RecursiveASTVisitor::TraverseStmt(node) : TraverseStmt(node);
  }

  parsed_file& source_;
  std::deque<steady_parts::nest>& loops_;
  llvm::DenseMap<const clang::Expr*, const steady_parts::nest*>& nests_;
  llvm::DenseMap<const clang::ForStmt*, const loop_site*> sites_;
  llvm::DenseSet<const clang::Stmt*> joins_;
  steady_parts::nest* innermost_ = nullptr;
  steady_parts::nest* at_switch_ = nullptr;  // what the innermost switch stands in
  const clang::Stmt* attributed_ = nullptr;
};

}  // namespace

steady_parts::steady_parts(parsed_file& source, const place_list& places) : source_(source) {
  nest_finder finder(source, places, loops_, nests_);
  for (clang::Decl* declaration : source.context.getTranslationUnitDecl()->decls()) {
    if (source.in_main_file(declaration->getLocation())) finder.TraverseDecl(declaration);
  }
}

bool steady_parts::is_inside(const clang::VarDecl* variable, const nest& loop) const {
  if (!source_.in_main_file(variable->getLocation())) return false;
  const unsigned at = source_.offset(variable->getLocation());
  return source_.offset(loop.part.loop->getBeginLoc()) <= at &&
         at <= source_.offset(loop.part.loop->getEndLoc());
}

const steady_part* steady_parts::around(const clang::Expr* use,
                                        const clang::VarDecl* variable) const {
  const steady_part* found = nullptr;
  for (const nest* at = nests_.lookup(use); at != nullptr && at->steady; at = at->outer) {
    if (variable != nullptr && is_inside(variable, *at)) break;
    found = &at->part;
  }
  return found;
}

}  // namespace cilk2chan::host_code
