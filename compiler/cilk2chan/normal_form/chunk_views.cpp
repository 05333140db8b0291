#include "analysis/reducer_types.hpp"
#include "frontend/tree_walker.hpp"
#include "normal_form/plain_reducers.hpp"
#include "normal_form/plain_types.hpp"

#include <algorithm>

// Views for chunks of a loop in parallel.
namespace cilk2chan {
namespace {

// The functions of CILK_C_DECLARE_REDUCER have the reducer as an argument in front.
const char* begin_of_call(const reducer_facts& facts) {
  return facts.how_declared == reducer_facts::c_object ? "(0, &" : "(&";
}

// How many views of chunks in a row are reduced where they are: one task would wait for memory as
// often as there are views.
constexpr const char* neighbours = "256";

// Finds the views that a loop's body uses, and what stands in the way of views of its own.
class view_finder : public tree_walker {
 public:
  explicit view_finder(const clang::ASTContext& context) : context_(context) {}

  std::vector<named_view> views;
  llvm::DenseSet<const clang::ValueDecl*> declared;
  llvm::DenseSet<const clang::ValueDecl*> changed;
  llvm::DenseSet<const clang::Expr*> places;  // what names reducers as a part of a view
  std::vector<const clang::Expr*> names;
  bool lambdas = false;

  bool TraverseStmt(clang::Stmt* code) override {
    if (const auto* value = llvm::dyn_cast_or_null<clang::Expr>(code)) {
      if (const auto view = view_in(context_, value)) {
        views.push_back(*view);
        note(view->place);
      } else if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value);
                 member != nullptr && view_behind(member)) {
        views.push_back(*view_behind(member));
        note(views.back().place);
      } else if (names_reducer(value)) {
        names.push_back(value);
      }
      const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
      if (call != nullptr) look_at(call);
    }
    return tree_walker::TraverseStmt(code);
  }
  // What is not evaluated.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) override { return true; }
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc) override { return true; }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.insert(variable);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (node->isIncrementDecrementOp() || node->getOpcode() == clang::UO_AddrOf)
      change(node->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    if (node->isAssignmentOp()) change(node->getLHS());
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return lambdas = true; }

 private:
  void note(const clang::Expr* place) {
    place = place->IgnoreParenImpCasts();
    places.insert(place);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place)) note(member->getBase());
    if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(place)) note(step->getSubExpr());
  }
  // Members of objects that are reducers, which change views themselves. In `r = r + n` the sum is
  // no member.
  void look_at(const clang::CallExpr* call) {
    const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    if (operation != nullptr && operation->getNumArgs() == 2) {
      const clang::Expr* left = operation->getArg(0)->IgnoreParenImpCasts();
      if (is_reducer_class(left->getType()->getAsCXXRecordDecl())) note(left);
    }
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    if (method == nullptr || !is_reducer_class(method->getParent())) return;
    const clang::Expr* object = nullptr;
    if (operation != nullptr) object = operation->getArg(0);
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
      object = reducer_behind(member->getImplicitObjectArgument());
    const auto facts = facts_of_reducer_class(method->getParent());
    if (object == nullptr || !facts) return;
    object = object->IgnoreParenImpCasts();
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(object);
    views.push_back(
        {name == nullptr ? nullptr : name->getDecl(), object, false, true, false, *facts});
    note(object);
  }
  void change(const clang::Expr* value) {
    // C takes a reducer's address where it names its view.
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(value->IgnoreParens());
    const auto* variable =
        name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (name != nullptr && !(variable != nullptr && facts_of_variable(variable)))
      changed.insert(name->getDecl());
  }

  const clang::ASTContext& context_;
};

// Whether the place of a reducer is the same in all iterations.
bool stays_the_same(const clang::Expr* place, const view_finder& loop) {
  place = place->IgnoreParenImpCasts();
  if (llvm::isa<clang::CXXThisExpr>(place)) return true;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place))
    return !loop.declared.contains(name->getDecl()) && !loop.changed.contains(name->getDecl());
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(place))
    return stays_the_same(member->getBase(), loop);
  if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(place))
    return step->getOpcode() == clang::UO_Deref && stays_the_same(step->getSubExpr(), loop);
  return false;
}

}  // namespace

std::vector<chunk_view> plain_reducers::chunk_views(const clang::ForStmt* code) {
  if (has_cilk(code->getBody())) return {};
  view_finder look(source_.context);
  look.look_through(code->getInit());
  look.look_through(code->getBody());
  std::vector<chunk_view> found;
  const bool odd = look.lambdas || std::ranges::any_of(look.names, [&](const clang::Expr* one) {
                     return !look.places.contains(one);
                   });
  if (odd) return {};
  for (const named_view& one : look.views) {
    if (!stays_the_same(one.place, look)) {
      if (is_only_changed(code, one)) continue;
      return {};
    }
    const auto kind = expressions_.kind_of(one.facts);
    chunk_view made{expressions_.place(one), one.facts, "", "", "", ""};
    const auto known = [&](const chunk_view& each) { return each.place == made.place; };
    if (std::ranges::any_of(found, known)) continue;
    made.whole = kind ? *expressions_.local_view(one) : made.place;
    const bool own = kind || expressions_.is_alone_with(one);
    const bool ordered = own && !one.facts.reduce.empty() && is_copied_by_bytes(one.facts.view) &&
                         !expressions_.has_variable(one);
    const bool any_order = !kind && reduces_in_any_order(source_.context, one.facts);
    if (!any_order && !ordered) return {};
    made.name = fresh();
    if (!any_order) made.views = fresh();
    if (any_order && !one.facts.keeps_best) made.total = fresh();
    found.push_back(made);
  }
  return found;
}

