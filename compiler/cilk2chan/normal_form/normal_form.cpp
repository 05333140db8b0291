#include "normal_form/normal_form.hpp"

#include "analysis/references.hpp"
#include "frontend/keywords.hpp"
#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/writer.hpp"
#include "normal_form/hidden_types.hpp"
#include "normal_form/plain_expressions.hpp"  // in_quotes
#include "normal_form/plain_function.hpp"
#include "normal_form/plain_types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/MapVector.h>

#include <algorithm>
#include <map>
#include <optional>

namespace cilk2chan {
namespace {

// An object of a class with constructors, in memory that has none.
constexpr const char* box_text = R"(struct cilk_place { void* at; };
inline void* operator new(decltype(sizeof 0), cilk_place where) noexcept { return where.at; }
template <class Object> struct cilk_box {
  alignas(Object) unsigned char bytes[sizeof(Object)];
  cilk_box() = default;
  explicit cilk_box(const Object& from) { __builtin_memcpy(bytes, &from, sizeof(Object)); }
  Object& value() { return *reinterpret_cast<Object*>(bytes); }
  void end() { value().~Object(); }
};
)";

// A function of the program without template parameters, or an instance of one that has some.
struct instance {
  const clang::FunctionDecl* definition = nullptr;
  bool spawns = false;  // or has a parallel loop
};

// Tells templates which closure they get: the compiler's name of its type ends with its place, and
// `marks_of_closures` says where that is.
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

class instance_finder : public tree_walker {
 public:
  explicit instance_finder(const parsed_file& source) : source_(source) {}

  llvm::MapVector<const clang::FunctionDecl*, instance> found;  // by canonical declaration

  [[nodiscard]] bool shouldVisitTemplateInstantiations() const override { return true; }

  bool TraverseDecl(clang::Decl* declaration) override {
    auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    const bool whole = function != nullptr && function->isThisDeclarationADefinition() &&
                       function->doesThisDeclarationHaveABody() && !function->isTemplated() &&
                       source_.in_main_file(function->getLocation());
    if (!whole) return tree_walker::TraverseDecl(declaration);
    instance* const outer = current_;
    const bool first = !found.contains(function->getCanonicalDecl());
    instance made{function, false};
    current_ = &made;
    const bool go_on = tree_walker::TraverseDecl(declaration);
    current_ = outer;
    if (first) found[function->getCanonicalDecl()] = made;
    return go_on;
  }
  // Its call operators are functions; what they spawn counts for the function around, too.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    for (clang::Expr* one : lambda->capture_inits()) TraverseStmt(one);
    instance* const outer = current_;
    for (const clang::CXXMethodDecl* one : call_operators(lambda->getLambdaClass())) {
      instance made{one, false};
      current_ = &made;
      TraverseStmt(one->getBody());
      found[one->getCanonicalDecl()] = made;
      if (outer != nullptr) outer->spawns = outer->spawns || made.spawns;
    }
    current_ = outer;
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (current_ != nullptr && is_spawn(node, source_.sources)) current_->spawns = true;
    return true;
  }
  bool VisitForStmt(clang::ForStmt* node) override {
    if (current_ != nullptr && is_parallel_for(node->getForLoc(), source_.sources))
      current_->spawns = true;
    return true;
  }

 private:
  const parsed_file& source_;
  instance* current_ = nullptr;
};

