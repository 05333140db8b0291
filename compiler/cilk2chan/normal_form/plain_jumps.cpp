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

// Whether code has a `break`, or a `continue`, of a loop or a `switch` around it.
bool leaves(const clang::Stmt* code, bool continues) {
  if (code == nullptr || llvm::isa<clang::LambdaExpr>(code)) return false;
  if (continues ? llvm::isa<clang::ContinueStmt>(code) : llvm::isa<clang::BreakStmt>(code))
    return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(code))
    return false;
  if (!continues && llvm::isa<clang::SwitchStmt>(code)) return false;
  return std::ranges::any_of(code->children(),
                             [&](const clang::Stmt* each) { return leaves(each, continues); });
}

using statements = llvm::ArrayRef<const clang::Stmt*>;

bool leaves(statements all, bool continues) {
  return std::ranges::any_of(all, [&](const clang::Stmt* each) { return leaves(each, continues); });
}

llvm::SmallSetVector<const clang::LabelDecl*, 4> jumps_in(statements all) {
  jump_collector jumps;
  for (const clang::Stmt* each : all) jumps.look_through(each);
  return jumps.found;
}

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
  if (uses_skipped(block)) return fail(reasons::jump_over_declaration);
  labels skipped;
  const statements all(block->body_begin(), block->body_end());
  std::vector<statements> loops;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const clang::Stmt* each = all[i];
    while (const auto* label = llvm::dyn_cast<clang::LabelStmt>(each)) {
      if (!targets_.contains(label->getDecl())) return fail(reasons::jump_inside);
      // What was skipped ends here; branches for other labels end later only if they began earlier.
      while (std::ranges::find(skipped, label->getDecl()) != skipped.end()) {
        if (skipped.back() != label->getDecl()) return fail(reasons::jump_inside);
        skipped.pop_back();
        close();
      }
      if (jumps_in(all.drop_front(i)).contains(label->getDecl())) {
        if (!skipped.empty()) return fail(reasons::jump_inside);
        loops.push_back(all.drop_front(i));
        open_loop(label->getDecl(), loops.back());
      } else {
        targets_[label->getDecl()].passed = true;
      }
      each = label->getSubStmt();
    }
    statement(each);
    skip_after(each, skipped);
  }
  for (; !skipped.empty(); skipped.pop_back()) close();
  for (; !loops.empty(); loops.pop_back()) close_loop(loops.back());
}

void plain_jumps::open_loop(const clang::LabelDecl* label, statements rest) {
  jump_loop made;
  made.label = label;
  made.choices = choices_;
  for (const bool continues : {false, true}) {
    if (!leaves(rest, continues)) continue;
    std::string& flag = continues ? made.continued : made.broken;
    flag = fresh();
    line("int " + flag + " = 0;");
  }
  made.breaks_to = std::exchange(breaks_to_, blocks_.size());
  jump_loops_.push_back(made);
  line("do");
  open();
  // Children of one turn run beside the next.
  if (std::ranges::any_of(rest, [&](const clang::Stmt* each) { return spawns(each); }))
    expressions_.is_quiet = false;
  ++loops_;
  // Labels of its block that follow are in the loop, too.
  for (const clang::Stmt* each : rest) {
    while (const auto* one = llvm::dyn_cast<clang::LabelStmt>(each)) {
      targets_[one->getDecl()].loops = loops_;
      each = one->getSubStmt();
    }
  }
  line(targets_[label].flag + " = 0;");
}

void plain_jumps::close_loop(statements rest) {
  const jump_loop ended = jump_loops_.back();
  jump_loops_.pop_back();
  close();
  --loops_;
  breaks_to_ = ended.breaks_to;
  line("while (" + targets_[ended.label].flag + ");");
  targets_[ended.label].passed = true;
  for (const bool continues : {false, true}) {
    const std::string& flag = continues ? ended.continued : ended.broken;
    if (flag.empty()) continue;
    line("if (" + flag + ") {");
    leave_loop(continues);
    line("}");
  }
  for (const clang::LabelDecl* one : jumps_in(rest)) {
    const auto known = targets_.find(one);
    if (known == targets_.end() || known->second.passed) continue;
    if (loops_ > known->second.loops) break_if(known->second.flag);
  }
}

void plain_jumps::leave_loop(bool continues) {
  if (jump_loops_.empty() || (!continues && choices_ > jump_loops_.back().choices)) {
    leave(continues ? continues_to_ : breaks_to_);
    return line(continues ? "continue;" : "break;");
  }
  const jump_loop& around = jump_loops_.back();
  if (choices_ != around.choices) return fail(reasons::jump_inside);
  line((continues ? around.continued : around.broken) + " = 1;");
  leave(breaks_to_);
  line("break;");
}

void plain_jumps::break_if(const std::string& flag) {
  line("if (" + flag + ") {");
  leave(breaks_to_);
  line("break;");
  line("}");
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
      break_if(to.flag);
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
  const bool open = known != targets_.end() && !known->second.passed;
  if (!open || choices_ != known->second.choices) return fail(reasons::jump_inside);
  line(known->second.flag + " = 1;");
}

}  // namespace cilk2chan
