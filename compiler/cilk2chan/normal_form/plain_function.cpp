#include "normal_form/plain_function.hpp"

#include "analysis/allocations.hpp"  // has_effects_in_sizes
#include "analysis/block_operations.hpp"
#include "analysis/block_variables.hpp"
#include "analysis/loop_forms.hpp"  // first_value
#include "analysis/usage.hpp"       // is_changed
#include "frontend/children.hpp"
#include "frontend/keywords.hpp"
#include "normal_form/call_lengths.hpp"
#include "normal_form/hidden_types.hpp"
#include "normal_form/plain_control.hpp"
#include "normal_form/plain_types.hpp"
#include "normal_form/shared_loops.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace cilk2chan {
namespace {

// A leaf of a task costs as much as so many iterations, with and without a loop in them.
constexpr const char* least_iterations = "1024";
constexpr const char* least_nested = "64";
constexpr const char* least_bytes = "8192";

// Prints a whole function: its statements and declarations.
class function_printer final : plain_control {
 public:
  function_printer(const parsed_file& source, const clang::FunctionDecl* definition,
                   const std::string& name, const plain_names& names)
      : plain_control(source, names, name),
        definition_(definition),
        scopes_(scope_statements(source.keywords, source.context)) {}

  written_text run(const parallel_region& region) {
    const std::string head = plain_region_head(source_, definition_, region, name_);
    if (head.empty()) fail(reasons::type_without_name, region.statements.front()->getBeginLoc());
    if (expressions_.failed()) return written();
    const auto copied = only_read(region);
    for (const clang::VarDecl* one : region.used) {
      if (!copied.contains(one)) expressions_.is_pointer(one);
    }
    expressions_.is_alone = true;
    early_.insert(region.early.begin(), region.early.end());
    joined_ = region.statements;
    line(linkage() + head);
    open();
    for (const clang::VarDecl* one : region.used) {
      if (!copied.contains(one)) continue;
      const std::string own = variable_name(one);
      const std::string copy = "cilk_copy_" + own;
      line(declared(one->getType().getUnqualifiedType(), copy) + " = *" + own + ";");
      expressions_.rename(one, copy);
    }
    // The first strand runs it.
    for (const unsigned each : expressions_.names().views_of(definition_))
      expressions_.views[each] = "";
    const auto parallel = [&](const clang::Stmt* each) { return spawns(each); };
    if (std::ranges::any_of(region.statements, parallel)) begin_strand();
    for (const clang::Stmt* each : region.statements) statement(each);
    close();
    return written();
  }

  // The body of a call operator that nothing parallel is in: a member of the hidden type.
  written_text run_operator(const clang::CXXMethodDecl* method, const std::string& type) {
    const std::string head = operator_head(source_.context, method, type);
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(method->getBody());
    const bool rows = has_rows(method->getType());
    if (head.empty() || rows) fail(reasons::head_of_lambda, method->getLocation());
    if (body == nullptr || has_cilk(body)) fail(reasons::lambda_spawns, method->getLocation());
    if (expressions_.failed()) return written();
    serial_ = true;
    is_member_ = true;
    expressions_.is_operator_of(method);
    at(method->getLocation());
    line("inline " + head);
    line("{");
    line("[[maybe_unused]] auto* cilk_this = this;");
    block(body);
    line("}");
    return written();
  }