bool can_be_plain(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const bool lambda = method != nullptr && method->getParent()->isLambda();
  if (lambda) return has_hidden_type(method->getParent()->getName()) && !method->isStatic();
  return !function->isMain() && !function->isVariadic() && !function->isConstexpr() &&
         !llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(
             function);
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
std::optional<template_arguments> arguments_of(const parsed_file& source,
                                               const clang::FunctionDecl* function) {
  template_arguments found;
  const auto add = [&](llvm::StringRef name, const clang::TemplateArgument& argument) {
    if (name.empty()) return false;
    std::string value;
    std::string named = name.str();
    if (argument.getKind() == clang::TemplateArgument::Type) {
      const auto type = type_key(source, argument.getAsType());
      if (!type) return false;
      value = *type;
      named = "typename cilk_key<" + named + ">::type";
    } else if (argument.getKind() == clang::TemplateArgument::Integral) {
      llvm::raw_string_ostream out(value);
      argument.print(clang::PrintingPolicy(source.context.getLangOpts()), out, true);
      value = "cilk_number<(" + value + ")>";
      named = "cilk_number<" + named + ">";
    } else {
      return false;
    }
    const char* comma = found.names.empty() ? "" : ", ";
    found.names += comma + named;
    found.values += comma + value;
    return true;
  };
  const auto add_all = [&](const clang::TemplateParameterList* names,
                           llvm::ArrayRef<clang::TemplateArgument> arguments) {
    if (names->size() != arguments.size()) return false;
    for (unsigned i = 0; i < names->size(); ++i) {
      if (!add(names->getParam(i)->getName(), arguments[i])) return false;
    }
    return true;
  };
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function)) {
    const auto* around =
        llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(method->getParent());
    const clang::FunctionDecl* pattern = method->getTemplateInstantiationPattern();
    if (around != nullptr && pattern != nullptr) {
      const auto* definition = llvm::cast<clang::CXXRecordDecl>(pattern->getDeclContext());
      const clang::TemplateParameterList* names =
          definition->getDescribedClassTemplate() == nullptr
              ? nullptr
              : definition->getDescribedClassTemplate()->getTemplateParameters();
      const clang::FunctionDecl* written = pattern->getDefinition();
      if (written != nullptr && written->isOutOfLine()) {
        if (written->getNumTemplateParameterLists() != 1) return std::nullopt;
        names = written->getTemplateParameterList(0);
      }
      if (names == nullptr || !add_all(names, around->getTemplateArgs().asArray()))
        return std::nullopt;
    }
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

// The head of a branch that is taken if the program runs as tasks.
std::string test_of_order(const std::string& form) {
  const std::string order = "cilk_order_of_" + form;
  return "extern unsigned char " + order + " __asm__(\"channels_cilk_order\"); " +
         "if (__builtin_expect(__atomic_load_n(&" + order + ", __ATOMIC_RELAXED) != 1, 0)) ";
}

std::string entry_of(const std::string& form) { return "cilk_entry_of_" + form; }
// What declares the entry, behind its head.
std::string entry_label(const std::string& form) {
  return " __asm__(\"" + form + ".cilk_entry\");";
}

// The function through which a template calls the entry of an instance: it takes the arguments of
// the template as they are.
struct call_of_instance {
  std::string head;
  std::string outside;  // arguments, in the template
  std::string inside;   // arguments of the entry
};
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
    made.outside = "this";
    made.inside = "cilk_this";
  }
  for (const clang::ParmVarDecl* one : function->parameters()) {
    const std::string name = one->getNameAsString();
    if (name.empty()) {
      add(made.inside, "{}");
      continue;
    }
    const std::string number = std::to_string(one->getFunctionScopeIndex() + 1);
    add(types, "class Type" + number);
    add(parameters, "Type" + number + "& " + name);
    add(made.outside, name);
    const clang::QualType type = one->getType().getUnqualifiedType();
    const auto plain = plain_variable(source.context, type, "");
    if (!plain) return std::nullopt;
    const bool box = is_boxed(source.context, type);
    if (box && has_hidden_type(*plain)) return std::nullopt;
    if (has_hidden_type(*plain) && !has_known_layout(source, type)) return std::nullopt;
    add(made.inside, type->isReferenceType()   ? "(" + *plain + ")&" + name
                     : box                     ? *plain + "(" + name + ")"
                     : has_hidden_type(*plain) ? "__builtin_bit_cast(" + *plain + ", " + name + ")"
                                               : name);
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
  if (const auto* arguments = function->getTemplateSpecializationArgs())
    std::ranges::for_each(arguments->asArray(), mark);
}

