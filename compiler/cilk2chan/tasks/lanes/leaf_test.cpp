#include "tasks/lanes/leaf_test.hpp"

#include "analysis/effects.hpp"
#include "frontend/keywords.hpp"
#include "frontend/type_text.hpp"

#include <algorithm>
#include <span>

namespace cilk2chan {
namespace {

using part_list = std::span<const statement_part>;

class leaf_test {
 public:
  leaf_test(const together& how, const variable_usage& usage, writer& out)
      : how_(how),
        usage_(usage),
        source_(how.place.source),
        task_(*how.task),
        out_(out),
        calls_(how.place.source) {}

  bool run(const clang::Stmt* body) {
    const auto parts = parts_of(task_, body);
    list(parts);
    out_.line("return false;");
    return found_;
  }

 private:
  // Follows the statements as long as they can be run without an effect, and ends where it is known
  // whether there is a spawn behind.
  void list(part_list parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const statement_part& piece = parts[i];
      const part_list rest = parts.subspan(i + 1);
      if (is_a_sync(piece)) continue;
      const auto* branch = llvm::dyn_cast<clang::IfStmt>(piece.statement);
      const bool opens = branch != nullptr && piece.child == nullptr && piece.memory == nullptr &&
                         branch->getInit() == nullptr &&
                         branch->getConditionVariable() == nullptr && is_quick(branch->getCond());
      if (opens) {
        behind_.push_back(rest);
        out_.line("if (" + print(source_, branch->getCond(), how_.rules) + ") {");
        arm(branch->getThen());
        if (branch->getElse() != nullptr) {
          out_.line("} else {");
          arm(branch->getElse());
        }
        out_.line("}");
        behind_.pop_back();
        if (!falls_through(branch)) return;
        continue;
      }
      if (!waits(piece) && is_quick(piece.statement)) {
        if (llvm::isa<clang::ReturnStmt>(piece.statement)) return out_.line("return false;");
        out_.line(text(piece.statement));
        continue;
      }
      behind_.push_back(parts.subspan(i));
      const bool is_leaf = !spawns_behind() && lanes_behind();
      behind_.pop_back();
      found_ = found_ || is_leaf;
      return out_.line(is_leaf ? "return true;" : "return false;");
    }
  }
  void arm(const clang::Stmt* body) {
    out_.in();
    const auto parts = parts_of(task_, body);
    list(parts);
    out_.out();
  }

  bool is_quick(const clang::Stmt* code) {
    const code_effects found = effects_of(code, calls_, how_.place.owns);
    return !found.has_loop && can_repeat(code, usage_) && !has_lanes(how_, code);
  }
  bool is_a_sync(const statement_part& piece) const {
    return piece.ends_scope ||
           (piece.variable == nullptr && piece.child == nullptr && piece.memory == nullptr &&
            is_sync(piece.statement, source_.sources()));
  }
  std::string text(const clang::Stmt* code) const {
    return print(source_, code, how_.rules) + (llvm::isa<clang::Expr>(code) ? ";" : "");
  }

  // The task knows the statements of the source, and not those that stand for some of them.
  bool waits(const statement_part& piece) const {
    return suspends(task_, piece) ||
           (piece.variable == nullptr && suspends_in(how_, piece.statement));
  }

  // Whether a spawn may follow, or memory that waits for room.
  bool spawns_behind() const {
    for (auto list = behind_.rbegin(); list != behind_.rend(); ++list) {
      for (const statement_part& piece : *list) {
        if (is_a_sync(piece)) continue;
        if (waits(piece) && !is_plain_return(piece)) return true;
        if (!falls_through(piece.statement)) return false;
      }
    }
    return false;
  }
  // A return that would wait for children, of which there are none.
  bool is_plain_return(const statement_part& piece) const {
    return piece.child == nullptr && piece.memory == nullptr &&
           llvm::isa<clang::ReturnStmt>(piece.statement);
  }
  bool lanes_behind() const {
    for (auto list = behind_.rbegin(); list != behind_.rend(); ++list) {
      for (const statement_part& piece : *list) {
        if (has_lanes(how_, piece.statement)) return true;
        if (!falls_through(piece.statement)) return false;
      }
    }
    return false;
  }

  const together& how_;
  const variable_usage& usage_;
  const program& source_;
  const task_function& task_;
  writer& out_;
  call_effects calls_;
  std::vector<part_list> behind_;  // what follows, of each list around
  bool found_ = false;
};

}  // namespace

bool write_leaf_test(const together& how, const variable_usage& usage, const clang::Stmt* body,
                     writer& out) {
  return leaf_test(how, usage, out).run(body);
}

}  // namespace cilk2chan
