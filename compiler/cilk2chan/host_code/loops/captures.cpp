#include "host_code/loops/captures.hpp"

#include "analysis/block_variables.hpp"
#include "analysis/reducer_types.hpp"  // holds_reducer
#include "diagnostics/refusals.hpp"    // reasons

#include <algorithm>

namespace cilk2chan::host_code {
namespace {

// Whether a variable may end before the children of `where` are joined: it is declared in an inner
// block.
bool ends_early(const parsed_file& source, const clang::VarDecl* variable, const region& where) {
  if (!variable->hasLocalStorage() || where.body == nullptr) return false;
  const unsigned at = source.offset(variable->getLocation());
  if (at < source.offset(where.body->getBeginLoc()) || at > source.offset(where.body->getEndLoc()))
    return false;
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(where.body);
  if (block == nullptr) return true;
  return std::ranges::none_of(block->body(), [&](const clang::Stmt* one) {
    const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(one);
    return declaration != nullptr &&
           std::ranges::any_of(declaration->decls(),
                               [&](const clang::Decl* each) { return each == variable; });
  });
}

class capturer {
 public:
  capturer(rewriting& out, const loop_site& site, const loop_form* form)
      : out_(out), source_(out.source), site_(site), form_(form), function_(site.where->function) {}

  std::optional<captured_loop> run(const char*& why_not) {
    if (function_ == nullptr) {
      why_not = reasons::outside_function;
      return std::nullopt;
    }
    const variable_uses_finder body(site_.node->getBody());
    if (!check_types(body) || !name_variable() || !collect(body)) {
      why_not = why_not_;
      return std::nullopt;
    }
    hide_later_macros();
    result_.site = &site_;
    unsigned& number = out_.outlined_count[function_];
    result_.name =
        source_.unused_name(function_->getNameAsString() +
                            (form_ == nullptr ? "_spawn_" : "_for_") + std::to_string(++number));
    return std::move(result_);
  }

 private:
  bool fail(const char* why) {
    why_not_ = why;
    return false;
  }

  bool check_types(const variable_uses_finder& body) {
    for (const clang::NamedDecl* one : body.types) {
      if (!one->getDeclContext()->isFileContext() && !body.declared.contains(one))
        return fail(reasons::local_name_in_body);
    }
    return true;
  }

  std::optional<std::string> exact_type(clang::QualType type, const std::string& name) {
    const auto text = outer_type(source_, type, name, function_);
    if (text && type->isPointerType() && !type->isVoidPointerType() &&
        llvm::StringRef(*text).starts_with("void *") && !type->getPointeeType()->isFunctionType()) {
      return std::nullopt;
    }
    return text;
  }

  bool name_variable() {
    if (form_ == nullptr) return true;
    const clang::QualType type = form_->variable->getType().getUnqualifiedType();
    const auto plain = exact_type(type, "");
    const auto field = exact_type(type, out_.own.first);
    const auto declaration = exact_type(type, form_->variable->getNameAsString());
    if (!plain || !field || !declaration) return fail(reasons::unnamed_type_in_body);
    result_.variable_type = *plain;
    result_.variable_field = *field;
    result_.variable_declaration = *declaration;
    return true;
  }

  bool collect(const variable_uses_finder& body) {
    // A copy of a variable may be used only if its address is taken nowhere in the function.
    const llvm::DenseSet<const clang::VarDecl*> shared = shared_variables(function_->getBody());
    std::vector<const clang::VarDecl*> order;
    llvm::DenseMap<const clang::VarDecl*, std::pair<bool, bool>> uses;  // only read, only decayed
    for (const auto& [name, used] : body.names) {
      if (llvm::isa<clang::EnumConstantDecl>(name->getDecl())) {
        // An enumerator's own context is its enumeration.
        if (!name->getDecl()->getDeclContext()->getRedeclContext()->isFileContext() &&
            !body.declared.contains(name->getDecl()))
          return fail(reasons::local_name_in_body);
        continue;
      }
      if (const auto* callee = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl())) {
        if (callee->getLexicalDeclContext()->isFunctionOrMethod() &&
            !body.declared.contains(callee))
          return fail(reasons::local_name_in_body);
        const bool itself = callee->getCanonicalDecl() == function_->getCanonicalDecl();
        if (itself && !declare_itself(out_, function_)) return fail(reasons::function_in_body);
        continue;
      }
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (variable == nullptr || (form_ != nullptr && variable == form_->variable) ||
          body.declared.contains(variable))
        continue;
      if (variable->isFileVarDecl() && !variable->isLocalExternDecl()) continue;
      result_.names.push_back(name);
      if (!uses.contains(variable)) {
        uses[variable] = {true, true};
        order.push_back(variable);
      }
      uses[variable].first = uses[variable].first && used == variable_use::read;
      uses[variable].second = uses[variable].second && used == variable_use::decayed;
    }
    for (const clang::VarDecl* one : order) {
      if (!add(one, uses[one].first && !shared.contains(one), uses[one].second)) return false;
    }
    return true;
  }