  written_text run(bool is_static, bool is_task) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition_);
    if (method != nullptr && method->getParent()->isLambda()) expressions_.is_operator_of(method);
    const view_set& views = expressions_.names().views_of(definition_);
    std::string head = plain_head(source_, definition_, name_, views);
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(definition_->getBody());
    if (head.empty()) fail(why_no_head(), definition_->getLocation());
    if (body == nullptr) fail(reasons::exception, definition_->getLocation());
    if (expressions_.failed()) return written();
    std::vector<std::string> owned;
    for (const clang::ParmVarDecl* parameter : definition_->parameters()) {
      if (parameter->getType()->isReferenceType()) expressions_.is_pointer(parameter);
      if (is_boxed(source_.context, parameter->getType())) expressions_.is_box(parameter);
      if (is_held(source_.context, parameter->getType()))
        owned.push_back(expressions_.name(parameter));
    }
    at(definition_->getLocation());
    joined_ = statements_in(body);
    const std::string mark =
        is_task ? "__attribute__((__annotate__(\"" + std::string(entered_mark) + "\"))) " : "";
    line((is_static ? "static " : linkage()) + mark + head);
    for (const unsigned each : views) expressions_.views[each] = views_name(each);
    body_with(owned, body,
              std::ranges::any_of(definition_->parameters(), [](const clang::ParmVarDecl* one) {
                return one->getOriginalType()->isVariablyModifiedType();
              }));
    return written();
  }

 private:
  // What the region reads of the function and nothing changes meanwhile: its own copy is nearer to
  // a device than the stack of a thread of the host.
  llvm::DenseSet<const clang::VarDecl*> only_read(const parallel_region& region) const {
    llvm::DenseSet<const clang::VarDecl*> copied;
    llvm::DenseSet<const clang::VarDecl*> others(region.early.begin(), region.early.end());
    const auto never = [](const clang::VarDecl*) { return false; };
    for (const clang::Stmt* each : region.statements) {
      for (const block_variable& one :
           variables_of_block(source_.context, each, definition_->getBody(), never)) {
        const bool plain = one.copied && one.variable->getType()->isScalarType() &&
                           !one.variable->getType().isVolatileQualified() &&
                           !one.variable->getType()->isVariablyModifiedType();
        (plain ? copied : others).insert(one.variable);
      }
    }
    for (const clang::VarDecl* one : others) copied.erase(one);
    return copied;
  }

  written_text written() const {
    if (expressions_.failed()) return {"", expressions_.why()};
    return {before_ + text_, {}};
  }

  // Why `plain_head` has nothing.
  std::string why_no_head() const {
    const clang::QualType returned = definition_->getReturnType();
    if (returned->isReferenceType()) return reasons::reference_returned;
    if (is_held(source_.context, returned) && !can_be_moved(returned)) return reasons::result_stays;
    const auto is_plain = [&](clang::QualType type) {
      return plain_variable(source_.context, type.getUnqualifiedType(), "").has_value();
    };
    for (const clang::ParmVarDecl* one : definition_->parameters()) {
      if (!is_plain(one->getType())) return why_not_plain(source_.context, one->getType());
    }
    return why_not_plain(source_.context, returned);
  }

  // Why a statement of this kind is none of a plain form's.
  static const char* why_not_written(const clang::Stmt* code) {
    if (llvm::isa<clang::CXXTryStmt>(code)) return reasons::exception;
    if (llvm::isa<clang::AsmStmt>(code)) return reasons::assembly;
    if (llvm::isa<clang::LabelStmt, clang::IndirectGotoStmt>(code)) return reasons::jump_inside;
    return reasons::statement_not_plain;
  }

  std::string linkage() const { return source_.is_c() ? "" : "extern \"C\" "; }

  // The body of a function, whose parameters `owned` are objects that end with it. `rows`: some
  // are pointers to arrays of variable length.
  void body_with(const std::vector<std::string>& owned, const clang::Stmt* body,
                 bool rows = false) {
    const bool strand = !expressions_.views.empty() && spawns(body);
    if (owned.empty() && !strand && !rows) return block(body);
    open();
    blocks_.back().objects = owned;
    if (rows) keep_lengths_of_parameters();
    if (strand) begin_strand();
    block(body);
    close();
  }

  void statement(const clang::Stmt* code) override {
    at(code->getBeginLoc());
    const clang::SourceLocation begin = source_.sources.getExpansionLoc(code->getBeginLoc());
    if (scopes_.contains(begin) && opened_.insert(begin).second) {
      line("_Cilk_scope");
      const auto around = std::exchange(joined_, statements_in(code));
      // Syncs in it, and the one at its end, are those of its own children.
      const auto views = expressions_.views;
      const auto strands = strands_;
      if (!strands.empty()) {
        open();
        begin_strand();
        ++scopes_with_strands_;
      }
      block(code);
      if (!strands.empty()) {
        close();
        --scopes_with_strands_;
        strands_ = strands;
        expressions_.views = views;
      }
      joined_ = around;
      opened_.erase(begin);  // a case of a switch may be written again
      return;
    }
    if (const auto* value = llvm::dyn_cast<clang::Expr>(code))
      return shared_block_of(value) || shared_call_of(value) ? void() : expression(value);
    if (update(code)) return;
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
      case clang::Stmt::BreakStmtClass: return leave_loop(false);
      case clang::Stmt::ContinueStmtClass: return leave_loop(true);
      case clang::Stmt::GotoStmtClass: return jump(llvm::cast<clang::GotoStmt>(code));
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
      default: fail(why_not_written(code));
    }
  }

  // A function of the block, with copies of what it only reads and pointers to all else. A block
  // that uses what ends before it is joined runs where it stands, as in host code.
  void spawned_block(const clang::Stmt* body) override {
    const auto ends = [&](const clang::VarDecl* variable) { return ends_early(variable); };
    const auto variables = variables_of_block(source_.context, body, definition_->getBody(), ends);
    const bool serial = std::ranges::any_of(
        variables, [&](const auto& one) { return !one.copied && ends_early(one.variable); });
    if (serial) return block(body);
    function_printer inner(*this);
    inner.begin_function(fresh_function());
    inner.breaks_to_ = inner.continues_to_ = 0;
    inner.scopes_with_strands_ = 0;
    inner.loops_ = inner.choices_ = 0;
    inner.expressions_.is_quiet = true;
    inner.expressions_.is_alone = false;
    (void)inner.expressions_.exchange_owned({});
    inner.expressions_.rows.forget();
    std::string parameters;
    std::string arguments;
    std::vector<std::string> owned;
    const auto add = [&](const std::string& parameter, const std::string& argument) {
      parameters += (parameters.empty() ? "" : ", ") + parameter;
      arguments += (arguments.empty() ? "" : ", ") + argument;
    };
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition_);
    if (method != nullptr && method->getParent()->isLambda()) return fail(reasons::block_in_lambda);
    if (method != nullptr && uses_object(body))
      add(declared(method->getThisType(), plain_expressions::self), plain_expressions::self);
    for (const block_variable& one : variables) {
      const clang::QualType type = one.variable->getType().getNonReferenceType();
      if (one.variable->getIdentifier() == nullptr) return fail(reasons::variable_without_name);
      const std::string outside = expressions_.variable(one.variable);
      const std::string name = variable_name(one.variable);
      inner.expressions_.is_plain(one.variable);
      const bool by_place = !one.copied && !one.decayed;
      const clang::QualType passed = by_place      ? source_.context.getPointerType(type)
                                     : one.decayed ? source_.context.getArrayDecayedType(type)
                                                   : type.getUnqualifiedType();
      if (by_place && is_array_of_rows(source_.context, type)) return fail(reasons::rows_in_block);
      for (const clang::Expr* each : expressions_.rows.sizes(type)) {
        const std::string length = inner.fresh();
        add("long " + length, expressions_.rows.length(each));
        inner.expressions_.rows.keep(each, length);
      }
      if (by_place) inner.expressions_.is_pointer(one.variable);
      if (!by_place && is_boxed(source_.context, passed)) {
        inner.expressions_.is_box(one.variable);
        if (is_held(source_.context, passed)) owned.push_back(name);
        add(boxed(passed, name), held_object(source_.context, passed, outside));
        continue;
      }
      add(declared(passed, name), (by_place ? "&" : "") + outside);
    }
    for (const auto& [kind, views] : expressions_.views) {
      add(views_parameter(kind), expressions_.views_here(kind));
      inner.expressions_.views[kind] = views_name(kind);
      gives_views(kind);
    }
    if (parameters.empty() && source_.is_c()) parameters = "void";
    inner.joined_ = statements_in(body);
    inner.at(body->getBeginLoc());
    inner.line("static void " + inner.name_ + "(" + parameters + ")");
    inner.body_with(owned, body);
    expressions_.take_reasons(inner.expressions_);
    opened_ = inner.opened_;
    before_ += inner.before_ + inner.text_;
    line(spawn_word.str() + inner.name_ + "(" + arguments + ");");
    expressions_.is_quiet = false;
  }

  // Whether lanes may share what the statement does: no children run there.
  bool may_share(const clang::Stmt* code) {
    const bool here = expressions_.names().shares_loops && expressions_.is_quiet && !serial_ &&
                      in_parallel_ == 0 && expressions_.views.empty() && !has_loop_views();
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition_);
    if (!here || (method != nullptr && method->getParent()->isLambda())) return false;
    if (!task_loops_) task_loops_ = std::make_shared<loops_of_tasks>(source_, definition_);
    return task_loops_->contains(code);
  }

  // Long blocks are copied and filled by a leaf, with the longest words that both ends allow.
  bool shared_block_of(const clang::Expr* code) {
    const auto found = block_operation_of(source_.context, code);
    if (!found || !may_share(code)) return false;
    const bool fills = found->what == block_operation::kind::fills;
    const std::string to = fresh();
    const std::string from = fresh();
    const std::string bytes = fresh();
    const std::string done = fresh();
    const auto at = [](const std::string& block) { return "(char*)" + block; };
    open();
    line("void* " + to + " = " + expressions_.text(found->to) + ";");
    line((fills ? "unsigned char " : "const void* ") + from + " = " +
         (fills ? "(unsigned char)(" : "(") + expressions_.text(found->from) + ");");
    line("unsigned long " + bytes + " = " + expressions_.text(found->bytes) + ";");
    line("unsigned long " + done + " = 0;");
    std::string test = bytes + " > " + least_bytes;
    if (found->what == block_operation::kind::moves)
      test += " && (" + at(to) + " + " + bytes + " <= " + at(from) + " || " + at(from) + " + " +
              bytes + " <= " + at(to) + ")";
    line("if (" + test + ")");
    open();
    const std::string places = "(unsigned long)" + to + (fills ? "" : " | (unsigned long)" + from);
    for (const auto& [type, size] : {std::pair{"unsigned long", "8"}, {"unsigned", "4"}}) {
      line("if (((" + places + ") & " + size + " - 1) == 0)");
      share_block(type, size, to, from, bytes, done, fills);
      line("else");
    }
    share_block("unsigned char", "1", to, from, bytes, done, fills);
    line("_Cilk_sync;");
    close();
    // All of a short block, and what is left of a long one.
    const std::string name = found->what == block_operation::kind::moves ? "memmove"
                             : fills                                     ? "memset"
                                                                         : "memcpy";
    line("if (" + done + " < " + bytes + ")");
    line("__builtin_" + name + "(" + at(to) + " + " + done + ", " +
         (fills ? from : "(const char*)" + from + " + " + done) + ", " + bytes + " - " + done +
         ");");
    close();
    return true;
  }

  void share_block(const std::string& type, const std::string& size, const std::string& to,
                   const std::string& from, const std::string& bytes, const std::string& done,
                   bool fills) {
    std::string& name = block_leaves_[(fills ? "fills " : "copies ") + type];
    if (name.empty()) {
      name = fresh_function();
      const std::string word = fills ? type + " cilk_word" : "const " + type + "* cilk_from";
      before_ += "static void " + name + "(" + type + "* cilk_to, " + word +
                 ", unsigned long cilk_count)\n{\n"
                 "for (unsigned long cilk_k = 0; cilk_k < cilk_count; ++cilk_k)\n"
                 "cilk_to[cilk_k] = " +
                 (fills ? "cilk_word" : "cilk_from[cilk_k]") + ";\n}\n";
    }
    const std::string value = fills ? "(" + type + ")(0x0101010101010101ul * " + from + ")"
                                    : "(const " + type + "*)" + from;
    open();
    line(done + " = " + bytes + " / " + size + " * " + size + ";");
    line(spawn_word.str() + name + "((" + type + "*)" + to + ", " + value + ", " + bytes + " / " +
         size + ");");
    close();
  }

  // A call whose arguments say that it takes long is a leaf of its own.
  bool shared_call_of(const clang::Expr* code) {
    const clang::CallExpr* call = long_call(source_, code);
    if (call == nullptr || !may_share(code)) return false;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const plain_names& names = expressions_.names();
    if (names.contains(callee->getCanonicalDecl()) || !expressions_.views.empty()) return false;
    const std::string length = length_function(callee->getDefinition());
    if (length.empty()) return false;
    std::string arguments;
    for (const clang::Expr* one : call->arguments())
      arguments += (arguments.empty() ? "" : ", ") + expressions_.text(one);
    line("if (" + length + "(" + arguments + ") > " + least_iterations + ")");
    open();
    line(spawn_word.str() + expressions_.text(call) + ";");
    line("_Cilk_sync;");
    close();
    line("else");
    open();
    expression(code);
    close();
    return true;
  }

  // A function of the same arguments that returns how many iterations the loops of `callee` have.
  // Empty if there can be none.
  std::string length_function(const clang::FunctionDecl* callee) {
    std::string& name = length_functions_[callee];
    if (!name.empty()) return name;
    function_printer inner(source_, callee, name, expressions_.names());
    std::string parameters;
    for (const clang::ParmVarDecl* one : callee->parameters()) {
      const auto text = plain_variable(source_.context, one->getType(), variable_name(one));
      if (!text) return {};
      parameters += (parameters.empty() ? "" : ", ") + *text;
    }
    std::string sum = "0.0";
    for (const loop_nest& nest : loops_by_arguments(source_.context, callee)) {
      std::string product = nest.has_more ? "8" : "1";
      for (const known_loop& one : nest.loops) {
        const std::string first = "(double)(" + inner.expressions_.text(one.first) + ")";
        const std::string limit = "(double)(" + inner.expressions_.text(one.form.limit) + ")";
        const std::string far = one.form.down ? first + " - " + limit : limit + " - " + first;
        product += " * (" + far + " > 0 ? " + far + " : 0)";
      }
      sum += " + " + product;
    }
    if (inner.expressions_.failed()) return {};
    name = fresh_function();
    before_ += "static double " + name + "(" + (parameters.empty() ? "void" : parameters) +
               ")\n{\nreturn " + sum + ";\n}\n";
    return name;
  }

  // A long loop is a leaf of its own where no children run, so that lanes share it.
  bool shared_loop_of(const clang::ForStmt* code) override {
    if (!may_share(code)) return false;
    const auto loop = find_shared_loop(source_, definition_, code, [&](const auto* one) {
      const plain_names& names = expressions_.names();
      return names.contains(one) && !names.leaves.contains(one);
    });
    if (!loop) return false;
    const loop_form& form = loop->form;
    const clang::Expr* first = cilk2chan::first_value(code, form);
    if (first == nullptr || first->HasSideEffects(source_.context)) return false;
    const auto leaf = leaf_of_loop(code, *loop);
    if (!leaf) return false;
    before_ += leaf->text;
    const std::string begin = fresh();
    const std::string count = fresh();
    const std::string step = fresh();
    open();
    line(declared(form.variable->getType().getUnqualifiedType(), begin) + " = " +
         expressions_.text(first) + ";");
    count_iterations(form, begin, count, step);
    line("if (" + count + " > " + (loop->nested ? least_nested : least_iterations) + ")");
    line("{");
    line(spawn_word.str() + leaf->call + ";");
    line("_Cilk_sync;");
    line("}");
    line("else");
    plain_loop(code);
    close();
    return true;
  }

  struct loop_leaf {
    std::string text;
    std::string call;
  };
  std::optional<loop_leaf> leaf_of_loop(const clang::ForStmt* code, const shared_loop& loop) {
    const auto never = [](const clang::VarDecl*) { return false; };
    const auto variables = variables_of_block(source_.context, code, definition_->getBody(), never);
    const auto shared = shared_variables(definition_->getBody());
    function_printer inner(*this);
    inner.begin_function(fresh_function());
    inner.serial_ = true;
    inner.expressions_.rows.forget();  // their lengths are variables of the function around
    inner.task_loops_ = nullptr;
    inner.breaks_to_ = inner.continues_to_ = 0;
    inner.loops_ = inner.choices_ = 0;
    std::string parameters;
    std::string arguments;
    const auto add = [&](const std::string& parameter, const std::string& argument) {
      parameters += (parameters.empty() ? "" : ", ") + parameter;
      arguments += (arguments.empty() ? "" : ", ") + argument;
    };
    if (uses_object(code)) {
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition_);
      if (method == nullptr) return std::nullopt;
      add(declared(method->getThisType(), plain_expressions::self), plain_expressions::self);
    }
    std::vector<std::string> first;
    std::vector<std::string> last;
    for (const block_variable& one : variables) {
      const clang::QualType type = one.variable->getType().getNonReferenceType();
      if (one.variable->getIdentifier() == nullptr) return std::nullopt;
      const std::string name = variable_name(one.variable);
      const bool counts = (one.variable == loop.form.variable && !loop.form.declared) ||
                          llvm::is_contained(loop.counters, one.variable);
      inner.expressions_.is_plain(one.variable);
      if (counts) {
        first.push_back(declared(type.getUnqualifiedType(), name) + ";");
        continue;
      }
      const std::string outside = expressions_.variable(one.variable);
      if (llvm::is_contained(loop.changed, one.variable) && !shared.contains(one.variable)) {
        const std::string place = "cilk_at_" + name;
        add(declared(source_.context.getPointerType(type), place), "&" + outside);
        first.push_back(declared(type.getUnqualifiedType(), name) + " = *" + place + ";");
        last.push_back("*" + place + " = " + name + ";");
        continue;
      }
      const bool by_place = !one.copied && !one.decayed;
      const clang::QualType passed = by_place      ? source_.context.getPointerType(type)
                                     : one.decayed ? source_.context.getArrayDecayedType(type)
                                                   : type.getUnqualifiedType();
      if (passed->isVariablyModifiedType() || (!by_place && is_boxed(source_.context, passed)))
        return std::nullopt;
      if (by_place) inner.expressions_.is_pointer(one.variable);
      add(declared(passed, name), (by_place ? "&" : "") + outside);
    }
    if (parameters.empty()) return std::nullopt;
    inner.at(code->getBeginLoc());
    inner.line("static void " + inner.name_ + "(" + parameters + ")");
    inner.open();
    for (const std::string& each : first) inner.line(each);
    inner.plain_loop(code);
    for (const std::string& each : last) inner.line(each);
    inner.close();
    if (inner.expressions_.failed()) return std::nullopt;
    return loop_leaf{inner.before_ + inner.text_, inner.name_ + "(" + arguments + ")"};
  }

  static bool uses_object(const clang::Stmt* code) {
    struct visitor : tree_walker {
      bool found = false;
      bool VisitCXXThisExpr(clang::CXXThisExpr*) override { return !(found = true); }
    };
    visitor look;
    look.look_through(code);
    return look.found;
  }

  void declarations(const clang::DeclStmt* code) override {
    for (const clang::Decl* each : code->decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each)) {
        declare(variable);
      } else if (const auto* type = llvm::dyn_cast<clang::TagDecl>(each)) {
        if (!has_hidden_type(type->getName())) fail(reasons::local_type, type->getLocation());
      } else if (const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(each)) {
        keep_lengths(alias->getUnderlyingType());
      } else if (!llvm::isa<clang::StaticAssertDecl, clang::UsingDecl, clang::UsingDirectiveDecl,
                            clang::UsingShadowDecl>(each)) {
        fail(reasons::local_declaration, each->getLocation());
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

  void declare(const clang::VarDecl* variable) override {
    const std::size_t before = temporary_objects();
    define(variable);
    if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(variable)) bind(parts);
    keep_view(variable);
    if (variable->getType()->isReferenceType()) keep_temporaries(before);
    end_temporaries(before);
  }

  void define(const clang::VarDecl* variable) {
    if (early_.contains(variable)) return set_early(variable);
    if (declare_reducer(variable)) return;
    const clang::QualType type = variable->getType();
    const std::string name = expressions_.name(variable);
    const clang::Expr* value = variable->getInit();
    if (variable->isStaticLocal()) return declare_constant(variable);
    if (keeps_list(variable)) return fail(reasons::temporary_array, variable->getLocation());
    if (variable->hasExternalStorage())
      return fail(reasons::local_declaration, variable->getLocation());
    if (type->isReferenceType()) {
      if (value == nullptr || type->isVariablyModifiedType()) return fail(reasons::rows);
      if (is_temporary(value)) {
        const clang::QualType object = type.getNonReferenceType().getUnqualifiedType();
        if (is_boxed(source_.context, object)) return declare_box(variable, object);
        prepare(value);
        return line(declared(type.getNonReferenceType(), name) + " = " + expressions_.text(value) +
                    ";");
      }
      prepare(value);
      expressions_.is_pointer(variable);
      return line(declared(source_.context.getPointerType(type.getNonReferenceType()), name) +
                  " = " + expressions_.address(value) + ";");
    }
    if (source_.context.getAsVariableArrayType(type) != nullptr) return declare_rows(variable);
    keep_lengths(type);
    if (is_boxed(source_.context, type)) return declare_box(variable, type.getUnqualifiedType());
    if (const auto* array = source_.context.getAsConstantArrayType(type);
        array != nullptr && is_held(source_.context, array->getElementType()))
      return declare_boxes(variable, array);
    if (wants_place(variable)) return declare_place(variable);
    const std::string head = declared(type, name);
    if (value == nullptr) return line(head + ";");
    bool spawned = false;
    const clang::CallExpr* call = call_in(value, &spawned);
    const bool direct =
        call != nullptr && (spawned || source_.context.hasSameUnqualifiedType(
                                           type, call->getCallReturnType(source_.context)));
    if (direct && is_child(value)) {
      prepare_arguments(value);
      // Without another value, a task's frame keeps what the child returned.
      if (spawned && is_converted(type, call->getCallReturnType(source_.context)) &&
          is_changed(variable, definition_->getBody())) {
        line(head + ";");
        return store_in_task(value, type.getUnqualifiedType(), "&" + name,
                             "*cilk_place = cilk_part");
      }
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

  // Whether a variable is a list whose array a task would lose, once it has waited for a child.
  // That of a loop without children is not kept so long.
  bool keeps_list(const clang::VarDecl* variable) const {
    const clang::Expr* value = variable->getInit();
    const bool list = value != nullptr && llvm::isa<clang::CXXStdInitializerListExpr>(bare(value));
    return list && !serial_ && !variable->isImplicit() && has_cilk(definition_->getBody());
  }

  // An array of variable length, of arrays as well, becomes one row of elements.
  void declare_rows(const clang::VarDecl* variable) {
    if (variable->hasInit() && llvm::isa<clang::InitListExpr>(bare(variable->getInit())))
      return fail(reasons::rows);
    keep_lengths(variable->getType());
    const std::string length = expressions_.rows.count(expressions_, variable->getType());
    line(declared(expressions_.rows.element(variable->getType()),
                  expressions_.name(variable) + "[" + length + "]") +
         ";");
  }

  // Keeps the lengths of arrays in a type that is written here, as they are now.
  void keep_lengths(clang::QualType type) {
    while (type->isVariablyModifiedType()) {
      if (const auto* array = llvm::dyn_cast<clang::VariableArrayType>(type.getTypePtr())) {
        if (array->getSizeExpr() == nullptr) return fail(reasons::rows);
        expressions_.rows.keep(array->getSizeExpr(), kept_length(array->getSizeExpr()));
      } else if (expressions_.rows.next(type).isNull()) {
        if (!expressions_.rows.knows(type)) fail(reasons::rows);
        return;
      }
      type = expressions_.rows.next(type);
    }
  }

  std::string kept_length(const clang::Expr* size) {
    const auto* parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(bare_variable(size));
    if (parameter != nullptr && lasts(parameter))
      return "(long)" + expressions_.variable(parameter);
    prepare(size);
    const std::string length = fresh();
    line("const long " + length + " = " + expressions_.text(size) + ";");
    return length;
  }

  // Whether a parameter has one value, under a name that nothing else has: a frame needs no copy.
  bool lasts(const clang::ParmVarDecl* parameter) const {
    struct name_finder : tree_walker {
      const clang::ParmVarDecl* parameter = nullptr;
      bool found = false;
      bool VisitNamedDecl(clang::NamedDecl* one) override {
        found = found || one->getIdentifier() == parameter->getIdentifier();
        return !found;
      }
    };
    name_finder others;
    others.parameter = parameter;
    others.look_through(definition_->getBody());
    return !others.found && parameter->getDeclContext() == definition_ &&
           parameter->getType()->isIntegerType() && !expressions_.was_reference(parameter) &&
           !is_changed(parameter, definition_->getBody());
  }

  // Those of the parameters. Host code has evaluated them before it gives way.
  void keep_lengths_of_parameters() {
    for (const clang::ParmVarDecl* one : definition_->parameters()) {
      const bool refers =
          one->getType()->isReferenceType() && one->getType()->isVariablyModifiedType();
      if (refers || has_effects_in_sizes(source_.context, one))
        return fail(reasons::rows_with_effects, one->getLocation());
      keep_lengths(one->getType());
    }
  }

  // A variable that a region declares and its function uses behind it: it is the function's.
  void set_early(const clang::VarDecl* variable) {
    const clang::Expr* value = variable->getInit();
    if (value == nullptr) return;
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(bare(value));
    if (made != nullptr && made->getNumArgs() == 0) return;
    bool spawned = false;
    const clang::CallExpr* call = call_in(value, &spawned);
    if (is_held(source_.context, variable->getType())) {
      const clang::QualType object = variable->getType().getUnqualifiedType();
      if (spawned) {
        prepare_arguments(value);
        return store_object(value, object, "&" + expressions_.variable(variable));
      }
      if (call != nullptr) prepare(value);
      const std::string made =
          call != nullptr ? expressions_.text(value) : made_object(variable, object);
      return line(expressions_.variable(variable) + " = " + made + ";");
    }
    const std::string place = expressions_.variable(variable) + " = ";
    const clang::QualType type = variable->getType();
    const bool direct =
        call != nullptr && (spawned || source_.context.hasSameUnqualifiedType(
                                           type, call->getCallReturnType(source_.context)));
    if (direct) {
      prepare_arguments(value);
      return line(place + child(value) + ";");
    }
    prepare(value);
    if (type->isArrayType()) {
      const std::string made = fresh();
      line("{");
      line(declared(type, made) + " = " + expressions_.text(value) + ";");
      line(copied_array(expressions_.variable(variable), made));
      return line("}");
    }
    line(place + expressions_.text(value) + ";");
  }

  // A constant that its function keeps is one beside the plain form: it has the same value.
  void declare_constant(const clang::VarDecl* variable) {
    const clang::QualType type = variable->getType();
    const clang::Expr* value = variable->getInit();
    const bool constant = value != nullptr &&
                          source_.context.getBaseElementType(type).isConstant(source_.context) &&
                          type.isDestructedType() == clang::QualType::DK_none &&
                          variable->hasConstantInitialization();
    if (!constant) return fail(reasons::static_variable, variable->getLocation());
    const std::string name = fresh_function();
    // It is host code's, too, which has no use for where the host has a function.
    expressions_.names_host_code = true;
    before_ += "static " + declared(type, name) + " = " + expressions_.text(value) + ";\n";
    expressions_.names_host_code = false;
    expressions_.rename(variable, name);
  }

  // Whether control would jump over a constructor: a task comes back into the block behind it.
  bool wants_place(const clang::VarDecl* variable) const {
    const clang::QualType type = variable->getType();
    const clang::CXXRecordDecl* record =
        source_.is_c() || serial_ || type->isReferenceType() ? nullptr : type->getAsCXXRecordDecl();
    if (record == nullptr || blocks_.size() < 2 || record->hasTrivialDefaultConstructor())
      return false;
    return variable->getInit() == nullptr || !is_child(variable->getInit());
  }

  void declare_place(const clang::VarDecl* variable) {
    const std::string name = fresh();
    const std::string type = declared(variable->getType().getUnqualifiedType(), "");
    line("cilk_box<" + type + "> " + name + ";");
    construct(name, made_object(variable, variable->getType().getUnqualifiedType()));
    const char* kept = variable->getType().isConstQualified() ? "const " : "";
    expressions_.rename(variable, "(*(" + (kept + type) + "*)" + name + ".bytes)");
  }

  // An object that is constructed in memory of the frame, and destroyed where its block ends. One
  // that a child makes is in memory of its own, and so is one that the function returns.
  void declare_box(const clang::VarDecl* variable, clang::QualType type) {
    const std::string name = expressions_.name(variable);
    const bool held = is_held(source_.context, type);
    bool ends = held;
    const clang::Expr* value = variable->getInit();
    // What a reference of a base refers to is more than that.
    if (variable->getType()->isReferenceType() &&
        !source_.context.hasSameUnqualifiedType(bare(value)->getType(), type))
      return fail(reasons::reference_to_base, variable->getLocation());
    const clang::CallExpr* call = value == nullptr ? nullptr : call_in(value);
    if (call != nullptr &&
        source_.context.hasSameUnqualifiedType(type, call->getCallReturnType(source_.context))) {
      prepare_arguments(value);
      line(boxed(type, name) + " = " + child(value) + ";");
    } else if (held && variable->isNRVOVariable() && !is_member_ &&
               source_.context.hasSameUnqualifiedType(type, definition_->getReturnType())) {
      const std::string made = made_object(variable, type);
      line(boxed(type, name) + " = " + boxed(type, "") + "(new " + made + ");");
      returned_.insert(variable);
    } else {
      line("cilk_box<" + declared(type, "") + "> " + name + ";");
      construct(name, made_object(variable, type));
      ends = !type->getAsCXXRecordDecl()->hasTrivialDestructor();
    }
    expressions_.is_box(variable);
    if (ends) blocks_.back().objects.push_back(name);
  }

  // An array of such objects.
  void declare_boxes(const clang::VarDecl* variable, const clang::ConstantArrayType* array) {
    const clang::QualType type = array->getElementType().getUnqualifiedType();
    const std::string name = expressions_.name(variable);
    const auto* list =
        variable->getInit() == nullptr
            ? nullptr
            : llvm::dyn_cast<clang::InitListExpr>(variable->getInit()->IgnoreImplicit());
    const std::uint64_t count = array->getZExtSize();
    constexpr std::uint64_t most_with_values = 64;
    if (list != nullptr && count > most_with_values)
      return fail(reasons::long_array_of_objects, variable->getLocation());
    line("cilk_box<" + declared(type, "") + "[" + std::to_string(count) + "]> " + name + ";");
    if (list == nullptr) line(name + ".make();");
    for (unsigned i = 0; list != nullptr && i < count; ++i) {
      const clang::Expr* value =
          i < list->getNumInits() ? list->getInit(i) : list->getArrayFiller();
      construct(name + ".value()[" + std::to_string(i) + "]", made_object(value, false, type));
    }
    expressions_.is_box(variable);
    if (!type->getAsCXXRecordDecl()->hasTrivialDestructor()) blocks_.back().objects.push_back(name);
  }

  void construct(const std::string& place, const std::string& made) {
    line("new (cilk_place{&" + place + "}) " + made + ";");
  }

  // What follows `new`, for the object that a variable is.
  std::string made_object(const clang::VarDecl* variable, clang::QualType of) {
    return made_object(variable->getInit(), variable->getInitStyle() == clang::VarDecl::ListInit,
                       of);
  }
  std::string made_object(const clang::Expr* value, bool braces, clang::QualType of) {
    if (value != nullptr) prepare(value);
    const auto* made =
        value == nullptr ? nullptr : llvm::dyn_cast<clang::CXXConstructExpr>(bare(value));
    const bool none = value == nullptr || (made != nullptr && made->getNumArgs() == 0 && !braces);
    const std::string type = declared(of, "");
    return none ? type : made_of(type, expressions_.text(value));
  }

  void back(const clang::ReturnStmt* code) {
    if (scopes_with_strands_ > 0) return fail(reasons::return_from_scope);
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
    const clang::QualType type = definition_->getReturnType().getUnqualifiedType();
    if (const clang::VarDecl* kept = code->getNRVOCandidate(); returned_.contains(kept)) {
      const std::string name = expressions_.name(kept);
      leave(0, name);
      return line("return " + name + ";");
    }
    const std::size_t before = temporary_objects();
    const clang::CallExpr* call = call_in(value);
    const bool direct = call != nullptr && (!is_boxed(source_.context, type) ||
                                            source_.context.hasSameUnqualifiedType(
                                                type, call->getCallReturnType(source_.context)));
    if (direct) {
      prepare_arguments(value);
    } else {
      prepare(value);
    }
    std::string text = direct       ? child(value)
                       : is_member_ ? expressions_.text(value)
                                    : expressions_.converted(value, type);
    if (text.starts_with("{")) text.insert(0, declared(type, ""));
    if (!waits(0) && temporary_objects() == before) return line("return " + text + ";");
    const std::string result = fresh();
    line((is_member_ ? declared(type, result) : boxed(type, result)) + " = " + text + ";");
    end_temporaries(before);
    leave(0);
    line("return " + result + ";");
  }

  const clang::FunctionDecl* definition_;
  int scopes_with_strands_ = 0;
  bool is_member_ = false;  // of a hidden type: parameters and results are the user's
  llvm::DenseSet<const clang::VarDecl*> early_;      // of a region: declared before it
  llvm::DenseSet<const clang::VarDecl*> returned_;   // objects that go to the caller as they are
  llvm::DenseSet<clang::SourceLocation> scopes_;     // where the statements of `cilk_scope` begin
  std::map<std::string, std::string> block_leaves_;  // what they do, and their names
  std::map<const clang::FunctionDecl*, std::string> length_functions_;
  std::shared_ptr<const loops_of_tasks> task_loops_;  // of the function, once they are asked for
  llvm::DenseSet<clang::SourceLocation> opened_;      // of these, those that are being written
};

}  // namespace