// Calls the plain form's entry if the program runs as tasks. A template asks which of its instances
// it is: `cilk_instance` has a specialization for each that has a plain form, behind all text of
// the user's, where every type is known.
bool write_guard(parsed_file& source, const clang::FunctionDecl* function, const std::string& id,
                 plain_form& form) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(function->getBody());
  if (body == nullptr || body->getLBracLoc().isMacroID()) return false;
  const auto instance = arguments_of(source, function);
  if (!instance) return false;
  const bool is_template = !instance->names.empty();
  if (is_template && !source.context.getLangOpts().CPlusPlus17) return false;
  // Nobody outside has a lambda's object.
  const auto* member = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (member != nullptr && member->getParent()->isLambda()) return true;
  const unsigned offset = source.offset(body->getLBracLoc()) + 1;
  const std::string entry = entry_of(form.name);
  const std::string declaration = plain_head(source, function, entry) + entry_label(form.name);
  std::string arguments;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr && method->isInstance()) {
    arguments = "this";
  }
  for (const clang::ParmVarDecl* parameter : function->parameters()) {
    const char* comma = arguments.empty() ? "" : ", ";
    const std::string name = parameter->getNameAsString();
    arguments += comma;
    const auto box = is_boxed(source.context, parameter->getType())
                         ? plain_variable(source.context, parameter->getType(), "")
                         : std::nullopt;
    arguments += name.empty()                              ? "{}"
                 : parameter->getType()->isReferenceType() ? "&" + name
                 : box                                     ? *box + "(" + name + ")"
                                                           : name;
  }
  const bool nothing = function->getReturnType()->isVoidType();
  const std::string test = test_of_order(form.name);
  const bool box = is_boxed(source.context, function->getReturnType());
  const auto give_way = [&](const std::string& call) {
    return nothing ? "{ " + call + "; return; }" : "return " + call + (box ? ".value();" : ";");
  };
  if (!is_template) {
    form.changes.push_back({offset, offset,
                            " { " + test + "{ " + declaration + " " +
                                give_way(entry + "(" + arguments + ")") + " } }"});
    return true;
  }
  // The file's id: another file of the program may have a template at the same offset.
  const std::string which = "cilk_instance<cilk_file_" + id + ", " + std::to_string(offset);
  const std::string own = which + ", " + instance->names + ">";
  const auto run = instance_call(source, function);
  if (!run) return false;
  form.changes.push_back({offset, offset,
                          " if constexpr (" + own + "::is) { " + test +
                              (nothing ? "{ " : "return ") + own + "::run(" + run->outside +
                              (nothing ? "); return; } }" : "); }")});
  form.instance = "template <> struct " + which + ", " + instance->values +
                  "> {\n  static constexpr bool is = true;\n  " + run->head + " {\n    " +
                  declaration + "\n    " + give_way(entry + "(" + run->inside + ")") +
                  "\n  }\n};\n";
  add_marks_of_closures(source, function, form);
  return true;
}

}  // namespace

namespace {

// Where the user wrote what the form stands for: `code` of a function.
void place(const parsed_file& source, const clang::FunctionDecl* definition,
           clang::SourceRange code, plain_form& form) {
  const auto line_of = [&](clang::SourceLocation where) {
    return source.sources.getPresumedLineNumber(source.sources.getExpansionLoc(where));
  };
  form.function = definition->getNameAsString();
  form.line = line_of(definition->getLocation());
  form.lines = {line_of(code.getBegin()), line_of(code.getEnd())};
}

std::set<std::string> forms_among(const llvm::SetVector<const clang::FunctionDecl*>& functions,
                                  const plain_names& names) {
  std::set<std::string> found;
  for (const clang::FunctionDecl* each : functions) {
    const auto called = names.find(each);
    if (called != names.end()) found.insert(called->second);
  }
  return found;
}

class callee_finder : public tree_walker {
 public:
  llvm::SetVector<const clang::FunctionDecl*> found;

