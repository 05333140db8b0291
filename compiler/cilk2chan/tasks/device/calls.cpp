#include "tasks/device/calls.hpp"

#include "analysis/atomic_members.hpp"
#include "analysis/shared_members.hpp"
#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/type_text.hpp"

#include <clang/Basic/CharInfo.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// The type, canonical, as any text of a C++ file has it.
std::string type_name(const program& source, clang::QualType type) {
  return without_unnamed(type_text(source, type));
}

// In C types of a function of the user's may have no names. The library's C++ has overloads.
bool has_own_type(const program& source, const clang::FunctionDecl* function) {
  return source.is_c() && !is_of_library(*source.context, function);
}

// The type, as text at the end of the file has it.
std::string text_of(const program& source, const call_targets::function_list& targets,
                    call_targets::type called) {
  const clang::QualType type(called, 0);
  for (const clang::FunctionDecl* one : targets) {
    if (has_own_type(source, one) && source.context->hasSameType(type, one->getType()))
      return "decltype(" + one->getNameAsString() + ")";
  }
  return type_name(source, type);
}

std::vector<clang::QualType> parameter_types(const clang::FunctionDecl* function) {
  std::vector<clang::QualType> types;
  for (const clang::ParmVarDecl* one : function->parameters()) types.push_back(one->getType());
  return types;
}

// Formats of printf and its like, where a size is written that CUDA's printf does not know.
class format_finder : public tree_walker {
 public:
  std::vector<const clang::StringLiteral*> found;

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || callee->getIdentifier() == nullptr) return true;
    const unsigned at = callee->getName() == "printf" ? 0 : callee->getName() == "fprintf" ? 1 : 2;
    if (at == 2 || call->getNumArgs() <= at) return true;
    const auto* text =
        llvm::dyn_cast<clang::StringLiteral>(call->getArg(at)->IgnoreParenImpCasts());
    if (text != nullptr && text->isOrdinary() &&
        known_sizes(text->getString()) != text->getString())
      found.push_back(text);
    return true;
  }

  // `%zu`, `%jd` and `%td` are of 8 bytes, as `%lu` is.
  static std::string known_sizes(llvm::StringRef format) {
    std::string text = format.str();
    for (std::size_t at = text.find('%'); at < text.size(); at = text.find('%', at + 1)) {
      at = text.find_first_not_of("-+ #0123456789.*", at + 1);
      if (at >= text.size()) break;
      if (text[at] == 'z' || text[at] == 'j' || text[at] == 't') text[at] = 'l';
    }
    return text;
  }
};

// As a literal has it.
std::string quoted(llvm::StringRef text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (clang::isPrintable(byte) && c != '"' && c != '\\' && c != '?') {
      result += c;
    } else {
      const char digits[] = {'\\', static_cast<char>('0' + byte / 64),
                             static_cast<char>('0' + byte / 8 % 8),
                             static_cast<char>('0' + byte % 8)};
      result.append(digits, sizeof digits);
    }
  }
  return result + "\"";
}

// Names of variables of the program that no reference of the same name can stand for: with a
// namespace or a class in front, static members, `inline` ones.
class variable_name_finder : public tree_walker {
 public:
  explicit variable_name_finder(const program& source) : source_(source) {}

  std::vector<const clang::DeclRefExpr*> names;
  llvm::DenseSet<const clang::VarDecl*> out_of_reach;

  // What has to be a constant stays as it is.
  bool TraverseStmt(clang::Stmt* code) override {
    return llvm::isa_and_nonnull<clang::ConstantExpr>(code) || tree_walker::TraverseStmt(code);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable == nullptr || !can_be_told(variable)) return true;
    names.push_back(name);
    if (name->hasQualifier() || variable->isStaticDataMember() || variable->isInline())
      out_of_reach.insert(variable->getCanonicalDecl());
    return true;
  }

 private:
  bool can_be_told(const clang::VarDecl* variable) const {
    if (!variable->hasGlobalStorage() || variable->isStaticLocal() || variable->isTemplated() ||
        is_known_on_devices(source_, variable))
      return false;
    const bool of_template =
        variable->getTemplateSpecializationKind() != clang::TSK_Undeclared ||
        (variable->isStaticDataMember() &&
         llvm::isa<clang::ClassTemplateSpecializationDecl>(variable->getDeclContext()));
    return !of_template && variable->getTLSKind() == clang::VarDecl::TLS_None &&
           !variable->getType()->isReferenceType() && !variable->getType()->isIncompleteType() &&
           !source_.sources().isInSystemHeader(variable->getLocation());
  }

  const program& source_;
};

}  // namespace

