#include "host_code/spawns/cxx_children.hpp"

#include "diagnostics/refusals.hpp"  // reasons
#include "frontend/tree_walker.hpp"

#include <algorithm>

namespace cilk2chan::host_code {
namespace {

template <class Range, class Test>
bool declares(const Range& members, Test test) {
  return std::any_of(members.begin(), members.end(), [&](const auto* one) {
    return test(one) && !one->isDeleted() && one->getAccess() == clang::AS_public;
  });
}

bool is_movable(clang::QualType type) {
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr || !record->hasDefinition()) return true;
  return record->hasSimpleMoveConstructor() || record->hasSimpleCopyConstructor() ||
         declares(record->ctors(), [](const clang::CXXConstructorDecl* one) {
           return one->isCopyOrMoveConstructor();
         });
}

// Whether a default constructor is a template, as in std::unique_ptr.
bool has_default_template(const clang::CXXRecordDecl* record) {
  return std::any_of(record->decls_begin(), record->decls_end(), [](const clang::Decl* one) {
    const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(one);
    const auto* made = pattern == nullptr
                           ? nullptr
                           : llvm::dyn_cast<clang::CXXConstructorDecl>(pattern->getTemplatedDecl());
    return made != nullptr && made->getMinRequiredArguments() == 0 && !made->isDeleted();
  });
}

// Whether a variable of this type can be declared first and get its value later.
bool can_wait(clang::QualType type) {
  if (type->isReferenceType() || type->isArrayType()) return false;
  const auto* record = type->getAsCXXRecordDecl();
  if (record == nullptr) return true;
  if (!record->hasDefinition()) return false;
  const bool made = record->needsImplicitDefaultConstructor()
                        ? std::ranges::none_of(record->fields(),
                                               [](const clang::FieldDecl* one) {
                                                 return (one->getType()->isReferenceType() ||
                                                         one->getType().isConstQualified()) &&
                                                        !one->hasInClassInitializer();
                                               })
                        : declares(record->ctors(),
                                   [](const clang::CXXConstructorDecl* one) {
                                     return one->isDefaultConstructor();
                                   }) ||
                              has_default_template(record);
  const bool set = record->hasSimpleMoveAssignment() || record->hasSimpleCopyAssignment() ||
                   declares(record->methods(), [](const clang::CXXMethodDecl* one) {
                     return one->isCopyAssignmentOperator() || one->isMoveAssignmentOperator();
                   });
  return made && set;
}

// Finds temporary objects in an argument that die before the child may run.
class temporaries : public tree_walker {
 public:
  explicit temporaries(const clang::MaterializeTemporaryExpr* kept) : kept_(kept) {}

  bool any = false;
  bool owns = false;  // some resource ends with a temporary

  bool VisitMaterializeTemporaryExpr(clang::MaterializeTemporaryExpr* node) override {
    if (node == kept_) return true;
    any = true;
    if (node->getType().isDestructedType() != clang::QualType::DK_none ||
        !node->getType()->isRecordType())
      owns = true;
    return true;
  }
  bool VisitCXXStdInitializerListExpr(clang::CXXStdInitializerListExpr*) override {
    any = owns = true;
    return true;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }

 private:
  const clang::MaterializeTemporaryExpr* kept_;
};

class cxx_child_planner {
 public:
  explicit cxx_child_planner(const clang::ASTContext& context) : context_(context) {}