bool plain_reducers::is_boxed_view(const reducer_facts& facts) const {
  return !source_.is_c() && facts.view->getAsCXXRecordDecl() != nullptr;
}

std::string plain_reducers::declare_views(const std::vector<chunk_view>& views,
                                          const std::string& length) {
  for (const chunk_view& one : views) {
    // The reducer may be in memory that is far: a device's tasks would wait for each other there.
    if (!one.total.empty()) declare_start(one, one.total, one.place);
    if (one.views.empty()) continue;
    line((is_boxed_view(one.facts) ? "cilk_box<" + declared(one.facts.view, "") + "> " + one.views
                                   : declared(one.facts.view, one.views)) +
         "[" + length + " + 1];");
  }
  if (std::ranges::all_of(views, &std::string::empty, &chunk_view::views)) return {};
  const std::string done = fresh();
  const std::string index = fresh();
  line("int " + done + "[" + length + " / " + neighbours + " + 1];");
  line("for (long " + index + " = 0; " + index + " <= " + length + " / " + neighbours + "; ++" +
       index + ")");
  line(done + "[" + index + "] = 0;");
  return done;
}

void plain_reducers::reduce_view(const chunk_view& one, const std::string& into,
                                 const std::string& index) {
  line(one.facts.reduce + begin_of_call(one.facts) + into + ", &" + view_at(one, index) + ");");
}

void plain_reducers::reduce_neighbours(const std::vector<chunk_view>& views,
                                       const std::string& done, const std::string& index,
                                       const std::string& length) {
  const std::string first = fresh();
  const std::string last = fresh();
  const std::string next = fresh();
  line("long " + first + " = " + index + " / " + neighbours + " * " + neighbours + ";");
  line("long " + last + " = " + length + " - " + first + " < " + neighbours + " ? " + length +
       " : " + first + " + " + neighbours + ";");
  // The last one to come sees the views of all.
  line("if (__atomic_add_fetch(&" + done + "[" + index + " / " + neighbours +
       "], 1, __ATOMIC_ACQ_REL) == " + last + " - " + first + ")");
  line("for (long " + next + " = " + first + " + 1; " + next + " < " + last + "; ++" + next +
       ") {");
  for (const chunk_view& one : views) {
    if (!one.views.empty()) reduce_view(one, view_at(one, first), next);
  }
  line("}");
}

void plain_reducers::reduce_views(const std::vector<chunk_view>& views, const std::string& length) {
  for (const chunk_view& one : views) {
    if (!one.total.empty()) line(combined(one.facts, one.place, one.total) + ";");
    if (one.views.empty()) continue;
    const std::string index = fresh();
    line("for (long " + index + " = " + neighbours + "; " + index + " < " + length + "; " + index +
         " += " + neighbours + ")");
    reduce_view(one, view_at(one, "0"), index);
    line("if (" + length + " > 0)");
    reduce_view(one, one.whole, "0");
  }
}

std::string plain_reducers::view_at(const chunk_view& one, const std::string& index) const {
  return one.views + "[" + index + "]" + (is_boxed_view(one.facts) ? ".value()" : "");
}

void plain_reducers::declare_start(const chunk_view& one, const std::string& name,
                                   const std::string& whole) {
  const std::string variable = declared(one.facts.view, name);
  if (const std::string start = first_value(one.facts); !start.empty())
    return line(variable + " = " + start + ";");
  // What it has so far does not count twice.
  line(variable + ";");
  line("__atomic_load(&" + whole + ", &" + name + ", __ATOMIC_RELAXED);");
}

void plain_reducers::begin_views(const std::vector<chunk_view>& views) {
  for (const chunk_view& one : views) {
    const reducer_facts& facts = one.facts;
    const std::string pointer = declared(source_.context.getPointerType(facts.view), "");
    if (!one.views.empty() || facts.keeps_best) {
      if (!is_boxed_view(facts)) {
        line(declared(facts.view, one.name) + ";");
      } else {
        line("cilk_box<" + declared(facts.view, "") + "> " + one.name + "_bytes;");
        line(declared(source_.context.getLValueReferenceType(facts.view), one.name) + " = " +
             one.name + "_bytes.value();");
      }
      line(facts.keeps_best
               ? "new (cilk_place{&" + one.name + "_bytes}) " + first_value(facts) + ";"
               : facts.identity + begin_of_call(facts) + one.name + ");");
    } else {
      declare_start(one, one.name, one.total);
    }
    expressions_.has_view(one.place, one.name);
  }
}

void plain_reducers::end_views(const std::vector<chunk_view>& views, const std::string& done,
                               const std::string& index, const std::string& length) {
  for (const chunk_view& one : views) {
    expressions_.forget_view(one.place);
    if (!one.views.empty()) {
      const std::string box =
          is_boxed_view(one.facts) ? "cilk_box<" + declared(one.facts.view, "") + ">" : "";
      line(one.views + "[" + index + "] = " + box + "(" + one.name + ");");
    } else if (one.facts.keeps_best) {
      line("if (" + one.name + ".is_set_) " + combined(one.facts, one.place, one.name + ".best_") +
           ";");
    } else {
      line(combined(one.facts, one.total, one.name) + ";");
    }
  }
  if (!done.empty()) reduce_neighbours(views, done, index, length);
}

}  // namespace cilk2chan