  bool VisitCallExpr(clang::CallExpr* node) override {
    const clang::FunctionDecl* callee = node->getDirectCallee();
    if (callee != nullptr) found.insert(callee->getCanonicalDecl());
    return true;
  }
};

// Functions of which regions are cut out if they have no plain form as a whole.
bool can_be_cut(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return (method == nullptr || !method->getParent()->isLambda()) && !function->isConstexpr() &&
         function->getTemplateInstantiationPattern() == nullptr;
}

std::vector<plain_form> forms_of_regions(parsed_file& source, const clang::FunctionDecl* definition,
                                         const std::string& id, const plain_names& names) {
  const std::vector<parallel_region> regions = parallel_regions(source, definition);
  std::vector<plain_form> forms;
  const std::string word =
      definition->getIdentifier() == nullptr ? "operator" : definition->getNameAsString();
  const std::string line =
      std::to_string(source.sources.getExpansionLineNumber(definition->getLocation()));
  for (const parallel_region& one : regions) {
    if (one.statements.empty()) continue;
    plain_form made;
    made.name =
        word + plain_mark + id + region_mark + line + "_" + std::to_string(forms.size() + 1);
    made.head = plain_region_head(source, definition, one, made.name);
    made.definition = plain_region(source, definition, one, made.name, names);
    if (made.definition.empty()) continue;
    std::string arguments = one.uses_object ? "this" : "";
    for (const clang::VarDecl* each : one.used) {
      const auto type = plain_type(
          source.context, source.context.getPointerType(each->getType().getNonReferenceType()));
      const std::string cast =
          type && has_hidden_type(*type) ? "(" + *type + ")&" : std::string("&");
      arguments += (arguments.empty() ? "" : ", ") + cast + each->getNameAsString();
    }
    const std::string entry = entry_of(made.name);
    made.changes =
        changes_around(source, one, test_of_order(made.name),
                       plain_region_head(source, definition, one, entry) + entry_label(made.name) +
                           " " + entry + "(" + arguments + ");");
    if (made.changes.empty()) continue;
    place(source, definition,
          {one.statements.front()->getBeginLoc(), one.statements.back()->getEndLoc()}, made);
    made.regions = static_cast<unsigned>(regions.size());
    callee_finder called;
    for (const clang::Stmt* each : one.statements) called.look_through(each);
    made.calls = forms_among(called.found, names);
    forms.push_back(std::move(made));
  }
  return forms;
}

// The text of the hidden types. A call operator with a plain form is no member of its type.
std::vector<hidden_text> texts_of(const parsed_file& source, std::vector<hidden_type> types,
                                  const plain_names& names) {
  for (hidden_type& one : types) {
    std::erase_if(one.operators, [&](const clang::CXXMethodDecl* each) {
      return names.contains(each->getCanonicalDecl());
    });
  }
  std::vector<hidden_text> texts;
  for (const hidden_type& one : defined_in_order(source.context, types)) {
    hidden_text made{one.name, one.definition, "", one.lines};
    bool fine = true;
    for (const clang::CXXMethodDecl* each : one.operators) {
      const std::string body = plain_operator(source, each, one.name, names);
      fine = fine && !body.empty();
      made.members += body;
    }
    if (fine) texts.push_back(std::move(made));
  }
  return texts;
}

// Finds the hidden types that a form needs. Returns false if one of them has no text.
bool find_hidden_types(const std::vector<hidden_text>& texts, plain_form& form) {
  std::vector<std::string> waiting = {form.head + form.definition};
  for (const text_change& one : form.changes) waiting.push_back(one.text);
  while (!waiting.empty()) {
    const std::string text = std::move(waiting.back());
    waiting.pop_back();
    for (std::size_t at = text.find(hidden_mark); at != std::string::npos;
         at = text.find(hidden_mark, at + 1)) {
      const std::size_t end = text.find_first_not_of(
          "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", at);
      const std::string name = text.substr(at, end == std::string::npos ? end : end - at);
      const auto found = std::ranges::find(texts, name, &hidden_text::name);
      if (found == texts.end()) return false;
      if (form.hidden.emplace(found - texts.begin(), *found).second)
        waiting.push_back(found->definition + found->members);
    }
  }
  return true;
}

}  // namespace

std::vector<plain_form> plain_forms(parsed_file& source, const task_plan& plan,
                                    const std::string& id) {
  if (plan.stay.empty()) return {};
  instance_finder finder(source);
  // Headers of the system spawn nothing, and are long.
  for (clang::Decl* one : source.context.getTranslationUnitDecl()->decls()) {
    if (!source.sources.isInSystemHeader(one->getLocation())) finder.TraverseDecl(one);
  }
  reference_finder references;
  // All tasks of a file are in one namespace: if those there are have one, they get a plain form,
  // too.
  const bool all = std::ranges::any_of(plan.tasks, [](const clang::FunctionDecl* one) {
    return !one->getDeclContext()->getRedeclContext()->isTranslationUnit();
  });
  // What spawns and is left on the host, and what stands between it and other functions that spawn.
  const auto left = [&](const clang::FunctionDecl* function) {
    return all || !plan.tasks.contains(as_written(function));
  };
  llvm::DenseSet<const clang::FunctionDecl*> below;  // reached from functions that are left
  llvm::DenseSet<const clang::FunctionDecl*> reaching;
  for (const auto& [function, one] : finder.found) {
    if (one.spawns) reaching.insert(function);
    if (!one.spawns || !left(function)) continue;
    below.insert(function);
    for (const clang::FunctionDecl* each : references.reach(function)) below.insert(each);
  }
  if (below.empty()) return {};
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [function, one] : finder.found) {
      if (reaching.contains(function)) continue;
      const auto& called = references.of(function).functions;
      if (std::ranges::any_of(called, [&](const auto* each) { return reaching.contains(each); }))
        changed = reaching.insert(function).second || changed;
    }
  }
  llvm::SetVector<const clang::FunctionDecl*> definitions;
  for (const auto& [function, one] : finder.found) definitions.insert(one.definition);
  std::vector<hidden_type> hidden = name_hidden_types(source, definitions, id);
  plain_names names;
  for (const auto& [function, one] : finder.found) {
    // Their calls become statements, too.
    if (!left(function))
      names[function] = (source.is_c() ? "" : "::") + one.definition->getNameAsString();
    const bool wanted = left(function) && reaching.contains(function) && below.contains(function);
    if (!wanted || !can_be_plain(one.definition)) continue;
    const std::string word =
        one.definition->getIdentifier() == nullptr ? "operator" : one.definition->getNameAsString();
    const std::string number = std::to_string(names.size() + 1);
    names[function] = word + plain_mark + id + "_" + number;
  }
  std::vector<plain_form> forms;
  std::set<std::string> missing;
  for (const auto& [function, one] : finder.found) {
    const auto name = names.find(function);
    bool fine = false;
    if (name != names.end() && left(function)) {
      plain_form made;
      made.name = name->second;
      made.head = plain_head(source, one.definition, made.name);
      made.definition = plain_function(source, one.definition, names);
      place(source, one.definition, {one.definition->getLocation(), one.definition->getEndLoc()},
            made);
      fine = !made.definition.empty() &&
             (!one.spawns || write_guard(source, one.definition, id, made));
      if (!fine) missing.insert(made.name);
      made.calls = forms_among(references.of(function).functions, names);
      made.calls.erase(made.name);
      forms.push_back(std::move(made));
    }
    if (!fine && one.spawns && left(function) && can_be_cut(one.definition))
      std::ranges::move(forms_of_regions(source, one.definition, id, names),
                        std::back_inserter(forms));
  }
  const std::vector<hidden_text> texts = texts_of(source, std::move(hidden), names);
  for (plain_form& one : forms) {
    if (!find_hidden_types(texts, one)) missing.insert(one.name);
  }
  leave_out(forms, missing);
  return forms;
}