  cxx_child of(const clang::CallExpr* call) {
    cxx_child child;
    const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
    if (operation != nullptr && operation->getOperator() != clang::OO_Call) {
      child.why_not = reasons::operator_call;
      return child;
    }
    if (operation != nullptr) {
      child.object = of_object(operation->getArg(0), child);
    } else if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call)) {
      const clang::Expr* callee = call->getCallee()->IgnoreParens();
      if (!llvm::isa<clang::MemberExpr>(callee)) {
        child.why_not = reasons::member_pointer;
        return child;
      }
      if (!member->getImplicitObjectArgument()->getType()->isPointerType()) {
        child.object = of_object(llvm::cast<clang::MemberExpr>(callee)->getBase(), child);
      }
    } else {
      const auto* callee = call->getCallee();
      temporaries found(nullptr);
      found.look_through(callee);
      if (found.owns) child.why_not = reasons::temporary_argument;
    }
    const clang::FunctionProtoType* type = type_of(call);
    if (const auto* function = call->getDirectCallee()) {
      if (function->getBuiltinID() != 0 &&
          !context_.BuiltinInfo.isPredefinedLibFunction(function->getBuiltinID())) {
        child.why_not = reasons::built_in;
      }
      if (function->isConsteval()) child.why_not = reasons::compile_time;
    }
    unsigned index = 0;
    for (const clang::Expr* one : written_arguments(call)) {
      const bool has_parameter = type != nullptr && index < type->getNumParams();
      child.arguments.push_back(
          of_argument(one, has_parameter ? type->getParamType(index) : clang::QualType(), child));
      ++index;
    }
    return child;
  }

 private:
  const clang::FunctionProtoType* type_of(const clang::CallExpr* call) const {
    if (const auto* function = call->getDirectCallee())
      return function->getType()->getAs<clang::FunctionProtoType>();
    clang::QualType type = call->getCallee()->getType();
    if (const auto* pointer = type->getAs<clang::PointerType>()) type = pointer->getPointeeType();
    return type->getAs<clang::FunctionProtoType>();
  }

  // A lambda that cannot change can be replaced by a copy of it.
  static bool is_constant_lambda(clang::QualType type) {
    const auto* record = type->getAsCXXRecordDecl();
    if (record == nullptr || !record->isLambda() || !record->hasSimpleCopyConstructor())
      return false;
    const clang::CXXMethodDecl* call = record->getLambdaCallOperator();
    return call != nullptr && call->isConst();
  }

  child_argument of_object(const clang::Expr* object, cxx_child& child) {
    child_argument made;
    const auto* kept = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(object->IgnoreImpCasts());
    if (object->getType()->isPointerType()) {
      made.passed = child_argument::reference;  // to the object that the pointer points to
    } else if (is_constant_lambda(object->getType())) {
      made.passed = child_argument::value;  // a copy: the lambda may die before the child runs
    } else if (kept != nullptr || object->isPRValue()) {
      made.passed = child_argument::value;
      if (!is_movable(object->getType())) child.why_not = reasons::immovable_argument;
    } else {
      made.passed = object->isXValue() ? child_argument::moved : child_argument::reference;
    }
    temporaries found(kept);
    found.look_through(object);
    if (found.owns) child.why_not = reasons::temporary_argument;
    return made;
  }

  child_argument of_argument(const clang::Expr* given, clang::QualType parameter,
                             cxx_child& child) {
    child_argument made;
    const clang::Expr* stripped = given;
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(stripped)) stripped = full->getSubExpr();
    const clang::MaterializeTemporaryExpr* kept = nullptr;
    if (parameter.isNull()) parameter = given->getType().getNonReferenceType();
    if (parameter->isReferenceType()) {
      kept = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(stripped->IgnoreImpCasts());
      if (kept == nullptr) {
        made.passed = stripped->isXValue() ? child_argument::moved : child_argument::reference;
        check_temporaries(given, kept, true, child);
        return made;
      }
      const clang::QualType referred = parameter->getPointeeType();
      made.passed =
          parameter->isRValueReferenceType() ? child_argument::value : child_argument::constant;
      made.move = parameter->isRValueReferenceType();
      as_value(given, referred.getUnqualifiedType(), made, child);
      check_temporaries(given, kept, views(referred), child);
      return made;
    }
    made.move = !parameter.isTrivialType(context_);
    as_value(given, parameter.getUnqualifiedType(), made, child);
    check_temporaries(given, kept, views(parameter), child);
    return made;
  }

  // Whether an object may point to the object it was made from.
  bool views(clang::QualType type) const {
    return type->isPointerType() || type->isMemberPointerType() ||
           (type->isRecordType() && type.isTriviallyCopyableType(context_));
  }

  void check_temporaries(const clang::Expr* given, const clang::MaterializeTemporaryExpr* kept,
                         bool points, cxx_child& child) {
    if (!points) return;
    temporaries found(kept);
    found.look_through(given);
    if (found.owns) child.why_not = reasons::temporary_argument;
  }

  void as_value(const clang::Expr* given, clang::QualType to, child_argument& made,
                cxx_child& child) {
    if (!is_movable(to)) child.why_not = reasons::immovable_argument;
    const clang::Expr* spelled = given->IgnoreUnlessSpelledInSource()->IgnoreParens();
    const clang::QualType from = spelled->getType();
    const bool list = llvm::isa<clang::InitListExpr>(spelled);
    const bool null = spelled->isNullPointerConstant(const_cast<clang::ASTContext&>(context_),
                                                     clang::Expr::NPC_ValueDependentIsNotNull) !=
                      clang::Expr::NPCK_NotNull;
    if (!list && context_.hasSameUnqualifiedType(from, to)) return;
    if (!list && from->isArithmeticType() && to->isArithmeticType()) return;
    if (!list && !null && to->isPointerType() &&
        (from->isPointerType() || from->isArrayType() || from->isFunctionType()))
      return;
    made.convert = true;
    clang::PrintingPolicy policy(context_.getLangOpts());
    policy.FullyQualifiedName = true;
    policy.SuppressTagKeyword = true;
    policy.AnonymousTagLocations = false;
    policy.PrintCanonicalTypes = true;
    made.type = to.getAsString(policy);
    if (made.type.find('(') != std::string::npos &&
        made.type.find("(anonymous") != std::string::npos)
      child.why_not = reasons::unnamed_conversion;
    if (made.type.find("(lambda") != std::string::npos ||
        made.type.find("(unnamed") != std::string::npos)
      child.why_not = reasons::unnamed_conversion;
  }

  const clang::ASTContext& context_;
};

