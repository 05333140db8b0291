#include "tasks/task_unit.hpp"

#include "analysis/constant_members.hpp"
#include "analysis/host_uses.hpp"
#include "analysis/reducer_types.hpp"  // reducer_of
#include "analysis/reductions.hpp"     // facts_of_c_reducer
#include "diagnostics/refusals.hpp"
#include "frontend/declaration_chunks.hpp"
#include "frontend/task_words.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/device/check.hpp"  // device_heap, device_library
#include "tasks/device/unit.hpp"
#include "tasks/function_placements.hpp"
#include "tasks/lanes/lane_forms.hpp"
#include "tasks/node_text.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>  // ASTNameGenerator
#include <clang/Basic/CharInfo.h>

#include <algorithm>
#include <optional>
#include <set>

namespace cilk2chan {
namespace {

class lambda_finder : public tree_walker {
 public:
  std::vector<const clang::LambdaExpr*> lambdas;

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    lambdas.push_back(lambda);
    return true;
  }
};

// Finds what keeps members from the rest of the program.
class access_specifier_finder : public tree_walker {
 public:
  std::vector<const clang::AccessSpecDecl*> kept;
  std::vector<const clang::CXXRecordDecl*> classes;

  bool VisitAccessSpecDecl(clang::AccessSpecDecl* access) override {
    if (access->getAccess() != clang::AS_public) kept.push_back(access);
    return true;
  }
  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) override {
    const bool keeps = record->isThisDeclarationADefinition() && !record->isLambda() &&
                       !record->isImplicit() && record->getTagKind() == clang::TagTypeKind::Class;
    if (keeps) classes.push_back(record);
    return true;
  }
};

class unit_writer {
 public:
  unit_writer(const program& source, const std::vector<finished_task>& tasks,
              reference_finder& finder, const planned_file& file, unit_kind kind,
              const device_calls* calls)
      : source_(source),
        sources_(source.sources()),
        tasks_(tasks),
        file_(file),
        finder_(finder),
        calls_(calls),
        placements_(source, tasks, finder, kind == unit_kind::device),
        symbols_(*source.context) {
    if (kind == unit_kind::device)
      device_.emplace(source, tasks, finder, placements_, calls, file.whole_program);
  }

  task_plan run() {
    for (const finished_task& task : tasks_) {
      if (!task.task->leaf && task.task->loop == nullptr) add_task(task);
    }
    choose_starts();
    check();
    if (source_.context->getDiagnostics().hasErrorOccurred()) return {};
    if (device_) find_lanes();
    const bool from_outside =
        file_.has_plain_forms ||
        (calls_ != nullptr && (calls_->calls_methods() || calls_->names_members()));
    if (device_ && from_outside) open_classes();
    walk(source_.context->getTranslationUnitDecl(), 0);
    for (const clang::FunctionDecl* one : placements_.left()) {
      if (placements_.is_called(one)) mark(one);
      refer_to_variables(one);
    }
    if (calls_ != nullptr && !source_.is_c()) {
      spell_instances();
      mark_declarations();
      mark_virtual();
    }
    if (device_ && !source_.is_c()) mark_constant();
    for (const finished_task& task : tasks_) {
      if (!written_.contains(task.task) && !task.task->leaf)
        refuse(source_.context->getDiagnostics(), task.task->definition->getLocation(),
               refusals::defined_in_macro, task.task->definition->getNameAsString());
    }
    const std::string text = sources_.getBufferData(sources_.getMainFileID()).str();
    plan_.text = prologue() + apply(replacements_, text, 0);
    if (source_.is_c()) plan_.text += "\n}\n";
    if (device_) {
      plan_.text += "\nCHANNELS_CILK_TEXT_END\n";
      if (calls_ != nullptr) plan_.text += calls_->definitions();
      plan_.explanation = lanes_->explanation();
      for (const finished_task& task : tasks_) {
        if (serial_.contains(task.task))
          plan_.explanation += shown_name(task.task->definition) +
                               ": cores of the host take its long steps for a GPU\n";
      }
      plan_.explanation += device_->explanation();
    }
    return std::move(plan_);
  }

  void check() {
    placements_.find();
    check_headers();
    if (device_) device_->check();
  }

 private:
  void add_task(const finished_task& task) {
    const clang::FunctionDecl* function = task.task->definition;
    clang::DiagnosticsEngine& diagnostics = source_.context->getDiagnostics();
    const auto no = [&](const refusal& why) {
      refuse(diagnostics, function->getLocation(), why, function->getNameAsString());
    };
    last_ = &task;
    if (scope_ == nullptr) scope_ = function->getDeclContext()->getRedeclContext();
    if (function->getDeclContext()->getRedeclContext() != scope_) no(refusals::other_namespace);
    const bool external = function->isExternallyVisible();
    if (external && function->isInlined()) no(refusals::inline_function);
    const std::string symbol = symbols_.getName(function);
    const std::string unique = external ? symbol : symbol + "." + file_.id;
    plan_.entries.push_back({function->getCanonicalDecl(), symbol, unique + ".cilk_entry",
                             unique + ".cilk_host", unique + ".cilk_on_", external});
    plan_.tasks.insert(function->getCanonicalDecl());
  }

