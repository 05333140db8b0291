#include "analysis/escapes.hpp"

#include "analysis/reducer_types.hpp"
#include "analysis/reductions.hpp"
#include "frontend/tree_walker.hpp"

#include <clang/AST/Attr.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>

#include <algorithm>

namespace cilk2chan {
namespace {

// Functions of the C library that neither keep the pointers that they get nor reach a variable by
// another way.
const llvm::StringSet<> keeps_nothing = {
    "memset",  "memcpy",  "memmove",  "memcmp", "bzero",        "printf",
    "fprintf", "sprintf", "snprintf", "puts",   "fputs",        "scanf",
    "fscanf",  "sscanf",  "fread",    "fwrite", "strlen",       "strcmp",
    "strncmp", "strcpy",  "strncpy",  "atoi",   "gettimeofday", "clock_gettime"};

bool is_library_function(const program& source, const clang::FunctionDecl* function) {
  const clang::IdentifierInfo* identifier = function->getIdentifier();
  if (identifier == nullptr || !function->isExternC()) return false;
  if (function->getBuiltinID() == 0 && !source.sources().isInSystemHeader(function->getLocation()))
    return false;
  llvm::StringRef name = identifier->getName();
  name.consume_front("__builtin_");
  return keeps_nothing.contains(name);
}

// Whether the function is std::min or std::max, which return one of their two references.
bool is_minimum_or_maximum(const clang::FunctionDecl* function) {
  const clang::IdentifierInfo* identifier = function->getIdentifier();
  return identifier != nullptr && function->isInStdNamespace() && function->getNumParams() == 2 &&
         function->getReturnType()->isReferenceType() &&
         (identifier->isStr("min") || identifier->isStr("max"));
}

// Whether the function is one of GCC's older atomic operations.
bool is_sync_operation(const clang::FunctionDecl* function) {
  return function->getBuiltinID() != 0 && function->getIdentifier() != nullptr &&
         function->getName().starts_with("__sync_");
}

// Whether the function is one of those by which code in C names a strand's view of a reducer.
bool is_view_function(const clang::FunctionDecl* function) {
  const clang::IdentifierInfo* name = function->getIdentifier();
  return name != nullptr && !llvm::isa<clang::CXXMethodDecl>(function) &&
         (name->isStr("cilk_c_view") || name->isStr("cilk_c_begin") || name->isStr("cilk_c_end"));
}

// Whether the text has the symbol of a variable with that name, which C++ may have mangled. Headers
// of the system are full of labels, in which short names are parts of words.
bool names_symbol(llvm::StringRef text, llvm::StringRef name) {
  const auto in_symbol = [](char one) { return llvm::isAlnum(one) || one == '_' || one == '$'; };
  while (!text.empty()) {
    text = text.drop_until(in_symbol);
    const llvm::StringRef symbol = text.take_while(in_symbol);
    if (symbol == name || (symbol.starts_with("_Z") && symbol.contains(name))) return true;
    text = text.drop_front(symbol.size());
  }
  return false;
}

// Statements that drop the value of an expression directly in them, or only compare it with 0.
bool drops_value(const clang::Stmt* around) {
  return llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt,
                   clang::DoStmt, clang::SwitchStmt, clang::SwitchCase, clang::LabelStmt,
                   clang::AttributedStmt>(around);
}

}  // namespace

// Starts at each name of a variable, and goes outwards through the expressions around it, as long
// as these stand for the variable's memory.
class escape_finder : public tree_walker {
 public:
  escape_finder(const program& source, escape_analysis& found) : source_(source), found_(found) {}

  void run() {
    for (clang::Decl* one : source_.context->getTranslationUnitDecl()->decls()) {
      const clang::SourceLocation where = source_.sources().getExpansionLoc(one->getLocation());
      if (where.isInvalid() || !source_.sources().isInSystemHeader(where)) TraverseDecl(one);
    }
  }

