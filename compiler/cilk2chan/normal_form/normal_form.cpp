#include "normal_form/normal_form.hpp"

#include "frontend/spelling.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/writer.hpp"
#include "normal_form/chosen_functions.hpp"
#include "normal_form/guards.hpp"
#include "normal_form/hidden_types.hpp"
#include "normal_form/plain_complex.hpp"
#include "normal_form/plain_function.hpp"
#include "normal_form/plain_types.hpp"
#include "normal_form/refused_forms.hpp"

#include <clang/Basic/CharInfo.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace cilk2chan {
namespace {

// Tells where a class has its table of virtual functions.
constexpr const char* table_text =
    "template <class Object> struct cilk_table { const char* at; };\n";
// An object of a class with constructors, in memory that has none: a frame's, or its own. One in a
// `cilk_held` ends with whoever has it, unless it is a variable of host code. `end` is called,
// since compilers for GPUs would have all of it at each place.
constexpr const char* box_text = R"(struct cilk_place { void* at; };
inline void* operator new(decltype(sizeof 0), cilk_place where) noexcept { return where.at; }
template <class Object> struct cilk_box {
  alignas(Object) unsigned char bytes[sizeof(Object)];
  cilk_box() = default;
  explicit cilk_box(const Object& from) { __builtin_memcpy(bytes, &from, sizeof(Object)); }
  Object& value() { return *reinterpret_cast<Object*>(bytes); }
  __attribute__((noinline)) void end() { value().~Object(); }
};
template <class Object, decltype(sizeof 0) Count> struct cilk_box<Object[Count]> {
  using objects = Object[Count];
  alignas(Object) unsigned char bytes[sizeof(objects)];
  objects& value() { return *reinterpret_cast<objects*>(bytes); }
  void make() { for (Object& each : value()) new (cilk_place{&each}) Object; }
  __attribute__((noinline)) void end() { for (auto i = Count; i-- > 0;) value()[i].~Object(); }
};
template <class Object> struct cilk_held {
  Object* at;
  bool stays;
  cilk_held() = default;
  explicit cilk_held(Object* object, bool kept = false) : at(object), stays(kept) {}
  Object& value() { return *at; }
  Object&& moved() { return static_cast<Object&&>(*at); }
  __attribute__((noinline)) void end() { if (!stays) delete at; }
  Object taken() {
    struct ending { Object* at; ~ending() { delete at; } } owner = {at};
    return static_cast<Object&&>(*at);
  }
};
)";

bool can_be_plain(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  const bool lambda = method != nullptr && method->getParent()->isLambda();
  if (lambda) return has_hidden_type(method->getParent()->getName()) && !method->isStatic();
  return !function->isMain() && !function->isVariadic() && !function->isConstexpr() &&
         !llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl, clang::CXXConversionDecl>(
             function);
}

// Where the user wrote what the form stands for: `code` of a function.
void place(const parsed_file& source, const clang::FunctionDecl* definition,
           clang::SourceRange code, plain_form& form) {
  form.function = definition->getNameAsString();
  form.line = source.line_of(definition->getLocation());
  form.lines = {source.line_of(code.getBegin()), source.line_of(code.getEnd())};
}