const std::vector<virtual_target>* plain_names::targets_of(const clang::CallExpr* call) const {
  if (dispatched.empty()) return nullptr;
  const auto found = dispatched.find(virtual_callee(call));
  return found == dispatched.end() || sure_target(call) != nullptr ? nullptr : &found->second;
}

const view_set& plain_names::views_of(const clang::FunctionDecl* function) const {
  static const view_set none;
  const auto found = views.find(function == nullptr ? nullptr : function->getCanonicalDecl());
  return found == views.end() ? none : found->second;
}

view_set plain_names::views_of(const clang::CallExpr* call) const {
  if (views.empty()) return {};
  view_set found;
  const auto add = [&](const clang::FunctionDecl* one) {
    const view_set& some = views_of(one);
    found.insert(some.begin(), some.end());
  };
  if (const std::vector<virtual_target>* targets = targets_of(call)) {
    for (const virtual_target& one : *targets) add(one.method);
  } else if (const call_targets::function_list* others = targets_through_pointer(call)) {
    std::ranges::for_each(*others, add);
  } else {
    add(call->getDirectCallee());
  }
  return found;
}

const call_targets::function_list* plain_names::targets_through_pointer(
    const clang::CallExpr* call) const {
  if (pointed_to.empty()) return nullptr;
  const auto found = pointed_to.find(type_called(context, call));
  return found == pointed_to.end() ? nullptr : &found->second;
}

