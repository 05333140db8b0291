#include "analysis/reducer_types.hpp"
#include "analysis/usage.hpp"
#include "frontend/tree_walker.hpp"
#include "normal_form/plain_reducers.hpp"

#include <clang/AST/StmtCXX.h>

#include <algorithm>

// Views for loops of one task.
namespace cilk2chan {

// What is known of where a reducer is.
struct reducer_place {
  const clang::VarDecl* variable = nullptr;  // that it is, or is a part of
  const clang::FieldDecl* member = nullptr;  // that it is, or that holds it

  explicit reducer_place(const clang::Expr* place) {
    for (;;) {
      place = place->IgnoreParenImpCasts();
      if (const auto* part = llvm::dyn_cast<clang::MemberExpr>(place)) {
        const auto* field = llvm::dyn_cast<clang::FieldDecl>(part->getMemberDecl());
        if (member == nullptr) member = field;
        if (field == nullptr) variable = llvm::dyn_cast<clang::VarDecl>(part->getMemberDecl());
        if (field == nullptr || part->isArrow()) return;
        place = part->getBase();
      } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
                 element != nullptr &&
                 element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()) {
        place = element->getBase();
      } else {
        const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place);
        const auto* named =
            name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
        const bool is_object = named != nullptr && !named->getType()->isReferenceType() &&
                               !named->getType()->isPointerType();
        if (is_object) variable = named;
        return;
      }
    }
  }

  [[nodiscard]] bool may_be(const reducer_place& other) const {
    if (variable != nullptr && other.variable != nullptr && variable != other.variable)
      return false;
    if (member != nullptr && other.member != nullptr)
      return member == other.member || member->getParent()->isUnion() ||
             other.member->getParent()->isUnion();
    // A reducer that is a variable is no member of what a pointer leads to.
    const auto is_part = [](const reducer_place& one) {
      return one.variable == nullptr && one.member != nullptr;
    };
    return !(is_whole() && is_part(other)) && !(is_part(*this) && other.is_whole());
  }

 private:
  [[nodiscard]] bool is_whole() const {
    return variable != nullptr && member == nullptr &&
           (reducer_of(variable) || facts_of_variable(variable));
  }
};

// Whether a copy of an object is one of reducers in it.
static bool has_reducers(clang::QualType type) {
  while (type->isArrayType()) type = type->getAsArrayTypeUnsafe()->getElementType();
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (record == nullptr) return false;
  if (facts_of_c_reducer(type)) return true;
  return std::ranges::any_of(record->fields(), [](const clang::FieldDecl* field) {
    return reducer_of(field) || has_reducers(field->getType());
  });
}

// What a function may call or use.
class called_code_reader : public tree_walker {
 public:
  explicit called_code_reader(const clang::ASTContext& context) : context_(context) {}

  bool reaches = false;  // a reducer, or code that is not known
  std::vector<const clang::FunctionDecl*> called;

  bool VisitExpr(clang::Expr* value) override {
    reaches = reaches || names_reducer(value) || view_in(context_, value).has_value();
    return !reaches;
  }
  bool VisitStmt(clang::Stmt* code) override {
    if (llvm::isa<clang::LambdaExpr, clang::CXXNewExpr, clang::CXXDeleteExpr, clang::CXXThrowExpr,
                  clang::CXXTryStmt, clang::AsmStmt, clang::CoroutineBodyStmt>(code))
      reaches = true;
    return !reaches;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (callee == nullptr || callee->isNoReturn() || (method != nullptr && method->isVirtual()) ||
        std::ranges::any_of(call->arguments(), leads_to_code))
      reaches = true;
    called.push_back(callee);
    return !reaches;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    if (!made->getConstructor()->isTrivial()) called.push_back(made->getConstructor());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    reaches = reaches || variable->isStaticLocal() ||
              variable->getType().isDestructedType() != clang::QualType::DK_none;
    return !reaches;
  }
  // What is not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) override { return true; }
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc) override { return true; }

 private:
  // Whoever gets the argument may call what it leads to.
  static bool leads_to_code(const clang::Expr* argument) {
    clang::QualType type = argument->getType();
    while (type->isPointerType()) type = type->getPointeeType();
    return type->isFunctionType() || type->isMemberPointerType();
  }

  const clang::ASTContext& context_;
};

