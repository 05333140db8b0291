#include "normal_form/plain_function.hpp"

#include "frontend/children.hpp"
#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/writer.hpp"
#include "normal_form/plain_expressions.hpp"
#include "normal_form/plain_types.hpp"

#include <clang/AST/StmtCXX.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace cilk2chan {
namespace {

// Looks for spawns, syncs, parallel loops and calls of functions with a plain form.
class cilk_finder : public tree_walker {
 public:
  cilk_finder(const parsed_file& source, const plain_expressions& expressions)
      : source_(source), expressions_(expressions) {}

  bool any = false;    // of these
  bool calls = false;  // a call of a function with a plain form, that has no name yet

  bool TraverseStmt(clang::Stmt* code) override {
    const auto* value = llvm::dyn_cast_or_null<clang::Expr>(code);
    if (value != nullptr && expressions_.is_replaced(value)) return true;
    return tree_walker::TraverseStmt(code);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    any = any || is_spawn(node, source_.sources);
    return true;
  }
  bool VisitParenExpr(clang::ParenExpr* node) override {
    any = any || is_sync(node, source_.sources);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* node) override {
    any = any || is_parallel_for(node->getForLoc(), source_.sources);
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* node) override {
    if (expressions_.plain_callee(node) != nullptr) any = calls = true;
    return true;
  }

 private:
  const parsed_file& source_;
  const plain_expressions& expressions_;
};

// Whether a loop's body has a `continue` of that loop.
bool continues(const clang::Stmt* code) {
  if (code == nullptr) return false;
  if (llvm::isa<clang::ContinueStmt>(code)) return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(code))
    return false;
  return std::ranges::any_of(code->children(), continues);
}

// Whether C++ evaluates the first operand before the second: `a << b`, `a[b]`.
bool is_in_order(const clang::Expr* value) {
  if (llvm::isa<clang::ArraySubscriptExpr>(value)) return true;
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) return binary->isShiftOp();
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value);
  return call != nullptr && (call->getOperator() == clang::OO_LessLess ||
                             call->getOperator() == clang::OO_GreaterGreater ||
                             call->getOperator() == clang::OO_Subscript);
}

constexpr llvm::StringLiteral spawn_word = "cilk_spawn ";

// What a `cilk_spawn` returns is added to `place` behind the next sync.
struct pending_sum {
  std::string place;
  std::string operation;
  std::string value;
};

// A block: what has to be done before it ends.
struct open_block {
  std::vector<pending_sum> sums;
  std::vector<std::string> objects;  // with destructors, in the order of their constructors
  bool lends = false;                // children may use temporary objects of it
};

class function_printer {
 public:
  function_printer(const parsed_file& source, const clang::FunctionDecl* definition,
                   const plain_names& names)
      : source_(source),
        definition_(definition),
        expressions_(source, names),
        name_(names.find(definition->getCanonicalDecl())->second),
        scopes_(scope_statements(source.keywords, source.context)) {}

