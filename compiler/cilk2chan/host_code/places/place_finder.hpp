#pragma once

#include "frontend/tree_walker.hpp"
#include "host_code/places/jumps.hpp"
#include "host_code/places/lifetimes.hpp"

namespace cilk2chan::host_code {

/// Walks through a file. The base class visits declarations; this class walks statements and
/// expressions, and carries what surrounds them along.
class place_finder : public tree_walker {
 public:
  explicit place_finder(parsed_file& source);
  place_list run();

  bool TraverseStmt(clang::Stmt* statement) override {
    walk(statement, {outside_, nullptr, nullptr}, position::value);
    return true;
  }
  bool TraverseFunctionDecl(clang::FunctionDecl* d) override { return walk_function(d); }
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl* d) override { return walk_function(d); }
  bool TraverseCXXConstructorDecl(clang::CXXConstructorDecl* d) override {
    return walk_function(d);
  }
  bool TraverseCXXDestructorDecl(clang::CXXDestructorDecl* d) override { return walk_function(d); }
  bool TraverseCXXConversionDecl(clang::CXXConversionDecl* d) override { return walk_function(d); }

 private:
  /// The surroundings of a statement.
  struct surroundings {
    region* where = nullptr;
    const loop_site* breaks = nullptr;  // the cilk_for or the block that a `break` here would leave
    region* switch_region = nullptr;    // the region of the innermost switch
    const loop_site* continues = nullptr;  // the same of a `continue`
  };
  /// Whether an expression's value is used. A statement drops it, and so do some operators.
  enum class position { statement, dropped, value };
  /// Declarations of inner blocks around a statement, with their regions, whose variables end.
  using inner_declarations = std::vector<std::pair<const region*, const clang::DeclStmt*>>;
  /// State of the walk that belongs to one function.
  struct function_state {
    jumps around;
    bool coroutine = false;
    std::size_t sites = 0;
    inner_declarations inside;
  };

  region* add_region(region_kind kind, region* outer, const clang::Stmt* body,
                     const clang::FunctionDecl* function);
  [[nodiscard]] std::size_t sites() const { return list_.spawns.size() + list_.loops.size(); }

  // Functions and lambdas (places.cpp).
  bool walk_function(clang::FunctionDecl* function);
  void walk_function_body(clang::Stmt* body, region* around);
  void walk_lambda(clang::LambdaExpr* lambda, const surroundings& around);
  function_state enter_function();
  void leave_function(function_state outer);

  // Statements (statements.cpp).
  void walk(clang::Stmt* statement, const surroundings& around, position where);
  void walk_block(clang::Stmt* body, const surroundings& around);
  void walk_scope(clang::Stmt* statement, std::map<unsigned, unsigned>::iterator scope,
                  surroundings around);
  void walk_statement(clang::Stmt* statement, const surroundings& around);
  void walk_compound(clang::CompoundStmt* block, const surroundings& around);
  void walk_if(clang::IfStmt* branch, const surroundings& around);
  void walk_loop(clang::Stmt* loop, surroundings around);
  void walk_for(clang::ForStmt* loop, const surroundings& around);
  void walk_switch(clang::SwitchStmt* choice, surroundings around);
  void walk_label(clang::Stmt* label, const surroundings& around);
  void walk_return(clang::Stmt* statement, const surroundings& around);
  void walk_try(clang::CXXTryStmt* attempt, surroundings around);
  void walk_head(clang::Stmt* statement, const surroundings& around);
  void walk_declarations(clang::DeclStmt* statement, const surroundings& around);
  void walk_children(clang::Stmt* node, const surroundings& around);
  [[nodiscard]] bool is_cilk_for(clang::SourceLocation where) const;

  // Expressions (expressions.cpp).
  void walk_expression(clang::Expr* node, const surroundings& around, position where);
  bool walk_operator(clang::Expr* node, const surroundings& around, position where);
  bool walk_dropped(clang::Expr* node, const surroundings& around);
  bool walk_assignment(clang::Expr* whole, clang::Expr* place, clang::Expr* value,
                       llvm::StringRef assignment, const surroundings& around, position where);
  void walk_statement_expression(clang::StmtExpr* block, const surroundings& around,
                                 position where);
  spawn_site& add_spawn(const clang::UnaryOperator* node, const surroundings& around);

  parsed_file& source_;
  place_list list_;
  lifetimes lifetimes_;
  region* outside_ = nullptr;
  std::map<unsigned, unsigned> scopes_;  // the keyword's offset by the statement's offset
  jumps jumps_;                          // labels and gotos of the current function
  bool coroutine_ = false;               // whether the current function is one
  inner_declarations inside_;
};

}  // namespace cilk2chan::host_code