void plain_names::add_address(const clang::FunctionDecl* function) {
  function = function->getCanonicalDecl();
  addresses.insert({function, "cilk_address_of_" + find(function)->second});
}

std::string table_name(const plain_names& names, const clang::CXXRecordDecl* object) {
  return "cilk_table_" + names.id + table_symbol(object->getASTContext(), object);
}

std::string table_declaration(const plain_names& names, const clang::CXXRecordDecl* object) {
  const auto type =
      plain_type(object->getASTContext(), object->getASTContext().getRecordType(object));
  return "extern \"C\" cilk_table<" + type.value_or("") + "> " + table_name(names, object) + ";\n";
}

std::string plain_head(const parsed_file& source, const clang::FunctionDecl* definition,
                       const std::string& name, const view_set& views) {
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
  const clang::QualType returned = definition->getReturnType();
  named = named && (!is_held(source.context, returned) || can_be_moved(returned));
  for (const clang::ParmVarDecl* parameter : definition->parameters()) {
    std::string own = parameter_name(parameter);
    if (own.empty()) own = "cilk_unnamed_" + std::to_string(++unnamed);
    add(plain_variable(source.context, parameter->getType().getUnqualifiedType(), own));
  }
  for (const unsigned each : views) add(views_parameter(each));
  if (parameters.empty() && source.is_c()) parameters = "void";
  const clang::QualType result = definition->getReturnType().getUnqualifiedType();
  const auto text = plain_variable(source.context, result, name + "(" + parameters + ")");
  return named && text ? *text : "";
}