bool is_known_on_devices(const program& source, const clang::VarDecl* variable) {
  const clang::CXXRecordDecl* record = variable->getType()->getAsCXXRecordDecl();
  // An object without a value, such as std::nullopt.
  if (variable->isConstexpr() && record != nullptr && record->isEmpty()) return true;
  const bool scalar = variable->getType()->isScalarType();
  if (variable->isStaticDataMember()) {
    if (scalar && variable->isConstexpr()) return true;
    // A member that its class gives a value needs no definition elsewhere.
    const clang::VarDecl* with_value = nullptr;
    return scalar && variable->getType().isConstQualified() &&
           !variable->getType().isVolatileQualified() &&
           variable->getType()->isIntegralOrEnumerationType() &&
           variable->getAnyInitializer(with_value) != nullptr && !with_value->isOutOfLine();
  }
  if (scalar && (variable->isConstexpr() || is_constant(*source.context, variable))) return true;
  // A table, of which the device has its own.
  const clang::VarDecl* definition = variable->getDefinition();
  return definition != nullptr && !variable->isTemplated() && !variable->isInline() &&
         variable->getTemplateSpecializationKind() == clang::TSK_Undeclared &&
         source.sources().isInMainFile(
             source.sources().getExpansionLoc(definition->getLocation())) &&
         !definition->hasExternalStorage() &&
         (variable->isConstexpr() || is_constant(*source.context, variable));
}

std::string full_name(const program& source, const clang::NamedDecl* declaration) {
  if (source.is_c()) return declaration->getNameAsString();
  return "::" + without_unnamed(declaration->getQualifiedNameAsString());
}