  // Compilers for GPUs take long for each function with which a run may start.
  void choose_starts() {
    if (file_.devices.empty()) return;
    const auto is_called_elsewhere = [this](const clang::FunctionDecl* function) {
      return function->isExternallyVisible() && !file_.whole_program;
    };
    const host_uses uses =
        find_host_uses(*source_.context, plan_.tasks, finder_, is_called_elsewhere);
    for (task_entry& one : plan_.entries) {
      one.of_host = is_called_elsewhere(one.function) || uses.functions.contains(one.function) ||
                    uses.symbols.contains(one.entry);
    }
  }

  // What wavefronts run together.
  void find_lanes() {
    lane_forms::file how;
    how.line_directives = file_.line_directives;
    how.has_text = [this](const clang::FunctionDecl* one) {
      return placements_.of(one) == placement::copy && !llvm::isa<clang::CXXMethodDecl>(one);
    };
    lanes_.emplace(source_, tasks_, finder_, how);
  }

  // Refuses headers that define what a program may define only once, since both files include them;
  // and structures without members, whose size is 0 in C and 1 in C++.
  void check_headers() {
    for (const clang::Decl* one : source_.context->getTranslationUnitDecl()->decls()) {
      const clang::SourceLocation where = sources_.getExpansionLoc(one->getLocation());
      const auto* record = llvm::dyn_cast<clang::RecordDecl>(one);
      if (source_.is_c() && record != nullptr && record->isCompleteDefinition() &&
          record->field_empty())
        refuse(source_.context->getDiagnostics(), where, refusals::empty_structure,
               record->getNameAsString());
      if (where.isInvalid() || sources_.isInMainFile(where) || sources_.isInSystemHeader(where))
        continue;
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(one);
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      const bool defines =
          (function != nullptr && function->isThisDeclarationADefinition() &&
           function->isExternallyVisible() && !stays_in_text(function)) ||
          (variable != nullptr && variable->isExternallyVisible() && !variable->isInline() &&
           !variable->isTemplated() &&
           variable->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly);
      if (defines)
        refuse(source_.context->getDiagnostics(), where, refusals::header_definition,
               llvm::cast<clang::NamedDecl>(one)->getNameAsString());
    }
  }

  // Plain forms of members are no members, and nvcc has no option against private ones.
  void open_classes() {
    access_specifier_finder found;
    found.TraverseDecl(source_.context->getTranslationUnitDecl());
    const auto in_text = [&](clang::SourceLocation where) {
      return where.isFileID() && sources_.isInMainFile(where);
    };
    for (const clang::AccessSpecDecl* one : found.kept) {
      if (!in_text(one->getAccessSpecifierLoc())) continue;
      const unsigned length = one->getAccess() == clang::AS_private ? 7 : 9;
      replacements_.push_back(
          {sources_.getFileOffset(one->getAccessSpecifierLoc()), length, "public", false});
    }
    for (const clang::CXXRecordDecl* one : found.classes) {
      const clang::SourceLocation brace = one->getBraceRange().getBegin();
      if (in_text(brace))
        replacements_.push_back({sources_.getFileOffset(brace) + 1, 0, " public: ", false});
    }
  }

  std::string declare_host_addresses() {
    return calls_->declarations([this](const clang::NamedDecl* one) {
      const bool by_name = llvm::isa<clang::FunctionDecl>(one) && one->isExternallyVisible();
      return by_name ? symbols_.getName(one) : share(one);
    });
  }

  // Behind the head of a template around.
  void mark(const clang::FunctionDecl* function) {
    const unsigned at =
        sources_.getFileOffset(sources_.getExpansionLoc(function->getInnerLocStart()));
    if (marked_.insert(at).second) replacements_.push_back({at, 0, "CHANNELS_DEVICE ", false});
  }

  // Constructors and destructors that the library's functions may call on a device.
  void mark_constant() {
    llvm::DenseSet<unsigned> places;
    for (const auto& [one, what] : placements_.all()) {
      if (!placements_.is_called(one)) continue;
      for (const clang::FunctionDecl* each : that_become_constant(*source_.context, one)) {
        const unsigned at = sources_.getFileOffset(each->getInnerLocStart());
        if (places.insert(at).second) replacements_.push_back({at, 0, "CHANNELS_CONSTANT ", false});
      }
    }
  }

  // nvcc wants the mark at the declaration in a class, too.
  void mark_declarations() {
    for (const auto& [function, what] : placements_.all()) {
      const bool outside =
          llvm::isa<clang::CXXMethodDecl>(function) && function->getDefinition()->isOutOfLine();
      if (outside && (what == placement::copy || what == placement::leave) &&
          placements_.is_called(function))
        mark(function);
    }
  }

  // For nvcc a method is the device's if one that it overrides is, and the reverse. Those that no
  // task calls may do what devices cannot.
  void mark_virtual() {
    for (const clang::CXXMethodDecl* one : calls_->methods_of_device()) {
      if (!sources_.isInMainFile(sources_.getExpansionLoc(one->getLocation()))) continue;
      mark(one);
      const bool empties = placements_.of(one) == placement::none &&
                           one->doesThisDeclarationHaveABody() && one->getBody() != nullptr;
      if (!empties) continue;
      const clang::SourceRange body = one->getBody()->getSourceRange();
      const unsigned begin = sources_.getFileOffset(sources_.getExpansionLoc(body.getBegin()));
      const unsigned end = sources_.getFileOffset(sources_.getExpansionLoc(body.getEnd())) + 1;
      replacements_.push_back({begin, end - begin,
                               "{ channels_cilk_abort(); }" + only_directives(source_, begin, end),
                               false});
    }
  }

