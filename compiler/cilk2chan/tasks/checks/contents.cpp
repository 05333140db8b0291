#include "analysis/made_places.hpp"
#include "diagnostics/refusals.hpp"

#include <llvm/ADT/StringSet.h>
#include "frontend/children.hpp"  // bare
#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "tasks/checks/check.hpp"

namespace cilk2chan {
namespace {

const llvm::StringSet<> jump_functions = {"setjmp",      "_setjmp",          "sigsetjmp",
                                          "longjmp",     "siglongjmp",       "__builtin_setjmp",
                                          "__sigsetjmp", "__builtin_longjmp"};
// Names that every generated task declares, which hide types of the program.
const llvm::StringSet<> member_types = {"result_type", "arguments", "frame", "spawns",
                                        "enter",       "resume",    "Lane",  "name",
                                        "spawn_bound", "channels"};

class contents_checker : public tree_walker {
 public:
  explicit contents_checker(const program& source)
      : source_(source),
        diagnostics_(source.context->getDiagnostics()),
        sources_(source.sources()) {}

  bool VisitGotoStmt(clang::GotoStmt* node) override {
    return no(node->getGotoLoc(), refusals::jump);
  }
  bool VisitIndirectGotoStmt(clang::IndirectGotoStmt* node) override {
    return no(node->getGotoLoc(), refusals::jump);
  }
  bool VisitLabelStmt(clang::LabelStmt* node) override {
    return no(node->getIdentLoc(), refusals::jump);
  }
  bool VisitAsmStmt(clang::AsmStmt* node) override {
    return no(node->getAsmLoc(), refusals::assembly);
  }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr* node) override {
    return no(node->getThrowLoc(), refusals::exception);
  }
  bool VisitCXXTryStmt(clang::CXXTryStmt* node) override {
    return no(node->getTryLoc(), refusals::exception);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* node) override {
    return no(node->getBeginLoc(), refusals::lambda_inside);
  }
  bool TraverseStmtExpr(clang::StmtExpr* node) override {
    return no(node->getBeginLoc(), refusals::statement_expression);
  }
  // In the system's macros, such as `assert`, the name is only for messages.
  bool VisitPredefinedExpr(clang::PredefinedExpr* node) override {
    if (sources_.isInSystemMacro(node->getLocation())) return true;
    return no(node->getLocation(), refusals::function_name);
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    const clang::CallExpr* call = is_spawn(node, sources_)
                                      ? llvm::dyn_cast<clang::CallExpr>(bare(node->getSubExpr()))
                                      : nullptr;
    if (call != nullptr && call->getDirectCallee() != nullptr)
      check_arguments(call, call->getDirectCallee());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr* node) override {
    const clang::FunctionDecl* callee = node->getDirectCallee();
    if (callee == nullptr || callee->getIdentifier() == nullptr) return true;
    if (source_.task_of(callee) != nullptr) check_arguments(node, callee);
    const llvm::StringRef name = callee->getName();
    if (jump_functions.contains(name)) {
      no(node->getExprLoc(), name.contains("setjmp") ? refusals::set_jump : refusals::long_jump,
         name);
    }
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt* node) override {
    for (const clang::Decl* one : node->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr) {
        if (!llvm::isa<clang::StaticAssertDecl, clang::EmptyDecl>(one)) {
          no(one->getLocation(), refusals::local_type);
        }
      } else if (!variable->hasLocalStorage()) {
        no(variable->getLocation(), refusals::static_local, name_of(variable));
      }
    }
    return true;
  }
  // A name with another one in front is none of those that a task declares.
  bool TraverseTypeLoc(clang::TypeLoc type) override {
    const auto where = type.getUnqualifiedLoc().getAs<clang::ElaboratedTypeLoc>();
    const clang::NestedNameSpecifier* first =
        where.isNull() ? nullptr : where.getQualifierLoc().getNestedNameSpecifier();
    const bool qualified = first != nullptr && llvm::isa<clang::TagType, clang::TypedefType>(
                                                   where.getNamedTypeLoc().getTypePtr());
    if (!qualified) return tree_walker::TraverseTypeLoc(type);
    while (first->getPrefix() != nullptr) first = first->getPrefix();
    const clang::NamedDecl* named = first->getAsNamespace();
    if (first->getAsType() != nullptr) named = first->getAsType()->getAsTagDecl();
    return named == nullptr || type_named(where, named);
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc node) override { return type_named(node, node.getDecl()); }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc node) override {
    return type_named(node, node.getTypedefNameDecl());
  }

 private:
  // A child runs when the statement is over. Plain forms have seen to what is in a box.
  void check_arguments(const clang::CallExpr* call, const clang::FunctionDecl* callee) {
    for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); ++i) {
      const clang::QualType type = callee->getParamDecl(i)->getType();
      const clang::RecordDecl* record = type->getAsRecordDecl();
      if (!may_point(type) || (record != nullptr && record->getName().starts_with("cilk_")))
        continue;
      for (const clang::Expr* each : find_places(call->getArg(i)).found) {
        if (llvm::isa<clang::MaterializeTemporaryExpr>(each) && !has_pointers_only(each->getType()))
          no(each->getExprLoc(), refusals::temporary_argument);
      }
    }
  }
  bool type_named(clang::TypeLoc where, const clang::NamedDecl* declaration) {
    const clang::IdentifierInfo* identifier = declaration->getIdentifier();
    if (identifier != nullptr && member_types.contains(identifier->getName())) {
      no(where.getBeginLoc(), refusals::reserved_type, identifier->getName());
    }
    return true;
  }

  bool no(clang::SourceLocation where, const refusal& why, llvm::StringRef name = {}) {
    refuse(diagnostics_, where, why, name);
    return true;
  }

  const program& source_;
  clang::DiagnosticsEngine& diagnostics_;
  const clang::SourceManager& sources_;
};

}  // namespace

void check_contents(const program& source, const task_function& task, const function_facts&) {
  contents_checker(source).look_through(task.definition);
}

}  // namespace cilk2chan
