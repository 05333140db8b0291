#include "normal_form/guards.hpp"

#include "frontend/spelling.hpp"  // guard_mark, instance_mark
#include "normal_form/hidden_types.hpp"
#include "normal_form/plain_expressions.hpp"  // in_quotes
#include "normal_form/plain_function.hpp"     // plain_region_head
#include "normal_form/plain_types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/StringExtras.h>  // join

#include <algorithm>
#include <optional>

namespace cilk2chan {
namespace {

// `add_marks_of_closures` sees to it that a closure's place in the guarded text is known.
constexpr const char* closure_text = R"(template <int Line, int Column> struct cilk_closure_at {};
struct cilk_place_of_type { int line; int column; };
template <class Type> constexpr cilk_place_of_type cilk_place_of() {
  const char* text = __PRETTY_FUNCTION__;
  const char* begin = text;
  while (*begin && *begin != '=') ++begin;
  const char* end = begin;
  while (*end) ++end;
  const char mark[] = "= (lambda at ";
  for (int i = 0; mark[i]; ++i) {
    if (begin[i] != mark[i]) return {0, 0};
  }
  begin += sizeof mark - 1;
  for (int i = 0; cilk_name_of_file[i]; ++i, ++begin) {
    if (*begin != cilk_name_of_file[i]) return {0, 0};
  }
  if (end[-1] != ']' || end[-2] != ')') return {0, 0};
  int found[2] = {0, 0};
  const char* at = end - 3;
  for (int& one : found) {
    for (int scale = 1; *at >= '0' && *at <= '9'; --at, scale *= 10) one += (*at - '0') * scale;
    if (*at-- != ':') return {0, 0};
  }
  if (at + 1 != begin) return {0, 0};
  return {found[1], found[0]};
}
template <class Type, int Line = cilk_place_of<Type>().line> struct cilk_key {
  using type = cilk_closure_at<Line, cilk_place_of<Type>().column>;
};
template <class Type> struct cilk_key<Type, 0> { using type = Type; };
template <class Type> struct cilk_key<Type&, 0> { using type = typename cilk_key<Type>::type&; };
template <class Type> struct cilk_key<Type&&, 0> { using type = typename cilk_key<Type>::type&&; };
)";

// In the guarded text a closure's line holds nothing before it but so many blanks.
unsigned column_of_closure(const parsed_file& source, const clang::CXXRecordDecl* closure) {
  return source.sources.getPresumedColumnNumber(closure->getLocation());
}

// How a template names one of its type arguments. A closure has no name: it is known by its place.
std::optional<std::string> type_key(const parsed_file& source, clang::QualType type) {
  const clang::QualType object = type.getNonReferenceType();
  const clang::CXXRecordDecl* record = object->getAsCXXRecordDecl();
  if (record == nullptr || !record->isLambda()) {
    const auto text = plain_type(source.context, type);
    return text && !has_hidden_type(*text) ? text : std::nullopt;
  }
  // The lambdas of a template's instances have one place.
  const auto* around = llvm::dyn_cast<clang::FunctionDecl>(record->getDeclContext());
  const bool single = around != nullptr && !around->isTemplateInstantiation() &&
                      around->getTemplateInstantiationPattern() == nullptr &&
                      object.getQualifiers().empty() && record->getLocation().isFileID() &&
                      has_known_layout(source, object);
  if (!single) return std::nullopt;
  const unsigned line = source.sources.getPresumedLineNumber(record->getLocation());
  const char* mark = type->isLValueReferenceType()   ? "&"
                     : type->isRValueReferenceType() ? "&&"
                                                     : "";
  return "cilk_closure_at<" + std::to_string(line) + ", " +
         std::to_string(column_of_closure(source, record)) + ">" + mark;
}

// The template arguments of an instance, as the template's text names them and as they are; none
// for what is no template. Nothing where they cannot be written.
struct template_arguments {
  std::string names;
  std::string values;
};
// How a template names one of its arguments, and what that is in an instance.
std::optional<template_arguments> keyed_argument(const parsed_file& source, const std::string& name,
                                                 const clang::NamedDecl* parameter,
                                                 const clang::TemplateArgument& argument) {
  const clang::PrintingPolicy policy(source.context.getLangOpts());
  std::string value;
  llvm::raw_string_ostream out(value);
  const auto number = [&](const std::string& named) {
    return template_arguments{"cilk_number<" + named + ">", "cilk_number<(" + value + ")>"};
  };
  switch (argument.getKind()) {
    case clang::TemplateArgument::Type: {
      const auto type = type_key(source, argument.getAsType());
      if (!type) return std::nullopt;
      return template_arguments{"typename cilk_key<" + name + ">::type", *type};
    }
    case clang::TemplateArgument::Integral: {
      const clang::QualType type = argument.getIntegralType();
      // Clang prints a number of these types as one of `int`.
      if (type->isSpecificBuiltinType(clang::BuiltinType::Short) ||
          type->isSpecificBuiltinType(clang::BuiltinType::UShort))
        out << "(" << type.getCanonicalType().getUnqualifiedType().getAsString() << ")";
      argument.print(policy, out, true);
      return number(name);
    }
    case clang::TemplateArgument::Declaration: {
      const clang::ValueDecl* place = argument.getAsDecl();
      if (llvm::isa<clang::TemplateParamObjectDecl>(place)) {
        argument.print(policy, out, true);
        return number(name);
      }
      const bool is_plain =
          llvm::isa<clang::VarDecl, clang::FunctionDecl>(place) && !place->isCXXClassMember() &&
          !place->isTemplated() &&
          (place->getAsFunction() == nullptr || !place->getAsFunction()->isTemplateInstantiation());
      if (!is_plain) return std::nullopt;
      const bool is_reference = argument.getParamTypeForDecl()->isReferenceType();
      const bool decays =
          !is_reference && (place->getType()->isArrayType() || place->getType()->isFunctionType());
      out << (decays ? "::" : "&::");
      place->printQualifiedName(out, policy);
      return number((is_reference ? "&" : "") + name);
    }
    case clang::TemplateArgument::Pack: {
      template_arguments all = {"cilk_pack<", "cilk_pack<"};
      for (const clang::TemplateArgument& each : argument.pack_elements()) {
        const auto one = keyed_argument(source, name, parameter, each);
        if (!one) return std::nullopt;
        if (all.names.size() == all.values.size() && all.names.back() == '<')
          all.names += one->names + "...";
        if (all.values.back() != '<') all.values += ", ";
        all.values += one->values;
      }
      // The text names an empty pack as it names another.
      if (argument.pack_size() == 0) {
        const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
        const bool type = llvm::isa<clang::TemplateTypeParmDecl>(parameter);
        if (!type && (value == nullptr || value->getType()->isReferenceType())) return std::nullopt;
        all.names +=
            (type ? "typename cilk_key<" + name + ">::type" : "cilk_number<" + name + ">") + "...";
      }
      return template_arguments{all.names + ">", all.values + ">"};
    }
    default: return std::nullopt;
  }
}

// A parameter without a name stands for the type of one that is `auto`.
std::string name_of_parameter(const clang::FunctionDecl* function,
                              const clang::NamedDecl* parameter, unsigned index) {
  const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter);
  if (type == nullptr || !type->isImplicit()) return parameter->getNameAsString();
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  if (pattern == nullptr) return {};
  for (const clang::ParmVarDecl* one : pattern->parameters()) {
    const auto* own = one->getType()->getAs<clang::TemplateTypeParmType>();
    if (own != nullptr && own->getIndex() == index && !one->getType().hasQualifiers() &&
        !one->getName().empty())
      return "decltype(" + one->getNameAsString() + ")";
  }
  return {};
}

