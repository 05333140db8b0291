#include "diagnostics/diagnostics.hpp"
#include "host_code/loops/captures.hpp"
#include "host_code/loops/loops.hpp"

namespace cilk2chan::host_code {
namespace {

class c_loop_writer {
 public:
  // `form` is null for a block that is spawned.
  c_loop_writer(rewriting& out, const loop_site& site, const loop_form* form,
                captured_loop& captured)
      : out_(out),
        site_(site),
        form_(form),
        captured_(captured),
        variable_(form == nullptr ? "" : form->variable->getNameAsString()) {}

  std::string run() {
    if (site_.spawned) {
      write_block();
      return give();
    }
    write_function();
    return call();
  }

 private:
  static constexpr const char* wide = "(__UINT64_TYPE__)";

  bool is_pointer() const { return form_->variable->getType()->isPointerType(); }
  bool has_step() const { return form_->step != nullptr; }

  // The statement that replaces the loop: the limit, the number of iterations, the closure, the
  // call.
  std::string call() {
    std::string text = "{ " + initialisation(out_, site_);
    std::string limit = out_.render_line(form_->limit);
    if (form_->limit->getType()->isRealFloatingType()) {
      const bool up = (form_->comparison == clang::BO_LT || form_->comparison == clang::BO_GE ||
                       form_->comparison == clang::BO_NE);
      limit =
          std::string("(__INT64_TYPE__)__builtin_") + (up ? "ceil" : "floor") + "(" + limit + ")";
      text += " const __INT64_TYPE__ " + out_.own.limit + " = " + limit + ";";
    } else {
      text += " const __typeof__((" + limit + ") + 0) " + out_.own.limit + " = " + limit + ";";
    }
    if (has_step()) {
      text += std::string(" const __INT64_TYPE__ " + out_.own.step + " = ") +
              (form_->subtracts ? "-" : "") + "(__INT64_TYPE__)(" + out_.render_line(form_->step) +
              ");";
    }
    text += " struct " + captured_.name + " " + out_.own.loop + " = {" + values() + "};";
    std::string trips = "CHANNELS_CILK_TRIPS(" + condition_of(*form_, out_.own.limit) + ", " +
                        span() + ", " + stride() + ")";
    if (!form_->declared) {
      text += " const __UINT64_TYPE__ " + out_.own.trips + " = " + trips + ";";
      trips = out_.own.trips;
    }
    text += " channels_cilk_for(" + trips + ", " + (site_.grain.empty() ? "0" : site_.grain) +
            ", " + captured_.name + "_run, &" + out_.own.loop + ");";
    if (!form_->declared)
      text += " " + variable_ + " = " + nth(variable_, out_.own.trips, out_.own.step) + ";";
    return text + " }";
  }

  std::string span() const {
    const auto difference = [&](const std::string& to, const std::string& from) {
      if (is_pointer()) return std::string(wide) + "(" + to + " - " + from + ")";
      const std::string text = wide + to + " - " + wide + from;
      const std::string narrow = counted_in();
      return narrow.empty() ? text : wide + ("(" + narrow + ")(" + text + ")");
    };
    std::string text;
    if (form_->comparison == clang::BO_NE && has_step()) {
      text = "(" + out_.own.step + " > 0 ? " + difference(out_.own.limit, variable_) + " : " +
             difference(variable_, out_.own.limit) + ")";
    } else {
      text = form_->down ? difference(variable_, out_.own.limit)
                         : difference(out_.own.limit, variable_);
    }
    return is_inclusive(*form_) ? text + " + 1" : text;
  }

  // The type of differences of a variable that is narrower than 64 bits: it may wrap around on its
  // way to a limit that it must not be equal to. Empty for others.
  std::string counted_in() const {
    const clang::QualType type = form_->variable->getType();
    const std::uint64_t bits = out_.source.context.getTypeSize(type);
    const bool narrow = type->isIntegerType() && !type->isBooleanType() && bits < 64;
    if (!narrow || form_->comparison != clang::BO_NE) return {};
    return "__UINT" + std::to_string(bits) + "_TYPE__";
  }

