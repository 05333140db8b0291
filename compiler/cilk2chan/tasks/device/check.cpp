#include "tasks/device/check.hpp"

#include "analysis/atomic_members.hpp"
#include "analysis/complex_numbers.hpp"
#include "analysis/constant_members.hpp"
#include "analysis/library_calls.hpp"
#include "analysis/shared_members.hpp"
#include "diagnostics/refusals.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/checks/check.hpp"
#include "tasks/device/calls.hpp"

#include <llvm/ADT/StringSet.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// Functions that CUDA's and HIP's own headers have for devices. `device_mathematics` lists the
// functions for `double`; those for `float` end with an f.
const llvm::StringSet<> device_functions = {"printf", "memcpy", "memset",        "memmove",
                                            "memcmp", "assert", "__assert_fail", "abort",
                                            "abs",    "labs",   "llabs",         "trap"};
// Functions that channels/gpu/compiled_program/malloc.hpp has for devices.
constexpr llvm::StringLiteral heap_functions[] = {
    "malloc",         "calloc",     "realloc",  "aligned_alloc",
    "posix_memalign", "_mm_malloc", "_mm_free", "free"};
// Functions that channels/gpu/compiled_program/library.hpp has for devices.
constexpr llvm::StringLiteral library_functions[] = {
    "strlen", "strcmp", "strncmp", "strcpy", "strncpy", "strcat",       "rand_r",       "bsearch",
    "qsort",  "puts",   "putchar", "clock",  "time",    "gettimeofday", "clock_gettime"};
// Functions that channels/openmp/on_device.hpp has for devices.
constexpr llvm::StringLiteral openmp_functions[] = {"channels_omp_wait", "channels_omp_entered",
                                                    "channels_omp_leaves", "channels_omp_parts"};
// Functions that channels/device_library/text.hpp has for devices; the last two with the formats of
// whole numbers, letters and texts.
constexpr llvm::StringLiteral text_functions[] = {
    "strchr",  "strrchr",  "strstr",  "memchr",  "strtol",   "strtoul", "strtoll", "strtoull",
    "atoi",    "atol",     "atoll",   "sprintf", "snprintf", "isupper", "islower", "isalpha",
    "isdigit", "isxdigit", "isspace", "isprint", "isgraph",  "isblank", "iscntrl", "ispunct",
    "isalnum", "toupper",  "tolower", "strspn",  "strcspn",  "strpbrk", "strncat", "strnlen"};
constexpr llvm::StringLiteral format_functions[] = {"sprintf", "snprintf"};
// Algorithms of C++'s library that channels/device_library/algorithms.hpp has for devices.
constexpr llvm::StringLiteral algorithms[] = {"stable_sort", "inplace_merge"};
// Functions that channels/gpu/compiled_program/endings.hpp has for devices.
constexpr llvm::StringLiteral ending_functions[] = {"exit", "_Exit", "_exit", "quick_exit"};
// Functions that channels/gpu/compiled_program/streams.hpp has for devices, on stdout and stderr.
constexpr llvm::StringLiteral stream_functions[] = {"fprintf", "fputs", "fputc", "putc", "fflush"};
// Functions that wait for a lock which another lane may have.
constexpr llvm::StringLiteral lock_functions[] = {"channels_omp_enter", "omp_set_lock",
                                                  "pthread_mutex_lock", "mtx_lock"};
// Functions that work on files, and have no stream among their parameters.
constexpr llvm::StringLiteral file_functions[] = {"scanf", "getchar", "open",   "read",
                                                  "write", "close",   "remove", "rename",
                                                  "gets",  "tmpnam",  "unlink", "lseek"};
// Functions of channels/group.h; channels/gpu/compiled_program/group.hpp has them for devices.
const llvm::StringSet<> group_functions = {
    "channels_lane",          "channels_lanes",
    "channels_sync_lanes",    "channels_of_lane",
    "channels_int_of_lane",   "channels_unsigned_of_lane",
    "channels_long_of_lane",  "channels_unsigned_long_of_lane",
    "channels_float_of_lane", "channels_double_of_lane"};
