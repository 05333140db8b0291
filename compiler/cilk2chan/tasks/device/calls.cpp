#include "tasks/device/calls.hpp"

#include "frontend/type_text.hpp"

#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace cilk2chan {
namespace {

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
  return type_text(source, type);
}

}  // namespace

std::string full_name(const program& source, const clang::NamedDecl* declaration) {
  if (source.is_c()) return declaration->getNameAsString();
  std::string name = declaration->getQualifiedNameAsString();
  constexpr llvm::StringRef unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed.str()); at != std::string::npos;
       at = name.find(unnamed.str(), at))
    name.erase(at, unnamed.size());
  return "::" + name;
}

device_calls::device_calls(program& source, const std::vector<finished_task>& tasks,
                           reference_finder& finder, const call_targets& targets)
    : source_(source), targets_(targets) {
  llvm::DenseSet<const clang::FunctionDecl*> all;
  for (const finished_task& task : tasks) {
    for (const clang::FunctionDecl* one : finder.reach(task.task->definition)) all.insert(one);
  }
  std::vector<const clang::FunctionDecl*> reached(all.begin(), all.end());
  std::ranges::sort(reached, [&](const auto* a, const auto* b) {
    return a != b &&
           source_.sources().isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
  for (const clang::FunctionDecl* one : reached) spell(finder.of(one), one);
  for (const type called : called_) {
    for (const clang::FunctionDecl* one : targets_.of(called)) (void)number_of(one);
  }
}

void device_calls::spell(const references& found, const clang::FunctionDecl* function) {
  for (const clang::CallExpr* one : found.pointer_calls)
    call(one->getCallee(), type_called(*source_.context, one));
  for (const clang::Expr* one : found.called_by_library)
    call(one, type_pointed_to(*source_.context, one));
  // The text of a template is that of all its instances.
  if (function->isTemplateInstantiation()) return;
  for (const clang::DeclRefExpr* one : found.names) name(one);
}

void device_calls::call(const clang::Expr* pointer, type called) {
  if (targets_.of(called).empty() || !can_change(pointer)) return;
  called_.insert(called);
  source_.spelled[pointer] = {"channels::cilk::called(", pointer, ")"};
}

void device_calls::name(const clang::DeclRefExpr* name) {
  if (!can_change(name)) return;
  const auto* function = llvm::cast<clang::FunctionDecl>(name->getDecl());
  const clang::QualType pointer = source_.context->getPointerType(function->getType());
  const std::string type = has_own_type(source_, function)
                               ? "decltype(" + function->getNameAsString() + ")*"
                               : type_text(source_, pointer.getCanonicalType());
  source_.spelled[name] = {"(*reinterpret_cast<" + type + ">(cilk_host_address[" +
                               std::to_string(number_of(function)) + "]))",
                           nullptr, ""};
}

bool device_calls::can_change(const clang::Expr* one) const {
  const auto range =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(one->getSourceRange()),
                                      source_.sources(), source_.context->getLangOpts());
  return range.isValid() && source_.sources().isInMainFile(range.getBegin());
}

unsigned device_calls::number_of(const clang::FunctionDecl* function) {
  function = function->getCanonicalDecl();
  const auto found = std::ranges::find(addresses_, function);
  const auto number = static_cast<unsigned>(found - addresses_.begin());
  if (found == addresses_.end()) addresses_.push_back(function);
  return number;
}

std::string device_calls::declarations(
    llvm::function_ref<std::string(const clang::FunctionDecl*)> symbol) const {
  if (addresses_.empty()) return {};
  std::string text = "CHANNELS_CILK_HOST_ADDRESSES(" + std::to_string(addresses_.size()) + ");\n";
  for (std::size_t i = 0; i < addresses_.size(); ++i) {
    // What other files may define, too, may be missing here.
    const bool weak = addresses_[i]->isInlined() || addresses_[i]->isTemplateInstantiation();
    text += "extern \"C\" void cilk_of_host_" + std::to_string(i) + "() __asm__(\"" +
            symbol(addresses_[i]) + "\")" + (weak ? " __attribute__((weak))" : "") + ";\n";
  }
  return text;
}

void device_calls::write_binding(writer& out) const {
  std::string list;
  for (std::size_t i = 0; i < addresses_.size(); ++i)
    list += (i == 0 ? "" : ", ") +
            ("reinterpret_cast<std::uintptr_t>(&cilk_of_host_" + std::to_string(i) + ")");
  out.line("const std::uintptr_t of_host[] = {" + list + "};");
  out.line("channels::cilk::bind_addresses(cilk_host_address, of_host);");
}

std::string device_calls::definitions() const {
  std::string text;
  for (const type called : called_) {
    const auto& targets = targets_.of(called);
    text +=
        "template <>\nstruct channels::cilk::call_targets<typename "
        "channels::cilk::plain_function<" +
        text_of(source_, targets, called) +
        ">::type> {\n"
        "  template <class R, class... A>\n"
        "  static CHANNELS_DEVICE R call(std::uintptr_t host, channels::cilk::call_place from, "
        "A... a) {\n";
    for (const clang::FunctionDecl* one : targets) text += case_of(one, called);
    text += "    channels::cilk::call_unknown(from);\n  }\n};\n";
  }
  return text;
}

std::string device_calls::case_of(const clang::FunctionDecl* target, type called) const {
  const auto found = std::ranges::find(addresses_, target->getCanonicalDecl());
  const std::string name = full_name(source_, target);
  const clang::QualType own = target->getType();
  const bool cast =
      !source_.context->hasSameFunctionTypeIgnoringExceptionSpec(own, clang::QualType(called, 0));
  return "    if (host == cilk_host_address[" + std::to_string(found - addresses_.begin()) +
         "]) return " + (cast ? "reinterpret_cast<R (*)(A...)>(" + name + ")" : name) +
         "(static_cast<A&&>(a)...);\n";
}

}  // namespace cilk2chan