  std::string stride() const {
    if (!has_step()) return "1";
    return form_->comparison == clang::BO_NE
               ? "(" + out_.own.step + " > 0 ? " + out_.own.step + " : -" + out_.own.step + ")"
           : form_->down ? "-" + out_.own.step
                         : out_.own.step;
  }

  // The control variable after `count` steps from `first`.
  std::string nth(const std::string& first, const std::string& count,
                  const std::string& step) const {
    if (is_pointer()) {
      const std::string steps = "(__INT64_TYPE__)" + count;
      if (!has_step()) return first + (form_->subtracts ? " - " : " + ") + steps;
      return first + " + " + steps + " * " + step;
    }
    const std::string steps = has_step() ? count + " * " + wide + step : count;
    const bool minus = !has_step() && form_->subtracts;
    return "(" + captured_.variable_type + ")(" + wide + first + (minus ? " - " : " + ") + steps +
           ")";
  }

  std::string values() {
    std::string text = "." + out_.own.first + " = " + variable_;
    if (has_step()) text += ", ." + out_.own.step + " = " + out_.own.step;
    return text + captured_values();
  }

  std::string captured_values() {
    std::string text;
    for (const capture& one : captured_.captures) {
      const std::string name = one.variable->getNameAsString();
      const std::string outside = captured_.name_outside(one.variable);
      if (one.how == capture::by_pointer) {
        text += ", .cilk_at_" + name + " = " + (outside == name ? "&" + name : "cilk_at_" + name);
      } else {
        text += ", ." + name + " = " + (one.sizes.empty() ? outside : "(void*)" + outside);
        std::string element = outside + "[0]";
        for (const std::string& size : one.sizes) {
          text += ", ." + size + " = sizeof(" + element + ") / sizeof(" + element + "[0])";
          element += "[0]";
        }
      }
    }
    return text;
  }

  // The statement that replaces a block: the closure, and the choice who runs it.
  std::string give() {
    const std::string frame = frame_of(site_.where);
    return "{ struct " + captured_.name + " " + out_.own.loop + " = {0" + captured_values() +
           "}; if (channels_cilk_hungry(&" + frame + ")) " + captured_.name + "(&" + frame + ", &" +
           out_.own.loop + "); else " + captured_.name + "_run(&" + out_.own.loop + "); }";
  }

  void write_block() {
    if (captured_.written) return;
    captured_.written = true;
    const text_range body = body_range(out_, site_);
    const std::string body_text = out_.text.render(body);
    const std::string record = "struct " + captured_.name;
    const std::string line = out_.lines ? out_.source.line_directive(body.begin) : "";
    // C has no structures without members.
    std::string text = record + " {\n  char " + out_.own.first + ";\n" + captured_fields();
    if (out_.races) text += line;
    text += "static void " + captured_.name + "_run(void* " + out_.own.closure + ") {\n  " +
            record + "* const " + out_.own.loop + " = (" + record + "*)" + out_.own.closure +
            ";\n  (void)" + out_.own.loop + ";\n";
    for (const capture& one : captured_.captures) text += "  " + one.local + ";\n";
    if (const std::string views = out_.views_of(site_); !views.empty())
      text += "  " + llvm::StringRef(views).rtrim().str() + "\n";
    text += line + body_text + "\n" + out_.own_lines() + "}\n";
    text +=
        "static CHANNELS_CILK_COLD void " + captured_.name +
        "(channels_cilk_frame* cilk_frame, void* cilk_child) {\n  channels_cilk_give(cilk_frame, " +
        captured_.name + "_run, 0, cilk_child, sizeof(" + record + "));\n}\n";
    out_.outlined[site_.where->function] += text;
  }

  std::string captured_fields() const {
    std::string text;
    for (const capture& one : captured_.captures) {
      text += "  " + one.field + ";\n";
      for (const std::string& size : one.sizes) text += "  __SIZE_TYPE__ " + size + ";\n";
    }
    return text + "};\n";
  }