std::string with_plain_forms(const std::string& text, const std::string& name,
                             const std::string& id, const std::vector<plain_form>& forms,
                             bool is_c) {
  const char* linkage = is_c ? "" : "extern \"C\" ";
  std::vector<text_change> changes;
  std::string heads;
  std::string instances;
  std::string definitions;
  std::map<std::ptrdiff_t, hidden_text> hidden;
  for (const plain_form& one : forms) {
    hidden.insert(one.hidden.begin(), one.hidden.end());
    for (const text_change& each : one.changes) {
      // The instances of a template have the same guard.
      if (std::ranges::find(changes, each) == changes.end()) changes.push_back(each);
    }
    heads += linkage + one.head + ";\n";
    instances += one.instance;
    definitions += one.definition;
  }
  std::string result;
  if (!instances.empty())
    result = "struct cilk_file_" + id +
             ";\ntemplate <class File, int Function, class... Arguments> struct cilk_instance {\n"
             "  static constexpr bool is = false;\n};\n"
             "template <auto Number> struct cilk_number {};\n"
             "constexpr char cilk_name_of_file[] = " +
             in_quotes(name) + ";\n" + closure_text;
  std::string types;
  std::string members;
  for (const auto& [at, one] : hidden) {
    types += one.definition;
    members += one.members;
    // The guards of regions name pointers to them.
    if (!one.definition.starts_with("enum"))
      result += one.definition.substr(0, one.definition.find(" {")) + ";\n";
  }
  const bool boxes = (types + heads + members + definitions).find("cilk_box<") != std::string::npos;
  if (boxes) result += box_text;
  if (!result.empty()) result += line_directive(name, 1);
  unsigned at = 0;
  std::ranges::stable_sort(changes, {}, &text_change::begin);
  for (const text_change& one : changes) {
    if (one.begin < at) continue;  // in what is written anew: the place of a closure
    result += text.substr(at, one.begin - at) + one.text;
    at = one.end;
  }
  result += text.substr(at) + "\n";
  return result + types + heads + members + instances + definitions;
}

std::set<std::pair<std::string, unsigned>> replaced_functions(
    const std::vector<plain_form>& forms) {
  std::map<std::pair<std::string, unsigned>, unsigned> regions;
  std::set<std::pair<std::string, unsigned>> found;
  for (const plain_form& one : forms) {
    const std::pair<std::string, unsigned> function = {one.function, one.line};
    if (one.regions == 0 || ++regions[function] == one.regions) found.insert(function);
  }
  return found;
}

void leave_out(std::vector<plain_form>& forms, const std::set<std::string>& names) {
  std::set<std::string> gone = names;
  for (bool changed = !gone.empty(); changed;) {
    changed = false;
    for (const plain_form& one : forms) {
      if (gone.contains(one.name)) continue;
      if (std::ranges::any_of(one.calls, [&](const auto& each) { return gone.contains(each); }))
        changed = gone.insert(one.name).second || changed;
    }
  }
  std::erase_if(forms, [&](const plain_form& one) { return gone.contains(one.name); });
}

}  // namespace cilk2chan