  // NOLINTBEGIN(readability-identifier-naming): Clang's names
  // Visits the instances of templates, which run, in place of the templates.
  [[nodiscard]] bool shouldVisitTemplateInstantiations() const override { return true; }

  bool TraverseDecl(clang::Decl* declaration) override {
    if (declaration == nullptr) return true;
    const auto* context = llvm::dyn_cast<clang::DeclContext>(declaration);
    if (context != nullptr && context->isDependentContext() &&
        !llvm::isa<clang::LinkageSpecDecl, clang::NamespaceDecl>(declaration))
      return true;
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (function != nullptr && function->isThisDeclarationADefinition())
      found_.functions_.insert(function->getCanonicalDecl());
    around_.push_back({nullptr, declaration});
    const bool go_on = tree_walker::TraverseDecl(declaration);
    around_.pop_back();
    return go_on;
  }
  bool TraverseStmt(clang::Stmt* statement) override {
    if (statement == nullptr) return true;
    around_.push_back({statement, nullptr});
    const bool go_on = tree_walker::TraverseStmt(statement);
    around_.pop_back();
    return go_on;
  }
  // The semantic form, since the written form has no conversions.
  bool TraverseInitListExpr(clang::InitListExpr* list) override {
    clang::InitListExpr* meant = list->isSemanticForm() ? list : list->getSemanticForm();
    return TraverseSynOrSemInitListExpr(meant == nullptr ? list : meant);
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    const clang::NonOdrUseReason nowhere = name->isNonOdrUse();
    if (variable == nullptr || nowhere == clang::NOUR_Unevaluated ||
        nowhere == clang::NOUR_Discarded)
      return true;
    variable = variable->getCanonicalDecl();
    const bool reference = variable->getType()->isReferenceType();
    if (variable->hasGlobalStorage()) {
      follow(variable, place::object);
    } else if (reference || variable->getType()->isPointerType()) {
      if (name->refersToEnclosingVariableOrCapture()) {
        escape(variable);
      } else {
        follow(variable, reference ? place::object : place::slot);
      }
    }
    return true;
  }
  // A static member, named through an object.
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      follow(variable->getCanonicalDecl(), place::object);
    return true;
  }
  bool VisitFileScopeAsmDecl(clang::FileScopeAsmDecl* assembly) override {
    found_.symbol_texts_.push_back(assembly->getAsmString()->getString().str());
    return true;
  }
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* assembly) override {
    found_.symbol_texts_.push_back(assembly->getAsmString()->getString().str());
    return true;
  }
  // The cleanup function gets the address of the variable at the end of its life.
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->hasAttr<clang::CleanupAttr>())
      found_.facts_[variable->getCanonicalDecl()].own.escapes = variable->getLocation();
    return true;
  }
  bool VisitNamedDecl(clang::NamedDecl* declaration) override {
    if (const auto* label = declaration->getAttr<clang::AsmLabelAttr>())
      found_.symbol_texts_.push_back(label->getLabel().str());
    if (const auto* alias = declaration->getAttr<clang::AliasAttr>())
      found_.symbol_texts_.push_back(alias->getAliasee().str());
    return true;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  // What an expression stands for.
  enum class place {
    object,   // the variable, or a part of it
    address,  // a pointer to that
    slot,     // a local pointer that may hold such an address
  };
  using next = std::optional<place>;  // nothing: the way ends here
  struct step {
    const clang::Stmt* statement = nullptr;
    const clang::Decl* declaration = nullptr;
  };

  void follow(const clang::VarDecl* variable, place now) {
    followed_ = variable;
    for (std::size_t at = around_.size() - 1;; --at) {
      if (at == 0) return escape(variable);
      const auto* one = llvm::cast<clang::Expr>(around_[at].statement);
      const step& outer = around_[at - 1];
      if (outer.statement == nullptr) return initialise(outer.declaration, now);
      const next then = go(one, outer.statement, now);
      if (!then) return;
      now = *then;
      if (!llvm::isa<clang::Expr>(outer.statement)) return escape(variable);
    }
  }

  next go(const clang::Expr* one, const clang::Stmt* around, place now) {
    if (drops_value(around)) return {};
    if (llvm::isa<clang::ParenExpr, clang::FullExpr>(around)) return now;
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(around)) return go(cast, now);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(around)) return go(unary, now);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(around))
      return go(one, binary, now);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(around)) return go(member, now);
    if (const auto* call = llvm::dyn_cast<clang::CallExpr>(around)) return go(one, call, now);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(around))
      return choice->getCond() == one ? next{} : next{now};
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(around)) {
      if (now == place::address && element->getBase() == one) return place::object;
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(around)) {
      const clang::CXXConstructorDecl* callee = made->getConstructor();
      if (now == place::object && callee->isCopyOrMoveConstructor() && callee->isTrivial())
        return {};
    } else if (const auto* atomic = llvm::dyn_cast<clang::AtomicExpr>(around)) {
      if (now == place::address && atomic->getPtr() == one) return go(atomic);
    } else if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(around)) {
      if (loop->getBody() == one) return {};
      const clang::VarDecl* each = loop->getLoopVariable();
      if (now == place::object && loop->getRangeInit() == one && one->getType()->isArrayType() &&
          !llvm::isa<clang::DecompositionDecl>(each)) {
        if (each->getType()->isReferenceType()) leads_from(each);
        return {};
      }
    }
    return lost();
  }

  next go(const clang::CastExpr* cast, place now) {
    switch (cast->getCastKind()) {
      case clang::CK_NoOp: return now;
      case clang::CK_LValueToRValue: return now == place::slot ? next{place::address} : next{};
      case clang::CK_LValueToRValueBitCast: return now == place::object ? next{} : lost();
      case clang::CK_ArrayToPointerDecay: return now == place::object ? place::address : lost();
      case clang::CK_BitCast: return now;
      case clang::CK_LValueBitCast:
      case clang::CK_DerivedToBase:
      case clang::CK_UncheckedDerivedToBase: return now == place::slot ? lost() : next{now};
      case clang::CK_ToVoid:
      case clang::CK_PointerToBoolean: return {};
      default: return lost();
    }
  }

  next go(const clang::UnaryOperator* unary, place now) {
    switch (unary->getOpcode()) {
      case clang::UO_AddrOf: return now == place::object ? place::address : lost();
      case clang::UO_Deref: return place::object;
      case clang::UO_LNot: return {};
      case clang::UO_Extension: return now;
      case clang::UO_PreInc:
      case clang::UO_PreDec:
      case clang::UO_PostInc:
      case clang::UO_PostDec: return changed(unary, now);
      default: return lost();
    }
  }

  next go(const clang::Expr* one, const clang::BinaryOperator* binary, place now) {
    const bool left = binary->getLHS() == one;
    if (binary->isAssignmentOp()) {
      if (left) return changed(binary, now);
      const auto* to = llvm::dyn_cast<clang::DeclRefExpr>(binary->getLHS()->IgnoreParens());
      if (to == nullptr || to->refersToEnclosingVariableOrCapture()) return lost();
      const auto* pointer = llvm::dyn_cast<clang::VarDecl>(to->getDecl());
      if (pointer == nullptr || !pointer->hasLocalStorage() ||
          !pointer->getType()->isPointerType() || now != place::address)
        return lost();
      leads_from(pointer);
      return binary->isGLValue() ? place::slot : place::address;
    }
    if (binary->getOpcode() == clang::BO_Comma) return left ? next{} : next{now};
    if (binary->isComparisonOp() || binary->isLogicalOp()) return {};
    if (binary->isAdditiveOp() && now == place::address)
      return binary->getType()->isPointerType() ? next{now} : next{};
    return lost();
  }

  next go(const clang::MemberExpr* member, place now) {
    // The method gets the object by its name, or by a pointer that has its address.
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()))
      return works_on_view(method) && now == (member->isArrow() ? place::address : place::object)
                 ? next{place::object}
                 : lost();
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field == nullptr || now == place::slot) return lost();
    return field->getType()->isReferenceType() ? next{} : next{place::object};
  }

  next go(const clang::AtomicExpr* atomic) {
    uses().atomic_in.insert(function_here());
    const bool reads = atomic->getOp() == clang::AtomicExpr::AO__atomic_load ||
                       atomic->getOp() == clang::AtomicExpr::AO__atomic_load_n;
    if (!reads) uses().changed_in.insert(function_here());
    return {};
  }

  next go(const clang::Expr* one, const clang::CallExpr* call, place now) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const auto* end = call->getArgs() + call->getNumArgs();
    const auto* found = std::find(call->getArgs(), end, one);
    const auto* called = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
    if (called != nullptr && call->getCallee()->IgnoreParens() == one && works_on_view(called))
      return go(called);
    if (callee == nullptr || found == end || now == place::slot) return lost();
    const auto index = static_cast<unsigned>(found - call->getArgs());
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee)) {
      if (works_on_view(method) && index == 0) return go(method);
      if (llvm::isa<clang::CXXOperatorCallExpr>(call)) {
        const bool copies = method->isTrivial() && (method->isCopyAssignmentOperator() ||
                                                    method->isMoveAssignmentOperator());
        if (!copies || now != place::object) return lost();
        return index == 0 ? changed(call, now) : next{};
      }
      if (method->isVirtual()) return lost();
    }
    if (is_minimum_or_maximum(callee)) return now;
    // The runtime keeps the address to find views by it. To tasks the reducer itself is the view.
    if (is_view_function(callee) && index == 0 && now == place::address)
      return callee->getReturnType()->isPointerType() ? next{place::address} : next{};
    if (is_sync_operation(callee) && index == 0 && now == place::address) {
      uses().atomic_in.insert(function_here());
      uses().changed_in.insert(function_here());
      return {};
    }
    const clang::FunctionDecl* definition = callee->getDefinition();
    if (definition == nullptr && is_library_function(source_, callee)) {
      const bool only_read =
          index < callee->getNumParams() &&
          callee->getParamDecl(index)->getType()->getPointeeType().isConstQualified();
      if (!only_read) uses().changed_in.insert(function_here());
      // These functions return their first argument if they return a pointer.
      const bool back = index == 0 && callee->getReturnType()->isPointerType();
      return back ? next{place::address} : next{};
    }
    if (definition == nullptr || index >= definition->getNumParams() ||
        source_.sources().isInSystemHeader(definition->getLocation()))
      return lost();
    if (is_task(definition) && !is_task(function_here())) return lost();
    const clang::ParmVarDecl* parameter = definition->getParamDecl(index);
    const bool fits = now == place::object ? parameter->getType()->isReferenceType()
                                           : parameter->getType()->isPointerType();
    if (!fits) return lost();
    leads_from(parameter);
    return {};
  }

  // Whether the method is one of a reducer of cilk/reducer.h, or of the library's view in it. They
  // keep no pointer; the runtime finds views by the reducer's address. To tasks the reducer itself
  // is the view.
  bool works_on_view(const clang::CXXMethodDecl* method) const {
    if (is_reducer_class(method->getParent())) return true;
    clang::QualType type = source_.context->getBaseElementType(followed_->getType());
    if (type->isPointerType() || type->isReferenceType()) type = type->getPointeeType();
    const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
    const auto facts = is_reducer_class(record) ? facts_of_reducer_class(record) : std::nullopt;
    const clang::CXXRecordDecl* view =
        facts && facts->keeps_best ? facts->view->getAsCXXRecordDecl() : nullptr;
    return view != nullptr && view->hasDefinition() &&
           (declaresSameEntity(view, method->getParent()) ||
            view->isDerivedFrom(method->getParent()));
  }
  next go(const clang::CXXMethodDecl* method) {
    if (!method->isConst()) uses().changed_in.insert(function_here());
    if (method->getReturnType()->isPointerType()) return place::address;
    return method->getReturnType()->isReferenceType() ? next{place::object} : next{};
  }

  void initialise(const clang::Decl* declaration, place now) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    const bool local = variable != nullptr && variable->hasLocalStorage() &&
                       !llvm::isa<clang::ParmVarDecl, clang::DecompositionDecl>(variable);
    const bool fits = local && ((now == place::address && variable->getType()->isPointerType()) ||
                                (now == place::object && variable->getType()->isReferenceType()));
    if (!fits) return escape(followed_);
    leads_from(variable);
  }

  next changed(const clang::Expr* by, place now) {
    if (now == place::object) uses().changed_in.insert(function_here());
    if (by->isGLValue()) return now;
    return now == place::slot ? next{place::address} : next{};
  }
  void leads_from(const clang::VarDecl* pointer) {
    found_.facts_[followed_].pointers.insert(pointer->getCanonicalDecl());
  }
  next lost() {
    escape(followed_);
    return {};
  }
  void escape(const clang::VarDecl* variable) {
    std::optional<clang::SourceLocation>& first = found_.facts_[variable].own.escapes;
    const clang::Stmt* name = around_.back().statement;
    if (!first) first = source_.sources().getExpansionLoc(name->getBeginLoc());
  }
  variable_uses& uses() { return found_.facts_[followed_].own; }

  const clang::FunctionDecl* function_here() const {
    for (const step& outer : llvm::reverse(around_)) {
      if (const auto* lambda = llvm::dyn_cast_or_null<clang::LambdaExpr>(outer.statement))
        return lambda->getCallOperator()->getCanonicalDecl();
      if (const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(outer.declaration))
        return function->getCanonicalDecl();
    }
    return nullptr;
  }
  // A leaf is called like an ordinary function.
  bool is_task(const clang::FunctionDecl* function) const {
    const task_function* task = source_.task_of(function);
    return task != nullptr && !task->leaf;
  }

  const program& source_;
  escape_analysis& found_;
  std::vector<step> around_;
  const clang::VarDecl* followed_ = nullptr;
};