namespace {

const clang::VarDecl* local_variable(const clang::Expr* value) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value->IgnoreParenImpCasts());
  if (name == nullptr || name->refersToEnclosingVariableOrCapture()) return nullptr;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
  const bool is_plain = variable != nullptr && variable->hasLocalStorage() &&
                        !llvm::isa<clang::DecompositionDecl>(variable) &&
                        !variable->getType()->isReferenceType();
  return is_plain ? variable : nullptr;
}

}  // namespace

// Reads a loop: what it does to reducers, and what stands in the way of views of its own.
class plain_reducers::loop_reader {
 public:
  loop_reader(plain_reducers& out, const clang::Stmt* loop)
      : out_(out), context_(out.source_.context), usage_(usage_of(loop)) {
    struct : tree_walker {
      llvm::DenseSet<const clang::IdentifierInfo*> names;
      bool VisitVarDecl(clang::VarDecl* variable) override {
        names.insert(variable->getIdentifier());
        return true;
      }
    } declared;
    declared.look_through(loop);
    declared_ = std::move(declared.names);
    statement(loop);
  }

  bool fine = true;
  std::vector<change> changes;
  std::vector<reducer_place> others;  // that it uses in another way

  [[nodiscard]] bool is_used_otherwise(const change& one) const {
    const reducer_place mine(one.view.place);
    return std::ranges::any_of(others,
                               [&](const reducer_place& other) { return mine.may_be(other); });
  }

