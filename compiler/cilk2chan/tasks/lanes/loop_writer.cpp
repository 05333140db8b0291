#include "tasks/lanes/loop_writer.hpp"

#include "analysis/loop_forms.hpp"
#include "frontend/type_text.hpp"

#include <algorithm>
#include <set>

namespace cilk2chan {
namespace {

class loop_writer {
 public:
  loop_writer(const program& source, const lane_loop& loop, const name_rules& rules,
              unsigned number, writer& out, const std::function<void()>& otherwise, bool divided)
      : source_(source),
        loop_(loop),
        rules_(rules),
        out_(out),
        number_(std::to_string(number)),
        otherwise_(otherwise),
        divided_(divided) {
    before_ = rules_;
    before_.variable = [this](const clang::VarDecl* variable) { return name_before(variable); };
  }

  void run() {
    const loop_form& form = loop_.form;
    const std::string type = type_of(form.variable);
    out_.line("{");
    out_.in();
    user(loop_.node, type + " " + first() + " = " + print(source_, loop_.first, before_) + ";");
    user(loop_.node, "const auto " + limit() + " = " + print(source_, form.limit, before_) + ";");
    out_.line("const std::int64_t " + step() + " = " + step_of(form) + ";");
    out_.line("const std::uint64_t " + trips() + " = " + trips_of(form, first(), limit(), step()) +
              ";");
    if (!loop_.apart.empty()) write_comparison();
    if (divided_) write_question();
    out_.line("channels_sync_lanes();");
    if (!loop_.apart.empty()) {
      out_.line("if (cilk_apart_" + number_ + ") {");
      out_.in();
    }
    if (tiles()) {
      out_.line("if (cilk_tiles_" + number_ + ") {");
      out_.in();
      write_row_tiles();
      out_.out();
      out_.line("} else {");
      out_.in();
    }
    loop_.nest != nullptr ? write_shared_nest() : write_shared();
    if (tiles()) {
      out_.out();
      out_.line("}");
    }
    if (!loop_.apart.empty()) {
      out_.out();
      out_.line("} else {");
      out_.in();
      otherwise_ ? otherwise_() : write_alone();
      out_.out();
      out_.line("}");
    }
    out_.line("channels_sync_lanes();");
    if (!form.declared && loop_.nest == nullptr) out_.line(last());
    out_.out();
    out_.line("}");
  }

 private:
  std::string first() const { return "cilk_first_" + number_; }
  std::string limit() const { return "cilk_limit_" + number_; }
  std::string step() const { return "cilk_step_" + number_; }
  std::string trips() const { return "cilk_trips_" + number_; }

  std::string text(const clang::Stmt* code) const { return print(source_, code, rules_); }
  std::string type_of(const clang::VarDecl* variable) const {
    return type_text(source_, variable->getType());
  }
  std::string name(const clang::VarDecl* variable) const {
    const std::string other = rules_.variable ? rules_.variable(variable) : "";
    return other.empty() ? variable->getNameAsString() : other;
  }
  std::string step_of(const loop_form& form) const {
    const std::string sign = form.subtracts ? "-" : "";
    if (form.step == nullptr) return sign + "1";
    return sign + "static_cast<std::int64_t>(" + print(source_, form.step, before_) + ")";
  }
  static std::string trips_of(const loop_form& form, const std::string& first,
                              const std::string& limit, const std::string& step) {
    return "channels::cilk::trips(" + first + " " +
           clang::BinaryOperator::getOpcodeStr(form.comparison).str() + " " + limit + ", " + first +
           ", " + limit + ", " + step + ", " + (is_inclusive(form) ? "true" : "false") + ")";
  }

  std::string head() const {
    const std::string index = "cilk_index_" + number_;
    const char* lane = divided_ ? "channels::cilk::lane_in(cilk_division)" : "channels_lane()";
    const char* lanes = divided_ ? "channels::cilk::lanes_of(cilk_division)" : "channels_lanes()";
    return "for (std::uint64_t " + index + " = " + lane + "; " + index + " < " + trips() + "; " +
           index + " += " + lanes + ")";
  }
  std::string next(bool declares) const {
    const clang::VarDecl* variable = loop_.form.variable;
    return (declares ? "[[maybe_unused]] " + type_of(variable) + " " : "") + name(variable) +
           " = channels::cilk::nth(" + first() + ", cilk_index_" + number_ + ", " + step() + ");";
  }
  // The variable's value behind the loop.
  std::string last() const {
    return name(loop_.form.variable) + " = channels::cilk::nth(" + first() + ", " + trips() + ", " +
           step() + ");";
  }