const llvm::StringSet<> device_mathematics = {
    "acos",  "acosh",  "asin",   "asinh",     "atan", "atan2",     "atanh", "cbrt",    "ceil",
    "cos",   "cosh",   "erf",    "erfc",      "exp",  "exp2",      "exp10", "expm1",   "fabs",
    "fdim",  "floor",  "fma",    "fmax",      "fmin", "fmod",      "frexp", "hypot",   "ilogb",
    "ldexp", "lgamma", "llrint", "llround",   "log",  "log10",     "log1p", "log2",    "logb",
    "lrint", "lround", "modf",   "nearbyint", "pow",  "remainder", "rint",  "round",   "scalbn",
    "sin",   "sinh",   "sqrt",   "tan",       "tanh", "tgamma",    "trunc", "copysign"};

// GCC's older atomic operations that channels/gpu/compiled_program/atomics.hpp has for devices;
// their names end with the size of the value.
const llvm::StringSet<> sync_operations = {
    "fetch_and_add",     "fetch_and_sub",         "fetch_and_and",
    "fetch_and_or",      "fetch_and_xor",         "add_and_fetch",
    "sub_and_fetch",     "and_and_fetch",         "or_and_fetch",
    "xor_and_fetch",     "bool_compare_and_swap", "val_compare_and_swap",
    "lock_test_and_set", "lock_release",          "synchronize"};

bool is_sync_on_devices(llvm::StringRef name) {
  if (!name.consume_front("__sync_")) return false;
  for (const char* size : {"_1", "_2", "_4", "_8"}) {
    if (name.consume_back(size)) break;
  }
  return sync_operations.contains(name);
}

// What C++ takes for constexpr, which no function is in C, and hints to the compiler.
bool is_builtin_on_devices(const clang::FunctionDecl* function) {
  const unsigned id = function->getBuiltinID();
  if (id == 0) return false;
  const llvm::StringRef name = function->getName();
  return function->getASTContext().BuiltinInfo.isConstantEvaluated(id) ||
         name == "__builtin_unreachable" || name == "__builtin_prefetch";
}

bool is_on_devices(const clang::FunctionDecl* function);

// Whether it holds for some class that a member or a base of `record` has.
bool any_part(const clang::CXXRecordDecl* record,
              llvm::function_ref<bool(const clang::CXXRecordDecl*)> holds) {
  const auto holds_for = [&](clang::QualType type) {
    const auto* part = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    return part != nullptr && holds(part);
  };
  return std::ranges::any_of(record->fields(),
                             [&](const auto* one) { return holds_for(one->getType()); }) ||
         std::ranges::any_of(record->bases(),
                             [&](const auto& one) { return holds_for(one.getType()); });
}

// Whether all that a function calls has code for devices. The library's defaulted members have it
// then, too: a compiler for GPUs makes such a member for whoever calls it.
bool calls_devices_only(const clang::FunctionDecl* function) {
  struct visitor : tree_walker {
    bool fine = true;
    bool VisitCallExpr(clang::CallExpr* call) override {
      const clang::FunctionDecl* callee = call->getDirectCallee();
      return fine = callee != nullptr && is_on_devices(callee);
    }
    bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
      return fine = is_on_devices(made->getConstructor());
    }
  };
  visitor look;
  look.TraverseDecl(const_cast<clang::FunctionDecl*>(function));
  if (!look.fine || !llvm::isa<clang::CXXDestructorDecl>(function)) return look.fine;
  // It ends what the object is made of.
  return !any_part(
      llvm::cast<clang::CXXDestructorDecl>(function)->getParent(),
      [](const clang::CXXRecordDecl* part) {
        return !part->hasTrivialDestructor() &&
               (part->getDestructor() == nullptr || !is_on_devices(part->getDestructor()));
      });
}