  // The text of a template may call through pointers in some of its instances.
  void spell_instances() {
    for (const auto& [function, what] : placements_.all()) {
      const clang::FunctionDecl* definition = function->getDefinition();
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(definition);
      if (what != placement::leave || (method != nullptr && method->getParent()->isLambda()))
        continue;
      spell(const_cast<clang::FunctionDecl*>(definition));
    }
  }
  void spell(clang::FunctionDecl* function) {
    for (replacement& each : text_changes(source_, function)) {
      const bool known = std::ranges::any_of(replacements_, [&](const replacement& other) {
        return other.offset == each.offset && other.removed == each.removed &&
               other.text == each.text;
      });
      if (!known) replacements_.push_back(std::move(each));
    }
  }

  // Whether the atomic variables of a C program are ours: devices have no code for C++'s.
  bool has_own_atomics() const {
    return device_ && source_.is_c() &&
           (llvm::is_contained(file_.system_headers, "stdatomic.h") ||
            sources_.getBufferData(sources_.getMainFileID()).contains("_Atomic"));
  }

  // Takes macros back: headers of ours do not expect them.
  static std::string without(llvm::StringRef macros) {
    std::string text;
    for (const llvm::StringRef line : llvm::split(macros, '\n')) {
      llvm::StringRef name = line;
      if (!name.consume_front("#define ")) continue;
      text += ("#undef " +
               name.take_until([](char letter) { return letter == ' ' || letter == '('; }) + "\n")
                  .str();
    }
    return text;
  }

  std::string prologue() {
    std::string name = file_.name;
    std::ranges::replace(name, '\n', ' ');
    std::string text = "// The tasks of " + name + ", made by cilk2chan.\n";
    text += device_ ? "#include <channels/gpu/compiled_program/unit.hpp>"
                    : "#include <channels/cilk/tasks.hpp>";
    text += "\n\n#include <cstdint>\n";
    if (device_) text += device_->library_headers();
    // These headers may not be inside `extern "C"`, nor inside the text that is for devices.
    if (source_.is_c() || device_) {
      text += file_.macros;
      for (const std::string& name : file_.system_headers) {
        if (!has_own_atomics() || name != "stdatomic.h") text += "#include <" + name + ">\n";
      }
      text += without(file_.macros);
    }
    if (source_.is_c()) text += c_mathematics(source_);
    if (device_)
      text +=
          "#include <channels/gpu/compiled_program/atomics.hpp>\nCHANNELS_CILK_TEXT_BEGIN\n"
          "#define memmove channels_cilk_memmove\n#define memcmp channels_cilk_memcmp\n"
          "#define abort channels_cilk_abort\n";
    if (has_own_atomics()) text += "#include <channels/cilk/c_atomic.h>\n";
    if (calls_ != nullptr && calls_->has_atomics())
      text += "#include <channels/cilk/cxx_atomic.hpp>\n";
    if (calls_ != nullptr && calls_->has_shared())
      text += "#include <channels/cilk/shared_view.hpp>\n";
    if (device_) {
      for (const auto names : {device_library(), device_endings(), device_streams(),
                               device_openmp(), device_text(), device_algorithms()}) {
        for (const llvm::StringLiteral one : names) {
          if (device_->calls({one}))
            text += ("#define " + one + " channels_cilk_" + one + "\n").str();
        }
      }
    }
    if (device_ && device_->writes()) {
      text +=
          "#undef stdout\n#define stdout channels_cilk_stream{1}\n"
          "#undef stderr\n#define stderr channels_cilk_stream{2}\n";
    }
    if (device_ && device_->uses_malloc()) {
      for (const llvm::StringLiteral one : device_heap())
        text += ("#define " + one + " channels_cilk_" + one + "\n#define __builtin_" + one +
                 " channels_cilk_" + one + "\n")
                    .str();
    }
    for (const llvm::ArrayRef<llvm::StringLiteral> names :
         {llvm::ArrayRef(functions_of_cuda), llvm::ArrayRef(names_of_posix)}) {
      for (const llvm::StringLiteral one : names) {
        if (is_renamed(one)) text += ("#define " + one + " cilk_own_" + one + "\n").str();
      }
    }
    if (calls_ != nullptr) text += declare_host_addresses();
    if (source_.is_c()) {
      text += "#define restrict __restrict\n#define _Bool bool\n";
      // Clang has these words in C++, too; nvcc has not.
      text +=
          "#ifndef __clang__\n#define _Alignas(n) __attribute__((aligned(n)))\n"
          "#define _Alignof __alignof__\n#define _Static_assert static_assert\n#endif\n";
      if (source_.context->Idents.get("complex").hasMacroDefinition())
        text += "#include <channels/cilk/c_complex.h>\n";
    }
    text += file_.macros;
    if (source_.is_c()) text += "extern \"C\" {\n" + constants_in_structures(source_);
    for (const std::string& name : file_.forced_headers) text += "#include \"" + name + "\"\n";
    return text + (file_.line_directives ? line_directive(file_.name, 1) : "");
  }

