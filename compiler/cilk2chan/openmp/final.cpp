#include "openmp/final.hpp"

#include "openmp/teams.hpp"  // is_call_of

#include <clang/Basic/OpenMPKinds.h>

#include <algorithm>

namespace cilk2chan::openmp {
namespace {

constexpr const char* parameter = "cilk_omp_final";

bool is_question(const clang::CallExpr* call) { return is_call_of(call, "omp_in_final"); }

std::string second_name(const clang::FunctionDecl* one) {
  return "cilk_final_" + one->getNameAsString();
}

// On one line, so that the lines of the file stay.
std::string flat(std::string text) {
  for (std::size_t at = 0; (at = text.find("//", at)) != std::string::npos;)
    text.erase(at, std::min(text.find('\n', at), text.size()) - at);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

final_tasks::final_tasks(file_changes& out,
                         const std::map<unsigned, const clang::FunctionDecl*>& functions)
    : out_(out) {
  for (const auto& [at, function] : functions) {
    users_.push_back({function, {}});
    find_calls(users_.back(), function->getBody(), "");
  }
  find_askers();
}

void final_tasks::change_text() {
  for (const user& one : users_) {
    for (const call_site& site : one.calls) change_call(one, site);
    if (askers_.contains(one.function->getCanonicalDecl())) change_declarations(one.function);
  }
}

std::string final_tasks::resolved(const std::string& final,
                                  const clang::FunctionDecl* function) const {
  if (!final.empty()) return final;
  return askers_.contains(function->getCanonicalDecl()) ? parameter : "0";
}

std::string final_tasks::declare(const clang::OMPExecutableDirective* task) const {
  const auto found = values_.find(task);
  if (!asked_ || found == values_.end()) return "";
  const final_value& value = found->second;
  const std::string outer = resolved(value.outer, value.function);
  return "int " + value.name + " = " + (outer == "0" ? "" : outer + " || ") + "!!(" +
         out_.text_of(value.condition) + "); ";
}

void final_tasks::find_calls(user& one, const clang::Stmt* code, const std::string& final) {
  if (code == nullptr) return;
  if (const auto* directive = llvm::dyn_cast<clang::OMPExecutableDirective>(code)) {
    const auto* clause = directive->getSingleClause<clang::OMPFinalClause>();
    if (clause == nullptr) {
      const bool team = clang::isOpenMPParallelDirective(directive->getDirectiveKind());
      return find_calls(one, statement_of(directive), team ? "0" : final);
    }
    const std::string name = std::string(parameter) + "_" + std::to_string(out_.next_number());
    values_[directive] = {name, final, clause->getCondition(), one.function};
    return find_calls(one, statement_of(directive), name);
  }
  // A lambda does not know who calls it.
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(code))
    return find_calls(one, lambda->getBody(), "0");
  const auto* call = llvm::dyn_cast<clang::CallExpr>(code);
  if (call != nullptr && call->getDirectCallee() != nullptr) one.calls.push_back({call, final});
  for (const clang::Stmt* each : code->children()) find_calls(one, each, final);
}

// Whoever asks in its caller's task, or calls such a function there, asks its caller.
void final_tasks::find_askers() {
  for (bool more = true; more;) {
    more = false;
    for (const user& one : users_) {
      const clang::FunctionDecl* function = one.function->getCanonicalDecl();
      for (const call_site& site : one.calls) {
        asked_ = asked_ || is_question(site.call);
        const bool passed_on = site.final.empty() && (is_question(site.call) || asks(site.call));
        if (!passed_on || one.function->isMain() || askers_.contains(function)) continue;
        if (!can_be_asked(one.function)) {
          out_.refuse(site.call->getBeginLoc(), refusals::openmp_final, one.function->getName());
          continue;
        }
        askers_.insert(function);
        more = true;
      }
    }
  }
}

bool final_tasks::asks(const clang::CallExpr* call) const {
  return askers_.contains(call->getDirectCallee()->getCanonicalDecl());
}

// Its declaration can be written once more.
bool final_tasks::can_be_asked(const clang::FunctionDecl* function) const {
  return !llvm::isa<clang::CXXMethodDecl>(function) && !function->isTemplateInstantiation() &&
         !function->isVariadic() && function->hasPrototype() &&
         function->getIdentifier() != nullptr && function->getBeginLoc().isFileID() &&
         function->getLocation().isFileID() &&
         std::ranges::all_of(function->parameters(), [](const clang::ParmVarDecl* each) {
           return !each->hasDefaultArg() && !each->getName().empty();
         });
}

void final_tasks::change_call(const user& one, const call_site& site) {
  const std::string final = resolved(site.final, one.function);
  if (is_question(site.call))
    return out_.replace(out_.source.range(site.call->getSourceRange()), final);
  if (!asks(site.call)) return;
  const clang::Expr* callee = site.call->getCallee()->IgnoreParenImpCasts();
  out_.replace(out_.source.range(callee->getSourceRange()),
               second_name(site.call->getDirectCallee()));
  out_.source.hide(site.call->getRParenLoc());
  out_.insert(out_.source.offset(site.call->getRParenLoc()),
              (site.call->getNumArgs() == 0 ? "" : ", ") + final);
}

std::string final_tasks::second_form(const clang::FunctionDecl* one) {
  const unsigned begin = out_.source.offset(one->getBeginLoc());
  const unsigned name = out_.source.offset(one->getLocation());
  const auto type = one->getFunctionTypeLoc();
  const unsigned end = out_.source.offset(type.getRParenLoc());
  const std::string declared =
      one->getNumParams() == 0
          ? "("
          : out_.source.text().slice(name + one->getName().size(), end).str() + ", ";
  return out_.source.text().slice(begin, name).str() + second_name(one) + declared + "int " +
         parameter + ")";
}

// The definition gets the second name. A function of the first one stands behind it.
void final_tasks::change_declarations(const clang::FunctionDecl* function) {
  const unsigned begin = out_.source.offset(function->getBeginLoc());
  const unsigned body = out_.source.offset(function->getBody()->getBeginLoc());
  const std::string first = out_.source.text().slice(begin, body).str();
  const std::string second = second_form(function);
  for (const clang::FunctionDecl* each : function->redecls()) {
    if (each == function || !out_.source.in_main_file(each->getLocation())) continue;
    out_.insert(out_.source.offset(each->getBeginLoc()), flat(second) + "; ");
  }
  const unsigned end = out_.source.offset(function->getFunctionTypeLoc().getRParenLoc()) + 1;
  out_.replace({begin, end}, second);
  std::string arguments;
  for (const clang::ParmVarDecl* each : function->parameters())
    arguments += each->getNameAsString() + ", ";
  const bool value = !function->getReturnType()->isVoidType();
  out_.insert(out_.end_of(function->getBody()),
              " __attribute__((__unused__)) " + flat(first) + "{ " + (value ? "return " : "") +
                  second_name(function) + "(" + arguments + "0); }");
}

}  // namespace cilk2chan::openmp