  bool add(const clang::VarDecl* variable, bool only_read, bool only_decayed) {
    capture& made = result_.captures.emplace_back();
    made.variable = variable;
    const std::string name = variable->getNameAsString();
    clang::QualType type = variable->getType();
    const bool array = type->isArrayType();
    if ((array || !only_read) && ends_before_join(variable)) return fail(reasons::shared_variable);
    if (holds_reducer(variable) && !array) return add_pointer(made, variable);
    if (array && only_decayed) {
      type = source_.context.getArrayDecayedType(type);
    } else if (array || !only_read || (is_large(type) && !ends_before_join(variable))) {
      return add_pointer(made, variable);
    }
    if (type->isVariablyModifiedType()) return add_sized(made, type, name);
    const auto text = exact_type(type.getUnqualifiedType(), name);
    if (!text) return fail(reasons::unnamed_type_in_body);
    made.field = *text;
    made.local = *text + " = " + out_.own.loop + "->" + name;
    return true;
  }

  bool ends_before_join(const clang::VarDecl* variable) const {
    return site_.spawned && ends_early(source_, variable, *site_.where);
  }

  bool is_large(clang::QualType type) const {
    return type->isRecordType() &&
           source_.context.getTypeSizeInChars(type).getQuantity() > largest_usual_copy;
  }

  bool add_pointer(capture& made, const clang::VarDecl* variable) {
    if (variable->getStorageClass() == clang::SC_Register) return fail(reasons::register_variable);
    if (variable->getType()->isVariablyModifiedType()) return fail(reasons::whole_array_in_body);
    made.how = capture::by_pointer;
    const auto text = exact_type(source_.context.getPointerType(variable->getType()),
                                 "cilk_at_" + variable->getNameAsString());
    if (!text) return fail(reasons::unnamed_type_in_body);
    made.field = *text;
    made.local = *text + " = " + out_.own.loop + "->cilk_at_" + variable->getNameAsString();
    return true;
  }

  // A pointer to arrays whose sizes are known only at run time.
  bool add_sized(capture& made, clang::QualType type, const std::string& name) {
    if (!type->isPointerType()) return fail(reasons::unnamed_type_in_body);
    std::string bounds;
    clang::QualType element = type->getPointeeType();
    while (const auto* inner = source_.context.getAsArrayType(element)) {
      const std::string size = "cilk_" + name + "_" + std::to_string(made.sizes.size() + 1);
      made.sizes.push_back(size);
      bounds += "[" + out_.own.loop + "->" + size + "]";
      element = inner->getElementType();
    }
    if (element->isVariablyModifiedType() || made.sizes.empty())
      return fail(reasons::unnamed_type_in_body);
    const auto text = exact_type(element, "(*" + name + ")" + bounds);
    if (!text) return fail(reasons::unnamed_type_in_body);
    made.field = "void* " + name;
    made.local = *text + " = " + out_.own.loop + "->" + name;
    return true;
  }

  // The body moves before its function, where macros that the function defines do not exist yet.
  void hide_later_macros() {
    const unsigned start = source_.offset(function_->getBeginLoc());
    const text_range body = body_range(out_, site_);
    for (auto call = source_.macro_calls.lower_bound(body.begin);
         call != source_.macro_calls.end() && call->first < body.end; ++call) {
      if (call->second && *call->second > start && *call->second < body.begin)
        source_.hidden.insert(call->first);
    }
  }

  rewriting& out_;
  parsed_file& source_;
  const loop_site& site_;
  const loop_form* form_;
  const clang::FunctionDecl* function_;
  captured_loop result_;
  const char* why_not_ = nullptr;
};

}  // namespace

const capture* captured_loop::find(const clang::VarDecl* variable) const {
  const auto found = std::ranges::find(captures, variable, &capture::variable);
  return found == captures.end() ? nullptr : &*found;
}

std::string captured_loop::name_outside(const clang::VarDecl* variable) const {
  const std::string name = variable->getNameAsString();
  const capture* seen = outer == nullptr ? nullptr : outer->find(variable);
  return seen != nullptr && seen->how == capture::by_pointer ? "(*cilk_at_" + name + ")" : name;
}

std::optional<captured_loop> capture_loop(rewriting& out, const loop_site& site,
                                          const loop_form* form, const char*& why_not) {
  return capturer(out, site, form).run(why_not);
}

std::optional<std::vector<const clang::VarDecl*>> copied_variables(parsed_file& source,
                                                                   const loop_site& site,
                                                                   const char*& why_not) {
  const auto ends = [&](const clang::VarDecl* variable) {
    return ends_early(source, variable, *site.where);
  };
  std::vector<const clang::VarDecl*> copied;
  for (const block_variable& one : variables_of_block(source.context, site.node->getBody(),
                                                      site.where->function->getBody(), ends)) {
    if (one.copied) {
      copied.push_back(one.variable);
    } else if (ends(one.variable)) {
      why_not = reasons::shared_variable;
      return std::nullopt;
    }
  }
  return copied;
}

void rename_captures(rewriting& out, std::map<const loop_site*, captured_loop>& loops) {
  // The innermost loop around a name decides its spelling.
  llvm::DenseMap<const clang::DeclRefExpr*, const captured_loop*> innermost;
  for (const loop_site& site : out.places.loops) {
    const auto plan = loops.find(&site);
    if (plan == loops.end()) continue;
    for (const clang::DeclRefExpr* name : plan->second.names) innermost[name] = &plan->second;
  }
  for (const auto& [name, loop] : innermost) {
    const auto* variable = llvm::cast<clang::VarDecl>(name->getDecl());
    const capture* seen = loop->find(variable);
    if (seen == nullptr || seen->how != capture::by_pointer) continue;
    const std::string text = "(*cilk_at_" + variable->getNameAsString() + ")";
    out.text.replace(out.source.range(name), [text] { return text; }, 8);
  }
}

}  // namespace cilk2chan::host_code