  void walk(const clang::DeclContext* around, unsigned start) {
    for (const declaration_chunk& one : declaration_chunks_of(source_, around, start)) {
      const clang::Decl* first = one.declarations.front();
      const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(first);
      if (linkage != nullptr && !one.in_macro) {
        walk(linkage, linkage->hasBraces() ? inside_of(source_, first) : one.begin);
      } else if (llvm::isa<clang::NamespaceDecl>(first) && !one.in_macro) {
        const auto* inner = llvm::cast<clang::NamespaceDecl>(first);
        while (!inner->decls_empty() && llvm::isa<clang::NamespaceDecl>(*inner->decls_begin()) &&
               llvm::cast<clang::NamespaceDecl>(*inner->decls_begin())->isNested())
          inner = llvm::cast<clang::NamespaceDecl>(*inner->decls_begin());
        walk(inner, inside_of(source_, inner));
      } else {
        change(one);
      }
    }
  }

  void change(const declaration_chunk& one) {
    bool functions = false;
    bool variables = false;
    bool definition = false;
    for (const clang::Decl* each : one.declarations) {
      if (llvm::isa<clang::FileScopeAsmDecl>(each)) return remove(one);
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(each);
      functions = functions || function != nullptr;
      definition = definition || (function != nullptr && function->isThisDeclarationADefinition());
      variables = variables || llvm::isa<clang::VarDecl>(each);
    }
    if (one.in_macro && (definition || variables)) return change_macro(one);
    if (definition) {
      for (clang::Decl* each : one.declarations) {
        auto* function = llvm::dyn_cast<clang::FunctionDecl>(each);
        if (function != nullptr && function->isThisDeclarationADefinition())
          return change_definition(one, function);
      }
    }
    if (variables) return change_variables(one);
    if (functions) return change_prototypes(one);
    for (const clang::Decl* each : one.declarations) {
      if (source_.is_c() && !one.in_macro) make_assignable(each);
    }
  }

  // A frame has to be made and set: structures of C keep constant members there, too. The host's
  // compiler has seen that nothing assigns them.
  void make_assignable(const clang::Decl* declaration) {
    const auto* record = llvm::dyn_cast<clang::RecordDecl>(declaration);
    if (record == nullptr || !record->isThisDeclarationADefinition()) return;
    for (const clang::Decl* each : record->decls()) {
      make_assignable(each);
      if (const auto* field = llvm::dyn_cast<clang::FieldDecl>(each)) drop_const(field);
    }
  }
  // In `const int a, *b;` the pointer needs the word, too.
  static bool leads_to_const(const clang::FieldDecl* field) {
    return std::ranges::any_of(field->getParent()->fields(), [&](const clang::FieldDecl* other) {
      return other != field && other->getOuterLocStart() == field->getOuterLocStart() &&
             other->getType()->isPointerType();
    });
  }
  void drop_const(const clang::FieldDecl* field) {
    const clang::QualType type = source_.context->getBaseElementType(field->getType());
    // Those that have no name may not be qualified in C++.
    if (field->isUnnamedBitField()) {
      drop_words(field, field->getBitWidth()->getBeginLoc(), 0, "const");
      return drop_words(field, field->getBitWidth()->getBeginLoc(), 0, "volatile");
    }
    if (!type.isConstQualified()) return;
    // What stands before the last star is what the pointer leads to.
    if (type->isPointerType()) return drop_words(field, field->getLocation(), '*', "const");
    if (!leads_to_const(field)) drop_words(field, field->getLocation(), 0, "const");
  }
  // Removes a word from a member's declaration, between the last `behind`, if it is not 0, and
  // `end`.
  void drop_words(const clang::FieldDecl* field, clang::SourceLocation end, char behind,
                  llvm::StringRef word) {
    const clang::SourceLocation first = field->getOuterLocStart();
    if (first.isMacroID() || end.isMacroID()) return;
    const unsigned begin = sources_.getFileOffset(first);
    const llvm::StringRef text =
        sources_.getBufferData(sources_.getMainFileID()).slice(begin, sources_.getFileOffset(end));
    const std::size_t from = behind == 0 ? 0 : text.rfind(behind);
    const auto in_word = [&](std::size_t at) {
      return at < text.size() && clang::isAsciiIdentifierContinue(text[at]);
    };
    for (std::size_t at = text.find(word, from); at != llvm::StringRef::npos;
         at = text.find(word, at + word.size())) {
      if (in_word(at + word.size()) || (at > 0 && in_word(at - 1))) continue;
      const unsigned offset = begin + static_cast<unsigned>(at);
      const bool known = std::ranges::any_of(
          replacements_, [&](const replacement& other) { return other.offset == offset; });
      if (!known) replacements_.push_back({offset, static_cast<unsigned>(word.size()), "", false});
    }
  }

