#include "diagnostics/refusals.hpp"  // reasons
#include "host_code/rewriting.hpp"

#include <clang/Basic/Builtins.h>

namespace cilk2chan::host_code {
namespace {

class c_child_planner {
 public:
  c_child_planner(rewriting& out, const spawn_site& site)
      : out_(out), source_(out.source), site_(site) {}

  std::optional<c_child> run(const char*& why_not) {
    child_.name = "";
    if (!add_result() || !add_callee() || !add_arguments()) {
      why_not = why_not_;
      return std::nullopt;
    }
    const std::string function = site_.where->function->getNameAsString();
    unsigned& number = out_.outlined_count[site_.where->function];
    child_.name = source_.unused_name(function + "_spawn_" + std::to_string(++number));
    write_run();
    return std::move(child_);
  }

 private:
  bool fail(const char* why) {
    why_not_ = why;
    return false;
  }

  bool add(clang::QualType type, const std::string& name) {
    if (source_.context.getTypeAlignInChars(type.getCanonicalType()).getQuantity() > 64)
      return fail(reasons::large_alignment);
    const auto text = outer_type(source_, type, name, site_.where->function);
    if (!text) return fail(reasons::unnamed_type);
    child_.fields.push_back(*text);
    child_.names.push_back(name);
    return true;
  }

  bool add_result() {
    // Casts around the call, from the outside in.
    const clang::Expr* at = site_.value;
    while (site_.form != spawn_form::dropped) {
      at = at->IgnoreParenImpCasts();
      const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(at);
      if (cast == nullptr) break;
      const auto type = outer_type(source_, cast->getType(), "", site_.where->function);
      if (!type) return fail(reasons::unnamed_type);
      casts_ += "(" + *type + ")";
      at = cast->getSubExpr();
    }
    if (site_.form == spawn_form::dropped || site_.unread) return true;
    clang::QualType place =
        site_.form == spawn_form::declared ? site_.variable->getType() : site_.place->getType();
    place.removeLocalConst();
    const auto* record = place->getAs<clang::RecordType>();
    if (record != nullptr && record->hasConstFields()) return fail(reasons::constant_members);
    if (!add(source_.context.getPointerType(place), "cilk_result")) return false;
    return site_.form != spawn_form::compound ||
           add(at->getType().getUnqualifiedType(), "cilk_value");
  }

  bool add_callee() {
    const auto* function = site_.call->getDirectCallee();
    const auto* name =
        llvm::dyn_cast<clang::DeclRefExpr>(site_.call->getCallee()->IgnoreParenImpCasts());
    if (function != nullptr && function->getBuiltinID() != 0 &&
        !source_.context.BuiltinInfo.isPredefinedLibFunction(function->getBuiltinID())) {
      return fail(reasons::built_in);
    }
    const bool named = function != nullptr && name != nullptr;
    if (named && (is_declared_before(function) ||
                  (is_itself(function) && declare_itself(out_, site_.where->function)))) {
      callee_ = out_.name_of(function, site_.where->function);
      const clang::IdentifierInfo* identifier = function->getIdentifier();
      if (identifier != nullptr && identifier->hasMacroDefinition()) callee_ = "(" + callee_ + ")";
      return true;
    }
    callee_ = "cilk_child->cilk_callee";
    if (!add(site_.call->getCallee()->getType().getUnqualifiedType(), "cilk_callee")) return false;
    child_.given.push_back(site_.call->getCallee());
    return true;
  }

  bool is_itself(const clang::FunctionDecl* function) const {
    return function->getCanonicalDecl() == site_.where->function->getCanonicalDecl();
  }

  bool is_declared_before(const clang::FunctionDecl* function) const {
    const clang::FunctionDecl* around = site_.where->function;
    for (const clang::FunctionDecl* one : function->redecls()) {
      if (one == around) continue;
      if (one->isImplicit() && one->getBuiltinID() != 0) continue;
      if (!one->getLexicalDeclContext()->isFileContext()) continue;
      if (!source_.in_main_file(one->getLocation()) ||
          source_.offset(one->getLocation()) < source_.offset(around->getBeginLoc()))
        return true;
    }
    return false;
  }

  bool add_arguments() {
    const auto* callee = site_.call->getDirectCallee();
    unsigned index = 0;
    for (const clang::Expr* one : written_arguments(site_.call)) {
      std::string name;
      if (callee != nullptr && index < callee->getNumParams())
        name = callee->getParamDecl(index)->getNameAsString();
      ++index;
      if (!is_usable(name)) name = "argument_" + std::to_string(index);
      const clang::QualType type = one->getType().getUnqualifiedType();
      if (type->isVoidType()) return fail(reasons::unnamed_type);
      if (!add(type, name)) return false;
      child_.given.push_back(one);
      passed_ += (passed_.empty() ? "cilk_child->" : ", cilk_child->") + name;
    }
    return true;
  }

  bool is_usable(const std::string& name) const {
    if (name.empty() || name == "cilk_frame" || name == "cilk_child") return false;
    for (const std::string& other : child_.names) {
      if (other == name) return false;
    }
    return !source_.context.Idents.get(name).hasMacroDefinition();
  }