bool has_default(const clang::NamedDecl* parameter) {
  if (const auto* type = llvm::dyn_cast<clang::TemplateTypeParmDecl>(parameter))
    return type->hasDefaultArgument();
  const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(parameter);
  return value != nullptr && value->hasDefaultArgument();
}

std::optional<template_arguments> arguments_of(const parsed_file& source,
                                               const clang::FunctionDecl* function) {
  template_arguments found;
  const auto add_all = [&](const clang::TemplateParameterList* names,
                           llvm::ArrayRef<clang::TemplateArgument> arguments) {
    if (names->size() != arguments.size()) return false;
    for (unsigned i = 0; i < names->size(); ++i) {
      const clang::NamedDecl* parameter = names->getParam(i);
      const std::string name = name_of_parameter(function, parameter, i);
      // What only decides whether the template is one, as `std::enable_if` does.
      if (name.empty() && has_default(parameter)) continue;
      const auto one = keyed_argument(source, name, parameter, arguments[i]);
      if (name.empty() || !one) return false;
      const char* comma = found.names.empty() ? "" : ", ";
      found.names += comma + one->names;
      found.values += comma + one->values;
    }
    return true;
  };
  // A member has those of its class, and so has a friend that is written in the class.
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const auto* around = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(
      method != nullptr ? method->getParent() : function->getLexicalDeclContext());
  const clang::FunctionDecl* member = function->getTemplateInstantiationPattern();
  if (around != nullptr && member != nullptr) {
    const auto* definition = llvm::dyn_cast<clang::CXXRecordDecl>(member->getLexicalDeclContext());
    if (method != nullptr) definition = llvm::cast<clang::CXXRecordDecl>(member->getDeclContext());
    const auto* part = llvm::dyn_cast_or_null<clang::ClassTemplatePartialSpecializationDecl>(
        around->getInstantiatedFrom().dyn_cast<clang::ClassTemplatePartialSpecializationDecl*>());
    const clang::TemplateParameterList* names =
        part != nullptr ? part->getTemplateParameters()
        : definition == nullptr || definition->getDescribedClassTemplate() == nullptr
            ? nullptr
            : definition->getDescribedClassTemplate()->getTemplateParameters();
    const clang::FunctionDecl* written = member->getDefinition();
    if (written != nullptr && written->isOutOfLine() && method != nullptr) {
      if (written->getNumTemplateParameterLists() != 1) return std::nullopt;
      names = written->getTemplateParameterList(0);
    }
    if (names == nullptr || !add_all(names, around->getTemplateInstantiationArgs().asArray()))
      return std::nullopt;
  }
  const clang::FunctionTemplateDecl* primary = function->getPrimaryTemplate();
  const bool specialised =
      function->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization;
  if (primary != nullptr && !specialised) {
    const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
    if (pattern == nullptr || pattern->getDescribedFunctionTemplate() == nullptr)
      return std::nullopt;
    if (!add_all(pattern->getDescribedFunctionTemplate()->getTemplateParameters(),
                 function->getTemplateSpecializationArgs()->asArray()))
      return std::nullopt;
  }
  return found;
}