  void write_function() {
    if (captured_.written) return;
    captured_.written = true;
    const text_range body = body_range(out_, site_);
    const std::string body_text = out_.text.render(body);
    const std::string record = "struct " + captured_.name;
    std::string text = record + " {\n  " + captured_.variable_field + ";\n";
    if (has_step()) text += "  __INT64_TYPE__ " + out_.own.step + ";\n";
    text += captured_fields();
    // What compilers move out of the body has the function's line.
    if (out_.races && out_.lines) text += out_.source.line_directive(body.begin);
    text += "static void " + captured_.name + "_run(void* " + out_.own.closure +
            ", __UINT64_TYPE__ " + out_.own.begin + ", __UINT64_TYPE__ " + out_.own.end + ") {\n";
    if (out_.races && out_.lines) text += out_.source.line_directive(body.begin);
    text += "  " + record + "* const " + out_.own.loop + " = (" + record + "*)" + out_.own.closure +
            ";\n";
    for (const capture& one : captured_.captures) text += "  " + one.local + ";\n";
    if (out_.races && out_.lines) text += out_.source.line_directive(body.begin);
    if (const std::string views = out_.views_of(site_); !views.empty())
      text += "  " + llvm::StringRef(views).rtrim().str() + "\n";
    const std::string first = captured_.variable_declaration + " = " +
                              nth(out_.own.loop + "->" + out_.own.first, out_.own.begin,
                                  out_.own.loop + "->" + out_.own.step);
    const std::string line = out_.lines ? out_.source.line_directive(body.begin) : "";
    if (out_.races) {
      text += "  " + first + ";\n" + one_iteration("\n" + line + body_text) + "\n";
    } else {
      text += "  for (" + first + "; " + out_.own.begin + " != " + out_.own.end + "; ++" +
              out_.own.begin + ", ";
      if (!has_step()) {
        text += std::string(form_->subtracts ? "--" : "++") + variable_;
      } else {
        text += variable_ + " += " + (is_pointer() ? "" : "(" + captured_.variable_type + ")") +
                out_.own.loop + "->" + out_.own.step;
      }
      text += ")\n" + line + body_text + "\n";
    }
    text += out_.own_lines() + "}\n";
    out_.outlined[site_.where->function] += text;
  }

  rewriting& out_;
  const loop_site& site_;
  const loop_form* form_;
  captured_loop& captured_;
  std::string variable_;
};

}  // namespace

void rewrite_loops_c(rewriting& out, const std::map<loop_site*, loop_form>& forms) {
  // Outer loops first: an inner loop asks its outer loop how it holds a variable.
  auto plans = std::make_shared<std::map<const loop_site*, captured_loop>>();
  for (loop_site& site : out.places.loops) {
    const auto known = forms.find(&site);
    if (known == forms.end() && !site.lowered) continue;
    const loop_form* const form = known == forms.end() ? nullptr : &known->second;
    captured_loop* outer = nullptr;
    for (const region* at = site.where; at != nullptr; at = at->outer) {
      for (auto& [other, plan] : *plans) {
        if (outer == nullptr && other->body == at) outer = &plan;
      }
    }
    const char* why_not = nullptr;
    auto plan = capture_loop(out, site, form, why_not);
    if (!plan) {
      site.lowered = false;
      warn_serial(out.source, site.node->getForLoc(), site.spawned ? "spawn" : "loop", why_not);
      if (site.spawned) leave_block(out, site);
      continue;
    }
    if (site.spawned) site.where->frame = "cilk_frame";
    plan->outer = outer;
    out.outlined[site.where->function] += "";  // the text is written when the loop is rendered
    (*plans)[&site] = std::move(*plan);
  }
  rename_captures(out, *plans);
  for (auto& [site, plan] : *plans) {
    const auto known = forms.find(const_cast<loop_site*>(site));
    const auto form = known == forms.end() ? std::nullopt : std::optional(known->second);
    out.text.replace(range_of(out, *site), [&out, site = site, form, plans] {
      return c_loop_writer(out, *site, form ? &*form : nullptr, plans->at(site)).run();
    });
  }
}

}  // namespace cilk2chan::host_code
