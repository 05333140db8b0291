#include "host_code/reach/reach.hpp"

#include "diagnostics/refusals.hpp"  // reasons, name_of
#include "frontend/spelling.hpp"     // guard_mark
#include "frontend/tree_walker.hpp"
#include "host_code/places/places.hpp"
#include "host_code/spawns/cxx_children.hpp"  // written_arguments
#include "tasks/device/check.hpp"             // is_device_mathematics

#include <clang/Basic/Builtins.h>
#include <llvm/ADT/StringSet.h>

namespace cilk2chan::host_code {
namespace {

// As in channels/cilk/abi.h. Half is for the arguments, and half for the result.
constexpr std::int64_t most_bytes = 16384 / 2;

// Functions of the C library that use no memory but what they are given, or give.
const llvm::StringSet<> of_memory = {
    "malloc",  "calloc", "realloc", "free",   "alloca",  "memcpy", "memmove",      "memset",
    "memcmp",  "memchr", "strlen",  "strcmp", "strncmp", "strcpy", "strncpy",      "strcat",
    "strncat", "strchr", "strrchr", "strstr", "abs",     "labs",   "llabs",        "div",
    "ldiv",    "lldiv",  "abort",   "exp10",  "fabs",    "sqrt",   "__assert_fail"};
// Builtins of compilers that ask where they are, or jump.
const llvm::StringSet<> not_alike = {"return_address", "frame_address",  "longjmp",
                                     "setjmp",         "thread_pointer", "printf",
                                     "puts",           "putchar",        "extract_return_addr"};

bool is_library_function(const clang::FunctionDecl* function) {
  const clang::IdentifierInfo* identifier = function->getIdentifier();
  if (identifier == nullptr) {
    // `new` and `delete`, except placement new, which has a body.
    return function->isReplaceableGlobalAllocationFunction();
  }
  llvm::StringRef name = identifier->getName();
  const bool builtin = name.consume_front("__builtin_");
  if (of_memory.contains(name) || is_device_mathematics(name)) return true;
  if (!builtin && !name.starts_with("__sync_") && !name.starts_with("__atomic_")) return false;
  // The library's functions under the compiler's name are not known.
  const clang::ASTContext& context = function->getASTContext();
  const unsigned id = function->getBuiltinID();
  return id != 0 && !not_alike.contains(name) &&
         (!context.BuiltinInfo.isLibFunction(id) || name.starts_with("expect"));
}

// Whether a value of the type means the same at any rank.
bool is_plain(const clang::ASTContext& context, clang::QualType type) {
  type = context.getBaseElementType(type.getCanonicalType());
  if (type.isVolatileQualified() || type->isAtomicType() || type->isIncompleteType()) return false;
  if (type->isArithmeticType() || type->isEnumeralType() || type->isAnyComplexType() ||
      type->isVectorType())
    return true;
  const auto* record = type->getAsRecordDecl();
  if (record == nullptr || !type.isTriviallyCopyableType(context)) return false;
  if (const auto* object = llvm::dyn_cast<clang::CXXRecordDecl>(record)) {
    if (object->isPolymorphic() || object->getNumVBases() != 0) return false;
    for (const clang::CXXBaseSpecifier& base : object->bases()) {
      if (!is_plain(context, base.getType())) return false;
    }
  }
  for (const clang::FieldDecl* field : record->fields()) {
    if (!is_plain(context, field->getType())) return false;
  }
  return true;
}

// Whether the variable is the same at all ranks for ever.
bool is_same_everywhere(const clang::ASTContext& context, const clang::VarDecl* variable) {
  const clang::QualType element = context.getBaseElementType(variable->getType());
  if (!element.isConstQualified() || !is_plain(context, element)) return false;
  const auto* object = element->getAsCXXRecordDecl();
  if (object != nullptr && object->hasMutableFields()) return false;
  if (variable->isConstexpr()) return true;
  const clang::VarDecl* definition = variable->getDefinition();
  return definition != nullptr && definition->hasInit() &&
         !definition->getType()->isDependentType() && definition->hasConstantInitialization();
}

// Whether the statement is the guard of a function that has a plain form: it is not the program's,
// and all ranks run host code.
bool is_guard(const clang::Stmt* node) {
  const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(node);
  if (block == nullptr || block->body_empty()) return false;
  const auto* first = llvm::dyn_cast<clang::DeclStmt>(block->body_front());
  if (first == nullptr || !first->isSingleDecl()) return false;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(first->getSingleDecl());
  return variable != nullptr && variable->getName().starts_with(guard_mark);
}

class code_visitor : public tree_walker {
 public:
  code_visitor(const clang::ASTContext& context, own_reach& found)
      : context_(context), found_(found) {}