bool is_on_devices(const clang::FunctionDecl* function) {
  if (function->isConstexpr()) return true;
  if (function->isTrivial()) return true;
  if (function->isDefaulted() && !function->isDeleted() && function->hasBody())
    return calls_devices_only(function->getDefinition());
  const clang::IdentifierInfo* identifier = function->getIdentifier();
  if (identifier == nullptr) {
    // `new` and `delete`, except placement new.
    return function->isReplaceableGlobalAllocationFunction();
  }
  llvm::StringRef name = identifier->getName();
  if (is_sync_on_devices(name) || is_builtin_on_devices(function)) return true;
  // channels/device_library/complex_functions.h has these for devices.
  if (name.starts_with("channels_complex_")) return true;
  name.consume_front("__builtin_");
  if (llvm::is_contained(algorithms, name)) return function->isInStdNamespace();
  if (llvm::is_contained(text_functions, name)) return !llvm::is_contained(format_functions, name);
  return group_functions.contains(name) || device_functions.contains(name) ||
         llvm::is_contained(library_functions, name) || llvm::is_contained(heap_functions, name) ||
         llvm::is_contained(ending_functions, name) || llvm::is_contained(openmp_functions, name) ||
         is_device_mathematics(name);
}

// Whether channels/gpu/compiled_program/atomics.hpp has the operation, or, of those of C11,
// channels/cilk/c_atomic.h.
bool is_on_devices(const clang::ASTContext& context, const clang::AtomicExpr* node) {
  using atomic = clang::AtomicExpr;
  const clang::QualType type = node->getValueType();
  if (!type->isScalarType() || context.getTypeSizeInChars(type).getQuantity() > 8) return false;
  switch (node->getOp()) {
    case atomic::AO__atomic_load:
    case atomic::AO__atomic_load_n:
    case atomic::AO__atomic_store:
    case atomic::AO__atomic_store_n:
    case atomic::AO__atomic_exchange:
    case atomic::AO__atomic_exchange_n:
    case atomic::AO__atomic_compare_exchange:
    case atomic::AO__atomic_compare_exchange_n:
    case atomic::AO__c11_atomic_init:
    case atomic::AO__c11_atomic_load:
    case atomic::AO__c11_atomic_store:
    case atomic::AO__c11_atomic_exchange:
    case atomic::AO__c11_atomic_compare_exchange_strong:
    case atomic::AO__c11_atomic_compare_exchange_weak: return true;
    case atomic::AO__c11_atomic_fetch_add:
    case atomic::AO__c11_atomic_fetch_sub:
      if (type->isPointerType())
        return !type->isVoidPointerType() && !type->isFunctionPointerType();
      [[fallthrough]];
    case atomic::AO__c11_atomic_fetch_and:
    case atomic::AO__c11_atomic_fetch_or:
    case atomic::AO__c11_atomic_fetch_xor:
    case atomic::AO__atomic_fetch_add:
    case atomic::AO__atomic_fetch_sub:
    case atomic::AO__atomic_fetch_and:
    case atomic::AO__atomic_fetch_or:
    case atomic::AO__atomic_fetch_xor:
    case atomic::AO__atomic_add_fetch:
    case atomic::AO__atomic_sub_fetch:
    case atomic::AO__atomic_and_fetch:
    case atomic::AO__atomic_or_fetch:
    case atomic::AO__atomic_xor_fetch: return type->isIntegerType() && !type->isEnumeralType();
    default: return false;
  }
}

// Whether an object of the type is a `long double`, or has one in it.
bool has_long_double(clang::QualType type) {
  type = clang::QualType(type->getBaseElementTypeUnsafe(), 0);
  if (type->isSpecificBuiltinType(clang::BuiltinType::LongDouble)) return true;
  const clang::RecordDecl* record = type->getAsRecordDecl();
  record = record == nullptr ? nullptr : record->getDefinition();
  if (record == nullptr || record->isInvalidDecl()) return false;
  const auto* of_cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (of_cxx != nullptr &&
      llvm::any_of(of_cxx->bases(), [](const auto& one) { return has_long_double(one.getType()); }))
    return true;
  return llvm::any_of(record->fields(),
                      [](const clang::FieldDecl* one) { return has_long_double(one->getType()); });
}

// Whether a class has an object with a destructor in a union, as std::optional and std::variant do.
bool has_object_in_union(const clang::CXXRecordDecl* record) {
  record = record->getDefinition();
  if (record == nullptr || record->hasTrivialDestructor()) return false;
  return any_part(record, [&](const clang::CXXRecordDecl* part) {
    return (record->isUnion() && !part->hasTrivialDestructor()) || has_object_in_union(part);
  });
}

