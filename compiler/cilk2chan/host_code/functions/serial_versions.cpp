#include "analysis/allocations.hpp"    // has_effects_in_sizes
#include "analysis/reducer_types.hpp"  // holds_reducer

#include <clang/AST/Attr.h>
#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"
#include "host_code/rewriting.hpp"

#include <algorithm>

namespace cilk2chan::host_code {
namespace {

// Characters of source. In longer functions the check at each spawn is a small part of the time.
constexpr std::size_t longest = 3000;

/// Checks that a function calls itself and that its body may stand twice in a file.
class repeatable_body : public tree_walker {
 public:
  repeatable_body(const parsed_file& source, const clang::FunctionDecl* function)
      : source_(source), function_(function->getCanonicalDecl()) {
    TraverseStmt(function->getBody());
  }
  [[nodiscard]] bool passed() const { return calls_itself_ && !unique_; }

  bool TraverseStmt(clang::Stmt* node) override {
    if (node == nullptr) return true;
    const bool loop =
        llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(node);
    // Names and types that must exist once, jumps, which may make a loop, and functions inside the
    // body.
    if (llvm::isa<clang::LabelStmt, clang::GotoStmt, clang::AddrLabelExpr, clang::AsmStmt,
                  clang::PredefinedExpr, clang::LambdaExpr>(node))
      unique_ = true;
    loops_ += loop ? 1 : 0;
    const bool go_on = tree_walker::TraverseStmt(node);
    loops_ -= loop ? 1 : 0;
    return go_on;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    // A function that spawns in a loop runs for long, and a worker may get hungry in the middle.
    if (loops_ != 0 && is_spawn(node, source_.sources)) unique_ = true;
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee != nullptr && callee->getCanonicalDecl() == function_) calls_itself_ = true;
    return true;
  }
  bool VisitCXXRecordDecl(clang::CXXRecordDecl*) override {
    unique_ = true;
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->isStaticLocal() || holds_reducer(variable)) unique_ = true;
    return true;
  }

 private:
  const parsed_file& source_;
  const clang::FunctionDecl* function_;
  unsigned loops_ = 0;
  bool calls_itself_ = false;
  bool unique_ = false;
};

bool has_directive(llvm::StringRef text) {
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    if (line.ltrim().starts_with("#")) return true;
  }
  return false;
}

// C++: whether the function is in a namespace, and its arguments can be passed on.
bool has_plain_cxx_head(const parsed_file& source, const clang::FunctionDecl* function) {
  const clang::DeclContext* around = function->getLexicalDeclContext();
  const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(around);
  if (!around->isFileContext() && linkage == nullptr) return false;
  if ((linkage != nullptr && !linkage->hasBraces()) || function->getQualifier() != nullptr ||
      function->getTemplatedKind() != clang::FunctionDecl::TK_NonTemplate || function->hasAttrs() ||
      function->isConstexpr() || function->getReturnType()->getContainedAutoType() != nullptr ||
      function->isOverloadedOperator())
    return false;
  return std::ranges::all_of(function->parameters(), [&](const clang::ParmVarDecl* one) {
    const clang::QualType type = one->getType();
    return !one->hasDefaultArg() && !type->isRValueReferenceType() &&
           (type->isReferenceType() || type.isTriviallyCopyableType(source.context));
  });
}

// Whether another function can have the same head.
bool has_plain_head(const parsed_file& source, const clang::FunctionDecl* function) {
  if (function->isVariadic() || function->isMain() || function->isInlineSpecified()) return false;
  if (function->getStorageClass() != clang::SC_None &&
      function->getStorageClass() != clang::SC_Static)
    return false;
  if (!source.is_c() && !has_plain_cxx_head(source, function)) return false;
  for (const clang::Attr* one : function->attrs()) {
    if (!one->isImplicit() &&
        !llvm::isa<clang::NoInlineAttr, clang::UnusedAttr, clang::HotAttr,
                   clang::WarnUnusedResultAttr, clang::NoThrowAttr, clang::NonNullAttr>(one))
      return false;
  }
  const unsigned begin = source.offset(function->getBeginLoc());
  const llvm::StringRef head = source.text().slice(begin, source.offset(function->getLocation()));
  for (const clang::ParmVarDecl* one : function->parameters()) {
    // Both versions would evaluate the sizes.
    if (one->getName().empty() || one->hasAttrs() || has_effects_in_sizes(source.context, one))
      return false;
  }
  return !head.starts_with("[[") && !function->getBeginLoc().isMacroID() &&
         !function->getLocation().isMacroID();
}

bool wanted_twice(const parsed_file& source, const clang::FunctionDecl* function) {
  // A plain form hardly ever runs as host code: the user's function does.
  if (is_plain_form(function)) return false;
  const unsigned begin = source.offset(function->getBeginLoc());
  const unsigned end = source.offset(function->getBody()->getEndLoc());
  return end - begin <= longest && has_plain_head(source, function) &&
         !has_directive(source.text().slice(begin, end)) &&
         repeatable_body(source, function).passed();
}

// The version that gives children stands before the function that it calls, so that function has
// to be declared there.
bool declare(rewriting& out, const clang::FunctionDecl* function) {
  if (out.prototypes.contains(function)) return true;
  for (const clang::FunctionDecl* one = function->getPreviousDecl(); one != nullptr;
       one = one->getPreviousDecl()) {
    if (one->getLexicalDeclContext()->isFileContext()) return true;
  }
  if (function->hasWrittenPrototype()) return declare_itself(out, function);
  const unsigned begin = out.source.offset(function->getBeginLoc());
  const unsigned name = out.source.offset(function->getLocation());
  const auto line = one_line(out.source, out.source.text({begin, name}));
  // A parenthesis here belongs to the return type.
  if (!line || line->find('(') != std::string::npos) return false;
  out.prototypes[function] = *line + " " + function->getNameAsString() + "();\n";
  return true;
}

std::string arguments(const clang::FunctionDecl* function) {
  std::string text;
  for (const clang::ParmVarDecl* one : function->parameters())
    text += (text.empty() ? "" : ", ") + one->getNameAsString();
  return "(" + text + ")";
}

}  // namespace

void write_serial_versions(rewriting& out) {
  for (const region& one : out.places.regions) {
    const clang::FunctionDecl* function = one.function;
    if (one.kind != region_kind::function || one.frame.empty() || function == nullptr) continue;
    const auto others = [&](const auto& site) { return site.where->function == function; };
    if (std::ranges::any_of(out.places.loops, others) || !wanted_twice(out.source, function))
      continue;
    const std::string name = out.source.unused_name(function->getNameAsString() + "_giving");
    if (!declare(out, function)) continue;
    out.giving_versions[function] = name;
    const unsigned at = out.source.offset(function->getLocation());
    out.text.replace(
        {at, at + static_cast<unsigned>(function->getName().size())},
        [&out, function, name] { return out.text.serial ? function->getNameAsString() : name; },
        replacements::first_serial_key);
    const bool value = !function->getReturnType()->isVoidType();
    const std::string call = name + arguments(function);
    const std::string look = " if (channels_cilk_shallow()) " +
                             (value ? "return " + call + ";" : "{ " + call + "; return; }");
    out.text.insert(
        out.source.offset(function->getBody()->getBeginLoc()) + 1,
        [&out, look] { return out.text.serial ? look : std::string(); },
        replacements::first_serial_key);
  }
}

}  // namespace cilk2chan::host_code