  // Names are the file's own, so that the variables of rows and terms can hide them.
  bool tiles() const {
    if (!loop_.tile) return false;
    const access& stored = loop_.accesses[loop_.tile->stored];
    const auto is_plain = [&](const clang::VarDecl* one) {
      return name(one) == one->getNameAsString();
    };
    return is_plain(stored.around[0].form.variable) && is_plain(stored.around[1].form.variable) &&
           is_plain(loop_.form.variable);
  }

  // Whether the loop's variable is declared in the nest, but not by the loop.
  bool is_inside_nest() const {
    return !loop_.form.declared && loop_.variables.declared.contains(loop_.form.variable);
  }

  // For each iteration of the innermost loop, some rows at a time: what is stored is kept in
  // registers while the loop between runs.
  void write_row_tiles() {
    const access& stored = loop_.accesses[loop_.tile->stored];
    const counted_loop& rows = stored.around[loop_.tile->rows];
    const counted_loop& terms = stored.around[loop_.tile->terms];
    write_range("rows", rows);
    write_range("terms", terms);
    const std::string element =
        type_text(source_, stored.place->getType().getUnqualifiedType(), "cilk_kept");
    const std::string place = print(source_, stored.place, before_);
    out_.line("if (cilk_terms_trips != 0)");
    user(loop_.node, head() + " {");
    out_.in();
    out_.line(next(true));
    out_.line("const auto cilk_run = [&](auto cilk_count, const std::uint64_t cilk_row) {");
    out_.in();
    out_.line("constexpr unsigned cilk_some = decltype(cilk_count)::value;");
    out_.line(element + "[cilk_some];");
    write_rows(rows, "cilk_kept[cilk_u] = " + place + ";");
    out_.line("for (std::uint64_t cilk_term = 0; cilk_term < cilk_terms_trips; ++cilk_term) {");
    out_.in();
    write_variable("terms", "cilk_term", terms);
    name_rules inside = rules_;
    inside.place = [&](const clang::Expr* one) -> std::string {
      return std::ranges::find(stored.places, one) != stored.places.end() ? "cilk_kept[cilk_u]"
                                                                          : "";
    };
    inside.loop = [&](const clang::ForStmt* loop) -> std::string {
      if (loop != loop_.node) return "";
      // The nest may declare the loop's variable once more.
      const std::string again = is_inside_nest() ? next(false) + "\n" : "";
      return "{\n" + again + statement(loop->getBody(), inside) + "\n}";
    };
    write_rows(rows, print(source_, loop_.tile->inner->getBody(), inside));
    out_.out();
    out_.line("}");
    write_rows(rows, place + " = cilk_kept[cilk_u];");
    out_.out();
    out_.line("};");
    out_.line("channels::cilk::by_tiles(cilk_rows_trips, cilk_run);");
    out_.out();
    out_.line("}");
    const std::string outer = "cilk_" + std::string(loop_.tile->rows == 0 ? "rows" : "terms");
    write_last("rows", rows, loop_.tile->rows == 0 ? "" : outer + "_trips != 0");
    write_last("terms", terms, loop_.tile->terms == 0 ? "" : outer + "_trips != 0");
    if (!loop_.form.declared && !is_inside_nest())
      out_.line("if (cilk_rows_trips != 0 && cilk_terms_trips != 0) " + last());
  }
  void write_range(const std::string& kind, const counted_loop& one) {
    const std::string begin = "cilk_" + kind + "_first";
    const std::string end = "cilk_" + kind + "_limit";
    const std::string by = "cilk_" + kind + "_step";
    out_.line("const " + type_of(one.form.variable) + " " + begin + " = " +
              print(source_, one.first, before_) + ";");
    out_.line("const auto " + end + " = " + print(source_, one.form.limit, before_) + ";");
    out_.line("const std::int64_t " + by + " = " + step_of(one.form) + ";");
    out_.line("const std::uint64_t cilk_" + kind +
              "_trips = " + trips_of(one.form, begin, end, by) + ";");
  }
  void write_variable(const std::string& kind, const std::string& index, const counted_loop& one) {
    out_.line("[[maybe_unused]] " + type_of(one.form.variable) + " " + name(one.form.variable) +
              " = channels::cilk::nth(cilk_" + kind + "_first, " + index + ", cilk_" + kind +
              "_step);");
  }
  // The same statement for each row of a tile.
  void write_rows(const counted_loop& rows, const std::string& what) {
    out_.line("CHANNELS_GPU_UNROLL");
    out_.line("for (unsigned cilk_u = 0; cilk_u < cilk_some; ++cilk_u) {");
    out_.in();
    write_variable("rows", "cilk_row + cilk_u", rows);
    user(loop_.node->getBody(), what);
    out_.out();
    out_.line("}");
  }
  // A variable that lives longer than its loop has the value that ends it.
  void write_last(const std::string& kind, const counted_loop& one, const std::string& condition) {
    if (one.form.declared) return;
    out_.line((condition.empty() ? "" : "if (" + condition + ") ") + name(one.form.variable) +
              " = channels::cilk::nth(cilk_" + kind + "_first, cilk_" + kind + "_trips, cilk_" +
              kind + "_step);");
  }