// Whether a function of another file of the program is among these, which is host code in a task
// and has no views.
bool has_function_elsewhere(const llvm::SetVector<const clang::FunctionDecl*>& functions) {
  return std::ranges::any_of(functions, [](const clang::FunctionDecl* one) {
    return !one->isDefined() && !one->isPureVirtual() && one->getBuiltinID() == 0 &&
           !one->isImplicit() &&
           !one->getASTContext().getSourceManager().isInSystemHeader(one->getLocation());
  });
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

std::set<std::string> forms_called(const plain_names& names, const references& found) {
  std::set<std::string> called = forms_among(found.functions, names);
  for (const clang::CallExpr* call : found.virtual_calls) {
    const auto* targets = names.targets_of(call);
    if (targets == nullptr) continue;
    for (const virtual_target& one : *targets) called.insert(names.find(one.method)->second);
  }
  for (const clang::CallExpr* call : found.pointer_calls) {
    const auto* targets = names.targets_through_pointer(call);
    if (targets == nullptr) continue;
    for (const clang::FunctionDecl* one : *targets) called.insert(names.find(one)->second);
  }
  return called;
}

// The tables of classes that the calls look at.
void add_tables(const plain_names& names, llvm::ArrayRef<const clang::CallExpr*> calls,
                plain_form& form) {
  for (const clang::CallExpr* call : calls) {
    const auto* targets = names.targets_of(call);
    if (targets == nullptr) continue;
    for (const virtual_target& one : *targets)
      form.tables.insert(table_declaration(names, one.object));
  }
}

class callee_finder : public tree_walker {
 public:
  explicit callee_finder(const plain_names& names) : names_(names) {}

  llvm::SetVector<const clang::FunctionDecl*> found;
  std::vector<const clang::CallExpr*> virtual_calls;

  bool VisitCallExpr(clang::CallExpr* node) override {
    const clang::FunctionDecl* callee = node->getDirectCallee();
    if (callee != nullptr) found.insert(callee->getCanonicalDecl());
    if (const auto* targets = names_.targets_of(node)) {
      virtual_calls.push_back(node);
      for (const virtual_target& one : *targets) found.insert(one.method);
    }
    if (const auto* targets = names_.targets_through_pointer(node))
      found.insert(targets->begin(), targets->end());
    return true;
  }

 private:
  const plain_names& names_;
};

// The variables with addresses of functions that the form's text names.
void add_addresses(const parsed_file& source, const plain_names& names, plain_form& form) {
  const auto is_in = [](const std::string& text, const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if (end == text.size() || !clang::isAsciiIdentifierContinue(text[end])) return true;
    }
    return false;
  };
  for (const auto& [function, variable] : names.addresses) {
    const bool named =
        is_in(form.definition, variable) ||
        std::ranges::any_of(form.hidden, [&, &name = variable](const auto& one) {
          return is_in(one.second.definition, name) || is_in(one.second.members, name);
        });
    if (named)
      form.addresses.insert("__attribute__((__unused__)) static void (*const " + variable +
                            ")(void) = (void (*)(void))" + *pointer_to(source, function) + ";\n");
  }
}

// The reasons with their places.
std::vector<std::string> told(const parsed_file& source, const std::vector<obstacle>& reasons) {
  std::vector<std::string> texts;
  for (const obstacle& one : reasons)
    texts.push_back(place_of(source.sources, one.where) + one.what);
  return texts;
}
std::string told(const parsed_file& source, clang::SourceLocation where, const std::string& what) {
  return place_of(source.sources, where) + what;
}

// Adds to `lost` the regions that have no form.
std::vector<plain_form> forms_of_regions(parsed_file& source, const clang::FunctionDecl* definition,
                                         const std::string& id, const plain_names& names,
                                         bool has_reducers, unsigned number,
                                         std::vector<plain_form>& lost) {
  // Each instance of a template has regions of its own, and there may be overloads in one line.
  const std::string instance =
      source.is_c() || definition->isMain() ? "" : "_of_" + std::to_string(number);
  const std::vector<parallel_region> regions = parallel_regions(source, definition);
  std::vector<plain_form> forms;
  const std::string word =
      definition->getIdentifier() == nullptr ? "operator" : definition->getNameAsString();
  // The line that the explanation finds the function by.
  const std::string line = std::to_string(source.line_of(definition->getLocation()));
  for (const parallel_region& one : regions) {
    plain_form made;
    made.function = definition->getNameAsString();
    made.line = source.line_of(definition->getLocation());
    made.regions = static_cast<unsigned>(regions.size());
    made.is_only_part = !can_be_plain(definition);
    const auto lose = [&](std::vector<std::string> why) {
      made.name = made.function + std::to_string(lost.size());
      made.why_not = std::move(why);
      lost.push_back(std::move(made));
    };
    if (one.statements.empty()) {
      lose(told(source, {one.why_not}));
      continue;
    }
    const clang::SourceLocation begin = one.statements.front()->getBeginLoc();
    made.name = word + plain_mark + id + region_mark + line + instance + "_" +
                std::to_string(forms.size() + 1);
    made.has_reducers = has_reducers;
    made.head = plain_region_head(source, definition, one, made.name);
    written_text written = plain_region(source, definition, one, made.name, names);
    if (written.text.empty()) {
      lose(told(source, written.why_not));
      continue;
    }
    made.definition = std::move(written.text);
    if (const std::string why = write_region_guard(source, definition, one, id, made);
        !why.empty()) {
      lose({told(source, begin, why)});
      continue;
    }
    place(source, definition, {begin, one.statements.back()->getEndLoc()}, made);
    for (const unsigned kind : names.views_of(definition))
      made.kinds[kind] = names.kinds->text(kind);
    made.instance_number = number;
    callee_finder called(names);
    for (const clang::Stmt* each : one.statements) called.look_through(each);
    if (!names.views_of(definition).empty() && has_function_elsewhere(called.found)) {
      lose({told(source, begin, reasons::views_elsewhere)});
      continue;
    }
    made.calls = forms_among(called.found, names);
    add_tables(names, called.virtual_calls, made);
    forms.push_back(std::move(made));
  }
  return forms;
}