  std::string run() {
    std::string head = plain_head(source_, definition_, name_);
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(definition_->getBody());
    if (head.empty() || body == nullptr) return {};
    for (const clang::ParmVarDecl* parameter : definition_->parameters()) {
      if (parameter->getType()->isReferenceType()) expressions_.is_pointer(parameter);
      if (is_boxed(source_.context, parameter->getType())) expressions_.is_box(parameter);
    }
    at(definition_->getLocation());
    line(linkage() + head);
    block(body);
    if (expressions_.failed) return {};
    return before_ + text_;
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  // What follows is at this place of the user's.
  void at(clang::SourceLocation where) {
    const clang::PresumedLoc place =
        source_.sources.getPresumedLoc(source_.sources.getExpansionLoc(where));
    if (place.isInvalid() || place.getLine() == line_) return;
    line_ = place.getLine();
    text_ += line_directive(place.getFilename(), line_);
  }
  std::string linkage() const { return source_.is_c() ? "" : "extern \"C\" "; }
  void fail() { expressions_.failed = true; }
  std::string fresh() { return "cilk_value_" + std::to_string(++values_); }

  cilk_finder find_in(const clang::Stmt* code) const {
    cilk_finder finder(source_, expressions_);
    finder.look_through(code);
    return finder;
  }
  bool calls(const clang::Stmt* code) const { return code != nullptr && find_in(code).calls; }

  std::string declared(clang::QualType type, const std::string& name) {
    const auto text = plain_type(source_.context, type, name);
    if (!text) fail();
    return text.value_or("");
  }

  // ---- The ends of blocks.

  void open() {
    line("{");
    blocks_.emplace_back();
  }
  void close() {
    leave(blocks_.size() - 1);
    blocks_.pop_back();
    line("}");
  }

  // Writes what is to be done before the blocks from `from` on are left: children are waited for
  // that use temporary objects, sums that wait are added, and objects destroyed.
  void leave(std::size_t from) {
    if (!waits(from)) return;
    line("cilk_sync;");
    for (std::size_t level = from; level < blocks_.size(); ++level) add_up(blocks_[level]);
    for (std::size_t level = blocks_.size(); level-- > from;) {
      for (auto one = blocks_[level].objects.rbegin(); one != blocks_[level].objects.rend(); ++one)
        line(*one + ".end();");
    }
  }
  bool waits(std::size_t from) const {
    return std::ranges::any_of(blocks_.begin() + static_cast<std::ptrdiff_t>(from), blocks_.end(),
                               [](const open_block& one) {
                                 return !one.sums.empty() || !one.objects.empty() || one.lends;
                               });
  }
  void add_up(const open_block& of) {
    for (const pending_sum& one : of.sums)
      line(one.place + " " + one.operation + " " + one.value + ";");
  }

  void sync() {
    line("cilk_sync;");
    for (std::size_t level = 0; level + 1 < blocks_.size(); ++level) {
      // They would be added once more where the block around ends.
      if (!blocks_[level].sums.empty()) fail();
    }
    add_up(blocks_.back());
    blocks_.back().sums.clear();
  }

  // ---- Statements.

  // A statement in a block of its own.
  void block(const clang::Stmt* body) {
    open();
    if (const auto* all = llvm::dyn_cast_or_null<clang::CompoundStmt>(body)) {
      for (const clang::Stmt* each : all->body()) statement(each);
    } else if (body != nullptr) {
      statement(body);
    }
    close();
  }

  void statement(const clang::Stmt* code) {
    at(code->getBeginLoc());
    const clang::SourceLocation begin = source_.sources.getExpansionLoc(code->getBeginLoc());
    if (scopes_.contains(begin) && opened_.insert(begin).second) {
      line("cilk_scope");
      return block(code);
    }
    if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) return expression(value);
    switch (code->getStmtClass()) {
      case clang::Stmt::NullStmtClass: return line(";");
      case clang::Stmt::CompoundStmtClass: return block(code);
      case clang::Stmt::DeclStmtClass: return declarations(llvm::cast<clang::DeclStmt>(code));
      case clang::Stmt::ReturnStmtClass: return back(llvm::cast<clang::ReturnStmt>(code));
      case clang::Stmt::IfStmtClass: return branch(llvm::cast<clang::IfStmt>(code));
      case clang::Stmt::ForStmtClass: return loop(llvm::cast<clang::ForStmt>(code));
      case clang::Stmt::WhileStmtClass: return loop(llvm::cast<clang::WhileStmt>(code));
      case clang::Stmt::DoStmtClass: return loop(llvm::cast<clang::DoStmt>(code));
      case clang::Stmt::CXXForRangeStmtClass: return loop(llvm::cast<clang::CXXForRangeStmt>(code));
      case clang::Stmt::SwitchStmtClass: return choice(llvm::cast<clang::SwitchStmt>(code));
      case clang::Stmt::BreakStmtClass: leave(breaks_to_); return line("break;");
      case clang::Stmt::ContinueStmtClass: leave(continues_to_); return line("continue;");
      case clang::Stmt::CaseStmtClass: {
        const auto* one = llvm::cast<clang::CaseStmt>(code);
        line("case " + expressions_.text(one->getLHS()) +
             (one->getRHS() == nullptr ? "" : " ... " + expressions_.text(one->getRHS())) + ":");
        return statement(one->getSubStmt());
      }
      case clang::Stmt::DefaultStmtClass:
        line("default:");
        return statement(llvm::cast<clang::DefaultStmt>(code)->getSubStmt());
      case clang::Stmt::AttributedStmtClass:
        return statement(llvm::cast<clang::AttributedStmt>(code)->getSubStmt());
      default: fail();
    }
  }