device_calls::device_calls(program& source, const std::vector<finished_task>& tasks,
                           reference_finder& finder, const call_targets& targets)
    : source_(source), targets_(targets) {
  llvm::SetVector<const clang::FunctionDecl*> all;
  for (const finished_task& task : tasks) {
    for (const clang::FunctionDecl* one : finder.reach(task.task->definition)) all.insert(one);
  }
  std::vector<const clang::FunctionDecl*> reached(all.begin(), all.end());
  std::ranges::sort(reached, [&](const auto* a, const auto* b) {
    return a != b &&
           source_.sources().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
  if (!source_.is_c()) spell_variables(reached);
  function_set calling;
  for (const clang::FunctionDecl* one : reached) {
    const references& found = finder.of(one);
    if (!found.pointer_calls.empty() || !found.virtual_calls.empty()) calling.insert(one);
    spell(found, one);
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(one);
    if (method != nullptr && method->isVirtual() && !llvm::isa<clang::CXXDestructorDecl>(method)) {
      for (const auto* each : targets_.classes().family_of(method)) of_device_.insert(each);
    }
  }
  for (const type called : called_) {
    for (const clang::FunctionDecl* one : targets_.of(called)) {
      (void)number_of({one});
      note_way_back(one, finder, calling);
    }
  }
  for (const clang::CXXMethodDecl* called : methods_) {
    for (const virtual_target& one : targets_.of(called)) {
      (void)number_of({one.object, one.table});
      note_way_back(one.method, finder, calling);
    }
  }
}

// If one name of a variable is out of reach, all of its names are spelled so: it has one copy.
void device_calls::spell_variables(const std::vector<const clang::FunctionDecl*>& reached) {
  variable_name_finder found(source_);
  for (const clang::FunctionDecl* one : reached) {
    const clang::FunctionDecl* definition = one->getDefinition();
    // At compile time it is the variable that counts.
    if (definition == nullptr || definition->isConstexpr() ||
        source_.sources().isInSystemHeader(definition->getLocation()))
      continue;
    found.look_through(definition);
  }
  for (const clang::DeclRefExpr* one : found.names) {
    const auto* variable = llvm::cast<clang::VarDecl>(one->getDecl()->getCanonicalDecl());
    if (!found.out_of_reach.contains(variable) || !can_change(one)) continue;
    variables_.insert(variable);
    const auto number = std::ranges::find(variables_, variable) - variables_.begin();
    source_.spelled[one] = {"(*reinterpret_cast<decltype(&" + full_name(source_, variable) +
                                ")>(::cilk_variable_" + std::to_string(number) + "))",
                            nullptr, ""};
  }
}

void device_calls::note_way_back(const clang::FunctionDecl* target, reference_finder& finder,
                                 const function_set& calling) {
  for (const clang::FunctionDecl* one : finder.reach(target)) {
    if (calling.contains(one)) leads_on_ = true;
  }
}

void device_calls::spell(const references& found, const clang::FunctionDecl* function) {
  for (const clang::CallExpr* one : found.pointer_calls)
    call(one->getCallee(), type_called(*source_.context, one));
  for (const clang::Expr* one : found.called_by_library)
    call(one, type_pointed_to(*source_.context, one));
  for (const clang::CallExpr* one : found.atomic_calls) call_atomic(one);
  for (const clang::CallExpr* one : found.shared_calls) look_into_shared(one);
  if (const clang::FunctionDecl* definition = function->getDefinition()) {
    format_finder formats;
    formats.look_through(definition->getBody());
    for (const clang::StringLiteral* one : formats.found) {
      if (can_change(one))
        source_.spelled[one] = {quoted(format_finder::known_sizes(one->getString())), nullptr, ""};
    }
  }
  // The text of a template is that of all its instances.
  if (function->isTemplateInstantiation()) return;
  for (const clang::DeclRefExpr* one : found.names) name(one);
  for (const clang::CallExpr* one : found.virtual_calls) call_method(one);
}

// Whether a plain form's function has looked for all classes of this file before, or all functions:
// it is called for an object of none of them, or a pointer to none, which ends the run.
static bool is_behind_dispatch(const clang::Expr* called) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(called->IgnoreParenImpCasts());
  return name != nullptr && name->getDecl()->getIdentifier() != nullptr &&
         (name->getDecl()->getName() == dispatched_object ||
          name->getDecl()->getName() == dispatched_pointer);
}

// `p->area()`, `s.area()` or `area()`: what is called stands in the place of the member's name.
void device_calls::call_method(const clang::CallExpr* call) {
  const auto* member = llvm::cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  const clang::CXXMethodDecl* method = virtual_callee(call);
  const clang::CXXMethodDecl* sure = sure_target(call);
  const clang::Expr* object = member->getBase()->IgnoreImpCasts();
  const bool lacks =
      sure == nullptr && (targets_.of(method).empty() || targets_.misses_some(method));
  if (!can_change(member) || (lacks && !is_behind_dispatch(object))) return;
  const auto* arrow = llvm::dyn_cast<clang::CXXOperatorCallExpr>(object);
  const bool overloaded = arrow != nullptr && arrow->getOperator() == clang::OO_Arrow;
  const auto* self = llvm::dyn_cast<clang::CXXThisExpr>(object);
  const bool implicit = self != nullptr && self->isImplicit();
  if (overloaded) object = arrow->getArg(0);
  if (!implicit && !can_change(object)) return;
  device_spelling now = {"(", implicit ? nullptr : object, implicit ? "this)" : ")"};
  if (overloaded) now.after += ".operator->()";
  if (sure != nullptr) {
    now.after += std::string(member->isArrow() ? "->" : ".") + class_name(sure->getParent()) +
                 "::" + sure->getNameAsString();
  } else {
    now.before = called_method(method) + (member->isArrow() ? "" : "&") + now.before;
    now.after += "))";
  }
  source_.spelled[call->getCallee()] = now;
}

// The beginning of what is called, up to the object.
std::string device_calls::called_method(const clang::CXXMethodDecl* method) {
  methods_.insert(method);
  const auto number = std::ranges::find(methods_, method) - methods_.begin();
  const clang::QualType type =
      source_.context->getFunctionType(method->getReturnType(), parameter_types(method), {})
          .getCanonicalType();
  return "channels::cilk::called_method<" + std::to_string(number) + ", " +
         type_name(source_, type) + ">(static_cast<const volatile " +
         class_name(method->getParent()) + "*>(";
}

std::string device_calls::class_name(const clang::CXXRecordDecl* record) const {
  return type_name(source_, source_.context->getRecordType(record));
}

// The object may be a variable that has another spelling by itself.
void device_calls::put_around(const clang::Expr* object, const std::string& before) {
  device_spelling now = {"", object, ""};
  if (const device_spelling* known = source_.spelling_of(object)) now = *known;
  // An object that is asked twice has one view.
  if (!llvm::StringRef(now.before).starts_with(before))
    source_.spelled[object] = {before + now.before, now.kept, now.after + ")"};
}

// `n.load()`, `p->load()`, `n += 2`, or `n` where its value is meant.
void device_calls::call_atomic(const clang::CallExpr* call) {
  const clang::Expr* object = atomic_object(call);
  const std::string place = "channels::cilk::atomic_of(";
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  const bool converts = llvm::isa<clang::CXXConversionDecl>(call->getDirectCallee());
  if (converts && (member->isArrow() || member->getMemberLoc().isValid())) return;
  if (!can_change(object)) return;
  if (member == nullptr || converts) {
    put_around(object, place);
    has_atomics_ = true;
    return;
  }
  const auto* arrow = llvm::dyn_cast<clang::CXXOperatorCallExpr>(object);
  const bool overloaded =
      member->isArrow() && arrow != nullptr && arrow->getOperator() == clang::OO_Arrow;
  if (overloaded) object = arrow->getArg(0);
  if (!can_change(object) || !can_change(member)) return;
  const std::string name = "." + call->getDirectCallee()->getNameAsString();
  source_.spelled[call->getCallee()] = {place + (member->isArrow() ? "*(" : ""), object,
                                        (overloaded          ? ").operator->())"
                                         : member->isArrow() ? "))"
                                                             : ")") +
                                            name};
  has_atomics_ = true;
}

// `p->n`, `*p`, `p.get()`, `p == q`, or `p` where a truth value is meant.
void device_calls::look_into_shared(const clang::CallExpr* call) {
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParens());
  const bool arrow = member != nullptr && member->isArrow();
  for (const clang::Expr* object : shared_objects(call)) {
    if (!can_change(object)) continue;
    if (arrow && member->getMemberLoc().isValid()) {
      if (!can_change(member) || call->getDirectCallee()->getIdentifier() == nullptr) continue;
      source_.spelled[call->getCallee()] = {"channels::cilk::shared_of(*(", object,
                                            "))." + call->getDirectCallee()->getNameAsString()};
    } else if (!arrow) {
      put_around(object, "channels::cilk::shared_of(");
    }
    has_shared_ = true;
  }
}