// How a parameter that is an object goes to the entry. Host code ends one that is no copy of bytes.
std::string passed_object(const parsed_file& source, clang::QualType type,
                          const std::string& object) {
  const std::string holder =
      plain_variable(source.context, type.getUnqualifiedType(), "").value_or("");
  if (!is_held(source.context, type)) return holder + "(" + object + ")";
  const std::string inside = plain_type(source.context, type.getUnqualifiedType()).value_or("");
  return holder + "((" + inside + "*)__builtin_addressof(" + object + "), true)";
}

// The function through which a template calls the entry of an instance: it takes the arguments of
// the template as they are.
struct call_of_instance {
  std::string head;
  std::string outside;  // arguments, in the template
  std::string inside;   // arguments of the entry
};
// Whether the template has a pack in the place of a parameter.
bool is_of_pack(const clang::FunctionDecl* function, const clang::ParmVarDecl* parameter) {
  const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern();
  return pattern != nullptr && std::ranges::any_of(pattern->parameters(), [&](const auto* one) {
           return one->isParameterPack() && one->getIdentifier() == parameter->getIdentifier();
         });
}

std::optional<call_of_instance> instance_call(const parsed_file& source,
                                              const clang::FunctionDecl* function) {
  const auto result = plain_type(source.context, function->getReturnType().getUnqualifiedType());
  if (!result || has_hidden_type(*result)) return std::nullopt;
  call_of_instance made;
  std::string types;
  std::string parameters;
  const auto add = [](std::string& list, const std::string& one) {
    list += (list.empty() ? "" : ", ") + one;
  };
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr && method->isInstance()) {
    parameters = plain_type(source.context, method->getThisType(), "cilk_this").value_or("");
    if (parameters.empty()) return std::nullopt;
    made.outside = "this";
    made.inside = "cilk_this";
    // An instance of a class template with a hidden type is another class than the user's.
    if (has_hidden_type(parameters)) {
      if (!has_known_layout(source, method->getThisType())) return std::nullopt;
      made.inside =
          "(" + plain_type(source.context, method->getThisType()).value_or("") + ")cilk_this";
      parameters = "This* cilk_this";
      types = "class This";
    }
  }
  for (const clang::ParmVarDecl* one : function->parameters()) {
    const std::string name = parameter_name(one);
    if (name.empty()) {
      add(made.inside, "{}");
      continue;
    }
    const std::string number = std::to_string(one->getFunctionScopeIndex() + 1);
    add(types, "class Type" + number);
    add(parameters, "Type" + number + "& " + name);
    // A pack has one name in the template.
    const bool packed = is_of_pack(function, one);
    if (!packed || name == one->getNameAsString())
      add(made.outside, one->getNameAsString() + (packed ? "..." : ""));
    const clang::QualType type = one->getType().getUnqualifiedType();
    const auto plain = plain_variable(source.context, type, "");
    if (!plain || type->isVariablyModifiedType()) return std::nullopt;
    const bool box = is_boxed(source.context, type);
    const bool hidden = has_hidden_type(*plain);
    if (hidden && box && !type.isTriviallyCopyableType(source.context)) return std::nullopt;
    if (hidden && !has_known_layout(source, type)) return std::nullopt;
    const std::string object = hidden && !type->isReferenceType()
                                   ? "__builtin_bit_cast(" +
                                         plain_type(source.context, type).value_or("") + ", " +
                                         name + ")"
                                   : name;
    add(made.inside, type->isReferenceType() ? "(" + *plain + ")&" + name
                     : box                   ? passed_object(source, type, object)
                                             : object);
  }
  made.head = (types.empty() ? "" : "template <" + types + "> ") + "static " +
              plain_type(source.context, function->getReturnType().getUnqualifiedType(),
                         "run(" + parameters + ")")
                  .value_or("");
  return made;
}

