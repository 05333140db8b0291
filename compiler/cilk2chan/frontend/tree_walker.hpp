#pragma once

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/TypeLoc.h>

namespace cilk2chan {

/// Walks through a part of Clang's tree, by the rules of clang::RecursiveASTVisitor, whose
/// functions have these names: a finder derives from this class and overrides what it needs.
/// `Visit` is called for a node and each of its base classes, before its children; `Traverse` walks
/// through a node and its children. Where one returns false, the walk is over.
///
/// One class walks for all finders, because each instance of Clang's template takes seconds to
/// compile.
class tree_walker {
 public:
  virtual ~tree_walker() = default;

#define VISIT_NODE(NODE) \
  virtual bool Visit##NODE(clang::NODE*) { return true; }
#define VISIT_TYPE_LOC(NODE) \
  virtual bool Visit##NODE(clang::NODE) { return true; }
#define TRAVERSE_NODE(NODE) virtual bool Traverse##NODE(clang::NODE* node);
#define TRAVERSE_TYPE_LOC(NODE) virtual bool Traverse##NODE(clang::NODE node);
#include "frontend/walked_nodes.def"

  /// Walks through code that no finder changes.
  bool look_through(const clang::Stmt* code) {
    return TraverseStmt(const_cast<clang::Stmt*>(code));
  }
  bool look_through(const clang::Decl* declaration) {
    return TraverseDecl(const_cast<clang::Decl*>(declaration));
  }

  bool TraverseType(clang::QualType type);
  /// One of the two forms of an initializer list, as it is.
  bool TraverseSynOrSemInitListExpr(clang::InitListExpr* list);

  /// Whether the walk goes through the instances of a template.
  [[nodiscard]] virtual bool shouldVisitTemplateInstantiations() const { return false; }
  /// Whether the walk goes through code that the user has not written, such as a range-for's parts.
  [[nodiscard]] virtual bool shouldVisitImplicitCode() const { return false; }
};

}  // namespace cilk2chan