  // Every lane runs the loops around, and its iterations of the one inside.
  void write_shared_nest() {
    name_rules inside = rules_;
    inside.loop = [this](const clang::ForStmt* loop) -> std::string {
      if (loop != loop_.node) return "";
      return head() + " {\n" + next(loop_.form.declared) + "\n" +
             statement(loop->getBody(), rules_) + "\n}" +
             (loop_.form.declared ? "" : "\n" + last());
    };
    user(loop_.nest, print(source_, loop_.nest, inside));
  }

  // Every lane takes every so many iterations.
  void write_shared() {
    const loop_form& form = loop_.form;
    for (const reduction& one : loop_.reductions) {
      const std::string type = type_of(one.variable);
      out_.line("const " + type + " cilk_before_" + number_ + "_" + name(one.variable) + " = " +
                name(one.variable) + ";");
      if (one.operation == "<" || one.operation == ">") continue;
      out_.line(name(one.variable) + " = static_cast<" + type + ">(" +
                (one.operation == "&" ? "-1" : "0") + ");");
    }
    if (loop_.prefixes.empty()) {
      user(loop_.node, head() + " {");
      out_.in();
      user(form.variable, next(form.declared));
      user(loop_.node->getBody(), statement(loop_.node->getBody(), rules_));
      out_.out();
      out_.line("}");
    } else {
      write_prefixes();
    }
    for (const clang::VarDecl* one : loop_.own) {
      out_.line("if (" + trips() + " != 0) " + name(one) + " = channels::cilk::of_lane(" +
                name(one) + ", (" + trips() + " - 1) % channels_lanes());");
    }
    for (const reduction& one : loop_.reductions) {
      const std::string before = "cilk_before_" + number_ + "_" + name(one.variable);
      out_.line(name(one.variable) + " = channels::cilk::join_lanes<'" + one.operation + "'>(" +
                before + ", " + name(one.variable) + ");");
    }
  }

  // Some iterations for each lane at a time: first their terms, which do not wait for each other,
  // and then the iterations, each with the sum before it.
  void write_prefixes() {
    const std::string block = "cilk_block_" + number_;
    const std::string index = "cilk_index_" + number_;
    const auto carry = [&](const prefix_sum& one) { return "cilk_carry_" + name(one.variable); };
    const auto terms = [&](const prefix_sum& one) { return "cilk_terms_" + name(one.variable); };
    out_.line("constexpr unsigned cilk_some = channels::cilk::terms_at_once;");
    for (const prefix_sum& one : loop_.prefixes)
      out_.line(type_of(one.variable) + " " + carry(one) + " = " + name(one.variable) + ";");
    user(loop_.node, "for (std::uint64_t " + block + " = 0; " + block + " < " + trips() + "; " +
                         block + " += cilk_some * channels_lanes()) {");
    out_.in();
    const auto of_each = [&] {
      out_.line("CHANNELS_GPU_UNROLL");
      out_.line("for (unsigned cilk_u = 0; cilk_u < cilk_some; ++cilk_u) {");
      out_.in();
      out_.line("const std::uint64_t " + index + " = " + block +
                " + cilk_u * channels_lanes() + channels_lane();");
    };
    const auto if_there = [&] {
      out_.line("if (" + index + " < " + trips() + ") {");
      out_.in();
      user(loop_.form.variable, next(loop_.form.declared));
    };
    const auto end = [&] {
      out_.out();
      out_.line("}");
    };
    for (const prefix_sum& one : loop_.prefixes)
      out_.line(type_of(one.variable) + " " + terms(one) + "[cilk_some] = {};");
    of_each();
    for (const prefix_sum& one : loop_.prefixes) {
      if_there();
      for (const clang::Stmt* each : one.before) user(each, statement(each, rules_));
      user(loop_.node->getBody(), terms(one) + "[cilk_u] = static_cast<" + type_of(one.variable) +
                                      ">(" + (one.subtracts ? "-(" : "(") +
                                      (one.term == nullptr ? "1" : text(one.term)) + "));");
      end();
    }
    end();
    of_each();
    for (const prefix_sum& one : loop_.prefixes)
      out_.line(name(one.variable) + " = channels::cilk::sum_before(" + terms(one) + "[cilk_u], " +
                carry(one) + ");");
    if_there();
    user(loop_.node->getBody(), statement(loop_.node->getBody(), rules_));
    end();
    end();
    end();
    for (const prefix_sum& one : loop_.prefixes)
      out_.line(name(one.variable) + " = " + carry(one) + ";");
  }