// Puts the closures that an instance gets on lines of their own, where `cilk_place_of` finds them.
void add_marks_of_closures(const parsed_file& source, const clang::FunctionDecl* function,
                           plain_form& form) {
  const auto mark = [&](const clang::TemplateArgument& one) {
    if (one.getKind() != clang::TemplateArgument::Type) return;
    const clang::CXXRecordDecl* record =
        one.getAsType().getNonReferenceType()->getAsCXXRecordDecl();
    if (record == nullptr || !record->isLambda()) return;
    const unsigned offset = source.offset(record->getLocation());
    const unsigned column = column_of_closure(source, record);
    form.changes.push_back(
        {offset, offset, "\n" + source.line_directive(offset) + std::string(column - 1, ' ')});
  };
  const auto mark_all = [&](llvm::ArrayRef<clang::TemplateArgument> arguments) {
    for (const clang::TemplateArgument& one : arguments) {
      mark(one);
      if (one.getKind() == clang::TemplateArgument::Pack)
        std::ranges::for_each(one.pack_elements(), mark);
    }
  };
  if (const auto* arguments = function->getTemplateSpecializationArgs())
    mark_all(arguments->asArray());
  const auto* around =
      llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(function->getDeclContext());
  if (around != nullptr) mark_all(around->getTemplateArgs().asArray());
}

// A template's instance, which the text names by the template's parameters and the specialization
// by their values. The file's id: another file of the program may have a template at that place.
std::string instance_name(const std::string& id, const std::string& number,
                          const std::string& arguments) {
  return std::string(instance_mark) + "<cilk_file_" + id + ", " + number + ", " + arguments + ">";
}
std::string specialization(const std::string& name, const std::string& run,
                           const std::string& body) {
  return "template <> struct " + name + " {\n  static constexpr bool is = true;\n  " + run +
         " {\n    " + body + "\n  }\n};\n";
}

}  // namespace

std::string texts_of_guards(const std::string& name, const std::string& id) {
  return "struct cilk_file_" + id +
         ";\ntemplate <class File, int Function, class... Arguments> struct " + instance_mark +
         " {\n"
         "  static constexpr bool is = false;\n};\n"
         "template <auto Number> struct cilk_number {};\n"
         "template <class... Types> struct cilk_pack {};\n"
         "constexpr char cilk_name_of_file[] = " +
         in_quotes(name) + ";\n" + closure_text;
}