  void declarations(const clang::DeclStmt* code) {
    for (const clang::Decl* each : code->decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) {
        declare(variable);
        if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(variable)) bind(parts);
      } else if (!llvm::isa<clang::TypedefNameDecl, clang::StaticAssertDecl, clang::UsingDecl,
                            clang::UsingDirectiveDecl, clang::UsingShadowDecl>(each)) {
        fail();  // a type of the function's own
      }
    }
  }

  // Elements of a tuple or a pair, by pointers.
  void bind(const clang::DecompositionDecl* parts) {
    const std::string whole = expressions_.variable(parts);
    unsigned index = 0;
    for (const clang::BindingDecl* each : parts->bindings()) {
      const std::string element = "::std::get<" + std::to_string(index++) + ">(" + whole + ")";
      const clang::VarDecl* holder = each->getHoldingVar();
      if (holder == nullptr) continue;
      const clang::QualType type = holder->getType().getNonReferenceType();
      line(declared(source_.context.getPointerType(type), each->getNameAsString()) + " = &" +
           element + ";");
    }
  }

  void declare(const clang::VarDecl* variable) {
    const clang::QualType type = variable->getType();
    const std::string name = expressions_.name(variable);
    const clang::Expr* value = variable->getInit();
    if (variable->isStaticLocal() || variable->hasExternalStorage()) {
      const bool constant = variable->hasInit() && type.isConstQualified() &&
                            type->isArithmeticType() && !calls(value);
      if (!constant) return fail();
    }
    if (type->isReferenceType()) {
      if (value == nullptr) return fail();
      if (is_temporary(value)) {
        prepare(value);
        return line(declared(type.getNonReferenceType(), name) + " = " + expressions_.text(value) +
                    ";");
      }
      prepare(value);
      expressions_.is_pointer(variable);
      return line(declared(source_.context.getPointerType(type.getNonReferenceType()), name) +
                  " = " + expressions_.address(value) + ";");
    }
    if (const auto* array = source_.context.getAsVariableArrayType(type)) {
      if (array->getElementType()->isVariablyModifiedType()) return fail();
      prepare(array->getSizeExpr());
      const std::string length = expressions_.text(array->getSizeExpr());
      return line(declared(array->getElementType(), name) + "[" + length + "];");
    }
    if (is_boxed(source_.context, type)) return declare_box(variable);
    const std::string head = declared(type, name);
    if (value == nullptr) return line(head + ";");
    if (is_child(value)) {
      prepare_arguments(value);
      return line(head + " = " + child(value) + ";");
    }
    prepare(value);
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(bare(value));
    const bool braces = variable->getInitStyle() == clang::VarDecl::ListInit;
    if (made != nullptr && made->getNumArgs() == 0 && !braces) return line(head + ";");
    const std::string text = expressions_.text(value);
    if (variable->getInitStyle() == clang::VarDecl::CallInit) return line(head + "(" + text + ");");
    line(head + (braces && text.starts_with("{") ? text : " = " + text) + ";");
  }

  // An object that is constructed in memory of the frame, and destroyed where its block ends.
  void declare_box(const clang::VarDecl* variable) {
    const clang::QualType type = variable->getType();
    const std::string name = expressions_.name(variable);
    const std::string head = boxed(type, name);
    const clang::Expr* value = variable->getInit();
    if (value != nullptr && is_child(value)) {
      prepare_arguments(value);
      line(head + " = " + child(value) + ";");
      return expressions_.is_box(variable);
    }
    if (value != nullptr) prepare(value);
    const auto* made =
        value == nullptr ? nullptr : llvm::dyn_cast<clang::CXXConstructExpr>(bare(value));
    const bool braces = variable->getInitStyle() == clang::VarDecl::ListInit;
    const bool none = value == nullptr || (made != nullptr && made->getNumArgs() == 0 && !braces);
    const std::string text = none ? "" : expressions_.text(value);
    line(head + ";");
    line("new (cilk_place{&" + name + "}) " + declared(type.getUnqualifiedType(), "") +
         (none                              ? ""
          : braces && text.starts_with("{") ? text
                                            : "(" + text + ")") +
         ";");
    expressions_.is_box(variable);
    if (!type->getAsCXXRecordDecl()->hasTrivialDestructor()) blocks_.back().objects.push_back(name);
  }
  std::string boxed(clang::QualType type, const std::string& name) {
    const auto text = plain_variable(source_.context, type, name);
    if (!text) fail();
    return text.value_or("");
  }

  void back(const clang::ReturnStmt* code) {
    const clang::Expr* value = code->getRetValue();
    if (value == nullptr) {
      leave(0);
      return line("return;");
    }
    const bool is_void = value->getType()->isVoidType();
    if (is_void) {
      expression(value);
      leave(0);
      return line("return;");
    }
    if (!is_child(value)) prepare(value);
    if (is_child(value)) prepare_arguments(value);
    const clang::QualType type = definition_->getReturnType().getUnqualifiedType();
    const std::string text = is_child(value) ? child(value) : expressions_.converted(value, type);
    if (!waits(0)) return line("return " + text + ";");
    const std::string result = fresh();
    line(boxed(type, result) + " = " + text + ";");
    leave(0);
    line("return " + result + ";");
  }

  // ---- Control.

  void branch(const clang::IfStmt* code) {
    open();
    if (code->getInit() != nullptr) statement(code->getInit());
    if (code->isConstexpr()) {
      const auto taken = code->getNondiscardedCase(source_.context);
      if (!taken) return fail();
      if (*taken != nullptr) block(*taken);
      return close();
    }
    if (code->getConditionVariable() != nullptr) declare(code->getConditionVariable());
    prepare(code->getCond());
    line("if (" + expressions_.text(code->getCond()) + ")");
    block(code->getThen());
    if (code->getElse() != nullptr) {
      line("else");
      block(code->getElse());
    }
    close();
  }

  // The body of a loop; sums that wait are added before it ends.
  void body_of_loop(const clang::Stmt* body) {
    const std::size_t breaks = std::exchange(breaks_to_, blocks_.size());
    const std::size_t continues = std::exchange(continues_to_, blocks_.size());
    ++loops_;
    block(body);
    --loops_;
    breaks_to_ = breaks;
    continues_to_ = continues;
  }

  void loop(const clang::ForStmt* code) {
    const bool parallel = is_parallel_for(code->getForLoc(), source_.sources);
    if (calls(code->getInc())) return fail();
    open();
    std::string first;
    if (parallel) {
      const auto* head = llvm::dyn_cast_or_null<clang::DeclStmt>(code->getInit());
      if (head == nullptr || !head->isSingleDecl() || calls(code->getInit()) ||
          calls(code->getCond()))
        return fail();
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(head->getSingleDecl());
      if (variable == nullptr || variable->getInit() == nullptr) return fail();
      first = declared(variable->getType(), expressions_.name(variable)) + " = " +
              expressions_.text(variable->getInit());
    } else if (code->getInit() != nullptr) {
      statement(code->getInit());
    }
    const std::string step = code->getInc() == nullptr ? "" : expressions_.text(code->getInc());
    const bool inside = calls(code->getCond()) || code->getConditionVariable() != nullptr;
    const std::string condition =
        inside || code->getCond() == nullptr ? "" : expressions_.text(code->getCond());
    line(std::string(parallel ? "cilk_for" : "for") + " (" + first + "; " + condition + "; " +
         step + ")");
    if (inside) {
      line("{");
      leave_unless(code->getConditionVariable(), code->getCond());
    }
    body_of_loop(code->getBody());
    if (inside) line("}");
    close();
  }

  void leave_unless(const clang::VarDecl* variable, const clang::Expr* condition) {
    if (variable != nullptr) declare(variable);
    if (condition == nullptr) return;
    prepare(condition);
    line("if (!(" + expressions_.text(condition) + ")) break;");
  }

  void loop(const clang::WhileStmt* code) {
    if (!calls(code->getCond()) && code->getConditionVariable() == nullptr) {
      line("while (" + expressions_.text(code->getCond()) + ")");
      return body_of_loop(code->getBody());
    }
    line("for (;;) {");
    leave_unless(code->getConditionVariable(), code->getCond());
    body_of_loop(code->getBody());
    line("}");
  }

  void loop(const clang::DoStmt* code) {
    if (!calls(code->getCond())) {
      line("do");
      body_of_loop(code->getBody());
      return line("while (" + expressions_.text(code->getCond()) + ");");
    }
    if (continues(code->getBody())) return fail();
    line("for (;;) {");
    body_of_loop(code->getBody());
    leave_unless(nullptr, code->getCond());
    line("}");
  }

  void loop(const clang::CXXForRangeStmt* code) {
    open();
    if (code->getInit() != nullptr) statement(code->getInit());
    for (const clang::DeclStmt* each :
         {code->getRangeStmt(), code->getBeginStmt(), code->getEndStmt()})
      declarations(each);
    line("for (; " + expressions_.text(code->getCond()) + "; " + expressions_.text(code->getInc()) +
         ")");
    const std::size_t breaks = std::exchange(breaks_to_, blocks_.size());
    const std::size_t continues = std::exchange(continues_to_, blocks_.size());
    open();
    declare(code->getLoopVariable());
    ++loops_;
    block(code->getBody());
    --loops_;
    close();
    breaks_to_ = breaks;
    continues_to_ = continues;
    close();
  }

  // A `switch` around spawns becomes a row of branches.
  void choice(const clang::SwitchStmt* code) {
    open();
    if (code->getInit() != nullptr) statement(code->getInit());
    if (code->getConditionVariable() != nullptr) declare(code->getConditionVariable());
    prepare(code->getCond());
    const auto* body = llvm::dyn_cast<clang::CompoundStmt>(code->getBody());
    if (body == nullptr) return fail();
    const std::size_t breaks = std::exchange(breaks_to_, blocks_.size());
    if (!find_in(body).any) {
      line("switch (" + expressions_.text(code->getCond()) + ")");
      block(body);
    } else {
      const std::string value = fresh();
      line(declared(code->getCond()->getType().getUnqualifiedType(), value) + " = " +
           expressions_.text(code->getCond()) + ";");
      cases(std::vector<const clang::Stmt*>(body->body_begin(), body->body_end()), value);
    }
    breaks_to_ = breaks;
    close();
  }

  void cases(std::vector<const clang::Stmt*> all, const std::string& value) {
    struct section {
      std::string test;  // empty: the default
      bool usual = false;
      std::size_t begin = 0;
    };
    std::vector<section> sections;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!llvm::isa<clang::SwitchCase>(all[i])) continue;
      section made;
      made.begin = i;
      while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(all[i])) {
        if (const auto* one = llvm::dyn_cast<clang::CaseStmt>(label)) {
          const std::string low = expressions_.text(one->getLHS());
          if (!made.test.empty()) made.test += " || ";
          made.test += one->getRHS() == nullptr
                           ? value + " == (" + low + ")"
                           : "(" + value + " >= (" + low + ") && " + value + " <= (" +
                                 expressions_.text(one->getRHS()) + "))";
        } else {
          made.usual = true;
        }
        all[i] = label->getSubStmt();
      }
      sections.push_back(made);
    }
    if (sections.empty() || sections.front().begin != 0) return fail();
    std::ranges::stable_partition(sections, [](const section& one) { return !one.usual; });
    bool first = true;
    for (const section& one : sections) {
      if (one.usual) {
        line(first ? "" : "else");
      } else {
        line((first ? "if (" : "else if (") + one.test + ")");
      }
      first = false;
      open();
      // To the end of the section, and through those that it falls into.
      for (std::size_t i = one.begin; i < all.size(); ++i) {
        if (llvm::isa<clang::BreakStmt>(all[i])) break;
        if (jumps_out_of_switch(all[i])) fail();
        if (!section_statement(all[i])) break;
      }
      close();
    }
  }

  // A section's statement; returns whether control may go on behind it. The last statement of a
  // block may be the switch's `break`.
  bool section_statement(const clang::Stmt* code) {
    if (const auto* all = llvm::dyn_cast<clang::CompoundStmt>(code)) {
      const bool breaks = !all->body_empty() && llvm::isa<clang::BreakStmt>(*(all->body_end() - 1));
      if (breaks) {
        open();
        for (const clang::Stmt* each : all->body()) {
          if (!llvm::isa<clang::BreakStmt>(each)) statement(each);
        }
        close();
        return false;
      }
    }
    statement(code);
    return !llvm::isa<clang::ReturnStmt, clang::ContinueStmt>(code);
  }

  static bool jumps_out_of_switch(const clang::Stmt* code) {
    const auto breaks = [](const clang::Stmt* one, const auto& self) -> bool {
      if (one == nullptr) return false;
      if (llvm::isa<clang::BreakStmt, clang::SwitchCase, clang::LabelStmt>(one)) return true;
      if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                    clang::SwitchStmt>(one))
        return false;
      return std::ranges::any_of(one->children(),
                                 [&](const clang::Stmt* each) { return self(each, self); });
    };
    if (const auto* all = llvm::dyn_cast<clang::CompoundStmt>(code)) {
      for (const clang::Stmt* each : all->body()) {
        const bool last = each == *(all->body_end() - 1);
        if (last && llvm::isa<clang::BreakStmt>(each)) continue;
        if (breaks(each, breaks)) return true;
      }
      return false;
    }
    return breaks(code, breaks);
  }

  // ---- Expressions.

  // The call that `value` is, spawned or of a function with a plain form; null if it is none.
  const clang::CallExpr* call_in(const clang::Expr* value, bool* spawned = nullptr) const {
    value = bare(value);
    bool spawn = false;
    if (const auto* node = llvm::dyn_cast<clang::UnaryOperator>(value)) {
      if (!is_spawn(node, source_.sources)) return nullptr;
      spawn = true;
      value = bare(node->getSubExpr());
    }
    if (expressions_.is_replaced(value)) return nullptr;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
    if (call == nullptr) return nullptr;
    if (spawned != nullptr) *spawned = spawn;
    return spawn || expressions_.plain_callee(call) != nullptr ? call : nullptr;
  }
  bool is_child(const clang::Expr* value) const { return call_in(value) != nullptr; }

  void prepare_arguments(const clang::Expr* value) {
    bool spawned = false;
    const clang::CallExpr* call = call_in(value, &spawned);
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens()))
      prepare(member->getBase());
    const bool shifted = llvm::isa<clang::CXXOperatorCallExpr>(call) &&
                         llvm::isa_and_nonnull<clang::CXXMethodDecl>(callee);
    for (unsigned i = 0; i < call->getNumArgs(); ++i) {
      const clang::Expr* argument = call->getArg(i);
      prepare(argument);
      if (callee == nullptr || (shifted && i == 0)) continue;
      const unsigned at = shifted ? i - 1 : i;
      if (at >= callee->getNumParams()) continue;
      const clang::QualType type = callee->getParamDecl(at)->getType();
      if (!type->isReferenceType()) continue;
      const clang::Expr* bound = argument;
      if (const auto* usual = llvm::dyn_cast<clang::CXXDefaultArgExpr>(bound))
        bound = usual->getExpr();
      if (!is_temporary(bound)) continue;
      const clang::QualType object = type.getNonReferenceType().getUnqualifiedType();
      const std::string name = fresh();
      const bool box = is_boxed(source_.context, object);
      line(boxed(object, name) + " = " + expressions_.converted(bound, object) + ";");
      expressions_.replace(bound, box ? name + ".value()" : name);
      blocks_.back().lends = blocks_.back().lends || spawned;
    }
  }

  // The text of a child, whose arguments are prepared.
  std::string child(const clang::Expr* value) {
    bool spawned = false;
    const clang::CallExpr* call = call_in(value, &spawned);
    const std::string keyword = spawned ? spawn_word.str() : "";
    if (expressions_.plain_callee(call) != nullptr) return keyword + expressions_.call(call);
    return keyword + through_wrapper(call);
  }

  // Spawns what is no function with a plain form: an ordinary function as it is, everything else
  // through a function of ours.
  std::string through_wrapper(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    const bool references =
        callee != nullptr && std::ranges::any_of(callee->parameters(), [](const auto* one) {
          return one->getType()->isReferenceType();
        });
    const bool ordinary = callee != nullptr && method == nullptr && !references &&
                          callee->getTemplateSpecializationInfo() == nullptr &&
                          !callee->isVariadic() && !callee->isOverloadedOperator();
    if (ordinary) return expressions_.text(call);
    const clang::QualType result = call->getCallReturnType(source_.context);
    if (result->isReferenceType() || source_.is_c()) {
      fail();
      return {};
    }
    const std::string name = name_ + "_" + std::to_string(++wrappers_);
    std::string parameters;
    std::string inside;   // the arguments of the call in the function
    std::string outside;  // those of the call of the function
    const auto add = [&](const std::string& parameter, const std::string& argument) {
      parameters += (parameters.empty() ? "" : ", ") + parameter;
      outside += (outside.empty() ? "" : ", ") + argument;
    };
    std::string called;
    const bool has_object = method != nullptr && method->isInstance();
    if (has_object) {
      const clang::QualType object =
          source_.context.getPointerType(method->getFunctionObjectParameterType());
      add(declared(object, "cilk_object"), expressions_.object(call));
      called = "cilk_object->" + method->getNameAsString();
    } else if (callee != nullptr) {
      called = "::" + plain_name(callee);
    } else {
      const clang::Expr* pointer = call->getCallee();
      if (llvm::isa<clang::BinaryOperator>(pointer->IgnoreParens())) {
        fail();  // a pointer to a member
        return {};
      }
      add(declared(pointer->getType().getUnqualifiedType(), "cilk_called"),
          expressions_.text(pointer));
      called = "cilk_called";
    }
    if (callee != nullptr && callee->getTemplateSpecializationArgs() != nullptr) {
      llvm::raw_string_ostream out(called);
      clang::printTemplateArgumentList(out, callee->getTemplateSpecializationArgs()->asArray(),
                                       plain_policy(source_.context));
    }
    const unsigned first = has_object && llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0;
    for (unsigned i = first; i < call->getNumArgs(); ++i) {
      const clang::Expr* argument = call->getArg(i);
      if (const auto* usual = llvm::dyn_cast<clang::CXXDefaultArgExpr>(argument))
        argument = usual->getExpr();
      const unsigned at = i - first;
      const std::string own = "cilk_argument_" + std::to_string(at + 1);
      const bool by_reference = callee != nullptr && at < callee->getNumParams() &&
                                callee->getParamDecl(at)->getType()->isReferenceType();
      clang::QualType type = argument->getType();
      if (callee != nullptr && at < callee->getNumParams())
        type = callee->getParamDecl(at)->getType();
      const auto parameter = plain_variable(source_.context, type.getUnqualifiedType(), own);
      if (!parameter) fail();
      add(parameter.value_or(""), expressions_.converted(argument, type));
      const bool box = is_boxed(source_.context, type);
      const bool moved = by_reference && type->isRValueReferenceType();
      inside += (inside.empty() ? "" : ", ");
      inside += moved ? "static_cast<" + declared(type, "") + ">(*" + own + ")"
                      : (by_reference ? "*" : "") + own + (box ? ".value()" : "");
    }
    const bool box = is_boxed(source_.context, result);
    if (box && !can_copy_box(result)) fail();
    before_ += "static " + boxed(result, name + "(" + parameters + ")") + " {\n" +
               (result->isVoidType() ? "" : "return ") + (box ? boxed(result, "") + "(" : "") +
               called + "(" + inside + ")" + (box ? ")" : "") + ";\n}\n";
    return name + "(" + outside + ")";
  }

  // An expression that is a statement.
  void expression(const clang::Expr* whole) {
    if (is_sync(whole, source_.sources)) return sync();
    const clang::Expr* value = bare(whole);
    if (is_child(value)) {
      prepare_arguments(value);
      return line(child(value) + ";");
    }
    if (const auto* sum = llvm::dyn_cast<clang::CompoundAssignOperator>(value)) {
      bool spawned = false;
      if (call_in(sum->getRHS(), &spawned) != nullptr && spawned) return add_later(sum);
    }
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) {
      if (binary->getOpcode() == clang::BO_Assign && is_child(binary->getRHS())) {
        prepare(binary->getLHS());
        prepare_arguments(binary->getRHS());
        return assign(binary);
      }
      if (binary->getOpcode() == clang::BO_Comma && find_in(binary).any) {
        expression(binary->getLHS());
        return expression(binary->getRHS());
      }
      if (binary->isLogicalOp() && calls(binary->getRHS())) {
        const bool both = binary->getOpcode() == clang::BO_LAnd;
        prepare(binary->getLHS());
        line("if (" + std::string(both ? "" : "!") + "(" + expressions_.text(binary->getLHS()) +
             ")) {");
        expression(binary->getRHS());
        return line("}");
      }
    }
    if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
      if (calls(either->getTrueExpr()) || calls(either->getFalseExpr())) {
        prepare(either->getCond());
        line("if (" + expressions_.text(either->getCond()) + ") {");
        expression(either->getTrueExpr());
        line("} else {");
        expression(either->getFalseExpr());
        return line("}");
      }
    }
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value)) {
      const bool sets = call->getOperator() == clang::OO_Equal && is_child(call->getArg(1));
      if (sets) {
        prepare(call->getArg(0));
        prepare_arguments(call->getArg(1));
        const clang::QualType type = call->getArg(0)->getType().getUnqualifiedType();
        std::string place = expressions_.text(call->getArg(0));
        if (is_boxed(source_.context, type)) {
          if (!can_copy_box(type)) return fail();
          place = "reinterpret_cast<" + boxed(type, "") + "&>(" + place + ")";
        }
        return line(place + " = " + child(call->getArg(1)) + ";");
      }
    }
    prepare(value);
    line(expressions_.text(value) + ";");
  }

  void assign(const clang::BinaryOperator* whole) {
    const clang::QualType to = whole->getLHS()->getType().getUnqualifiedType();
    bool spawned = false;
    const clang::CallExpr* call = call_in(whole->getRHS(), &spawned);
    const clang::QualType from = call->getCallReturnType(source_.context);
    if (spawned || source_.context.hasSameUnqualifiedType(to, from))
      return line(expressions_.text(whole->getLHS()) + " = " + child(whole->getRHS()) + ";");
    const std::string name = fresh();
    line(declared(from.getUnqualifiedType(), name) + " = " + child(whole->getRHS()) + ";");
    line(expressions_.text(whole->getLHS()) + " = " + name + ";");
  }

  // `x += cilk_spawn f()`. In a loop, where the number of results is not known, a task of its own
  // adds to an integer: it does not matter in which order.
  void add_later(const clang::CompoundAssignOperator* sum) {
    const clang::Expr* place = sum->getLHS();
    const clang::CallExpr* call = call_in(sum->getRHS());
    const clang::QualType from = call->getCallReturnType(source_.context).getUnqualifiedType();
    prepare(place);
    prepare_arguments(sum->getRHS());
    if (place->HasSideEffects(source_.context)) return fail();
    const std::string text = child(sum->getRHS());
    if (loops_ > 0 && can_add_atomically(sum))
      return add_in_task(sum, text.substr(spawn_word.size()), from);
    std::string where = expressions_.text(place);
    // What the place depends on may change up to the sync.
    if (!llvm::isa<clang::DeclRefExpr>(place->IgnoreParens())) {
      if (place->refersToBitField()) return fail();
      const std::string pointer = fresh();
      line(declared(source_.context.getPointerType(place->getType()), pointer) + " = " +
           expressions_.address(place) + ";");
      where = "*" + pointer;
    }
    const std::string value = fresh();
    line(declared(from, value) + " = " + text + ";");
    blocks_.back().sums.push_back(
        {where, clang::BinaryOperator::getOpcodeStr(sum->getOpcode()).str(), value});
  }

  bool can_add_atomically(const clang::CompoundAssignOperator* sum) const {
    const clang::QualType type = sum->getLHS()->getType();
    const auto size = source_.context.getTypeSize(type);
    const clang::BinaryOperatorKind how = sum->getOpcode();
    const bool commutes = how == clang::BO_AddAssign || how == clang::BO_SubAssign ||
                          how == clang::BO_AndAssign || how == clang::BO_OrAssign ||
                          how == clang::BO_XorAssign;
    return commutes && type->isIntegerType() && !type->isBooleanType() &&
           !type.isVolatileQualified() && (size == 32 || size == 64) &&
           sum->getRHS()->getType()->isIntegerType() && !sum->getLHS()->refersToBitField();
  }

  // `call`: the text of the call, whose arguments become parameters.
  void add_in_task(const clang::CompoundAssignOperator* sum, const std::string& text,
                   clang::QualType from) {
    const clang::CallExpr* call = call_in(sum->getRHS());
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const std::size_t open = text.find('(');
    if (callee == nullptr || open == std::string::npos) return fail();
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    const bool has_object = method != nullptr && method->isInstance();
    if (has_object && llvm::isa<clang::CXXOperatorCallExpr>(call)) return fail();
    const std::string name = name_ + "_" + std::to_string(++wrappers_);
    const clang::QualType to = sum->getLHS()->getType().getUnqualifiedType();
    std::string parameters = declared(source_.context.getPointerType(to), "cilk_sum");
    std::string inside;
    const auto add = [&](const std::optional<std::string>& parameter, const std::string& own) {
      if (!parameter) fail();
      parameters += ", " + parameter.value_or("");
      inside += (inside.empty() ? "" : ", ") + own;
    };
    if (has_object)
      add(plain_type(source_.context,
                     source_.context.getPointerType(method->getFunctionObjectParameterType()),
                     "cilk_object"),
          "cilk_object");
    for (unsigned i = 0; i < callee->getNumParams(); ++i) {
      const std::string own = "cilk_argument_" + std::to_string(i + 1);
      add(plain_variable(source_.context, callee->getParamDecl(i)->getType().getUnqualifiedType(),
                         own),
          own);
    }
    const char* how = sum->getOpcode() == clang::BO_AddAssign   ? "add"
                      : sum->getOpcode() == clang::BO_SubAssign ? "sub"
                      : sum->getOpcode() == clang::BO_AndAssign ? "and"
                      : sum->getOpcode() == clang::BO_OrAssign  ? "or"
                                                                : "xor";
    before_ += "static void " + name + "(" + parameters + ") {\n" + declared(from, "cilk_part") +
               " = " + text.substr(0, open) + "(" + inside + ");\n__atomic_fetch_" + how +
               "(cilk_sum, " + "(" + declared(to, "") + ")cilk_part, __ATOMIC_RELAXED);\n}\n";
    const std::string arguments = text.substr(open + 1, text.size() - open - 2);
    line(spawn_word.str() + name + "(&(" + expressions_.text(sum->getLHS()) + ")" +
         (arguments.empty() ? "" : ", ") + arguments + ");");
  }

  // Writes calls of functions with a plain form that are a part of `value` as statements before it,
  // in the order of evaluation.
  void prepare(const clang::Expr* value) {
    if (value == nullptr || !calls(value)) return;
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(value)) {
      if (binary->isLogicalOp() && calls(binary->getRHS())) {
        const bool both = binary->getOpcode() == clang::BO_LAnd;
        const std::string name = fresh();
        prepare(binary->getLHS());
        const clang::QualType type = binary->getType();
        line(declared(type, name) + " = !!(" + expressions_.text(binary->getLHS()) + ");");
        line("if (" + std::string(both ? "" : "!") + name + ") {");
        prepare(binary->getRHS());
        line(name + " = !!(" + expressions_.text(binary->getRHS()) + ");");
        line("}");
        return expressions_.replace(value, name);
      }
      if (binary->getOpcode() == clang::BO_Comma) {
        expression(binary->getLHS());
        prepare(binary->getRHS());
        return expressions_.replace(value, "(" + expressions_.text(binary->getRHS()) + ")");
      }
    }
    if (const auto* either = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
      if (calls(either->getTrueExpr()) || calls(either->getFalseExpr())) {
        if (value->isLValue() || value->getType()->isVoidType()) return fail();
        prepare(either->getCond());
        const std::string name = fresh();
        line(declared(value->getType().getUnqualifiedType(), name) + ";");
        line("if (" + expressions_.text(either->getCond()) + ") {");
        set(name, either->getTrueExpr());
        line("} else {");
        set(name, either->getFalseExpr());
        line("}");
        return expressions_.replace(value, name);
      }
    }
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(value)) {
      if (expressions_.plain_callee(call) != nullptr) {
        prepare_arguments(value);
        const clang::QualType type = call->getCallReturnType(source_.context);
        if (type->isVoidType() || type->isReferenceType()) return fail();
        const std::string name = fresh();
        line(boxed(type.getUnqualifiedType(), name) + " = " + expressions_.call(call) + ";");
        const bool box = is_boxed(source_.context, type);
        return expressions_.replace(value, box ? name + ".value()" : name);
      }
    }
    if (llvm::isa<clang::BinaryConditionalOperator>(value)) return fail();
    if (is_in_order(value) && !keeps_order(value)) return fail();
    for (const clang::Stmt* each : value->children()) {
      if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(each)) prepare(part);
    }
  }

  // Whether the calls in the second operand may come before the first is evaluated.
  bool keeps_order(const clang::Expr* value) const {
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(value);
    std::vector<const clang::Expr*> operands;
    if (call != nullptr) {
      operands.assign(call->arg_begin(), call->arg_end());
    } else {
      for (const clang::Stmt* each : value->children())
        operands.push_back(llvm::cast<clang::Expr>(each));
    }
    return operands.size() < 2 || !calls(operands[1]) ||
           !operands[0]->HasSideEffects(source_.context);
  }

  void set(const std::string& name, const clang::Expr* value) {
    if (is_child(value)) {
      prepare_arguments(value);
      return line(name + " = " + child(value) + ";");
    }
    prepare(value);
    line(name + " = " + expressions_.text(value) + ";");
  }

  const parsed_file& source_;
  const clang::FunctionDecl* definition_;
  plain_expressions expressions_;
  std::string name_;
  std::string before_;  // functions that it needs
  std::string text_;
  llvm::DenseSet<clang::SourceLocation> scopes_;  // where the statements of `cilk_scope` begin
  llvm::DenseSet<clang::SourceLocation> opened_;  // of these, those that were written
  std::vector<open_block> blocks_;                // around
  std::size_t breaks_to_ = 0;                     // the block that a `break` ends
  std::size_t continues_to_ = 0;
  int loops_ = 0;      // around
  unsigned line_ = 0;  // of the last `#line`
  int values_ = 0;
  int wrappers_ = 0;
};

}  // namespace