  /// Whether the place of a reducer is the same in all iterations, and behind the loop.
  [[nodiscard]] bool is_fixed(const clang::Expr* place) {
    place = place->IgnoreParenImpCasts();
    if (llvm::isa<clang::CXXThisExpr>(place)) return true;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place))
      return llvm::isa<clang::VarDecl>(name->getDecl()) &&
             !name->getDecl()->getType()->isPointerType() &&
             !declared_.contains(name->getDecl()->getIdentifier());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
      return member->isArrow() ? is_fixed_value(member->getBase()) : is_fixed(member->getBase());
    if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(place))
      return step->getOpcode() == clang::UO_Deref && is_fixed_value(step->getSubExpr());
    const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(place);
    if (element == nullptr) return false;
    const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
    const clang::Expr* index = element->getIdx();
    return (base->getType()->isArrayType() ? is_fixed(base) : is_fixed_value(base)) &&
           (index->isEvaluatable(context_) || is_fixed_value(index));
  }

 private:
  // A pointer or number that nothing in the loop can change: a local variable whose address no code
  // has.
  bool is_fixed_value(const clang::Expr* value) {
    if (llvm::isa<clang::CXXThisExpr>(value->IgnoreParenImpCasts())) return true;
    const clang::VarDecl* variable = local_variable(value);
    const auto* function = variable == nullptr
                               ? nullptr
                               : llvm::dyn_cast<clang::FunctionDecl>(variable->getDeclContext());
    if (function == nullptr || declared_.contains(variable->getIdentifier()) ||
        usage_.changed.contains(variable))
      return false;
    return !usage_of(function->getBody()).escaped.contains(variable);
  }

  void statement(const clang::Stmt* code) {
    if (code == nullptr || !fine) return;
    change found;
    if (out_.find_change(code, found)) {
      place(found.view.place);
      if (found.operand != nullptr) value(found.operand);
      return changes.push_back(found);
    }
    if (const auto* one = llvm::dyn_cast<clang::Expr>(code)) return value(one);
    if (const auto* list = llvm::dyn_cast<clang::CompoundStmt>(code)) {
      for (const clang::Stmt* each : list->body()) statement(each);
    } else if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(code)) {
      head(branch->getInit());
      head(branch->getConditionVariableDeclStmt());
      head(branch->getCond());
      statement(branch->getThen());
      statement(branch->getElse());
    } else if (const auto* counting = llvm::dyn_cast<clang::ForStmt>(code)) {
      head(counting->getInit());
      head(counting->getConditionVariableDeclStmt());
      head(counting->getCond());
      head(counting->getInc());
      statement(counting->getBody());
    } else if (const auto* turning = llvm::dyn_cast<clang::WhileStmt>(code)) {
      head(turning->getConditionVariableDeclStmt());
      head(turning->getCond());
      statement(turning->getBody());
    } else if (const auto* first = llvm::dyn_cast<clang::DoStmt>(code)) {
      statement(first->getBody());
      head(first->getCond());
    } else if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(code)) {
      for (const clang::Stmt* each :
           {range->getInit(), static_cast<const clang::Stmt*>(range->getRangeStmt()),
            static_cast<const clang::Stmt*>(range->getBeginStmt()),
            static_cast<const clang::Stmt*>(range->getEndStmt()),
            static_cast<const clang::Stmt*>(range->getCond()),
            static_cast<const clang::Stmt*>(range->getInc()),
            static_cast<const clang::Stmt*>(range->getLoopVarStmt())})
        head(each);
      statement(range->getBody());
    } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(code)) {
      head(choice->getInit());
      head(choice->getConditionVariableDeclStmt());
      head(choice->getCond());
      const bool before = std::exchange(in_switch_, true);
      statement(choice->getBody());
      in_switch_ = before;
    } else if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(code)) {
      // A switch around the loop would jump into it.
      fine = fine && in_switch_;
      statement(label->getSubStmt());
    } else if (llvm::isa<clang::DeclStmt>(code)) {
      head(code);
    } else {
      // A `return` or a jump would pass by what comes behind the loop.
      fine = fine && llvm::isa<clang::NullStmt, clang::BreakStmt, clang::ContinueStmt>(code);
    }
  }

  // What names a reducer that is changed.
  void place(const clang::Expr* code) {
    code = code->IgnoreParenImpCasts();
    if (llvm::isa<clang::DeclRefExpr, clang::CXXThisExpr>(code)) return;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(code))
      return place(member->getBase());
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(code)) {
      value(element->getIdx());
      return place(element->getBase());
    }
    const auto* step = llvm::dyn_cast<clang::UnaryOperator>(code);
    if (step != nullptr && step->getOpcode() == clang::UO_Deref) return place(step->getSubExpr());
    value(code);
  }

  // Code that is no statement of its own: a change in it has a value.
  void head(const clang::Stmt* code) {
    if (code == nullptr || !fine) return;
    struct : tree_walker {
      loop_reader* of = nullptr;
      llvm::DenseSet<const clang::Expr*> parted;  // objects of which a member is named
      bool VisitExpr(clang::Expr* one) override {
        if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(one))
          parted.insert(member->getBase()->IgnoreParenImpCasts());
        if (const auto view = view_in(of->context_, one)) {
          of->others.emplace_back(view->place);
        } else if (names_reducer(one) && !parted.contains(one)) {
          of->others.emplace_back(one);
        }
        if (const clang::Expr* copied = copied_object(one)) of->others.emplace_back(copied);
        return true;
      }
      static const clang::Expr* copied_object(const clang::Expr* one) {
        const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(one);
        const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(one);
        const clang::Expr* from = nullptr;
        if (cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue)
          from = cast->getSubExpr();
        if (made != nullptr && made->getNumArgs() == 1 &&
            made->getConstructor()->isCopyOrMoveConstructor())
          from = made->getArg(0);
        return from != nullptr && has_reducers(from->getType()) ? from : nullptr;
      }
      bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override {
        return true;
      }
      bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) override { return true; }
      bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc) override { return true; }
    } reducers;
    reducers.of = this;
    reducers.look_through(code);
    class own_reader : public called_code_reader {
     public:
      using called_code_reader::called_code_reader;
      bool VisitExpr(clang::Expr*) override { return true; }  // see above
    };
    own_reader look(context_);
    look.look_through(code);
    fine = fine && !look.reaches && std::ranges::none_of(look.called, [&](const auto* callee) {
             return reaches_reducers(callee);
           });
  }
  void value(const clang::Expr* code) { head(code); }

  bool reaches_reducers(const clang::FunctionDecl* first) {
    // What stands for a view is seen as a view.
    if (!first->isDefined() || uses_view(first)) return !uses_view(first) && is_unknown(first);
    const auto known = out_.reaches_reducers_.find(first->getCanonicalDecl());
    if (known != out_.reaches_reducers_.end()) return known->second;
    std::vector<const clang::FunctionDecl*> waiting = {first};
    llvm::DenseSet<const clang::FunctionDecl*> seen;
    bool found = false;
    while (!waiting.empty() && !found) {
      const clang::FunctionDecl* one = waiting.back();
      waiting.pop_back();
      if (!seen.insert(one->getCanonicalDecl()).second) continue;
      const clang::FunctionDecl* definition = one->getDefinition();
      if (definition == nullptr || definition->getBody() == nullptr) {
        found = is_unknown(one);
        continue;
      }
      called_code_reader look(context_);
      look.look_through(definition->getBody());
      if (const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(definition)) {
        for (const clang::CXXCtorInitializer* each : made->inits()) {
          if (each->getInit() != nullptr) look.look_through(each->getInit());
        }
      }
      found = look.reaches || uses_view(one);
      waiting.insert(waiting.end(), look.called.begin(), look.called.end());
    }
    return out_.reaches_reducers_[first->getCanonicalDecl()] = found;
  }

  // Whether a function without a definition may come back to the program's code.
  bool is_unknown(const clang::FunctionDecl* function) const {
    const clang::SourceManager& sources = out_.source_.sources;
    return function->getBuiltinID() == 0 && !function->isDefaulted() &&
           !sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation()));
  }

  plain_reducers& out_;
  const clang::ASTContext& context_;
  variable_usage usage_;
  llvm::DenseSet<const clang::IdentifierInfo*> declared_;  // names
  bool in_switch_ = false;
};