// The head of a branch that is taken if the program runs as tasks.
static std::string test_of_order(const std::string& form, bool has_reducers) {
  const std::string order = guard_mark + form;
  const std::string strand = guard_mark + ("strand_of_" + form);
  const std::string here = has_reducers ? "extern __thread void* " + strand +
                                              " __asm__(\"channels_cilk_strand\") "
                                              "__attribute__((__tls_model__(\"initial-exec\"))); "
                                        : "";
  return "extern unsigned char " + order + " __asm__(\"channels_cilk_order\"); " + here +
         "if (__builtin_expect(__atomic_load_n(&" + order + ", __ATOMIC_RELAXED) != 1, 0)" +
         (has_reducers ? " && !" + strand : "") + ") ";
}

// The name of a form's entry, and what declares it, behind its head.
static std::string entry_of(const std::string& form) { return "cilk_entry_of_" + form; }
static std::string entry_label(const std::string& form) {
  return " __asm__(\"" + form + ".cilk_entry\");";
}

bool can_be_told(const parsed_file& source, const clang::FunctionDecl* function) {
  const auto instance = arguments_of(source, function);
  return instance && (instance->names.empty() || instance_call(source, function));
}

std::string write_guard(parsed_file& source, const clang::FunctionDecl* function,
                        const std::string& id, plain_form& form) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(function->getBody());
  if (body == nullptr || body->getLBracLoc().isMacroID()) return reasons::body_in_macro;
  const auto instance = arguments_of(source, function);
  if (!instance) return reasons::unknown_instance;
  const bool is_template = !instance->names.empty();
  if (is_template && !source.context.getLangOpts().CPlusPlus17) return reasons::before_cxx17;
  // Nobody outside has a lambda's object.
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr && method->getParent()->isLambda()) return {};
  const unsigned offset = source.offset(body->getLBracLoc()) + 1;
  const std::string entry = entry_of(form.name);
  const std::string declaration =
      plain_head(source, function, entry, form.views) + entry_label(form.name);
  std::string arguments;
  if (method != nullptr && method->isInstance()) arguments = "this";
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    const char* comma = arguments.empty() ? "" : ", ";
    const std::string name = parameter->getNameAsString();
    arguments += comma;
    const clang::QualType type = parameter->getType();
    arguments += name.empty()                     ? "{}"
                 : type->isReferenceType()        ? "&" + name
                 : is_boxed(source.context, type) ? passed_object(source, type, name)
                 : type->isVariablyModifiedType()
                     ? "(" + plain_type(source.context, type).value_or("") + ")" + name
                     : name;
  }
  // The first strand has its views in the reducers' places.
  std::string views;
  for (std::size_t i = 0; i < form.views.size(); ++i) views += ", 0";
  const auto with_views = [&](const std::string& own) {
    return own.empty() && !views.empty() ? views.substr(2) : own + views;
  };
  const bool nothing = function->getReturnType()->isVoidType();
  const std::string test = test_of_order(form.name, form.has_reducers);
  const clang::QualType result = function->getReturnType();
  const char* taken = is_held(source.context, result)    ? ".taken();"
                      : is_boxed(source.context, result) ? ".value();"
                                                         : ";";
  const auto give_way = [&](const std::string& call) {
    return nothing ? "{ " + call + "; return; }" : "return " + call + taken;
  };
  if (!is_template) {
    form.changes.push_back({offset, offset,
                            " { " + test + "{ " + declaration + " " +
                                give_way(entry + "(" + with_views(arguments) + ")") + " } }"});
    return {};
  }
  const std::string number = std::to_string(offset);
  const std::string own = instance_name(id, number, instance->names);
  const auto run = instance_call(source, function);
  if (!run) return reasons::unknown_instance;
  form.changes.push_back({offset, offset,
                          " if constexpr (" + own + "::is) { " + test +
                              (nothing ? "{ " : "return ") + own + "::run(" + run->outside +
                              (nothing ? "); return; } }" : "); }")});
  form.instance = specialization(
      instance_name(id, number, instance->values), run->head,
      declaration + "\n    " + give_way(entry + "(" + with_views(run->inside) + ")"));
  add_marks_of_closures(source, function, form);
  return {};
}