// The text of the hidden types. A call operator with a plain form is no member of its type.
// `why_not`: what is said of those that have none, by their names.
using type_reasons = std::map<std::string, std::vector<std::string>>;
std::vector<hidden_text> texts_of(const parsed_file& source, std::vector<hidden_type> types,
                                  const plain_names& names, type_reasons& why_not) {
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
      const written_text body = plain_operator(source, each, one.name, names);
      fine = fine && !body.text.empty();
      made.members += body.text;
      std::ranges::move(told(source, body.why_not), std::back_inserter(why_not[one.name]));
    }
    if (fine) texts.push_back(std::move(made));
  }
  for (const hidden_type& one : types) {
    if (why_not[one.name].empty())
      why_not[one.name].push_back(
          told(source, one.declaration->getLocation(), reasons::hidden_type_not_written));
  }
  return texts;
}

// Of forms that host code cannot enter, since their functions have no guard, those that no other
// form leads to. The others are tasks where tasks call them.
std::set<std::string> unreached(const std::vector<plain_form>& forms) {
  std::set<std::string> unguarded;
  for (const plain_form& one : forms) {
    if (one.unguarded) unguarded.insert(one.name);
  }
  for (bool changed = !unguarded.empty(); changed;) {
    changed = false;
    for (const plain_form& one : forms) {
      if (unguarded.contains(one.name)) continue;
      for (const std::string& each : one.calls) changed = unguarded.erase(each) > 0 || changed;
    }
  }
  return unguarded;
}

// Finds the hidden types that a form needs. Returns false if one of them has no text.
bool find_hidden_types(const std::vector<hidden_text>& texts, const type_reasons& why_not,
                       plain_form& form) {
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
      if (found == texts.end()) {
        if (const auto why = why_not.find(name); why != why_not.end())
          std::ranges::copy(why->second, std::back_inserter(form.why_not));
        return false;
      }
      if (form.hidden.emplace(found - texts.begin(), *found).second)
        waiting.push_back(found->definition + found->members);
    }
  }
  return true;
}

// What calls of the file's functions may call that has a plain form, and where such functions are.
void find_targets(reference_finder& references, chosen_functions& chosen, plain_names& names) {
  const auto has_form = [&](const clang::FunctionDecl* function) {
    return chosen.contains(function) && names.contains(function);
  };
  for (const auto& [function, one] : chosen.found) {
    const auto& from = references.of(function);
    for (const clang::CallExpr* call : from.virtual_calls) {
      std::vector<virtual_target> known = chosen.edges.of_virtual(call);
      std::erase_if(known, [&](const auto& each) { return !names.contains(each.method); });
      if (!known.empty()) names.dispatched[virtual_callee(call)] = std::move(known);
    }
    for (const clang::CallExpr* call : from.pointer_calls) {
      call_targets::function_list known = chosen.targets_of(call);
      std::erase_if(known, [&](const auto* each) { return !has_form(each); });
      for (const clang::FunctionDecl* each : known) names.add_address(each);
      if (!known.empty()) names.pointed_to[type_called(names.context, call)] = std::move(known);
    }
    for (const clang::DeclRefExpr* name : from.names) {
      const auto* named = llvm::cast<clang::FunctionDecl>(name->getDecl()->getCanonicalDecl());
      if (!has_form(named) || !pointer_to(chosen.edges.source(), named)) continue;
      names.add_address(named);
      names.values.insert(name);
    }
  }
}

