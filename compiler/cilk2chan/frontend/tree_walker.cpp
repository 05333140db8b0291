#include "frontend/tree_walker.hpp"

#include <clang/AST/RecursiveASTVisitor.h>

namespace cilk2chan {
namespace {

// Clang's walk, each of whose steps asks the finder.
class walk : public clang::RecursiveASTVisitor<walk> {
 public:
  using as_clang_does = clang::RecursiveASTVisitor<walk>;

  explicit walk(tree_walker& finder) : finder_(finder) {}

#define VISIT_NODE(NODE) \
  bool Visit##NODE(clang::NODE* node) { return finder_.Visit##NODE(node); }
#define VISIT_TYPE_LOC(NODE) \
  bool Visit##NODE(clang::NODE node) { return finder_.Visit##NODE(node); }
#define TRAVERSE_NODE(NODE) \
  bool Traverse##NODE(clang::NODE* node) { return finder_.Traverse##NODE(node); }
#define TRAVERSE_TYPE_LOC(NODE) \
  bool Traverse##NODE(clang::NODE node) { return finder_.Traverse##NODE(node); }
#include "frontend/walked_nodes.def"

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const {
    return finder_.shouldVisitTemplateInstantiations();
  }
  [[nodiscard]] bool shouldVisitImplicitCode() const { return finder_.shouldVisitImplicitCode(); }

 private:
  tree_walker& finder_;
};

}  // namespace

#define TRAVERSE_NODE(NODE)                                 \
  bool tree_walker::Traverse##NODE(clang::NODE* node) {     \
    return walk(*this).as_clang_does::Traverse##NODE(node); \
  }
#define TRAVERSE_TYPE_LOC(NODE)                             \
  bool tree_walker::Traverse##NODE(clang::NODE node) {      \
    return walk(*this).as_clang_does::Traverse##NODE(node); \
  }
#include "frontend/walked_nodes.def"

bool tree_walker::TraverseType(clang::QualType type) { return walk(*this).TraverseType(type); }

bool tree_walker::TraverseSynOrSemInitListExpr(clang::InitListExpr* list) {
  return walk(*this).TraverseSynOrSemInitListExpr(list);
}

}  // namespace cilk2chan
