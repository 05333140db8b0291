#include "host_code/rewriting.hpp"

namespace cilk2chan::host_code {
namespace {

// The parts of a call besides its arguments.
struct callee_parts {
  const clang::Expr* object = nullptr;  // the object to capture, or null
  bool dereference = false;             // `object` is a pointer to the object
  std::string before;                   // the call's text before the object
  std::string after;                    // the call's text behind the object
  bool is_this = false;                 // the closure captures `this`
};

bool uses_this(const clang::Expr* base) {
  return base != nullptr && llvm::isa<clang::CXXThisExpr>(base->IgnoreImpCasts());
}

callee_parts parts_of(rewriting& out, const clang::CallExpr* call) {
  callee_parts parts;
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call)) {
    parts.object = operation->getArg(0);
    return parts;
  }
  const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
  const clang::Expr* base = nullptr;
  clang::SourceLocation operation;
  bool arrow = false;
  bool implicit = false;
  bool data = false;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(callee)) {
    implicit = member->isImplicitAccess();
    base = member->getBase();
    arrow = member->isArrow();
    operation = member->getOperatorLoc();
    data = llvm::isa<clang::FieldDecl>(member->getMemberDecl());
  } else if (const auto* unresolved = llvm::dyn_cast<clang::UnresolvedMemberExpr>(callee)) {
    implicit = unresolved->isImplicitAccess();
    if (!implicit) base = unresolved->getBase();
    arrow = unresolved->isArrow();
    operation = unresolved->getOperatorLoc();
  } else if (const auto* dependent = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(callee)) {
    implicit = dependent->isImplicitAccess();
    if (!implicit) base = dependent->getBase();
    arrow = dependent->isArrow();
    operation = dependent->getOperatorLoc();
  } else if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(callee)) {
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(name->getDecl()))
      parts.object = callee;
    else
      parts.before = out.render_line(call->getCallee());
    return parts;
  } else {
    if (llvm::isa<clang::UnresolvedLookupExpr, clang::DependentScopeDeclRefExpr>(callee)) {
      parts.before = out.render_line(call->getCallee());
    } else {
      parts.object = call->getCallee();
    }
    return parts;
  }
  if (data) {
    parts.object = call->getCallee();
  } else if (implicit || uses_this(base)) {
    parts.is_this = true;
    parts.before = out.render_line(call->getCallee());
  } else {
    parts.object = base;
    parts.dereference = arrow;
    // `object->` is an expression of its own where `->` is overloaded.
    const auto* own = llvm::dyn_cast<clang::CXXOperatorCallExpr>(base->IgnoreImplicit());
    if (arrow && own != nullptr && own->getOperator() == clang::OO_Arrow)
      parts.object = own->getArg(0);
    const text_range all = out.source.range(callee);
    const unsigned begin = out.source.offset(operation) + (arrow ? 2 : 1);
    parts.after = "." + one_line(out.source, out.source.text({begin, all.end})).value_or("");
  }
  return parts;
}

std::string capture_object(rewriting& out, const callee_parts& parts, const child_argument& how) {
  const std::string text = out.render_line(parts.object);
  if (parts.dereference) return "&cilk_object = *(" + text + ")";
  if (how.passed == child_argument::moved)
    return "&cilk_object = channels::cilk::lvalue(" + text + ")";
  if (how.passed == child_argument::value) return "cilk_object = " + text;
  return "&cilk_object = " + text;
}

std::string captures(rewriting& out, const spawn_site& site, const cxx_child& child) {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : ", ") + one; };
  const callee_parts parts = parts_of(out, site.call);
  if (parts.is_this) add("this");
  if (parts.object != nullptr) add(capture_object(out, parts, child.object));
  unsigned number = 0;
  for (const clang::Expr* one : written_arguments(site.call)) {
    const child_argument& how = child.arguments[number];
    const std::string name = "cilk_" + std::to_string(++number);
    const std::string value = out.render_line(one);
    switch (how.passed) {
      case child_argument::reference: add("&" + name + " = " + value); break;
      case child_argument::moved:
        add("&" + name + " = channels::cilk::lvalue(" + value + ")");
        break;
      default:
        add(name + " = " +
            (how.convert ? "channels::cilk::convert<" + how.type + ">(" + value + ")" : value));
    }
  }
  return text;
}

std::string place_of(rewriting& out, const spawn_site& site) {
  if (site.form == spawn_form::declared) return site.variable->getNameAsString();
  return out.render_line(site.place);
}

}  // namespace

std::string child_call_cxx(rewriting& out, const spawn_site& site, const cxx_child& child) {
  const callee_parts parts = parts_of(out, site.call);
  std::string text = parts.before;
  if (parts.object != nullptr) {
    const bool fresh = child.object.passed == child_argument::moved;
    text = (fresh ? "std::move(cilk_object)" : "cilk_object") + parts.after;
  }
  text += "(";
  for (std::size_t i = 0; i < child.arguments.size(); ++i) {
    const std::string name = "cilk_" + std::to_string(i + 1);
    if (i != 0) text += ", ";
    const child_argument& how = child.arguments[i];
    if (how.passed == child_argument::constant) {
      text += "std::as_const(" + name + ")";
    } else {
      text += how.move || how.passed == child_argument::moved ? "std::move(" + name + ")" : name;
    }
  }
  return text + ")";
}

std::string give_cxx(rewriting& out, const spawn_site& site, const cxx_child& child) {
  const spawn_site* outer = out.in_child;
  std::string captured = captures(out, site, child);
  out.in_child = &site;
  std::string value;
  if (site.form == spawn_form::declared && site.variable->getInitStyle() != clang::VarDecl::CInit) {
    value = out.render_line(site.node);
  } else {
    value = out.render_line(site.value);
  }
  out.in_child = outer;
  const std::string frame = frame_of(site.where);
  const std::string start = "channels::cilk::give_child(" + frame + ", [";
  if (site.form == spawn_form::dropped || site.unread)
    return start + captured + "]() mutable { " + value + "; })";
  const std::string result = "&cilk_result = " + place_of(out, site);
  if (out.travels(site)) {
    const bool adds = site.form == spawn_form::compound;
    return std::string("(void)channels::cilk::give_travelling") + (adds ? "_and_finish" : "") +
           "<\"" + shown_name(site.call->getDirectCallee()) + "\">{" + frame + ", [" + captured +
           "]() mutable { return " + value + "; }, " + place_of(out, site) +
           (adds ? ", [](auto& cilk_result, auto&& cilk_value) { cilk_result " + site.assignment +
                       " std::move(cilk_value); }"
                 : "") +
           "}";
  }
  if (site.form == spawn_form::compound) {
    return "(void)channels::cilk::give_finished{" + frame + ", [" + captured +
           "]() mutable { return " + value + "; }, [" + result +
           "](auto&& cilk_value) { cilk_result " + site.assignment + " std::move(cilk_value); }}";
  }
  captured += (captured.empty() ? "" : ", ") + result;
  return start + captured + "]() mutable { cilk_result = " + value + "; })";
}

}  // namespace cilk2chan::host_code