// The forms of functions that `names` has, and of regions of others. Adds to `kept` what should
// have given way to a form, and cannot, and to `refused` why functions have no form.
std::vector<plain_form> forms_named(parsed_file& source, const chosen_functions& chosen,
                                    reference_finder& references, const plain_names& names,
                                    const std::vector<hidden_type>& hidden, named_functions& kept,
                                    function_reasons& refused) {
  std::vector<plain_form> forms;
  std::set<std::string> missing;
  std::vector<plain_form> lost;           // regions
  unsigned cut = 0;                       // functions of which regions were looked for
  std::map<unsigned, std::string> heads;  // texts in front of regions, by where they stand
  for (const auto& [function, one] : chosen.found) {
    const auto name = names.find(function);
    bool fine = false;
    if (name != names.end() && chosen.is_left(function)) {
      plain_form made;
      made.name = name->second;
      made.views = names.views_of(one.definition);
      made.head = plain_head(source, one.definition, made.name, made.views);
      made.has_reducers = chosen.has_reducers;
      // An emulated device would take the host's object of an external function, with the host's
      // variables.
      made.is_static = !chosen.is_entered(function);
      made.is_leaf = chosen.leaves.contains(function);
      written_text written = plain_function(source, one.definition, names, made.is_static,
                                            chosen.is_entered(function) && !one.spawns);
      made.definition = std::move(written.text);
      made.why_not = told(source, written.why_not);
      place(source, one.definition, {one.definition->getLocation(), one.definition->getEndLoc()},
            made);
      fine = !made.definition.empty();
      if (made.is_leaf) made.unguarded = "";
      if (fine && chosen.is_entered(function)) {
        const std::string why = write_guard(source, one.definition, names.id, made);
        if (!why.empty()) made.unguarded = told(source, one.definition->getLocation(), why);
      }
      if (!made.views.empty() && has_function_elsewhere(references.of(function).functions)) {
        fine = false;
        made.why_not.push_back(
            told(source, one.definition->getLocation(), reasons::views_elsewhere));
      }
      if (!fine) missing.insert(made.name);
      for (const unsigned kind : made.views) made.kinds[kind] = names.kinds->text(kind);
      made.is_taken_back = chosen.is_taken_back(function);
      made.calls = forms_called(names, references.of(function));
      made.calls.erase(made.name);
      add_tables(names, references.of(function).virtual_calls, made);
      forms.push_back(std::move(made));
    }
    const bool whole = !one.spawns || !chosen.is_left(function) || chosen.is_taken_back(function);
    if (whole || !can_be_cut(one.definition)) continue;
    std::vector<plain_form> parts =
        forms_of_regions(source, one.definition, names.id, names, chosen.has_reducers, ++cut, lost);
    // The instances of a template have one text in front of a region. One whose region uses other
    // variables keeps it.
    std::erase_if(parts, [&](const plain_form& part) {
      const text_change& head = part.changes.front();
      if (heads.emplace(head.begin, head.text).first->second == head.text) return false;
      lost.push_back(part);
      lost.back().why_not.push_back(
          told(source, one.definition->getLocation(), reasons::heads_differ));
      return true;
    });
    if (fine)
      forms.back().instead = std::move(parts);
    else
      std::ranges::move(parts, std::back_inserter(forms));
  }
  type_reasons why_not;
  const std::vector<hidden_text> texts = texts_of(source, hidden, names, why_not);
  for (plain_form& one : forms) {
    if (!find_hidden_types(texts, why_not, one)) missing.insert(one.name);
    std::erase_if(one.instead,
                  [&](plain_form& part) { return !find_hidden_types(texts, why_not, part); });
    add_addresses(source, names, one);
    for (plain_form& part : one.instead) add_addresses(source, names, part);
  }
  note_unwritten(forms, refused);
  note_unwritten(lost, refused);
  kept.merge(leave_out(forms, missing));
  kept.merge(leave_out_idle(forms, refused));
  return forms;
}