namespace {

// What a region gets: as its function names it, and the types that the entry has for it.
struct region_arguments {
  std::vector<std::string> given;
  std::vector<std::string> types;
};
region_arguments arguments_of_region(const parsed_file& source, const clang::FunctionDecl* function,
                                     const parallel_region& region) {
  region_arguments made;
  const auto add = [&](const std::string& given, clang::QualType type) {
    made.given.push_back(given);
    made.types.push_back(plain_type(source.context, type).value_or(""));
  };
  if (region.uses_object) add("this", llvm::cast<clang::CXXMethodDecl>(function)->getThisType());
  for (const clang::VarDecl* each : region.used)
    add("&" + each->getNameAsString(),
        source.context.getPointerType(each->getType().getNonReferenceType()));
  return made;
}

// The text of an instance of a template, through which the region calls `entry`.
std::string instance_of_region(const std::string& name, const std::string& declaration,
                               const std::string& entry, const region_arguments& arguments) {
  std::vector<std::string> classes;
  std::vector<std::string> parameters;
  std::vector<std::string> inside;
  for (const std::string& type : arguments.types) {
    const std::string number = std::to_string(classes.size() + 1);
    classes.push_back("class Type" + number);
    parameters.push_back("Type" + number + "* cilk_" + number);
    inside.push_back("(" + type + ")cilk_" + number);
  }
  return specialization(name,
                        (classes.empty() ? "" : "template <" + llvm::join(classes, ", ") + "> ") +
                            "static void run(" + llvm::join(parameters, ", ") + ")",
                        declaration + "\n    " + entry + "(" + llvm::join(inside, ", ") + ");");
}

}  // namespace

std::string write_region_guard(parsed_file& source, const clang::FunctionDecl* function,
                               const parallel_region& region, const std::string& id,
                               plain_form& form) {
  const auto instance = arguments_of(source, function);
  if (!instance) return reasons::unknown_instance;
  const bool is_template = !instance->names.empty();
  const bool instantiated = function->getTemplateInstantiationPattern() != nullptr;
  if (instantiated != is_template) return reasons::unknown_instance;
  const std::string entry = entry_of(form.name);
  const std::string declaration =
      plain_region_head(source, function, region, entry) + entry_label(form.name) + " ";
  const region_arguments arguments = arguments_of_region(source, function, region);
  if (!is_template) {
    std::string inside;
    for (std::size_t i = 0; i < arguments.given.size(); ++i) {
      const std::string& type = arguments.types[i];
      inside += (i == 0 ? "" : ", ") + (has_hidden_type(type) ? "(" + type + ")" : std::string()) +
                arguments.given[i];
    }
    form.changes = changes_around(source, region,
                                  test_of_order(form.name, form.has_reducers) + "{ " + declaration +
                                      entry + "(" + inside + "); } else { ");
    return form.changes.empty() ? reasons::region_in_macro : std::string();
  }
  // The type of a variable that comes early is one instance's.
  if (!source.context.getLangOpts().CPlusPlus17) return reasons::before_cxx17;
  if (!region.early.empty()) return reasons::early_in_template;
  // All instances have this text. The number is no function's (`write_guard`).
  const std::string offset =
      std::to_string(source.offset(region.statements.front()->getBeginLoc()));
  const std::string own = instance_name(id, "-" + offset, instance->names);
  const std::string stays = "cilk_stays_" + offset;
  form.changes =
      changes_around(source, region,
                     "bool " + stays + " = true; if constexpr (" + own + "::is) { " +
                         test_of_order("region_" + id + "_" + offset, form.has_reducers) + "{ " +
                         own + "::run(" + llvm::join(arguments.given, ", ") + "); " + stays +
                         " = false; } } if (" + stays + ") { ");
  if (form.changes.empty()) return reasons::region_in_macro;
  form.instance = instance_of_region(instance_name(id, "-" + offset, instance->values), declaration,
                                     entry, arguments);
  add_marks_of_closures(source, function, form);
  return {};
}

}  // namespace cilk2chan