// Finds what a constexpr function of the library does on a device that is the host's alone. nvcc
// leaves it out, without a word.
class dropped_code_finder : public library_walker {
 public:
  using library_walker::library_walker;

  [[nodiscard]] bool run(const clang::FunctionDecl* function) {
    follow(function);
    return found_;
  }

  bool VisitExpr(clang::Expr* value) override {
    found_ = found_ || is_complex_operation(value);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    check_type(variable->getType());
    return library_walker::VisitVarDecl(variable);
  }

 private:
  // A function with a variable of another type is not constexpr, and so not the device's.
  void check_type(clang::QualType type) {
    if (!context().getLangOpts().CPlusPlus20 || type->isVoidType()) return;
    found_ = found_ || !is_literal_on_devices(context(), type);
  }
  // Nor is one of the library's constructors that makes a part by another constructor.
  bool is_constant(const clang::FunctionDecl* function) const {
    if (!llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function) ||
        !context().getLangOpts().CPlusPlus20)
      return true;
    return function->isConstexpr() || function->isTrivial() || function->isDefaulted() ||
           !that_become_constant(context(), function).empty();
  }

  bool enters(const clang::FunctionDecl* function) override {
    // The program's own functions are marked for the device, and looked at for themselves.
    if (!is_in_library(context(), function)) {
      found_ = found_ || !is_constant(function);
      return false;
    }
    const clang::IdentifierInfo* name = function->getIdentifier();
    // It ends the run where it is, or throws what nobody catches.
    if (name != nullptr && (name->getName().starts_with("__throw_") || function->isNoReturn()))
      return false;
    if (!is_on_devices(function)) {
      found_ = true;
      return false;
    }
    const clang::FunctionDecl* definition = function->getDefinition();
    if (definition == nullptr || function->getBuiltinID() != 0 ||
        (!definition->isConstexpr() && !definition->isDefaulted()))
      return false;
    check_type(definition->getReturnType());
    return true;
  }

  bool found_ = false;
};

bool is_users(const program& source, const clang::FunctionDecl* definition) {
  return definition->hasBody() && !source.sources().isInSystemHeader(definition->getLocation());
}