  void write_alone() {
    out_.line("if (channels_lane() == 0) {");
    out_.in();
    user(loop_.node, text(loop_.node));
    out_.out();
    out_.line("}");
    for (const clang::VarDecl* one : loop_.own)
      out_.line(name(one) + " = channels::cilk::of_lane(" + name(one) + ", 0);");
    for (const reduction& one : loop_.reductions)
      out_.line(name(one.variable) + " = channels::cilk::of_lane(" + name(one.variable) + ", 0);");
    for (const prefix_sum& one : loop_.prefixes)
      out_.line(name(one.variable) + " = channels::cilk::of_lane(" + name(one.variable) + ", 0);");
  }

  // Nothing has happened yet: the function may be called again, by several wavefronts.
  void write_question() {
    const std::string work = "cilk_work_" + number_;
    out_.line("std::uint64_t " + work + " = " + trips() + ";");
    for (const counted_loop& one : loop_.around) {
      const std::string from = "(" + print(source_, one.first, before_) + ")";
      const std::string to = "(" + print(source_, one.form.limit, before_) + ")";
      out_.line(work + " *= " + trips_of(one.form, from, to, step_of(one.form)) + ";");
    }
    const std::string apart = loop_.apart.empty() ? "" : "cilk_apart_" + number_ + " && ";
    out_.line("if (" + apart + "channels::cilk::asks_for_parts(cilk_division, " + trips() + ", " +
              work + ")) return;");
  }

  void write_comparison() {
    const std::string type = type_of(loop_.form.variable);
    const std::string apart = "cilk_apart_" + number_;
    out_.line("bool " + apart + " = true;");
    if (tiles()) out_.line("bool cilk_tiles_" + number_ + " = false;");
    out_.line("if (" + trips() + " > 1) {");
    out_.in();
    out_.line("const " + type + " cilk_second = channels::cilk::nth(" + first() + ", 1, " + step() +
              ");");
    out_.line("const " + type + " cilk_last = channels::cilk::nth(" + first() + ", " + trips() +
              " - 1, " + step() + ");");
    std::set<std::size_t> used;
    for (const auto& [a, b] : loop_.apart) used.insert({a, b});
    for (const std::size_t one : used) write_access(one);
    std::string all;
    for (const auto& [a, b] : loop_.apart) {
      const std::string left = "cilk_access_" + std::to_string(a);
      all += (all.empty() ? "" : " && ") +
             (a == b ? left + ".is_apart()"
                     : (loop_.reads_early() ? "channels::cilk::lane_access::are_disjoint("
                                            : "channels::cilk::lane_access::apart(") +
                           left + ", cilk_access_" + std::to_string(b) + ")");
    }
    out_.line(apart + " = " + all + ";");
    if (tiles()) {
      // Rows are apart from each other, and from all that is compared with them.
      const std::string own = std::to_string(loop_.tile->compared);
      std::string rows = "cilk_access_" + own + ".has_rows_apart(cilk_at_" + own + "(" + first() +
                         (loop_.tile->rows == 0 ? ", 1, 0))" : ", 0, 1))");
      for (const auto& [a, b] : loop_.apart) {
        if ((a != loop_.tile->compared && b != loop_.tile->compared) || a == b) continue;
        rows += " && channels::cilk::lane_access::are_disjoint(cilk_access_" + std::to_string(a) +
                ", cilk_access_" + std::to_string(b) + ")";
      }
      out_.line("cilk_tiles_" + number_ + " = " + apart + " && " + rows + ";");
    }
    out_.out();
    out_.line("}");
  }