// Leaves whose forms have no words stay what they are, so that forms which call them do not have
// to.
void leave_out_leaves(const parsed_file& source, const chosen_functions& chosen,
                      plain_names& names) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [function, one] : chosen.found) {
      if (!chosen.leaves.contains(function) || !names.contains(function)) continue;
      if (!plain_function(source, one.definition, names, true).text.empty()) continue;
      names.erase(function);
      changed = true;
    }
  }
}

// The kinds of views that functions use, or that what they call uses.
void find_views(const parsed_file& source, chosen_functions& chosen, reference_finder& references,
                plain_names& names) {
  names.views.clear();
  for (const auto& [function, one] : chosen.found) {
    view_set used = names.kinds->used_in(source, one.definition->getBody());
    if (!used.empty()) names.views[function] = std::move(used);
  }
  const auto add = [&](const clang::FunctionDecl* function, const clang::FunctionDecl* called) {
    const view_set some = names.views_of(called);
    if (some.empty()) return false;
    view_set& all = names.views[function];
    const std::size_t before = all.size();
    all.insert(some.begin(), some.end());
    return all.size() > before;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [function, one] : chosen.found) {
      for (const clang::FunctionDecl* each : references.of(function).functions)
        changed = add(function, each) || changed;
      for (const clang::FunctionDecl* each : chosen.edges.of(function))
        changed = add(function, each) || changed;
    }
  }
}

// Whether more functions, or more of functions, run as tasks with these forms than with others.
bool replaces_more(const std::vector<plain_form>& forms, const std::vector<plain_form>& others) {
  const auto count = [](const std::vector<plain_form>& some) {
    const auto whole =
        std::ranges::count_if(some, [](const auto& one) { return one.regions == 0; });
    return std::tuple(replaced_functions(some).size(), whole, some.size());
  };
  return count(forms) > count(others);
}

}  // namespace

std::vector<plain_form> plain_forms(parsed_file& source, const task_plan& plan,
                                    const std::string& id, bool for_devices, named_functions& kept,
                                    function_reasons& refused) {
  reference_finder references;
  chosen_functions chosen(source, plan, references, for_devices, kept);
  if (chosen.found.empty()) return {};
  llvm::SetVector<const clang::FunctionDecl*> definitions;
  for (const auto& [function, one] : chosen.found) definitions.insert(one.definition);
  std::vector<hidden_type> hidden = name_hidden_types(source, definitions, id);
  if (!source.is_c()) chosen.find_entered(source);
  plain_names names(source.context);
  names.id = id;
  names.shares_loops = for_devices;
  names.calculates = for_devices && source.is_c();
  if (source.is_c()) names.leaves = chosen.leaves;
  for (const auto& [function, one] : chosen.found) {
    // Their calls become statements, too.
    if (!chosen.is_left(function))
      names[function] = (source.is_c() ? "" : "::") + one.definition->getNameAsString();
    if (!chosen.contains(function) || !can_be_plain(one.definition)) continue;
    const std::string word =
        one.definition->getIdentifier() == nullptr ? "operator" : one.definition->getNameAsString();
    const std::string number = std::to_string(names.size() + 1);
    names[function] = word + plain_mark + id + "_" + number;
  }
  find_targets(references, chosen, names);
  leave_out_leaves(source, chosen, names);
  const named_functions before = kept;
  // Atomic operations are faster than views, and may not do.
  std::vector<plain_form> best =
      forms_named(source, chosen, references, names, hidden, kept, refused);
  for (const bool all : {false, true}) {
    if (!chosen.has_reducers) break;
    view_kinds kinds(all);
    names.kinds = &kinds;
    find_views(source, chosen, references, names);
    if (names.views.empty()) continue;
    named_functions others = before;
    function_reasons why;
    std::vector<plain_form> forms =
        forms_named(source, chosen, references, names, hidden, others, why);
    if (!replaces_more(forms, best)) continue;
    best = std::move(forms);
    kept = std::move(others);
    refused = std::move(why);
  }
  // What could not be cut out as a whole is better off as a task.
  const named_functions replaced = replaced_functions(best);
  for (const clang::FunctionDecl* one : chosen.on_host) {
    const named_functions::value_type name(one->getNameAsString(),
                                           source.line_of(one->getDefinition()->getLocation()));
    if (!replaced.contains(name)) kept.insert(name);
  }
  return best;
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
  std::set<std::string> tables;
  std::set<std::string> addresses;
  std::map<unsigned, std::string> kinds;
  for (const plain_form& one : forms) {
    kinds.insert(one.kinds.begin(), one.kinds.end());
    hidden.insert(one.hidden.begin(), one.hidden.end());
    addresses.insert(one.addresses.begin(), one.addresses.end());
    tables.insert(one.tables.begin(), one.tables.end());
    for (const text_change& each : one.changes) {
      // The instances of a template have the same guard.
      if (std::ranges::find(changes, each) == changes.end()) changes.push_back(each);
    }
    heads += (one.is_static ? "static " : linkage) + one.head + ";\n";
    instances += one.instance;
    definitions += one.definition;
  }
  std::string result;
  if (!instances.empty()) result = texts_of_guards(name, id);
  std::string types;
  std::string members;
  for (const auto& [at, one] : hidden) {
    types += one.definition;
    members += one.members;
    // The guards of regions name pointers to them.
    if (!one.definition.starts_with("enum"))
      result += one.definition.substr(0, one.definition.find(" {")) + ";\n";
  }
  const std::string all = types + heads + members + definitions;
  const bool boxes =
      all.find("cilk_box<") != std::string::npos || all.find("cilk_held<") != std::string::npos;
  if (boxes) result += box_text;
  if (!tables.empty()) result += table_text;
  std::string views;
  if (!kinds.empty()) {
    result += "struct cilk_views;\n";
    views = common_text_of_views(is_c);
    for (const auto& [kind, one] : kinds) views += one;
    views += line_directive(name, 1);
  }
  if (all.find(plain_complex::prefix) != std::string::npos)
    result = "#include <channels/device_library/complex_functions.h>\n" + result;
  if (!result.empty()) result += line_directive(name, 1);
  unsigned at = 0;
  std::ranges::stable_sort(changes, {}, &text_change::begin);
  for (const text_change& one : changes) {
    if (one.begin < at) continue;  // in what is written anew: the place of a closure
    result += text.substr(at, one.begin - at) + one.text;
    at = one.end;
  }
  result += text.substr(at) + "\n";
  for (const std::string& one : tables) types += one;
  for (const std::string& one : addresses) types += one;
  return result + types + views + heads + members + instances + definitions;
}