// Whether a header's function cannot be declared for the device.
bool is_hidden_in_header(const program& source, const clang::FunctionDecl* definition) {
  const clang::SourceManager& sources = source.sources();
  if (sources.isInMainFile(sources.getExpansionLoc(definition->getLocation()))) return false;
  return definition->isTemplateInstantiation() || llvm::isa<clang::CXXMethodDecl>(definition) ||
         !definition->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

class device_checker : public tree_walker {
 public:
  device_checker(const program& source, const std::vector<finished_task>& tasks,
                 reference_finder& finder)
      : source_(source), tasks_(tasks), finder_(finder) {
    for (const finished_task& task : tasks) claim(*task.task);
  }

  void run() {
    for (const finished_task& task : tasks_) {
      check_frame(task.frame);
      const llvm::StringRef group =
          task.task->definition == nullptr ? "" : group_form_name(task.task->definition);
      if (!group.empty() && group_form(task.task->definition) == nullptr)
        no(task.task->definition->getLocation(), refusals::device_group, group);
      for (const clang::FunctionDecl* one : finder_.reach(task.task->definition))
        found_.insert(one);
    }
    std::vector<const clang::FunctionDecl*> bodies;
    for (const clang::FunctionDecl* one : found_) {
      const clang::FunctionDecl* definition = one->getDefinition();
      if (definition != nullptr && is_users(definition)) bodies.push_back(definition);
    }
    std::ranges::sort(bodies, [&](const auto* a, const auto* b) {
      return source_.sources().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
    });
    for (const clang::FunctionDecl* one : bodies) {
      check_pointers(finder_.of(one));
      look_through(one);
    }
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (taken_.contains(call)) return true;
    if (callee == nullptr) {
      return source_.spelling_of(call->getCallee()) != nullptr ||
             no(call->getExprLoc(), refusals::device_pointer);
    }
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    if (source_.spelling_of(call->getCallee()) != nullptr) return true;
    const std::vector<const clang::Expr*> shared = shared_objects(call);
    if (!shared.empty() && std::ranges::all_of(shared, [&](const clang::Expr* one) {
          return source_.spelling_of(one) != nullptr;
        }))
      return true;
    const clang::Expr* atomic = atomic_object(call);
    if (atomic != nullptr && source_.spelling_of(atomic) != nullptr) return true;
    if (method != nullptr && method->isVirtual() && !names_class(call))
      return no(call->getExprLoc(), refusals::device_virtual, name_of(callee));
    if (claim_stream(call) || has_plain_format(call)) return true;
    return check_callee(callee, call->getExprLoc());
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* made) override {
    const clang::CXXRecordDecl* record = made->getConstructor()->getParent();
    if (record->isPolymorphic())
      return no(made->getExprLoc(), refusals::device_object, name_of(record));
    if (has_object_in_union(record))
      return no(made->getExprLoc(), refusals::device_union, name_of(record));
    return check_callee(made->getConstructor(), made->getExprLoc());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || variable->hasLocalStorage() || taken_.contains(name)) return true;
    if (is_known_on_devices(source_, variable) || source_.spelling_of(name) != nullptr) return true;
    const bool unknown = variable->isStaticDataMember() || variable->isTemplated() ||
                         variable->isInline() ||
                         variable->getTLSKind() != clang::VarDecl::TLS_None ||
                         source_.sources().isInSystemHeader(variable->getLocation());
    // The reference that stands for the variable needs a plain name, in the text of this file.
    const bool out_of_reach =
        name->hasQualifier() ||
        !source_.sources().isInMainFile(source_.sources().getExpansionLoc(name->getLocation()));
    if (variable->isStaticLocal() || (!unknown && !out_of_reach)) return true;
    return no(name->getLocation(), refusals::device_variable, name_of(variable));
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl());
    if (variable == nullptr || is_known_on_devices(source_, variable)) return true;
    return no(member->getMemberLoc(), refusals::device_variable, name_of(variable));
  }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr* node) override {
    return no(node->getThrowLoc(), refusals::device_exception);
  }
  bool VisitCXXTryStmt(clang::CXXTryStmt* node) override {
    return no(node->getTryLoc(), refusals::device_exception);
  }
  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* node) override {
    const auto* record = node->getDestroyedType().isNull()
                             ? nullptr
                             : node->getDestroyedType()->getAsCXXRecordDecl();
    if (record == nullptr || !record->hasDefinition()) return true;
    if (record->isPolymorphic())
      return no(node->getExprLoc(), refusals::device_object, name_of(record));
    return record->getDestructor() == nullptr ||
           check_callee(record->getDestructor(), node->getExprLoc());
  }
  bool VisitExpr(clang::Expr* value) override {
    if (!value->getType().isNull() &&
        value->getType()->isSpecificBuiltinType(clang::BuiltinType::LongDouble))
      return no(value->getExprLoc(), refusals::device_long_double_value);
    if (is_complex_operation(value)) return no(value->getExprLoc(), refusals::device_complex);
    const auto* typeid_of = llvm::dyn_cast<clang::CXXTypeidExpr>(value);
    if (llvm::isa<clang::CXXDynamicCastExpr>(value) || typeid_of != nullptr)
      return no(value->getExprLoc(), refusals::device_type,
                typeid_of != nullptr ? "typeid" : "dynamic_cast");
    return true;
  }
  bool VisitStmt(clang::Stmt* code) override {
    for (const clang::Expr* one : complex_conditions(code))
      no(one->getExprLoc(), refusals::device_complex);
    return true;
  }
  bool VisitAsmStmt(clang::AsmStmt* node) override {
    return no(node->getAsmLoc(), refusals::device_assembly);
  }
  bool VisitAtomicExpr(clang::AtomicExpr* node) override {
    if (is_on_devices(*source_.context, node)) return true;
    return no(node->getExprLoc(), refusals::device_atomic, node->getOpAsString());
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getType()->isVariablyModifiedType() && !taken_.contains(variable))
      return no(variable->getLocation(), refusals::variable_array, name_of(variable));
    // What pointers lead to as well: a region has pointers to the variables of its function.
    clang::QualType type = variable->getType().getCanonicalType();
    for (bool inner = true; inner;) {
      const clang::QualType outer = type;
      if (const auto* array = type->getAsArrayTypeUnsafe()) type = array->getElementType();
      if (!type->getPointeeType().isNull()) type = type->getPointeeType();
      inner = type != outer;
    }
    if (has_long_double(type))
      return no(variable->getLocation(), refusals::device_long_double, name_of(variable));
    return true;
  }

 private:
  // Accepts the allocations of a task, whose memory comes from its lane.
  void claim(const task_function& task) {
    for (const auto& entry : task.allocations) {
      if (entry.second->call != nullptr) taken_.insert(entry.second->call);
      if (entry.second->variable != nullptr) taken_.insert(entry.second->variable);
    }
    for (const auto& loop : task.loops) claim(*loop);
  }

  // Accepts a call that writes to stdout or stderr, named where it is passed. The device's function
  // does not know how many characters the host will print, so nothing may use its result.
  bool claim_stream(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::IdentifierInfo* identifier = callee->getIdentifier();
    if (identifier == nullptr || callee->getDefinition() != nullptr || call->getNumArgs() == 0 ||
        !llvm::is_contained(stream_functions, identifier->getName()))
      return false;
    for (const clang::DynTypedNode& parent : source_.context->getParents(*call)) {
      const auto* around = parent.get<clang::Expr>();
      if (around != nullptr && !around->getType()->isVoidType()) return false;
    }
    const unsigned at = identifier->isStr("fprintf") || identifier->isStr("fflush") ? 0 : 1;
    if (at >= call->getNumArgs()) return false;
    const auto* stream =
        llvm::dyn_cast<clang::DeclRefExpr>(call->getArg(at)->IgnoreParenImpCasts());
    const auto* variable =
        stream == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(stream->getDecl());
    if (variable == nullptr || variable->getIdentifier() == nullptr ||
        !source_.sources().isInSystemHeader(variable->getLocation()) ||
        (!variable->getIdentifier()->isStr("stdout") &&
         !variable->getIdentifier()->isStr("stderr")))
      return false;
    taken_.insert(stream);
    return true;
  }

  // Whether a call of `snprintf` writes whole numbers, letters and texts, by a format that is
  // known.
  static bool has_plain_format(const clang::CallExpr* call) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::IdentifierInfo* identifier = callee->getIdentifier();
    if (identifier == nullptr || callee->getDefinition() != nullptr ||
        !llvm::is_contained(format_functions, identifier->getName()))
      return false;
    const unsigned at = identifier->isStr("sprintf") ? 1 : 2;
    const auto* format =
        at >= call->getNumArgs()
            ? nullptr
            : llvm::dyn_cast<clang::StringLiteral>(call->getArg(at)->IgnoreParenImpCasts());
    if (format == nullptr || !format->isOrdinary()) return false;
    llvm::StringRef rest = format->getString();
    while (rest.contains('%')) {
      rest = rest.drop_front(rest.find('%') + 1).ltrim("-+ #0123456789.*hlzjt");
      if (rest.empty() || !llvm::StringRef("diuxXocs%").contains(rest.front())) return false;
      rest = rest.drop_front();
    }
    return true;
  }

  // Whether the call says which class's method it means: `base::area()`.
  static bool names_class(const clang::CallExpr* call) {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
    return member != nullptr && member->hasQualifier();
  }

  // A GPU keeps frames in rows of 16 bytes.
  void check_frame(const frame_layout& frame) {
    for (const frame_member& one : frame.members) {
      if (one.variable == nullptr || one.type->isDependentType()) continue;
      if (source_.context->getTypeAlignInChars(one.type).getQuantity() > 16)
        no(one.variable->getLocation(), refusals::device_alignment, name_of(one.variable));
    }
  }

  // Pointers that have to be spelled in another way on the device.
  void check_pointers(const references& found) {
    for (const clang::DeclRefExpr* one : found.names) {
      if (source_.spelling_of(one) == nullptr)
        no(one->getLocation(), refusals::device_address, name_of(one->getDecl()));
    }
    for (const clang::Expr* one : found.called_by_library) {
      if (source_.spelling_of(one) == nullptr) no(one->getExprLoc(), refusals::device_pointer);
    }
  }

  bool is_users(const clang::FunctionDecl* definition) const {
    return cilk2chan::is_users(source_, definition);
  }

  bool check_callee(const clang::FunctionDecl* callee, clang::SourceLocation where) {
    const clang::FunctionDecl* definition = callee->getDefinition();
    if (has_device_code(source_, callee)) {
      // What a function of the library calls of the program, such as a comparison.
      if (definition != nullptr && is_in_library(*source_.context, definition)) {
        for (const clang::FunctionDecl* one : finder_.of(definition).functions) {
          if (!has_device_code(source_, one)) no(where, refusals::device_header, name_of(one));
        }
      }
      return true;
    }
    const bool hidden = definition != nullptr && is_users(definition);
    return no(where, hidden ? refusals::device_header : reason_against(callee), name_of(callee));
  }

  // Why a function of a library has no code for devices.
  static const refusal& reason_against(const clang::FunctionDecl* callee) {
    const clang::IdentifierInfo* name = callee->getIdentifier();
    if (name != nullptr && llvm::is_contained(lock_functions, name->getName()))
      return refusals::device_lock;
    return works_on_files(callee) ? refusals::device_file : refusals::device_function;
  }

  // By its name, or because it has a stream of C's library.
  static bool works_on_files(const clang::FunctionDecl* callee) {
    const clang::IdentifierInfo* name = callee->getIdentifier();
    if (name != nullptr && llvm::is_contained(file_functions, name->getName())) return true;
    const auto is_stream = [](clang::QualType type) {
      const auto* record =
          type->getPointeeType().isNull() ? nullptr : type->getPointeeType()->getAsRecordDecl();
      return record != nullptr && record->getName() == "_IO_FILE";
    };
    return is_stream(callee->getReturnType()) ||
           std::ranges::any_of(callee->parameters(), [&](const clang::ParmVarDecl* each) {
             return is_stream(each->getType());
           });
  }

  // Reports each place once: text in a template is visited in each instance.
  bool no(clang::SourceLocation where, const refusal& why, llvm::StringRef name = {}) {
    where = source_.sources().getExpansionLoc(where);
    if (said_.insert(where).second) refuse(source_.context->getDiagnostics(), where, why, name);
    return true;
  }

  const program& source_;
  const std::vector<finished_task>& tasks_;
  reference_finder& finder_;
  llvm::SetVector<const clang::FunctionDecl*> found_;
  llvm::DenseSet<clang::SourceLocation> said_;
  llvm::DenseSet<const void*> taken_;  ///< alloca's calls, arrays of variable length, streams
};

}  // namespace