  // A macro's declarations stay or go as a whole.
  void change_macro(const declaration_chunk& one) {
    const auto* reducer = llvm::dyn_cast<clang::VarDecl>(one.declarations.front());
    if (one.declarations.size() == 1 && reducer != nullptr &&
        facts_of_c_reducer(reducer->getType()))
      return change_variables(one);
    bool harmless = true;
    for (const clang::Decl* each : one.declarations) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(each);
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      const bool wanted = (function != nullptr && placements_.wants(function)) ||
                          (variable != nullptr && placements_.wants(variable));
      if (function != nullptr && function->isThisDeclarationADefinition() &&
          function->isExternallyVisible() && !stays_in_text(function))
        harmless = false;
      if (variable != nullptr && !placements_.is_copied(variable)) harmless = false;
      const bool fine = function != nullptr && !function->isExternallyVisible() &&
                        placements_.of(function) == placement::copy;
      if (wanted && !fine && !(variable != nullptr && placements_.is_copied(variable)))
        return refuse(source_.context->getDiagnostics(), each->getLocation(),
                      refusals::defined_in_macro,
                      llvm::cast<clang::NamedDecl>(each)->getNameAsString());
      if (fine || wanted) return;
    }
    if (!harmless || source_.is_c()) remove(one);
  }

  void change_definition(const declaration_chunk& one, clang::FunctionDecl* function) {
    const task_function* task = source_.task_of(function);
    if (task != nullptr && !task->leaf) return write_tasks(one, *task);
    switch (placements_.of(function)) {
      case placement::copy:
        declare_headers(one);
        if (function->isExternallyVisible())
          replacements_.push_back({one.begin, 0, "CHANNELS_CILK_COPY ", false});
        else if (placements_.is_called(function))
          replacements_.push_back({one.begin, 0, "CHANNELS_DEVICE ", false});
        refer_to_variables(function);
        add_form(one, function);
        return change_text(function);
      case placement::leave: return source_.is_c() ? change_text(function) : void();
      case placement::share: return replace(one, declare(function));
      case placement::none: break;
    }
    if (!source_.is_c() && stays_in_text(function)) return;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (source_.is_c() || (method != nullptr && method->isOutOfLine())) return remove(one);
    if (!function->doesThisDeclarationHaveABody()) return;
    // Other text that stays may name the function, so its declaration stays.
    const unsigned body =
        sources_.getFileOffset(sources_.getExpansionLoc(function->getBody()->getBeginLoc()));
    replacements_.push_back(
        {body, one.end - body, ";" + only_directives(source_, body, one.end), false});
  }

  // The function's form for lanes follows it.
  void add_form(const declaration_chunk& one, const clang::FunctionDecl* function) {
    const std::string form = lanes_ ? lanes_->form_of(function) : "";
    if (form.empty()) return;
    writer out(false);
    hide_macros(out, true);
    out.line(with_variables(form, device_->references_in(function, lanes_->inlined_in(function))));
    hide_macros(out, false);
    replacements_.push_back({one.end, 0, "\n" + out.take() + line_of_end(one), true});
  }
  // Addresses of variables have their numbers in the order of the file.
  static std::string with_variables(std::string text, const std::string& variables) {
    const llvm::StringRef mark = lane_forms::mark;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), variables);
    return text;
  }
  std::string line_of_end(const declaration_chunk& one) const {
    const clang::PresumedLoc end =
        sources_.getPresumedLoc(sources_.getLocForStartOfFile(sources_.getMainFileID())
                                    .getLocWithOffset(static_cast<int>(one.end)));
    return file_.line_directives ? line_directive(end.getFilename(), end.getLine()) : "";
  }

  void change_text(clang::FunctionDecl* function) {
    for (replacement& each : text_changes(source_, function))
      replacements_.push_back(std::move(each));
  }

  // Declares variables of the host's file as `extern`, and removes variables that no task needs.
  void change_variables(const declaration_chunk& one) {
    std::string text;
    bool copied = true;
    for (clang::Decl* each : one.declarations) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (const auto* tag = llvm::dyn_cast<clang::TagDecl>(each)) {
        // C++ has no structure that declares nothing.
        const bool unnamed = llvm::isa<clang::RecordDecl>(tag) && tag->getIdentifier() == nullptr;
        if (tag->isThisDeclarationADefinition() && !unnamed) text += text_of(tag) + "; ";
      }
      if (variable == nullptr) continue;
      const bool shared = variable->isInline() && variable->isExternallyVisible();
      const bool in_class = variable->isStaticDataMember() || variable->isTemplated() ||
                            variable->isConstexpr() || shared ||
                            llvm::isa<clang::VarTemplateSpecializationDecl>(variable);
      if (in_class && variable->isStaticDataMember() && !variable->isTemplated())
        return variable->isOutOfLine() && !variable->isInline() && !variable->isConstexpr()
                   ? remove(one)
                   : void();
      if (device_ && device_->is_table(variable)) mark_table(one, variable);
      if (in_class || llvm::isa<clang::DecompositionDecl>(variable)) return;
      copied = copied && placements_.is_copied(variable) &&
               (placements_.wants(variable) || !source_.is_c());
      share_table(variable);
      if (placements_.wants(variable) || !source_.is_c()) text += declare(variable);
      if (device_) text += device_->declare_address(variable);
    }
    if (!copied) replace(one, text);
  }

  // A plain form looks where a class has its table; the host's file has the variable.
  void share_table(const clang::VarDecl* variable) {
    const auto* type = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
        variable->getType()->getAsCXXRecordDecl());
    if (type == nullptr || type->getName() != "cilk_table") return;
    const clang::CXXRecordDecl* record =
        type->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl()->getCanonicalDecl();
    plan_.shared.push_back(
        {record, table_symbol(*source_.context, record), variable->getNameAsString()});
  }

  void mark_table(const declaration_chunk& one, const clang::VarDecl* variable) {
    const bool marked = std::ranges::any_of(replacements_, [&](const replacement& each) {
      return each.offset == one.begin && each.text == table_mark;
    });
    if (marked) return;
    replacements_.push_back({one.begin, 0, table_mark, false});
    // nvcc wants the device's variables to be the file's own.
    if (!variable->isInlineSpecified() || one.in_macro) return;
    static constexpr llvm::StringLiteral word = "inline";
    const unsigned name = sources_.getFileOffset(sources_.getExpansionLoc(variable->getLocation()));
    const llvm::StringRef text = sources_.getBufferData(sources_.getMainFileID());
    const std::size_t at = text.substr(one.begin, name - one.begin).find(word);
    if (at == llvm::StringRef::npos) return;
    replacements_.push_back({static_cast<unsigned>(one.begin + at), word.size(), "static", false});
  }

  // Declares what the headers have before the first function for the device.
  void declare_headers(const declaration_chunk& one) {
    const std::string text = device_ ? device_->declare_headers() : "";
    if (!text.empty()) replacements_.push_back({one.begin, 0, text, false});
  }

  // The references are in a block around the body, which may declare variables of the same names.
  void refer_to_variables(const clang::FunctionDecl* function) {
    const std::string text = device_ ? device_->references_in(function) : "";
    if (text.empty() || !llvm::isa<clang::CompoundStmt>(function->getBody())) return;
    const auto offset = [&](clang::SourceLocation where) {
      return sources_.getFileOffset(sources_.getExpansionLoc(where));
    };
    replacements_.push_back({offset(function->getBody()->getBeginLoc()), 0, "{ " + text, false});
    replacements_.push_back({offset(function->getBody()->getEndLoc()), 0, "} ", true});
    lambda_finder found;
    found.TraverseStmt(function->getBody());
    for (const clang::LambdaExpr* lambda : found.lambdas) {
      const clang::CompoundStmt* const body = lambda->getCompoundStmtBody();
      const std::string inside = device_->references_in(lambda);
      if (inside.empty() || body->getLBracLoc().isMacroID()) continue;
      replacements_.push_back({offset(body->getLBracLoc()) + 1, 0, " " + inside, false});
    }
  }

  // Global names in CUDA's headers: a variable of such a name has another in the text for devices.
  static constexpr llvm::StringLiteral functions_of_cuda[] = {"all", "any"};
  bool has_variable(llvm::StringRef name) const {
    clang::ASTContext& context = *source_.context;
    return device_ &&
           llvm::any_of(context.getTranslationUnitDecl()->lookup(&context.Idents.get(name)),
                        [](const auto* one) { return llvm::isa<clang::VarDecl>(one); });
  }

  // Names of headers that the text for tasks includes and a C program need not include: it may give
  // them to something of its own, which has another name there.
  static constexpr llvm::StringLiteral names_of_posix[] = {
      "abs",     "access",      "acct",     "alarm",  "atan2",  "bsearch", "cbrt",   "ceil",
      "clock",   "close",       "cos",      "crypt",  "daemon", "div",     "drem",   "dup",
      "erf",     "exp",         "exp2",     "fabs",   "floor",  "fma",     "fmod",   "frexp",
      "gamma",   "getline",     "getpass",  "hypot",  "index",  "j0",      "j1",     "jn",
      "kill",    "labs",        "ldexp",    "lgamma", "link",   "llabs",   "lockf",  "log",
      "log10",   "log2",        "logb",     "lseek",  "modf",   "nice",    "optarg", "opterr",
      "optind",  "optopt",      "pause",    "pipe",   "pow",    "qsort",   "rand",   "random",
      "read",    "remove",      "rename",   "rindex", "rint",   "round",   "scalb",  "select",
      "signgam", "significand", "sin",      "sleep",  "sqrt",   "srand",   "stpcpy", "strdup",
      "swab",    "symlink",     "sync",     "tan",    "time",   "timer_t", "times",  "timezone",
      "tm",      "trunc",       "truncate", "unlink", "wait",   "write",   "y0",     "y1",
      "yn"};
  bool is_own_name(llvm::StringRef name) const {
    clang::ASTContext& context = *source_.context;
    clang::IdentifierInfo& word = context.Idents.get(name);
    if (word.hasMacroDefinition()) return false;
    const auto found = context.getTranslationUnitDecl()->lookup(&word);
    return !found.empty() && llvm::all_of(found, [&](const clang::NamedDecl* one) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(one);
      if (function != nullptr && (function->isExternallyVisible() || function->isImplicit()))
        return false;
      return !sources_.isInSystemHeader(one->getLocation());
    });
  }

  // Whether something of the program has another name in the text of tasks.
  bool is_renamed(llvm::StringRef name) const {
    return (llvm::is_contained(functions_of_cuda, name) && has_variable(name)) ||
           (source_.is_c() && llvm::is_contained(names_of_posix, name) && is_own_name(name));
  }

  std::string declare(const clang::VarDecl* variable) {
    std::string label;
    if (variable->isExternallyVisible() && is_renamed(variable->getName()))
      label = (" __asm__(\"" + variable->getName() + "\")").str();
    if (!variable->isExternallyVisible() && placements_.wants(variable))
      label = " __asm__(\"" + share(variable) + "\")";
    std::string storage = "extern ";
    if (variable->getTLSKind() != clang::VarDecl::TLS_None)
      storage += variable->getTSCSpec() == clang::TSCS___thread ? "__thread " : "thread_local ";
    // The task uses a reducer by its place, which has the type of a view.
    const clang::QualType type =
        reducer_of(variable) ? variable->getType().getCanonicalType() : variable->getType();
    return storage + with_name(type, variable->getNameAsString()) + label + "; ";
  }

  std::string declare(const clang::FunctionDecl* function) {
    std::string text = with_name(function->getType(), function->getNameAsString());
    if (!function->isExternallyVisible()) text += " __asm__(\"" + share(function) + "\")";
    return text + "; ";
  }

  // A prototype of a static function of the host's file would declare a function of this file: it
  // gets the function's shared symbol.
  void change_prototypes(const declaration_chunk& one) {
    bool as_it_is = true;
    std::string text;
    for (clang::Decl* each : one.declarations) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(each);
      if (const auto* tag = llvm::dyn_cast<clang::TagDecl>(each)) {
        if (tag->isThisDeclarationADefinition()) text += text_of(tag) + "; ";
      }
      if (function == nullptr) continue;
      const bool wanted = placements_.wants(function);
      const bool shared =
          placements_.of(function) == placement::share && !function->isExternallyVisible();
      const task_function* task = source_.task_of(function);
      const bool entered = !source_.is_c() && task != nullptr && !task->leaf;
      const bool labelled = entered && !function->isExternallyVisible();
      if (shared || labelled || (source_.is_c() && !wanted)) as_it_is = false;
      if (entered) {
        text += declare_entry(function);
      } else if (shared || wanted) {
        text += declare_again(function, shared);
      }
    }
    if (!as_it_is) replace(one, text);
  }

  std::string declare_again(const clang::FunctionDecl* function, bool shared) {
    if (shared) return declare(function);
    const char* storage = function->getStorageClass() == clang::SC_Static ? "static " : "";
    return storage + with_name(function->getType(), function->getNameAsString()) + "; ";
  }

  // Text that stays, such as a class, may call a task's function: it calls the entry.
  std::string declare_entry(const clang::FunctionDecl* function) const {
    std::string parameters;
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      parameters += parameters.empty() ? "" : ", ";
      parameters += with_name(parameter->getOriginalType(), parameter->getNameAsString());
      if (parameter->hasDefaultArg() && !parameter->hasInheritedDefaultArg() &&
          !parameter->hasUninstantiatedDefaultArg() && !parameter->hasUnparsedDefaultArg()) {
        const clang::SourceRange value = parameter->getDefaultArgRange();
        parameters +=
            " = " + clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(value),
                                                sources_, source_.context->getLangOpts())
                        .str();
      }
    }
    std::string text =
        with_name(function->getReturnType(), function->getNameAsString() + "(" + parameters + ")");
    if (!function->isExternallyVisible()) {
      const auto entry =
          std::ranges::find(plan_.entries, function->getCanonicalDecl(), &task_entry::function);
      if (entry != plan_.entries.end()) text += " __asm__(\"" + entry->entry + "\")";
    }
    return text + "; ";
  }

  std::string share(const clang::NamedDecl* declaration) {
    const auto* canonical = llvm::cast<clang::NamedDecl>(declaration->getCanonicalDecl());
    for (const shared_symbol& one : plan_.shared) {
      if (one.declaration == canonical) return one.shared;
    }
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(canonical);
    const std::string symbol =
        record != nullptr ? table_symbol(*source_.context, record) : symbols_.getName(canonical);
    plan_.shared.push_back({canonical, symbol, symbol + ".cilk." + file_.id});
    return plan_.shared.back().shared;
  }

  std::string with_name(clang::QualType type, const std::string& name) const {
    clang::PrintingPolicy policy(source_.context->getLangOpts());
    policy.Bool = true;
    policy.Restrict = false;
    // A result's `decltype` may name parameters.
    const auto* function = type->getAs<clang::FunctionProtoType>();
    const clang::QualType result = function == nullptr ? type : function->getReturnType();
    if (result->getAs<clang::DecltypeType>() != nullptr) type = type.getCanonicalType();
    std::string text = name;
    type.getAsStringInternal(text, policy);
    return text;
  }

  std::string text_of(const clang::Decl* declaration) const {
    return clang::Lexer::getSourceText(
               clang::CharSourceRange::getTokenRange(declaration->getSourceRange()), sources_,
               source_.context->getLangOpts())
        .str();
  }

  void remove(const declaration_chunk& one) { replace(one, ""); }

  void replace(const declaration_chunk& one, const std::string& text) {
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    std::string rest = only_directives(source_, one.begin, one.end);
    // The new text has some of these lines already.
    const bool plain = rest.find_first_not_of('\n') == std::string::npos;
    if (plain) rest.erase(0, std::min(lines, rest.size()));
    replacements_.push_back({one.begin, one.end - one.begin, text + rest, false});
  }

  // A task takes the place of its function. The entries follow the last task.
  void write_tasks(const declaration_chunk& one, const task_function& task) {
    const macro_directives macros = macros_in(source_, one.begin, one.end);
    if (!macros.twice.empty())
      refuse(source_.context->getDiagnostics(), task.definition->getLocation(),
             refusals::macro_defined_twice, macros.twice);
    writer out(file_.line_directives);
    out.line("");
    if (!macros.defined.empty()) out.line(macros.defined);
    const std::string headers = device_ ? device_->declare_headers() : "";
    if (!headers.empty()) out.line(headers);
    hide_macros(out, true);
    declare_forms(task, out);
    if (source_.is_c()) out.line("extern \"C++\" {");
    // Other files may have tasks of the same names.
    out.line("namespace {");
    if (!begun_) {
      for (const finished_task& each : tasks_) out.line("struct " + each.task->name + ";");
    }
    begun_ = true;
    for (const finished_task& each : tasks_) {
      // With the loops of the function.
      const bool here = !each.task->leaf && each.task->definition == task.definition;
      if (here && written_.insert(each.task).second) {
        write_leaves(*each.task, out);
        const task_lanes* together = lanes_ ? lanes_->of(*each.task) : nullptr;
        if (together != nullptr)
          out.line(with_variables(together->functions, device_->references_in(task.definition)));
        emit_task(source_, each, out,
                  device_ ? device_->references_in(task.definition) : std::string(), lanes(),
                  note_serial_parts(each));
      }
    }
    out.line("}  // namespace");
    if (!source_.is_c() && task.definition->getPreviousDecl() == nullptr)
      out.line(declare_entry(task.definition));
    if (last_->task == &task) {
      if (device_) {
        out.line("CHANNELS_CILK_TEXT_END");
        device_->write_unit(out);
        write_forms(source_, plan_.entries, out);
        out.line("CHANNELS_CILK_TEXT_BEGIN");
      } else {
        write_entries(source_, plan_.entries, file_, out);
      }
    }
    if (source_.is_c()) out.line("}");
    hide_macros(out, false);
    if (!macros.ended.empty()) out.line(macros.ended);
    std::string text = out.take();
    text += conditions_across(source_, one.begin, one.end);
    text += line_of_end(one);
    replacements_.push_back({one.begin, one.end - one.begin, text, false});
  }

  // Takes the program's macros that have words of tasks as names out of the way, or puts them back.
  // What stands in tasks has no calls of them.
  void hide_macros(writer& out, bool away) const {
    for (const llvm::StringRef each : task_words()) {
      if (!source_.context->Idents.get(each).hadMacroDefinition()) continue;
      const std::string name = "_macro(\"" + each.str() + "\")";
      out.line(away ? "#pragma push" + name + "\n#undef " + each.str() : "#pragma pop" + name);
    }
  }

  void write_leaves(const task_function& spawner, writer& out) {
    for (const finished_task& one : tasks_) {
      if (one.task->leaf && spawns(spawner, *one.task) && written_.insert(one.task).second)
        emit_task(source_, one, out, {}, lanes(), note_serial_parts(one));
    }
  }
  bool spawns(const task_function& spawner, const task_function& child) const {
    return std::ranges::any_of(spawner.children, [&](const auto& entry) {
      return source_.task_of(*entry.second) == &child;
    });
  }

  // Declares the forms for lanes that the tasks of a function call.
  void declare_forms(const task_function& task, writer& out) const {
    if (!lanes_) return;
    for (const finished_task& each : tasks_) {
      const task_lanes* together = lanes_->of(*each.task);
      const bool here =
          each.task->definition == task.definition ||
          (each.task->leaf && std::ranges::any_of(tasks_, [&](const auto& one) {
             return one.task->definition == task.definition && spawns(*one.task, *each.task);
           }));
      if (here && together != nullptr && !together->declarations.empty())
        out.line(together->declarations);
    }
  }
  const lane_forms* lanes() const { return lanes_ ? &*lanes_ : nullptr; }
  // Whether a task on a device has serial parts that the host may take; notes those that have.
  // Lanes run all of a leaf that they share.
  bool note_serial_parts(const finished_task& task) {
    const bool is_lanes = task.task->leaf && lanes_ && lanes_->of(*task.task) != nullptr;
    const bool has = device_ && !is_lanes && has_serial_parts(source_, task) &&
                     device_->host_may_take_steps(task);
    if (has) serial_.insert(task.task);
    return has;
  }

  static constexpr const char* table_mark = "CHANNELS_CILK_TABLE ";

  const program& source_;
  const clang::SourceManager& sources_;
  const std::vector<finished_task>& tasks_;
  const planned_file& file_;
  reference_finder& finder_;
  const device_calls* calls_;
  function_placements placements_;
  std::optional<lane_forms> lanes_;    // the same
  std::optional<device_unit> device_;  // if the file is for devices
  clang::ASTNameGenerator symbols_;
  task_plan plan_;
  std::vector<replacement> replacements_;
  std::set<unsigned> marked_;  // where functions begin that have the device's mark
  std::set<const task_function*> written_;
  std::set<const task_function*> serial_;  // those that say that they have serial parts
  const clang::DeclContext* scope_ = nullptr;
  const finished_task* last_ = nullptr;
  bool begun_ = false;
};

}  // namespace

task_plan write_task_unit(const program& source, const std::vector<finished_task>& tasks,
                          reference_finder& finder, const planned_file& file, unit_kind kind,
                          const device_calls* calls) {
  return unit_writer(source, tasks, finder, file, kind, calls).run();
}

void check_task_unit(const program& source, const std::vector<finished_task>& tasks,
                     reference_finder& finder, const planned_file& file, unit_kind kind) {
  unit_writer(source, tasks, finder, file, kind, nullptr).check();
}

}  // namespace cilk2chan
