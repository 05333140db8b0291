#include "openmp/directives.hpp"

#include <llvm/ADT/FoldingSet.h>

namespace cilk2chan::openmp {
namespace {

// An update of a variable: `x = x op value`, or `x = value op x`.
struct update {
  clang::BinaryOperatorKind operation = clang::BO_Comma;
  const clang::Expr* place = nullptr;
  const clang::Expr* value = nullptr;  // none: 1
  bool behind = true;                  // the value, behind the operator
  bool returns_old = false;            // as an expression: x++
};

class atomic_translator {
 public:
  atomic_translator(file_changes& out, const clang::OMPAtomicDirective* one)
      : out_(out), one_(one) {}

  void run() {
    const clang::Stmt* code = statement_of(one_);
    std::string text;
    if (one_->getSingleClause<clang::OMPCompareClause>() != nullptr) {
      return refuse();
    } else if (one_->getSingleClause<clang::OMPReadClause>() != nullptr) {
      text = read(code);
    } else if (one_->getSingleClause<clang::OMPWriteClause>() != nullptr) {
      text = write(code);
    } else if (one_->getSingleClause<clang::OMPCaptureClause>() != nullptr) {
      text = capture(code);
    } else {
      const auto found = update_in(code);
      text = found ? change(*found, "", "") : "";
    }
    if (text.empty()) return refuse();
    const unsigned begin = out_.source.offset(code->getBeginLoc());
    const unsigned end = out_.end_of(code);
    out_.replace_directive(one_, "");
    const auto lines = out_.source.text().slice(begin, end).count('\n');
    out_.replace({begin, end}, text + std::string(static_cast<std::size_t>(lines), '\n'));
  }

 private:
  void refuse() { out_.refuse(one_, refusals::openmp_atomic); }

  static const clang::BinaryOperator* assignment(const clang::Stmt* code) {
    const auto* value = llvm::dyn_cast_or_null<clang::Expr>(code);
    if (value == nullptr) return nullptr;
    const auto* found = llvm::dyn_cast<clang::BinaryOperator>(value->IgnoreParenImpCasts());
    return found != nullptr && found->getOpcode() == clang::BO_Assign ? found : nullptr;
  }

  bool same(const clang::Expr* left, const clang::Expr* right) const {
    llvm::FoldingSetNodeID first;
    llvm::FoldingSetNodeID second;
    left->IgnoreParenImpCasts()->Profile(first, out_.source.context, true);
    right->IgnoreParenImpCasts()->Profile(second, out_.source.context, true);
    return first == second;
  }

  std::optional<update> update_in(const clang::Stmt* code) const {
    const auto* value = llvm::dyn_cast_or_null<clang::Expr>(code);
    if (value == nullptr) return std::nullopt;
    value = value->IgnoreParenImpCasts();
    if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(value)) {
      if (!step->isIncrementDecrementOp()) return std::nullopt;
      return update{step->isIncrementOp() ? clang::BO_Add : clang::BO_Sub, step->getSubExpr(),
                    nullptr, true, step->isPostfix()};
    }
    if (const auto* both = llvm::dyn_cast<clang::CompoundAssignOperator>(value)) {
      const auto operation = clang::BinaryOperator::getOpForCompoundAssignment(both->getOpcode());
      return update{operation, both->getLHS(), both->getRHS(), true, false};
    }
    const clang::BinaryOperator* set = assignment(value);
    if (set == nullptr) return std::nullopt;
    const auto* sum = llvm::dyn_cast<clang::BinaryOperator>(set->getRHS()->IgnoreParenImpCasts());
    if (sum == nullptr) return std::nullopt;
    if (same(sum->getLHS(), set->getLHS()))
      return update{sum->getOpcode(), set->getLHS(), sum->getRHS(), true, false};
    if (same(sum->getRHS(), set->getLHS()))
      return update{sum->getOpcode(), set->getLHS(), sum->getLHS(), false, false};
    return std::nullopt;
  }

  std::string type_of(const clang::Expr* place) const { return out_.like(place, ""); }