namespace {

// What changes nothing when it is combined with a value of the type.
std::string neutral_value(const clang::ASTContext& context, const reducer_facts& facts,
                          const std::string& type) {
  const clang::QualType value = value_type(facts);
  const bool is_signed = value->isSignedIntegerType();
  const bool least = facts.operation == view_operation::least;
  switch (facts.operation) {
    case view_operation::multiply: return "(" + type + ")1";
    case view_operation::bit_and: return "(" + type + ")" + (value->isBooleanType() ? "1" : "~0ll");
    case view_operation::least:
    case view_operation::greatest: {
      if (!is_signed) return "(" + type + ")" + (least ? "~0ull" : "0");
      const auto bits = static_cast<unsigned>(context.getTypeSize(value));
      const std::string most = std::to_string((std::uint64_t{1} << (bits - 1)) - 1) + "ll";
      return "(" + type + ")" + (least ? most : "(-" + most + " - 1)");
    }
    default: return "(" + type + ")0";
  }
}

// Sums and products of some iterations may be too large for the type where those of all are not.
clang::QualType kept_type(const clang::ASTContext& context, const reducer_facts& facts) {
  const clang::QualType type = value_type(facts);
  const bool grows =
      facts.operation == view_operation::add || facts.operation == view_operation::multiply;
  return grows && type->isSignedIntegerType() ? context.getCorrespondingUnsignedType(type) : type;
}

const char* sign_of(view_operation how) {
  switch (how) {
    case view_operation::multiply: return "*";
    case view_operation::bit_and: return "&";
    case view_operation::bit_or: return "|";
    case view_operation::bit_xor: return "^";
    default: return "+";
  }
}

}  // namespace