escape_analysis::escape_analysis(const program& source) { escape_finder(source, *this).run(); }

variable_uses escape_analysis::of(const clang::VarDecl* variable) const {
  variable_uses all;
  const std::string name = variable->getNameAsString();
  const auto names_it = [&](const std::string& text) { return names_symbol(text, name); };
  if (std::ranges::any_of(symbol_texts_, names_it)) all.escapes = variable->getLocation();
  llvm::SetVector<const clang::VarDecl*> reached;
  reached.insert(variable->getCanonicalDecl());
  for (std::size_t i = 0; i < reached.size(); ++i) {
    // The bodies of functions in the system's headers are not analysed.
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(reached[i]);
    const auto* function = parameter == nullptr
                               ? nullptr
                               : llvm::dyn_cast<clang::FunctionDecl>(parameter->getDeclContext());
    if (function != nullptr && !functions_.contains(function->getCanonicalDecl()) && !all.escapes)
      all.escapes = parameter->getLocation();
    const auto found = facts_.find(reached[i]);
    if (found == facts_.end()) continue;
    const variable_uses& own = found->second.own;
    if (!all.escapes) all.escapes = own.escapes;
    all.changed_in.insert(own.changed_in.begin(), own.changed_in.end());
    all.atomic_in.insert(own.atomic_in.begin(), own.atomic_in.end());
    reached.insert(found->second.pointers.begin(), found->second.pointers.end());
  }
  return all;
}

}  // namespace cilk2chan
