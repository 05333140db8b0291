#include "normal_form/plain_jumps.hpp"

#include "frontend/tree_walker.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <algorithm>

namespace cilk2chan {
namespace {

class jump_collector : public tree_walker {
 public:
  llvm::SmallSetVector<const clang::LabelDecl*, 4> found;

  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
  bool VisitGotoStmt(clang::GotoStmt* jump) override {
    found.insert(jump->getLabel());
    return true;
  }
};

// Whether something behind a label uses a variable that its block declares behind a jump to it: the
// declaration would be in the branch that ends at the label.
bool uses_skipped(const clang::CompoundStmt* block) {
  struct use_finder : tree_walker {
    llvm::SmallPtrSet<const clang::Decl*, 8> declared;
    bool found = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
      found = found || declared.contains(name->getDecl());
      return true;
    }
  };
  bool found = false;
  for (const clang::Stmt* labelled : block->body()) {
    const auto* label = llvm::dyn_cast<clang::LabelStmt>(labelled);
    if (label == nullptr) continue;
    use_finder uses;
    bool jumped = false;
    bool behind = false;
    for (const clang::Stmt* each : block->body()) {
      behind = behind || each == labelled;
      if (behind) {
        uses.look_through(each);
        continue;
      }
      const auto* head = llvm::dyn_cast<clang::DeclStmt>(each);
      if (jumped && head != nullptr) uses.declared.insert(head->decl_begin(), head->decl_end());
      jump_collector jumps;
      jumps.look_through(each);
      jumped = jumped || jumps.found.contains(label->getDecl());
    }
    found = found || uses.found;
  }
  return found;
}

}  // namespace

void plain_jumps::statements_of(const clang::CompoundStmt* block) {
  for (const clang::Stmt* each : block->body()) {
    const auto* label = llvm::dyn_cast<clang::LabelStmt>(each);
    if (label == nullptr) continue;
    const std::string flag = fresh();
    line("int " + flag + " = 0;");
    targets_[label->getDecl()] = {flag, loops_, choices_, false};
  }
  if (uses_skipped(block)) return fail();
  labels skipped;
  for (const clang::Stmt* each : block->body()) {
    while (const auto* label = llvm::dyn_cast<clang::LabelStmt>(each)) {
      const auto known = targets_.find(label->getDecl());
      if (known == targets_.end()) return fail();  // two labels of one statement
      known->second.passed = true;
      // What was skipped ends here; branches for other labels end later only if they began earlier.
      while (std::ranges::find(skipped, label->getDecl()) != skipped.end()) {
        if (skipped.back() != label->getDecl()) return fail();
        skipped.pop_back();
        close();
      }
      each = label->getSubStmt();
    }
    statement(each);
    skip_after(each, skipped);
  }
  for (; !skipped.empty(); skipped.pop_back()) close();
}

void plain_jumps::skip_after(const clang::Stmt* code, labels& skipped) {
  jump_collector jumps;
  jumps.look_through(code);
  for (const clang::LabelDecl* one : jumps.found) {
    const auto known = targets_.find(one);
    // Not a label of a block around: it lies in `code`, which has seen to it.
    if (known == targets_.end() || known->second.passed) continue;
    const target& to = known->second;
    if (loops_ > to.loops) {
      line("if (" + to.flag + ") {");
      leave(breaks_to_);
      line("break;");
      line("}");
    } else {
      line("if (!" + to.flag + ")");
      open();
      skipped.push_back(one);
    }
  }
}

void plain_jumps::jump(const clang::GotoStmt* code) {
  if (!expressions_.is_quiet) jumps_while_children_run_ = true;
  const auto known = targets_.find(code->getLabel());
  const bool forward = known != targets_.end() && !known->second.passed;
  if (!forward || choices_ != known->second.choices) return fail();
  line(known->second.flag + " = 1;");
}

}  // namespace cilk2chan