  // NOLINTNEXTLINE(readability-identifier-naming)
  [[nodiscard]] bool shouldVisitImplicitCode() const override { return true; }

  bool TraverseStmt(clang::Stmt* node) override {
    return is_guard(node) || tree_walker::TraverseStmt(node);
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) {
      // The destructor of a number, in a template.
      if (llvm::isa<clang::CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens())) return true;
      return no(reasons::calls_pointer, call->getExprLoc());
    }
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    if (method != nullptr && method->isVirtual())
      return no(reasons::calls_pointer, call->getExprLoc());
    return calls(callee, call->getExprLoc());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable == nullptr || uses(variable, name->getLocation());
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl());
    return variable == nullptr || uses(variable, member->getMemberLoc());
  }
  bool VisitExpr(clang::Expr* node) override {
    const auto* cast = llvm::dyn_cast<clang::CastExpr>(node);
    if (cast == nullptr) return true;
    const bool number = cast->getCastKind() == clang::CK_IntegralToPointer ||
                        cast->getCastKind() == clang::CK_PointerToIntegral;
    return !number || no(reasons::pointer_as_number, node->getExprLoc());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    return (made->getConstructor()->isTrivial() ||
            calls(made->getConstructor(), made->getExprLoc())) &&
           ends(made->getType(), made->getExprLoc());
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr* made) override {
    return made->getOperatorNew() == nullptr || calls(made->getOperatorNew(), made->getExprLoc());
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* ended) override {
    return (ended->getOperatorDelete() == nullptr ||
            calls(ended->getOperatorDelete(), ended->getExprLoc())) &&
           ends(ended->getDestroyedType(), ended->getExprLoc());
  }
  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr* argument) override {
    return TraverseStmt(argument->getExpr());
  }
  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr* value) override {
    return value->getExpr() == nullptr || TraverseStmt(value->getExpr());
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!variable->hasLocalStorage() && !is_same_everywhere(context_, variable))
      return uses(variable, variable->getLocation());
    return ends(variable->getType(), variable->getLocation());
  }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr* node) override {
    return no(reasons::throws, node->getThrowLoc());
  }
  bool VisitAsmStmt(clang::AsmStmt* node) override {
    return no(reasons::has_assembly, node->getAsmLoc());
  }

 private:
  bool no(const std::string& reason, clang::SourceLocation where) {
    found_.obstacle = {reason, where};
    return false;  // ends the walk
  }
  bool uses(const clang::VarDecl* variable, clang::SourceLocation where) {
    return variable->hasLocalStorage() || is_same_everywhere(context_, variable) ||
           no(reasons::uses_variable(name_of(variable)), where);
  }
  bool calls(const clang::FunctionDecl* callee, clang::SourceLocation where) {
    if (callee->isTrivial() || is_library_function(callee)) return true;
    if (!callee->hasBody()) return no(reasons::calls_unknown(name_of(callee)), where);
    found_.calls.emplace_back(callee->getDefinition(), where);
    return true;
  }
  bool ends(clang::QualType type, clang::SourceLocation where) {
    if (type.isNull() || type->isDependentType()) return true;
    const auto* object = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    if (object == nullptr || !object->hasDefinition() || object->hasTrivialDestructor())
      return true;
    const clang::CXXDestructorDecl* destructor = object->getDestructor();
    return destructor == nullptr || calls(destructor, where);
  }

  const clang::ASTContext& context_;
  own_reach& found_;
};

}  // namespace