static bool is_early(const parallel_region& region, const clang::VarDecl* variable) {
  return std::ranges::find(region.early, variable) != region.early.end();
}

std::string plain_region_head(const parsed_file& source, const clang::FunctionDecl* definition,
                              const parallel_region& region, const std::string& name) {
  std::string parameters;
  bool named = true;
  const auto add = [&](clang::QualType type, const std::string& own) {
    const auto text = plain_type(source.context, type, own);
    named = named && text.has_value();
    parameters += (parameters.empty() ? "" : ", ") + text.value_or("");
  };
  if (region.uses_object)
    add(llvm::cast<clang::CXXMethodDecl>(definition)->getThisType(), plain_expressions::self);
  for (const clang::VarDecl* one : region.used)
    add(source.context.getPointerType(is_early(region, one) ? one->getType().getUnqualifiedType()
                                                            : one->getType().getNonReferenceType()),
        variable_name(one));
  if (parameters.empty() && source.is_c()) parameters = "void";
  return named ? "void " + name + "(" + parameters + ")" : "";
}

written_text plain_function(const parsed_file& source, const clang::FunctionDecl* definition,
                            const plain_names& names, bool is_static, bool is_task) {
  const std::string& name = names.find(definition->getCanonicalDecl())->second;
  return function_printer(source, definition, name, names).run(is_static, is_task);
}

written_text plain_operator(const parsed_file& source, const clang::CXXMethodDecl* method,
                            const std::string& type, const plain_names& names) {
  return function_printer(source, method, type, names).run_operator(method, type);
}

written_text plain_region(const parsed_file& source, const clang::FunctionDecl* definition,
                          const parallel_region& region, const std::string& name,
                          const plain_names& names) {
  return function_printer(source, definition, name, names).run(region);
}

}  // namespace cilk2chan