std::vector<loop_view> plain_reducers::find_loop_views(const clang::Stmt* loop) {
  if (has_cilk(loop)) return {};
  loop_reader read(*this, loop);
  if (!read.fine) return {};
  struct candidate {
    loop_view view;
    bool fine = true;
  };
  std::map<std::string, candidate> candidates;
  for (const change& one : read.changes) {
    if (!read.is_fixed(one.view.place)) continue;
    const reducer_facts& facts = one.view.facts;
    const clang::QualType type = value_type(facts);
    const bool fits =
        is_atomic(one) && type->isIntegerType() && !type->isEnumeralType() &&
        (!type->isBooleanType() || facts.operation == view_operation::bit_and ||
         facts.operation == view_operation::bit_or || facts.operation == view_operation::bit_xor);
    const std::string place = expressions_.place(one.view);
    candidate& made = candidates.try_emplace(place, loop_view{place, facts, "", ""}).first->second;
    // A view of its own, or of a function that is alone with it, is a variable already.
    made.fine = made.fine && fits && !read.is_used_otherwise(one) &&
                !expressions_.local_view(one.view) && !expressions_.is_alone_with(one.view) &&
                facts.operation == made.view.facts.operation;
  }
  std::vector<loop_view> found;
  for (auto& [place, one] : candidates) {
    if (one.fine) found.push_back(std::move(one.view));
  }
  return found;
}

bool plain_reducers::is_only_changed(const clang::Stmt* loop, const named_view& view) {
  if (!llvm::isa<clang::ArraySubscriptExpr>(view.place->IgnoreParens())) return false;
  const loop_reader read(*this, loop);
  const auto is_meant = [&](const change& one) { return one.view.place == view.place; };
  const auto one = std::ranges::find_if(read.changes, is_meant);
  return read.fine && one != read.changes.end() && is_atomic(*one) &&
         !read.is_used_otherwise(*one) && !expressions_.kind_of(view.facts) &&
         !expressions_.is_alone_with(view);
}

void plain_reducers::with_loop_views(const clang::Stmt* loop, llvm::function_ref<void()> write) {
  std::vector<loop_view> views = find_loop_views(loop);
  if (views.empty()) return write();
  open();
  for (loop_view& one : views) {
    const std::string type = declared(value_type(one.facts), "");
    one.name = fresh();
    line(declared(kept_type(source_.context, one.facts), one.name) + " = " +
         neutral_value(source_.context, one.facts, type) + ";");
    if (one.facts.keeps_best) {
      one.is_set = fresh();
      line("int " + one.is_set + " = 0;");
    }
    loop_views_[one.name] = one;
    expressions_.has_view(one.place, one.name);
  }
  write();
  for (const loop_view& one : views) {
    expressions_.forget_view(one.place);
    loop_views_.erase(one.name);
    const std::string type = declared(value_type(one.facts), "");
    const std::string changed =
        one.is_set.empty() ? one.name + " != " + neutral_value(source_.context, one.facts, type)
                           : one.is_set;
    line("if (" + changed + ") {");
    line(combined(one.facts, one.place, one.name) + ";");
    line("}");
  }
  close();
}

void plain_reducers::change_loop_view(const loop_view& view, const change& how,
                                      const std::string& part) {
  if (!view.is_set.empty()) line(view.is_set + " |= 1;");
  if (!compares(view.facts.operation)) {
    const char* sign = how.minus ? "-" : sign_of(view.facts.operation);
    return line(view.name + " " + sign + "= " + part + ";");
  }
  const std::string value = fresh();
  const bool least = view.facts.operation == view_operation::least;
  line("{");
  line(declared(value_type(view.facts), value) + " = " + part + ";");
  line("if (" + value + (least ? " < " : " > ") + view.name + ") " + view.name + " = " + value +
       ";");
  line("}");
}

}  // namespace cilk2chan