const own_reach& reach_finder::own(const clang::FunctionDecl* definition) {
  std::unique_ptr<own_reach>& found = known_[definition];
  if (found != nullptr) return *found;
  found = std::make_unique<own_reach>();
  own_reach& result = *found;
  code_visitor(source_.context, result).look_through(definition);
  return result;
}

std::optional<reach_obstacle> reach_finder::of_signature(
    const clang::FunctionDecl* function) const {
  const clang::SourceLocation here = function->getLocation();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr && method->isInstance()) return reach_obstacle{reasons::is_member, here};
  if (function->isTemplated()) return reach_obstacle{reasons::is_template, here};
  if (function->isVariadic() || !function->hasPrototype())
    return reach_obstacle{reasons::unknown_arguments, here};
  const clang::ASTContext& context = source_.context;
  std::int64_t bytes = 0;
  for (const clang::ParmVarDecl* one : function->parameters()) {
    const clang::QualType type = one->getType();
    if (!is_plain(context, type))
      return reach_obstacle{reasons::parameter_not_plain(name_of(one)), one->getLocation()};
    bytes += context.getTypeSizeInChars(type).getQuantity();
  }
  const clang::QualType result = function->getReturnType();
  if (result->isVoidType()) return reach_obstacle{reasons::no_result, here};
  if (!is_plain(context, result)) return reach_obstacle{reasons::result_not_plain, here};
  if (bytes > most_bytes || context.getTypeSizeInChars(result).getQuantity() > most_bytes)
    return reach_obstacle{reasons::too_large_to_travel(most_bytes), here};
  return std::nullopt;
}

std::optional<reach_obstacle> reach_finder::of_code(const clang::FunctionDecl* function) {
  if (!function->hasBody())
    return reach_obstacle{reasons::not_defined_here, function->getLocation()};
  llvm::DenseSet<const clang::FunctionDecl*> seen = {function->getDefinition()};
  std::vector<const clang::FunctionDecl*> waiting(seen.begin(), seen.end());
  while (!waiting.empty()) {
    const clang::FunctionDecl* const at = waiting.back();
    waiting.pop_back();
    const own_reach& its = own(at);
    if (its.obstacle) {
      reach_obstacle found = *its.obstacle;
      if (at != function->getDefinition())
        found.reason = reasons::calls_what(name_of(at), found.reason);
      return found;
    }
    for (const auto& [callee, where] : its.calls) {
      if (callee != nullptr && seen.insert(callee).second) waiting.push_back(callee);
    }
  }
  return std::nullopt;
}

std::optional<reach_obstacle> reach_finder::of(const clang::FunctionDecl* function) {
  if (auto found = of_signature(function)) return found;
  return of_code(function);
}

std::optional<reach_obstacle> reach_finder::of(const spawn_site& site) {
  const clang::SourceLocation here = site.node->getOperatorLoc();
  const clang::FunctionDecl* callee = site.call->getDirectCallee();
  const auto* name =
      llvm::dyn_cast<clang::DeclRefExpr>(site.call->getCallee()->IgnoreParenImpCasts());
  if (site.node->isInstantiationDependent() || site.where->function->isTemplated())
    return reach_obstacle{reasons::spawn_in_template, here};
  if (callee == nullptr || name == nullptr) return reach_obstacle{reasons::calls_pointer, here};
  if (auto found = of(callee)) return found;
  const clang::ASTContext& context = source_.context;
  if (site.form == spawn_form::dropped || site.unread)
    return reach_obstacle{reasons::result_unused, here};
  const clang::QualType place =
      site.form == spawn_form::declared ? site.variable->getType() : site.place->getType();
  if (!is_plain(context, place.getUnqualifiedType()))
    return reach_obstacle{reasons::result_not_plain, here};
  for (const clang::Expr* one : site.call->arguments()) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(one) || !is_plain(context, one->getType()))
      return reach_obstacle{reasons::argument_not_plain, one->getExprLoc()};
  }
  return std::nullopt;
}

}  // namespace cilk2chan::host_code