  // A loop that tries until nothing has come between. `before`, `behind`: what gets the value that
  // was there, and the new one.
  std::string change(const update& what, const std::string& before, const std::string& behind) {
    const std::string place = out_.text_of(what.place);
    const std::string type = type_of(what.place);
    const std::string value = what.value == nullptr ? "1" : "(" + out_.text_of(what.value) + ")";
    const std::string sign = clang::BinaryOperator::getOpcodeStr(what.operation).str();
    const bool adds = what.operation == clang::BO_Add || what.operation == clang::BO_Sub;
    const clang::QualType kind = what.place->getType();
    const bool number = !out_.in_template && kind->isIntegerType() && !kind->isBooleanType() &&
                        (what.value == nullptr || what.value->getType()->isIntegerType());
    // One operation of the machine.
    if (adds && number && what.behind && before.empty() && behind.empty())
      return "(void)__atomic_fetch_" +
             std::string(what.operation == clang::BO_Add ? "add" : "sub") + "(&(" + place + "), " +
             value + ", __ATOMIC_SEQ_CST);";
    const std::string own = what.value == nullptr ? "int" : type_of(what.value);
    std::string text = "{ " + type + "* cilk_omp_at = &(" + place + "); " + own +
                       " cilk_omp_value = " + value + "; " + type +
                       " cilk_omp_old, cilk_omp_new; "
                       "__atomic_load(cilk_omp_at, &cilk_omp_old, __ATOMIC_SEQ_CST); do { "
                       "cilk_omp_new = ";
    text += what.behind ? "cilk_omp_old " + sign + " cilk_omp_value"
                        : "cilk_omp_value " + sign + " cilk_omp_old";
    text +=
        "; } while (!__atomic_compare_exchange(cilk_omp_at, &cilk_omp_old, &cilk_omp_new, 0, "
        "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); ";
    if (!before.empty()) text += before + " = cilk_omp_old; ";
    if (!behind.empty()) text += behind + " = cilk_omp_new; ";
    return text + "}";
  }

  std::string read(const clang::Stmt* code) {
    const clang::BinaryOperator* set = assignment(code);
    if (set == nullptr) return {};
    return "{ " + type_of(set->getRHS()->IgnoreParenImpCasts()) +
           " cilk_omp_new; __atomic_load(&(" + out_.text_of(set->getRHS()) +
           "), &cilk_omp_new, __ATOMIC_SEQ_CST); " + out_.text_of(set->getLHS()) +
           " = cilk_omp_new; }";
  }

  std::string write(const clang::Stmt* code) {
    const clang::BinaryOperator* set = assignment(code);
    if (set == nullptr) return {};
    return "{ " + type_of(set->getLHS()) + " cilk_omp_new = " + out_.text_of(set->getRHS()) +
           "; __atomic_store(&(" + out_.text_of(set->getLHS()) +
           "), &cilk_omp_new, __ATOMIC_SEQ_CST); }";
  }

  // `v = x++`, `v = x += value`, or a block of an update and a read.
  std::string capture(const clang::Stmt* code) {
    if (const clang::BinaryOperator* set = assignment(code)) {
      const auto found = update_in(set->getRHS());
      if (!found) return {};
      const std::string to = out_.text_of(set->getLHS());
      return found->returns_old ? change(*found, to, "") : change(*found, "", to);
    }
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code);
    if (block == nullptr || block->size() != 2) return {};
    const clang::Stmt* first = block->body_front();
    const clang::Stmt* second = block->body_back();
    const bool reads_first = !update_in(first);
    const auto found = update_in(reads_first ? second : first);
    const clang::BinaryOperator* set = assignment(reads_first ? first : second);
    if (!found || set == nullptr || !same(set->getRHS(), found->place)) return {};
    const std::string to = out_.text_of(set->getLHS());
    return reads_first ? change(*found, to, "") : change(*found, "", to);
  }

  file_changes& out_;
  const clang::OMPAtomicDirective* one_;
};

}  // namespace

void translate_atomic(file_changes& out, const clang::OMPAtomicDirective* one) {
  atomic_translator(out, one).run();
}

}  // namespace cilk2chan::openmp