bool has_device_code(const program& source, const clang::FunctionDecl* function) {
  if (is_on_devices(function)) {
    if (!source.sources().isInSystemHeader(function->getLocation())) return true;
    const auto known = source.drops_calls.find(function->getCanonicalDecl());
    if (known != source.drops_calls.end()) return !known->second;
    const bool drops = dropped_code_finder(*source.context).run(function);
    source.drops_calls[function->getCanonicalDecl()] = drops;
    return !drops;
  }
  const clang::FunctionDecl* definition = function->getDefinition();
  return definition != nullptr && is_users(source, definition) &&
         !is_hidden_in_header(source, definition);
}

llvm::ArrayRef<llvm::StringLiteral> device_library() { return library_functions; }

llvm::ArrayRef<llvm::StringLiteral> device_endings() { return ending_functions; }

llvm::ArrayRef<llvm::StringLiteral> device_text() { return text_functions; }

llvm::ArrayRef<llvm::StringLiteral> device_algorithms() { return algorithms; }

llvm::ArrayRef<llvm::StringLiteral> device_openmp() { return openmp_functions; }

llvm::ArrayRef<llvm::StringLiteral> device_streams() { return stream_functions; }

llvm::ArrayRef<llvm::StringLiteral> device_heap() { return heap_functions; }

bool is_device_mathematics(llvm::StringRef name) {
  return device_mathematics.contains(name) ||
         (name.consume_back("f") && device_mathematics.contains(name));
}

void check_device(const program& source, const std::vector<finished_task>& tasks,
                  reference_finder& finder) {
  device_checker(source, tasks, finder).run();
}

}  // namespace cilk2chan