  // The address of an access is a function of the loop's variable, and of which end of their ranges
  // those of the loops inside are at.
  void write_access(std::size_t number) {
    const compared_access& group = loop_.compared[number];
    const access& one = loop_.accesses[group.access];
    const std::string at = "cilk_at_" + std::to_string(number);
    const std::string made = "cilk_access_" + std::to_string(number);
    const name_rules& inside = before_;
    std::string parameters =
        "[[maybe_unused]] " +
        type_text(source_, loop_.form.variable->getType(), name(loop_.form.variable));
    for (std::size_t i = 0; i < one.around.size(); ++i)
      parameters += ", const unsigned cilk_end_" + std::to_string(i);
    user(one.place, "const auto " + at + " = [&](" + parameters + ") {");
    out_.in();
    for (std::size_t i = 0; i < one.around.size(); ++i) {
      const loop_form& form = one.around[i].form;
      const std::string n = std::to_string(i);
      const auto part = [&](const clang::Expr* code) { return print(source_, code, inside); };
      out_.line("const " + type_of(form.variable) + " cilk_from_" + n + " = " +
                part(one.around[i].first) + ";");
      out_.line("const auto cilk_to_" + n + " = " + part(form.limit) + ";");
      const std::string by =
          form.step == nullptr ? "1" : "static_cast<std::int64_t>(" + part(form.step) + ")";
      out_.line("const std::int64_t cilk_by_" + n + " = " + (form.subtracts ? "-" : "") + by + ";");
      out_.line("[[maybe_unused]] " +
                type_text(source_, form.variable->getType(), name(form.variable)) +
                " = channels::cilk::end_of(cilk_end_" + n + ", cilk_from_" + n + ", cilk_by_" + n +
                ", " + trips_of(form, "cilk_from_" + n, "cilk_to_" + n, "cilk_by_" + n) + ");");
    }
    user(one.place,
         "return channels::cilk::place_of(&(" + print(source_, one.place, inside) + "));");
    out_.out();
    out_.line("};");
    const auto corner = [&](std::size_t bits) {
      std::string ends;
      for (std::size_t i = 0; i < one.around.size(); ++i)
        ends += (bits >> i & 1U) != 0 ? ", 2" : ", 0";
      return at + "(" + first() + ends + "), " + at + "(cilk_second" + ends + "), " + at +
             "(cilk_last" + ends + ")";
    };
    out_.line("channels::cilk::lane_access " + made + "(" + corner(0) + ", " +
              std::to_string(group.bytes) + ", " + trips() + ");");
    // Ranges that depend on each other have more ends.
    const std::size_t corners = one.in_fixed_loops ? 1 : std::size_t{1} << one.around.size();
    for (std::size_t bits = 1; bits < corners; ++bits)
      out_.line(made + ".add(" + corner(bits) + ");");
    const bool has_rows = loop_.apart.contains({number, number});
    if (!one.in_fixed_loops && !has_rows) return;
    const std::string add = one.in_fixed_loops ? ".add_loop(" : ".add_rows(";
    for (std::size_t i = 0; i < one.around.size(); ++i) {
      const auto at_value = [&](const char* value) {
        std::string ends;
        for (std::size_t j = 0; j < one.around.size(); ++j)
          ends += std::string(", ") + (i == j ? value : "0");
        return at + "(" + first() + ends + ")";
      };
      out_.line(made + add + at_value("1") + ", " + at_value("2") + ");");
    }
  }

  // Before the loop, a variable of its body is the value that the body gives it.
  std::string name_before(const clang::VarDecl* variable) const {
    const loop_variables& known = loop_.variables;
    if (known.declared.contains(variable) && !known.reassigned.contains(variable) &&
        variable->hasInit() && variable != loop_.form.variable)
      return "(" + print(source_, variable->getInit(), before_) + ")";
    return rules_.variable ? rules_.variable(variable) : "";
  }

  std::string statement(const clang::Stmt* code, const name_rules& rules) const {
    return print(source_, code, rules) + (llvm::isa<clang::Expr>(code) ? ";" : "");
  }

  template <class Node>
  void user(const Node* node, const std::string& text) {
    const user_place place = source_.place_of(node->getBeginLoc());
    out_.user_line(place.file, place.line, 0, text);
  }

  const program& source_;
  const lane_loop& loop_;
  const name_rules& rules_;
  writer& out_;
  std::string number_;
  const std::function<void()>& otherwise_;
  bool divided_;
  name_rules before_;  // for what is computed before the loop
};

}  // namespace

void write_lane_loop(const program& source, const lane_loop& loop, const name_rules& rules,
                     unsigned number, writer& out, const std::function<void()>& otherwise,
                     bool divided) {
  loop_writer(source, loop, rules, number, out, otherwise, divided).run();
}

}  // namespace cilk2chan