  void write_run() {
    const std::string call = casts_ + callee_ + "(" + passed_ + ")";
    switch (site_.form) {
      case spawn_form::compound:
        child_.run = "cilk_child->cilk_value = " + call;
        child_.finish = "*cilk_child->cilk_result " + site_.assignment + " cilk_child->cilk_value";
        break;
      case spawn_form::dropped: child_.run = call; break;
      default: child_.run = site_.unread ? call : "*cilk_child->cilk_result = " + call;
    }
  }

  rewriting& out_;
  parsed_file& source_;
  const spawn_site& site_;
  c_child child_;
  std::string casts_;
  std::string callee_;
  std::string passed_;
  const char* why_not_ = nullptr;
};

// What the runtime has to know of a child that may run at another rank.
std::string traveller_of(const spawn_site& site, const c_child& child) {
  const std::string record = "struct " + child.name;
  const bool inside = !child.finish.empty();
  const std::string member = inside ? "cilk_value" : "cilk_result";
  const std::string result = std::string(inside ? "" : "*") + "((" + record + "*)0)->" + member;
  const std::string name = child.name + "_travels";
  return "static channels_cilk_traveller " + name + " = {\"" +
         shown_name(site.call->getDirectCallee()) + "\", " + child.name + "_run, sizeof(" + record +
         "), __builtin_offsetof(" + record + ", " + member + "), sizeof(" + result + "), " +
         (inside ? "1" : "0") + ", 0};\n" + "__attribute__((__constructor__)) static void " + name +
         "_too(void) {\n  channels_cilk_travels(&" + name + ");\n}\n";
}

}  // namespace

bool declare_itself(rewriting& out, const clang::FunctionDecl* function) {
  if (!function->hasWrittenPrototype()) return false;
  const unsigned begin = out.source.offset(function->getBeginLoc());
  const unsigned end = out.source.offset(function->getBody()->getBeginLoc());
  const auto line = one_line(out.source, out.source.text({begin, end}));
  if (!line || line->find('{') != std::string::npos) return false;
  out.prototypes[function] = llvm::StringRef(*line).rtrim().str() + ";\n";
  return true;
}

std::optional<c_child> plan_c_child(rewriting& out, const spawn_site& site, const char*& why_not) {
  return c_child_planner(out, site).run(why_not);
}

void write_c_child(rewriting& out, const spawn_site& site, const c_child& child) {
  const std::string record = "struct " + child.name;
  std::string parameters;
  std::string values;
  for (std::size_t i = 0; i < child.fields.size(); ++i) {
    if (child.names[i] == "cilk_value" &&
        child.finish.find("cilk_child->cilk_value") != std::string::npos)
      continue;
    parameters += ", " + child.fields[i];
    values += (values.empty() ? "." : ", .") + child.names[i] + " = " + child.names[i];
  }
  const bool empty = child.fields.empty();
  std::string& text = out.outlined[site.where->function];
  const std::string open = empty ? "(void* cilk_closure) {\n  (void)cilk_closure;\n"
                                 : "(void* cilk_closure) {\n  " + record +
                                       "* const cilk_child = (" + record + "*)cilk_closure;\n";
  if (!empty) {
    text += record + " {\n";
    for (const std::string& field : child.fields) text += "  " + field + ";\n";
    text += "};\n";
  }
  // A race of the child's result is at the spawn.
  const std::string line =
      out.races && out.lines
          ? out.source.line_directive(out.source.offset(site.node->getOperatorLoc()))
          : "";
  text += "static void " + child.name + "_run" + open + line + "  " + child.run + ";\n}\n";
  if (!child.finish.empty()) {
    text += "static void " + child.name + "_finish" + open + line + "  " + child.finish + ";\n}\n";
  }
  if (out.travels(site)) text += traveller_of(site, child);
  text += "static CHANNELS_CILK_COLD void " + child.name + "(channels_cilk_frame* cilk_frame" +
          parameters + ") {\n";
  if (!empty) text += "  " + record + " cilk_child = {" + values + "};\n";
  text += "  channels_cilk_give(cilk_frame, " + child.name + "_run, " +
          (child.finish.empty() ? "0" : child.name + "_finish") + ", " +
          (empty ? "0, 0" : "&cilk_child, sizeof cilk_child") + ");\n}\n";
}

std::string give_c(rewriting& out, const spawn_site& site, const c_child& child) {
  std::string text = child.name + "(&" + frame_of(site.where);
  if (!site.unread && site.form == spawn_form::declared) {
    text += ", &" + site.variable->getNameAsString();
  } else if (!site.unread && site.place != nullptr) {
    const bool simple = llvm::isa<clang::DeclRefExpr, clang::ParenExpr, clang::ArraySubscriptExpr,
                                  clang::MemberExpr>(site.place);
    const std::string place = out.render_line(site.place);
    text += simple ? ", &" + place : ", &(" + place + ")";
  }
  for (const clang::Expr* one : child.given) text += ", " + out.render_line(one);
  return text + ")";
}

}  // namespace cilk2chan::host_code
