#include "host_code/loops/loops.hpp"

#include "diagnostics/diagnostics.hpp"
#include "frontend/tree_walker.hpp"

#include <algorithm>

namespace cilk2chan::host_code {

std::string one_iteration(const std::string& body) { return "do " + body + " while (0);"; }

std::string condition_of(const loop_form& form, const std::string& limit) {
  return form.variable->getNameAsString() + " " +
         clang::BinaryOperator::getOpcodeStr(form.comparison).str() + " " + limit;
}

text_range body_range(rewriting& out, const loop_site& site) {
  return {out.source.range(site.node->getBody()).begin,
          end_of_statement(out.source, site.node->getBody())};
}

text_range range_of(rewriting& out, const loop_site& site) {
  return {out.source.offset(site.node->getForLoc()), body_range(out, site).end};
}

std::string initialisation(rewriting& out, const loop_site& site) {
  std::string text = out.render_line(site.node->getInit());
  if (!llvm::StringRef(text).ends_with(";")) text += ";";
  return text;
}

namespace {

// Whether a text contains a part of a conditional directive, but not the whole of it.
bool cuts_conditionals(llvm::StringRef text, bool none_at_all) {
  int depth = 0;
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.ltrim();
    if (!line.consume_front("#")) continue;
    if (none_at_all) return true;
    line = line.ltrim();
    if (line.starts_with("if")) ++depth;
    if (line.starts_with("endif")) --depth;
    if (depth < 0 || (depth == 0 && line.starts_with("el"))) return true;
  }
  return depth != 0;
}

// Writes the function's name in place of `__func__`: the body moves into another function.
class name_keeper : public tree_walker {
 public:
  name_keeper(rewriting& out, const loop_site& site) : out_(out) {
    look_through(site.node->getBody());
  }
  bool VisitPredefinedExpr(clang::PredefinedExpr* node) override {
    const clang::StringLiteral* name = node->getFunctionName();
    if (name == nullptr || node->getLocation().isMacroID()) return true;
    const std::string text = "\"" + name->getString().str() + "\"";
    out_.text.replace(out_.source.range(node), [text] { return text; }, 11);
    return true;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }

 private:
  rewriting& out_;
};

bool can_be_moved(rewriting& out, const loop_site& site) {
  const text_range all = range_of(out, site);
  const text_range body = body_range(out, site);
  if (cuts_conditionals(out.source.text().slice(all.begin, body.begin), true)) return false;
  return !out.source.is_c() ||
         !cuts_conditionals(out.source.text().slice(body.begin, body.end), false);
}

// Whether a block can be given away as far as its text goes.
void prepare_block(rewriting& out, loop_site& site) {
  const bool inside = site.where->kind != region_kind::outside && site.where->function != nullptr;
  site.lowered = inside && can_be_moved(out, site);
  if (site.lowered) {
    name_keeper(out, site);
    return;
  }
  warn_serial(out.source, site.node->getForLoc(), "spawn",
              inside ? reasons::directive_around : reasons::outside_function);
  leave_block(out, site);
}

}  // namespace

void leave_block(rewriting& out, const loop_site& site) {
  const unsigned begin = range_of(out, site).begin;
  out.text.replace({begin, body_range(out, site).begin}, [] { return std::string(); }, 4);
}

void rewrite_loops(rewriting& out) {
  std::map<loop_site*, loop_form> forms;
  for (loop_site& site : out.places.loops) {
    if (site.spawned) {
      prepare_block(out, site);
      continue;
    }
    const auto form =
        find_form(out.source.context, site.node,
                  [&](clang::SourceLocation where, const refusal& why, const std::string& name) {
                    refuse(out.source, where, why, name);
                  });
    if (!form) continue;
    if (can_be_moved(out, site)) {
      forms[&site] = *form;
      site.lowered = true;
      name_keeper(out, site);
    } else {
      warn_serial(out.source, site.node->getForLoc(), "loop", reasons::directive_around);
    }
  }
  if (out.source.is_c()) return rewrite_loops_c(out, forms);
  for (loop_site& site : out.places.loops) {
    if (site.spawned && site.lowered) rewrite_block_cxx(out, site);
  }
  for (const auto& [site, form] : forms) rewrite_loop_cxx(out, *site, form);
}

}  // namespace cilk2chan::host_code