// Moves those arguments that `some` instance moves: where the type is a trivial one, to move it is
// to copy it.
void move_where_some_do(const std::vector<child_argument>& some,
                        std::vector<child_argument>& arguments) {
  for (std::size_t i = 0; i < std::min(some.size(), arguments.size()); ++i) {
    const bool alike = some[i].passed == arguments[i].passed;
    if (alike && some[i].move && !arguments[i].move) arguments[i].move = true;
  }
}

// Finds the spawns in instantiated templates.
class instantiations : public tree_walker {
 public:
  explicit instantiations(parsed_file& source) : source_(source), finder_(source.context) {}

  std::map<unsigned, std::vector<cxx_child>> found;
  std::map<unsigned, bool> cannot_wait;

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (!is_spawn(node, source_.sources) || node->isInstantiationDependent()) return true;
    const auto* call = llvm::dyn_cast<clang::CallExpr>(written(node->getSubExpr()));
    if (call != nullptr) found[source_.offset(node->getOperatorLoc())].push_back(finder_.of(call));
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!variable->hasLocalStorage() || !variable->hasInit() ||
        variable->getType()->isDependentType())
      return true;
    const auto* node = llvm::dyn_cast<clang::UnaryOperator>(written(variable->getInit()));
    if (node != nullptr && is_spawn(node, source_.sources) && !can_wait(variable->getType())) {
      cannot_wait[source_.offset(node->getOperatorLoc())] = true;
    }
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    if (const auto* pattern = lambda->getDependentCallOperator()) {
      for (clang::FunctionDecl* one : pattern->specializations()) TraverseStmt(one->getBody());
    }
    return true;
  }

 private:
  parsed_file& source_;
  cxx_child_planner finder_;
};

}  // namespace

std::vector<const clang::Expr*> written_arguments(const clang::CallExpr* call) {
  std::vector<const clang::Expr*> arguments;
  for (unsigned i = llvm::isa<clang::CXXOperatorCallExpr>(call) ? 1 : 0; i < call->getNumArgs();
       ++i) {
    if (!llvm::isa<clang::CXXDefaultArgExpr>(call->getArg(i))) arguments.push_back(call->getArg(i));
  }
  return arguments;
}

std::vector<cxx_child> plan_cxx_children(parsed_file& source, const place_list& places) {
  instantiations in_templates(source);
  for (clang::Decl* declaration : source.context.getTranslationUnitDecl()->decls()) {
    if (source.in_main_file(declaration->getLocation())) in_templates.TraverseDecl(declaration);
  }
  std::vector<cxx_child> all;
  for (const spawn_site& site : places.spawns) {
    cxx_child& child = all.emplace_back();
    if (site.call == nullptr) {
      child.why_not = "";
      continue;
    }
    const unsigned at = source.offset(site.node->getOperatorLoc());
    const auto& versions = in_templates.found[at];
    if (!versions.empty()) {
      child = versions.front();
      for (const cxx_child& one : versions) {
        move_where_some_do(one.arguments, child.arguments);
      }
      for (cxx_child one : versions) {
        if (one.why_not != nullptr) child.why_not = one.why_not;
        move_where_some_do(child.arguments, one.arguments);
        if (one.arguments != child.arguments || one.object != child.object) {
          child.why_not = reasons::different_instances;
        }
      }
    } else {
      // A template that is never instantiated.
      child.arguments.resize(written_arguments(site.call).size());
      child.object.passed = child_argument::reference;
    }
    const auto given = written_arguments(site.call);
    const bool pack = std::ranges::any_of(
        given, [](const clang::Expr* one) { return llvm::isa<clang::PackExpansionExpr>(one); });
    if (pack || child.arguments.size() != given.size()) child.why_not = reasons::parameter_pack;
    if (in_templates.cannot_wait.contains(at)) {
      child.why_not = reasons::value_needed;
    }
  }
  return all;
}

}  // namespace cilk2chan::host_code