std::string plain_head(const parsed_file& source, const clang::FunctionDecl* definition,
                       const std::string& name) {
  std::string parameters;
  bool named = !definition->getReturnType()->isReferenceType();
  const auto add = [&](const std::optional<std::string>& one) {
    named = named && one.has_value();
    parameters += (parameters.empty() ? "" : ", ") + one.value_or("");
  };
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
  if (method != nullptr && method->isInstance())
    add(plain_type(source.context, method->getThisType(), plain_expressions::self));
  unsigned unnamed = 0;
  // The objects that come and go are copies of bytes.
  const auto passes = [&](clang::QualType type) {
    return !is_boxed(source.context, type) || can_copy_box(type);
  };
  named = named && passes(definition->getReturnType());
  for (const clang::ParmVarDecl* parameter : definition->parameters()) {
    named = named && passes(parameter->getType());
    std::string own = parameter->getNameAsString();
    if (own.empty()) own = "cilk_unnamed_" + std::to_string(++unnamed);
    add(plain_variable(source.context, parameter->getType().getUnqualifiedType(), own));
  }
  if (parameters.empty() && source.is_c()) parameters = "void";
  const clang::QualType result = definition->getReturnType().getUnqualifiedType();
  const auto text = plain_variable(source.context, result, name + "(" + parameters + ")");
  return named && text ? *text : "";
}

std::string plain_function(const parsed_file& source, const clang::FunctionDecl* definition,
                           const plain_names& names) {
  return function_printer(source, definition, names).run();
}

}  // namespace cilk2chan
