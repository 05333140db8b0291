#include "tasks/lanes/printing.hpp"

#include "analysis/library_calls.hpp"
#include "frontend/type_text.hpp"
#include "tasks/node_text.hpp"

#include <clang/AST/PrettyPrinter.h>
#include <clang/AST/StmtCXX.h>

namespace cilk2chan {
namespace {

// Clang's printer forgets its helper inside of declarations, so this one prints them, and loops
// that begin with one.
class code_printer : public clang::PrinterHelper {
 public:
  code_printer(const program& source, const name_rules& rules)
      : source_(source), rules_(rules), policy_(source.context->getLangOpts()) {
    policy_.Bool = true;
    policy_.Restrict = false;
    policy_.SuppressTagKeyword = source.context->getLangOpts().CPlusPlus;
  }

  bool handledStmt(clang::Stmt* code, llvm::raw_ostream& out) override {
    const auto* value = llvm::dyn_cast<clang::Expr>(code);
    if (value != nullptr && rules_.place) {
      const std::string text = rules_.place(value);
      out << text;
      if (!text.empty()) return true;
    }
    const device_spelling* now = value == nullptr ? nullptr : source_.spelling_of(value);
    if (now != nullptr && spelled_.insert(value).second) {
      out << now->before;
      if (now->kept != nullptr) expression(now->kept, out);
      out << now->after;
      spelled_.erase(value);
      return true;
    }
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(code)) {
      const std::string text = name_of(name);
      out << text;
      return !text.empty();
    }
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(code)) {
      if (!source_.is_c() || !wants_cast(source_, cast)) return false;
      out << "(" << type_text(source_, cast->getType()) << ")(";
      expression(cast->getSubExpr(), out);
      out << ")";
      return true;
    }
    if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(code)) {
      declare(declaration, out);
      out << "\n";
      return true;
    }
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) {
      const std::string other = rules_.loop ? rules_.loop(loop) : "";
      if (other.empty()) {
        print_loop(loop, out);
      } else {
        out << other << "\n";
      }
      return true;
    }
    return false;
  }

  void statement(const clang::Stmt* code, llvm::raw_ostream& out) {
    if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) {
      expression(value, out);
      out << ";\n";
    } else {
      code->printPretty(out, this, policy_, 0, "\n", source_.context);
    }
  }
  void expression(const clang::Expr* value, llvm::raw_ostream& out) {
    value->printPretty(out, this, policy_, 0, "\n", source_.context);
  }

  void declare(const clang::VarDecl* variable, llvm::raw_ostream& out) {
    std::string name = rules_.variable ? rules_.variable(variable) : "";
    if (name.empty()) name = variable->getNameAsString();
    // In C++ the value of a constant may be needed where only constants can be.
    const bool constant = variable->getType().isConstQualified() && variable->hasInit();
    if (!source_.is_c()) out << (variable->isConstexpr() ? "constexpr " : constant ? "const " : "");
    out << type_text(source_, variable->getType(), name);
    const clang::Expr* value = variable->getInit();
    if (value == nullptr) return;
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(value);
    const bool lists = variable->getInitStyle() == clang::VarDecl::ListInit;
    if (made != nullptr && made->getNumArgs() == 0 && !lists) return;
    const bool calls = variable->getInitStyle() == clang::VarDecl::CallInit;
    out << (calls ? "(" : lists ? "" : " = ");
    expression(value, out);
    out << (calls ? ")" : "");
  }

 private:
  std::string name_of(const clang::DeclRefExpr* name) const {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr) return rules_.variable ? rules_.variable(variable) : "";
    const std::string other = rules_.callee ? rules_.callee(name) : "";
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    const bool is_sized = function != nullptr && has_sized_name(function);
    return other.empty() && is_sized ? written_name(function) : other;
  }

  void declare(const clang::DeclStmt* declaration, llvm::raw_ostream& out) {
    for (const clang::Decl* each : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (variable == nullptr || variable->hasExternalStorage()) {
        each->print(out, policy_);
      } else {
        declare(variable, out);
      }
      out << "; ";
    }
  }

  void print_loop(const clang::ForStmt* loop, llvm::raw_ostream& out) {
    out << "{ ";
    if (const auto* first = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit())) {
      declare(first, out);
    } else if (loop->getInit() != nullptr) {
      expression(llvm::cast<clang::Expr>(loop->getInit()), out);
      out << "; ";
    }
    out << "for (; ";
    if (loop->getCond() != nullptr) expression(loop->getCond(), out);
    out << "; ";
    if (loop->getInc() != nullptr) expression(loop->getInc(), out);
    out << ") {\n";
    statement(loop->getBody(), out);
    out << "} }\n";
  }

  const program& source_;
  const name_rules& rules_;
  clang::PrintingPolicy policy_;
  llvm::DenseSet<const clang::Expr*> spelled_;  // around what is printed
};

}  // namespace

std::string print(const program& source, const clang::Stmt* code, const name_rules& rules) {
  std::string text;
  llvm::raw_string_ostream out(text);
  code_printer printer(source, rules);
  if (const auto* value = llvm::dyn_cast<clang::Expr>(code)) {
    printer.expression(value, out);
  } else {
    printer.statement(code, out);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string print_declaration(const program& source, const clang::VarDecl* variable,
                              const name_rules& rules) {
  std::string text;
  llvm::raw_string_ostream out(text);
  code_printer(source, rules).declare(variable, out);
  return text;
}

std::string key_of(const clang::VarDecl* variable) {
  return "#" + std::to_string(variable->getCanonicalDecl()->getID());
}

std::string key_of(const program& source, const clang::Expr* value) {
  name_rules rules;
  rules.variable = [](const clang::VarDecl* variable) { return key_of(variable); };
  return print(source, value->IgnoreParenImpCasts(), rules);
}

}  // namespace cilk2chan
