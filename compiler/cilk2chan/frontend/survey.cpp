#include "frontend/survey.hpp"

#include "frontend/keywords.hpp"
#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"

#include <llvm/ADT/DenseSet.h>

namespace cilk2chan {
namespace {

class surveyor : public tree_walker {
 public:
  explicit surveyor(clang::ASTContext& context) : sources_(context.getSourceManager()) {}

  survey result;

  bool TraverseDecl(clang::Decl* declaration) override {
    const auto* function =
        declaration == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function == nullptr || !function->isThisDeclarationADefinition() || depth_of_lambdas_ > 0) {
      return tree_walker::TraverseDecl(declaration);
    }
    const clang::FunctionDecl* outer = current_;
    current_ = function->getCanonicalDecl();
    result.order.push_back(current_);
    result.facts[current_].definition = function;
    for (const auto* one : function->specific_attrs<clang::AnnotateAttr>())
      result.facts[current_].is_entered |= one->getAnnotation() == entered_mark;
    const bool go_on = tree_walker::TraverseDecl(declaration);
    current_ = outer;
    return go_on;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    ++depth_of_lambdas_;
    const bool go_on = tree_walker::TraverseLambdaExpr(lambda);
    --depth_of_lambdas_;
    return go_on;
  }

  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (!is_spawn(node, sources_)) return true;
    if (current_ == nullptr) {
      result.spawns_outside.push_back(node);
    } else {
      result.facts[current_].spawns.push_back(node);
      if (depth_of_lambdas_ > 0) result.facts[current_].spawns_in_lambda = true;
    }
    return true;
  }

  bool VisitForStmt(clang::ForStmt* loop) override {
    if (current_ == nullptr || !is_parallel_for(loop->getForLoc(), sources_)) return true;
    result.facts[current_].loops.push_back(loop);
    if (depth_of_lambdas_ > 0) result.facts[current_].spawns_in_lambda = true;
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (current_ == nullptr || call->getDirectCallee() == nullptr) return true;
    result.facts[current_].calls.push_back(call);
    called_.insert(call->getCallee()->IgnoreParenImpCasts());
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (current_ != nullptr && llvm::isa<clang::FunctionDecl>(name->getDecl()) &&
        !called_.contains(name)) {
      result.facts[current_].addresses.push_back(name);
    }
    return true;
  }

 private:
  const clang::SourceManager& sources_;
  const clang::FunctionDecl* current_ = nullptr;
  int depth_of_lambdas_ = 0;
  llvm::DenseSet<const clang::Expr*> called_;
};

}  // namespace

survey take_survey(clang::ASTContext& context) {
  surveyor visitor(context);
  const clang::SourceManager& sources = context.getSourceManager();
  for (clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
    // Headers of the system spawn nothing, and are long.
    if (sources.isInSystemHeader(declaration->getLocation())) continue;
    visitor.TraverseDecl(declaration);
  }
  return std::move(visitor.result);
}

}  // namespace cilk2chan