void device_calls::call(const clang::Expr* pointer, type called) {
  const bool none = targets_.of(called).empty() && !is_behind_dispatch(pointer);
  if (none || !can_change(pointer)) return;
  called_.insert(called);
  source_.spelled[pointer] = {"channels::cilk::called(", pointer, ")"};
}

void device_calls::name(const clang::DeclRefExpr* name) {
  if (!can_change(name)) return;
  const auto* function = llvm::cast<clang::FunctionDecl>(name->getDecl()->getCanonicalDecl());
  const clang::QualType pointer = source_.context->getPointerType(function->getType());
  const std::string type = has_own_type(source_, function)
                               ? "decltype(" + function->getNameAsString() + ")*"
                               : type_name(source_, pointer.getCanonicalType());
  source_.spelled[name] = {"(*reinterpret_cast<" + type + ">(cilk_host_address[" +
                               std::to_string(number_of({function})) + "]))",
                           nullptr, ""};
}

bool device_calls::can_change(const clang::Expr* one) const {
  const auto range =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(one->getSourceRange()),
                                      source_.sources(), source_.context->getLangOpts());
  return range.isValid() && source_.sources().isInMainFile(range.getBegin());
}

unsigned device_calls::number_of(const host_address& one) {
  const auto found = std::ranges::find(addresses_, one);
  const auto number = static_cast<unsigned>(found - addresses_.begin());
  if (found == addresses_.end()) addresses_.push_back(one);
  return number;
}

std::string device_calls::address(const host_address& one) const {
  const auto found = std::ranges::find(addresses_, one);
  return "cilk_host_address[" + std::to_string(found - addresses_.begin()) + "]";
}

