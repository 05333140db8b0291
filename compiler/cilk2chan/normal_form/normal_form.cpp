#include "normal_form/normal_form.hpp"

#include "analysis/references.hpp"
#include "frontend/keywords.hpp"
#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/writer.hpp"
#include "normal_form/plain_function.hpp"
#include "normal_form/plain_types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/MapVector.h>

#include <algorithm>
#include <map>
#include <optional>

namespace cilk2chan {
namespace {

// An object of a type that is not trivially copyable, in memory that is.
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
  return !function->isMain() && !function->isVariadic() && !function->isConstexpr() && !lambda &&
         !llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(
             function);
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
      const auto type = plain_type(source.context, argument.getAsType());
      if (!type) return false;
      value = *type;
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
  const std::string order = guard_mark + form;
  return "extern unsigned char " + order + " __asm__(\"channels_cilk_order\"); " +
         "if (__builtin_expect(__atomic_load_n(&" + order + ", __ATOMIC_RELAXED) != 1, 0)) ";
}

std::string entry_of(const std::string& form) { return "cilk_entry_of_" + form; }
// What declares the entry, behind its head.
std::string entry_label(const std::string& form) {
  return " __asm__(\"" + form + ".cilk_entry\");";
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
  const unsigned offset = source.offset(body->getLBracLoc()) + 1;
  const std::string entry = entry_of(form.name);
  const std::string declaration = plain_head(source, function, entry) + entry_label(form.name);
  std::string arguments;
  std::string passed;
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method != nullptr && method->isInstance()) {
    arguments = "this";
    passed = "cilk_this";
  }
  unsigned unnamed = 0;
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
    passed += comma + (name.empty() ? "cilk_unnamed_" + std::to_string(++unnamed) : name);
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
  form.changes.push_back({offset, offset,
                          " if constexpr (" + own + "::is) { " + test +
                              give_way(own + "::run(" + arguments + ")") + " }"});
  form.instance = "template <> struct " + which + ", " + instance->values +
                  "> {\n  static constexpr bool is = true;\n  static " +
                  plain_head(source, function, "run") + " {\n    " + declaration + "\n    " +
                  give_way(entry + "(" + passed + ")") + "\n  }\n};\n";
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
    made.name = word + plain_mark + id + "_region_" + line + "_" + std::to_string(forms.size() + 1);
    made.head = plain_region_head(source, definition, one, made.name);
    made.definition = plain_region(source, definition, one, made.name, names);
    if (made.definition.empty()) continue;
    std::string arguments = one.uses_object ? "this" : "";
    for (const clang::VarDecl* each : one.used)
      arguments += (arguments.empty() ? "&" : ", &") + each->getNameAsString();
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
  for (const plain_form& one : forms) {
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
             "template <auto Number> struct cilk_number {};\n";
  const bool boxes = (heads + definitions).find("cilk_box<") != std::string::npos;
  if (boxes) result += box_text;
  if (!result.empty()) result += line_directive(name, 1);
  unsigned at = 0;
  std::ranges::stable_sort(changes, {}, &text_change::begin);
  for (const text_change& one : changes) {
    result += text.substr(at, one.begin - at) + one.text;
    at = one.end;
  }
  result += text.substr(at) + "\n";
  return result + heads + instances + definitions;
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