named_functions replaced_functions(const std::vector<plain_form>& forms) {
  std::map<unsigned, unsigned> regions;
  named_functions found;
  for (const plain_form& one : forms) {
    if (one.is_leaf) continue;
    if (one.regions == 0 || ++regions[one.instance_number] == one.regions)
      found.insert({one.function, one.line});
  }
  return found;
}

named_functions leave_out_idle(std::vector<plain_form>& forms, function_reasons& refused) {
  const std::set<std::string> idle = unreached(forms);
  for (plain_form& one : forms) {
    if (idle.contains(one.name) && !one.unguarded->empty()) one.why_not.push_back(*one.unguarded);
  }
  note_unwritten(forms, refused);
  return leave_out(forms, idle);
}

named_functions leave_out(std::vector<plain_form>& forms, const std::set<std::string>& names) {
  std::set<std::string> gone = names;
  for (bool changed = !gone.empty(); changed;) {
    changed = false;
    for (const plain_form& one : forms) {
      if (gone.contains(one.name)) continue;
      if (std::ranges::any_of(one.calls, [&](const auto& each) { return gone.contains(each); }))
        changed = gone.insert(one.name).second || changed;
    }
  }
  named_functions lost;
  std::vector<plain_form> regions;
  for (plain_form& one : forms) {
    if (!gone.contains(one.name)) continue;
    if (one.is_taken_back) lost.insert({one.function, one.line});
    std::ranges::move(one.instead, std::back_inserter(regions));
  }
  std::erase_if(regions, [&](const plain_form& one) {
    return std::ranges::any_of(one.calls, [&](const auto& each) { return gone.contains(each); });
  });
  std::erase_if(forms, [&](const plain_form& one) { return gone.contains(one.name); });
  std::ranges::move(regions, std::back_inserter(forms));
  return lost;
}

}  // namespace cilk2chan