std::string device_calls::declarations(
    llvm::function_ref<std::string(const clang::NamedDecl*)> symbol) const {
  std::string text;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    text += "CHANNELS_CILK_ADDRESS(char, cilk_variable_" + std::to_string(i) + ");\n";
  if (addresses_.empty()) return text;
  text += "CHANNELS_CILK_HOST_ADDRESSES(" + std::to_string(addresses_.size()) + ");\n";
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(addresses_[i].of);
    // What other files may define, too, may be missing here.
    const bool weak =
        function != nullptr && (function->isInlined() || function->isTemplateInstantiation());
    text += "extern \"C\" " + std::string(function != nullptr ? "void" : "const char* const") +
            " cilk_of_host_" + std::to_string(i) + (function != nullptr ? "()" : "") +
            " __asm__(\"" + symbol(addresses_[i].of) + "\")" +
            (weak ? " __attribute__((__weak__))" : "") + ";\n";
  }
  return text;
}

void device_calls::write_binding(writer& out) const {
  std::string list;
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    const std::string name = "cilk_of_host_" + std::to_string(i);
    const bool function = llvm::isa<clang::FunctionDecl>(addresses_[i].of);
    list += (i == 0 ? "" : ", ") + (function ? "reinterpret_cast<std::uintptr_t>(&" + name + ")"
                                             : "channels::cilk::table_at(" + name + ", " +
                                                   std::to_string(addresses_[i].offset) + ")");
  }
  out.line("const std::uintptr_t of_host[] = {" + list + "};");
  out.line("channels::cilk::bind_addresses(cilk_host_address, of_host);");
}

std::string device_calls::definitions() const {
  // Outside of namespaces, where the program's names are the program's.
  unsigned count = 0;
  const auto choice = [&](const std::string& object, const std::string& cases) {
    // Compilers for GPUs would inline such functions into each other, more at each step.
    return std::string("template <class R, class... A>\nstatic ") +
           (leads_on_ ? "CHANNELS_CILK_APART " : "") + "CHANNELS_DEVICE R cilk_targets_" +
           std::to_string(++count) + "(std::uintptr_t host, channels::cilk::call_place from, " +
           object + "A... a) {\n" + cases + "  channels::cilk::call_unknown(from);\n}\n";
  };
  const auto called_by = [&](const std::string& targets, const std::string& object) {
    return "template <>\nstruct channels::cilk::" + targets +
           "> {\n  template <class R, class... A>\n  static CHANNELS_DEVICE R call(std::uintptr_t "
           "host, channels::cilk::call_place from, " +
           (object.empty() ? "" : "const volatile void* object, ") + "A... a) {\n    return " +
           "::cilk_targets_" + std::to_string(count) + "<R, A...>(host, from, " + object +
           "static_cast<A&&>(a)...);\n  }\n};\n";
  };
  std::string text;
  for (const type called : called_) {
    const auto& targets = targets_.of(called);
    std::string cases;
    for (const clang::FunctionDecl* one : targets) cases += case_of(one, called);
    text += choice("", cases);
    text += called_by("pointer_targets<typename channels::cilk::plain_function<" +
                          text_of(source_, targets, called) + ">::type",
                      "");
  }
  for (std::size_t i = 0; i < methods_.size(); ++i) {
    std::string cases;
    for (const virtual_target& one : targets_.of(methods_[i])) cases += case_of(one, methods_[i]);
    text += choice("const volatile void* object, ", cases);
    text += called_by("method_targets<" + std::to_string(i), "object, ");
  }
  return text;
}

std::string device_calls::case_of(const clang::FunctionDecl* target, type called) const {
  const std::string name = full_name(source_, target) + written_arguments(target).value_or("");
  const bool cast = !source_.context->hasSameFunctionTypeIgnoringExceptionSpec(
      target->getType(), clang::QualType(called, 0));
  return "  if (host == " + address({target}) + ") return " +
         (cast ? "reinterpret_cast<R (*)(A...)>(" + name + ")" : name) +
         "(static_cast<A&&>(a)...);\n";
}

std::string device_calls::case_of(const virtual_target& target,
                                  const clang::CXXMethodDecl* called) const {
  const std::string is_const = target.method->isConst() ? "const " : "";
  const std::string whole = is_const + class_name(target.object) + "*";
  const std::string part = is_const + class_name(called->getParent()) + "*";
  return "  if (host == " + address({target.object, target.table}) + ") return static_cast<" +
         whole + ">(static_cast<" + part + ">(const_cast<" + is_const + "void*>(object)))->" +
         class_name(target.method->getParent()) + "::" + target.method->getNameAsString() +
         "(static_cast<A&&>(a)...);\n";
}

}  // namespace cilk2chan
