#include "normal_form/regions.hpp"

#include "analysis/allocations.hpp"
#include "analysis/breakable_walker.hpp"
#include "analysis/element_types.hpp"  // has_default_constructor
#include "analysis/made_places.hpp"    // literal_read
#include "diagnostics/refusals.hpp"    // reasons
#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/writer.hpp"
#include "normal_form/hidden_types.hpp"
#include "normal_form/plain_types.hpp"
#include "tasks/node_text.hpp"  // wants_semicolon

#include <llvm/ADT/SetVector.h>

#include <algorithm>
#include <optional>

namespace cilk2chan {
namespace {

// Whether there is a spawn outside of lambdas.
bool spawns(const parsed_file& source, const clang::Stmt* code) {
  struct visitor : tree_walker {
    explicit visitor(const parsed_file& file) : source(file) {}
    const parsed_file& source;
    bool found = false;
    bool TraverseLambdaExpr(clang::LambdaExpr*) override { return true; }
    bool VisitUnaryOperator(clang::UnaryOperator* node) override {
      found = found || is_spawn(node, source.sources);
      return true;
    }
    bool VisitForStmt(clang::ForStmt* node) override {
      found = found || is_spawned_block(node->getForLoc(), source.sources);
      return true;
    }
  };
  visitor look(source);
  look.look_through(code);
  return look.found;
}

// What a region has in it.
class region_reader : public breakable_walker {
 public:
  obstacle why_not;  // what keeps it where it is
  bool uses_object = false;
  llvm::SmallSetVector<const clang::VarDecl*, 8> used;
  llvm::DenseSet<const clang::VarDecl*> declared;
  llvm::DenseSet<const clang::VarDecl*> addressed;

  // What it captures.
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) override {
    for (clang::Expr* one : lambda->capture_inits()) {
      const auto* name = llvm::dyn_cast_or_null<clang::DeclRefExpr>(one);
      if (name != nullptr) addressed.insert(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
      if (!TraverseStmt(one)) return false;
    }
    return fine();
  }
  [[nodiscard]] bool fine() const { return why_not.what.empty(); }
  bool VisitReturnStmt(clang::ReturnStmt* code) override {
    return stop(code, reasons::region_left);
  }
  bool VisitGotoStmt(clang::GotoStmt* code) override { return stop(code, reasons::region_left); }
  bool VisitLabelStmt(clang::LabelStmt* code) override { return stop(code, reasons::region_left); }
  bool VisitCXXThrowExpr(clang::CXXThrowExpr* code) override {
    return stop(code, reasons::exception);
  }
  bool VisitCXXThisExpr(clang::CXXThisExpr*) override { return uses_object = true; }
  bool VisitBreakStmt(clang::BreakStmt* code) override {
    return breakable_ > 0 ? fine() : stop(code, reasons::region_left);
  }
  bool VisitStmt(clang::Stmt* code) override {
    // Labels of a switch around the region.
    const bool labelled = switches_ == 0 && llvm::isa<clang::SwitchCase>(code);
    const bool continues = loops_ == 0 && llvm::isa<clang::ContinueStmt>(code);
    return labelled || continues ? stop(code, reasons::region_left) : fine();
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    declared.insert(variable);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(node->getSubExpr()->IgnoreParens());
    if (node->getOpcode() == clang::UO_AddrOf && name != nullptr)
      addressed.insert(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (const auto* part = llvm::dyn_cast<clang::BindingDecl>(name->getDecl())) {
      if (!declared.contains(llvm::dyn_cast<clang::VarDecl>(part->getDecomposedDecl())))
        return stop(name, reasons::binding_in_region);
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && variable->isLocalVarDeclOrParm() && !variable->hasExternalStorage())
      used.insert(variable);
    return fine();
  }

 private:
  bool stop(const clang::Stmt* code, const char* why) {
    if (fine()) why_not = {code->getBeginLoc(), why};
    return false;
  }
  bool inside(const clang::Stmt* code, llvm::function_ref<bool()> walk) override {
    const int loop = llvm::isa<clang::SwitchStmt>(code) ? 0 : 1;
    ++breakable_;
    loops_ += loop;
    switches_ += 1 - loop;
    const bool go_on = walk();
    switches_ -= 1 - loop;
    loops_ -= loop;
    --breakable_;
    return go_on;
  }

  int breakable_ = 0;
  int loops_ = 0;
  int switches_ = 0;
};

// Whether a value holds a pointer.
bool holds_pointer(clang::QualType type) {
  type = type.getNonReferenceType();
  if (const clang::Type* element = type->getPointeeOrArrayElementType(); type->isArrayType())
    return holds_pointer(clang::QualType(element, 0));
  if (const clang::RecordDecl* record = type->getAsRecordDecl()) {
    const auto* derived = llvm::dyn_cast<clang::CXXRecordDecl>(record);
    const bool bases = derived != nullptr && derived->hasDefinition() &&
                       llvm::any_of(derived->bases(),
                                    [](const auto& base) { return holds_pointer(base.getType()); });
    return bases || llvm::any_of(record->fields(), [](const clang::FieldDecl* field) {
             return holds_pointer(field->getType());
           });
  }
  return type->isAnyPointerType();
}

// Finds memory that statements take of their function or block and that pointers may point to, and
// where pointers go to. What they pass to functions is taken to be forgotten by these.
class taken_memory_finder : public tree_walker {
 public:
  bool takes_memory = false;
  std::vector<const clang::Expr*> set;  // assigned, and holds a pointer from now on

  bool TraverseStmt(clang::Stmt* code) override {
    if (const auto* read = literal_read(code))
      return TraverseStmt(const_cast<clang::Expr*>(read->getInitializer()));
    const bool literal = llvm::isa_and_nonnull<clang::CompoundLiteralExpr>(code);
    takes_memory = takes_memory || (literal && blocks_ == 0);
    return tree_walker::TraverseStmt(code);
  }
  bool TraverseCompoundStmt(clang::CompoundStmt* block) override {
    ++blocks_;
    const bool go_on = tree_walker::TraverseCompoundStmt(block);
    --blocks_;
    return go_on;
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    takes_memory = takes_memory || is_alloca(call);
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    if (node->isAssignmentOp() && holds_pointer(node->getLHS()->getType()))
      set.push_back(node->getLHS());
    return true;
  }

 private:
  int blocks_ = 0;
};

// Whether a variable can be declared before its value is known.
bool can_come_early(const clang::ASTContext& context, const clang::VarDecl* variable) {
  const clang::QualType type = variable->getType();
  const clang::QualType element = context.getBaseElementType(type);
  const clang::CXXRecordDecl* record = element->getAsCXXRecordDecl();
  const bool constructs = record != nullptr && !(record->hasTrivialDefaultConstructor() &&
                                                 record->isTriviallyCopyable());
  const bool constant = element.isConstQualified() && !type->isScalarType();
  if (constant || type->isReferenceType()) return false;
  // Made of nothing, and set by what the host code would make it of.
  return !constructs ||
         (is_held(context, type) && has_default_constructor(type) && can_be_assigned(type));
}

class region_finder {
 public:
  region_finder(const parsed_file& source, const clang::FunctionDecl* definition)
      : source_(source),
        definition_(definition),
        scopes_(scope_statements(source.keywords, source.context)) {}

  std::vector<parallel_region> run() {
    (void)look_through(definition_->getBody(), true);
    for (parallel_region& one : found_) {
      obstacle why_not = complete(one);
      if (why_not.what.empty()) continue;
      one = {};
      one.why_not = std::move(why_not);
    }
    return std::move(found_);
  }

 private:
  // Finds the regions of a statement; returns whether some child is not joined in it. A statement
  // that joins has a sync at its end.
  bool look_through(const clang::Stmt* code, bool joins) {
    if (code == nullptr) return false;
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(code)) {
      if (is_parallel_for(loop->getForLoc(), source_.sources)) {
        found_.push_back({{code}, {}, {}, false, {}});
        return false;
      }
      if (is_spawned_block(loop->getForLoc(), source_.sources)) return true;
    }
    const clang::SourceLocation begin = source_.sources.getExpansionLoc(code->getBeginLoc());
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(code))
      return look_through_block(block, joins || scopes_.contains(begin));
    const bool controls =
        llvm::isa<clang::IfStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                  clang::CXXForRangeStmt, clang::SwitchStmt, clang::SwitchCase, clang::CXXTryStmt,
                  clang::CXXCatchStmt, clang::LabelStmt, clang::AttributedStmt>(code);
    if (!controls || scopes_.contains(begin)) return spawns(source_, code);
    bool open = false;
    const auto* attempt = llvm::dyn_cast<clang::CXXTryStmt>(code);
    for (const clang::Stmt* each : code->children()) {
      const std::size_t before = found_.size();
      open = look_through(each, attempt != nullptr) || open;
      // What a function throws there is caught here, and tasks pass nothing on that is thrown.
      if (attempt != nullptr && each == attempt->getTryBlock()) found_.resize(before);
    }
    return open;
  }

  // Whether the front end for OpenMP has written it: what it does before and behind its loop
  // belongs to the loop.
  static bool is_whole(const clang::CompoundStmt* block) {
    if (block->body_empty()) return false;
    const auto* first = llvm::dyn_cast<clang::DeclStmt>(block->body_front());
    if (first == nullptr || !first->isSingleDecl()) return false;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(first->getSingleDecl());
    return variable != nullptr && variable->getIdentifier() != nullptr &&
           variable->getName() == parts_variable;
  }

  bool look_through_block(const clang::CompoundStmt* block, bool joins) {
    if (is_whole(block)) {
      found_.push_back({{block->body_begin(), block->body_end()}, {}, {}, false, {}});
      return false;
    }
    std::vector<const clang::Stmt*> run;  // since the first that leaves children behind
    std::size_t last = 0;                 // of these, the last that spawns
    for (const clang::Stmt* each : block->body()) {
      if (run.empty()) {
        const std::size_t before = found_.size();
        if (!look_through(each, false)) continue;
        found_.resize(before);
        run.push_back(each);
        last = 1;
        continue;
      }
      run.push_back(each);
      if (spawns(source_, each)) last = run.size();
      if (!is_sync(each, source_.sources)) continue;
      found_.push_back({std::move(run), {}, {}, false, {}});
      run.clear();
    }
    if (run.empty()) return false;
    if (!joins) return true;
    run.resize(last);
    found_.push_back({std::move(run), {}, {}, false, {}});
    return false;
  }

  // Finds what the region uses. Returns why it cannot be cut out, if it cannot.
  obstacle complete(parallel_region& region) {
    region_reader inside;
    for (const clang::Stmt* each : region.statements) inside.look_through(each);
    if (!inside.fine()) return inside.why_not;
    region.uses_object = inside.uses_object;
    // Children behind the region may use what it declares, unless it waits for all of them.
    const bool joined = is_sync(region.statements.back(), source_.sources);
    for (const clang::Stmt* each : region.statements) {
      const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(each);
      if (declarations == nullptr) continue;
      bool early = false;
      for (const clang::Decl* one : declarations->decls()) {
        const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
        if (variable == nullptr) return {one->getLocation(), reasons::local_declaration};
        const clang::QualType type = variable->getType();
        if (variable->isStaticLocal()) return {one->getLocation(), reasons::static_variable};
        // A pointer to it may be kept for what follows.
        const bool pointed = type->isArrayType() || inside.addressed.contains(variable);
        const bool scalar = type->isScalarType() && !pointed;
        const bool destroyed = type.isDestructedType() != clang::QualType::DK_none;
        early = early || destroyed || pointed || (!scalar && !joined) ||
                is_used_behind(variable, region);
      }
      if (!early) continue;
      for (const clang::Decl* one : declarations->decls()) {
        const auto* variable = llvm::cast<clang::VarDecl>(one);
        if (!can_come_early(source_.context, variable))
          return {one->getLocation(), reasons::cannot_come_early};
        region.early.push_back(variable);
      }
    }
    if (memory_outlives(region, inside))
      return {region.statements.front()->getBeginLoc(), reasons::memory_outlives};
    for (const clang::VarDecl* one : inside.used) {
      if (!inside.declared.contains(one)) region.used.push_back(one);
    }
    for (const clang::VarDecl* one : region.early) region.used.push_back(one);
    for (const clang::VarDecl* one : region.used) {
      const clang::QualType type = one->getType().getNonReferenceType();
      const char* why = one->getIdentifier() == nullptr  ? reasons::variable_without_name
                        : type->isVariablyModifiedType() ? reasons::rows
                        : one->getStorageClass() == clang::SC_Register ? reasons::register_variable
                        : one->isInitCapture() || !can_be_passed(type) ? reasons::type_without_name
                                                                       : nullptr;
      if (why != nullptr) return {one->getLocation(), why};
    }
    return {};
  }

  // Whether what follows may use memory that the region takes, and that a function of the region's
  // own would give back at its end.
  static bool memory_outlives(const parallel_region& region, const region_reader& inside) {
    // No such memory outlives an iteration.
    if (region.statements.size() == 1 && llvm::isa<clang::ForStmt>(region.statements.front()))
      return false;
    taken_memory_finder memory;
    for (const clang::Stmt* each : region.statements) memory.look_through(each);
    if (!memory.takes_memory) return false;
    const auto outlives = [&](const clang::VarDecl* one) {
      return !inside.declared.contains(one) || llvm::is_contained(region.early, one);
    };
    return llvm::any_of(region.early,
                        [](const auto* one) { return holds_pointer(one->getType()); }) ||
           llvm::any_of(memory.set, [&](const clang::Expr* place) {
             const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
             return name == nullptr || outlives(llvm::dyn_cast<clang::VarDecl>(name->getDecl()));
           });
  }

  bool can_be_passed(clang::QualType type) const {
    const auto text = plain_type(source_.context, source_.context.getPointerType(type));
    return text && (!has_hidden_type(*text) || has_known_layout(source_, type));
  }

  bool is_used_behind(const clang::VarDecl* variable, const parallel_region& region) const {
    struct visitor : tree_walker {
      const clang::VarDecl* variable = nullptr;
      const parallel_region* region = nullptr;
      bool found = false;
      bool TraverseStmt(clang::Stmt* code) override {
        if (std::ranges::find(region->statements, code) != region->statements.end()) return true;
        return tree_walker::TraverseStmt(code);
      }
      bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
        found = found || name->getDecl() == variable;
        return !found;
      }
    };
    visitor look;
    look.variable = variable;
    look.region = &region;
    look.look_through(definition_->getBody());
    return look.found;
  }

  const parsed_file& source_;
  const clang::FunctionDecl* definition_;
  llvm::DenseSet<clang::SourceLocation> scopes_;
  std::vector<parallel_region> found_;
};

// Where a `#pragma cilk` line begins that stands before `offset`; else `offset`.
unsigned with_pragma(const parsed_file& source, unsigned offset) {
  const llvm::StringRef before = source.text().take_front(offset).rtrim();
  const std::size_t line = before.rfind('\n') + 1;
  const llvm::StringRef text = before.substr(line).ltrim();
  return text.starts_with("#") && text.substr(1).ltrim().starts_with("pragma")
             ? static_cast<unsigned>(line)
             : offset;
}

// Whether an initial value is that of `T x;`.
bool is_default(const clang::Expr* value) {
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(value->IgnoreImplicit());
  return made != nullptr && made->getNumArgs() == 0;
}

unsigned end_of(const parsed_file& source, const clang::Stmt* code) {
  const clang::SourceLocation last = source.sources.getExpansionRange(code->getEndLoc()).getEnd();
  return source.sources.getFileOffset(last) +
         clang::Lexer::MeasureTokenLength(last, source.sources, source.context.getLangOpts());
}

// The change that makes an assignment of a declaration, whose variables are declared before it.
std::optional<text_change> as_assignment(parsed_file& source, const clang::DeclStmt* code) {
  const text_range all = source.range(code);
  if (all.end == 0) return std::nullopt;
  const bool sets = std::ranges::any_of(code->decls(), [](const clang::Decl* one) {
    return llvm::cast<clang::VarDecl>(one)->hasInit() &&
           !is_default(llvm::cast<clang::VarDecl>(one)->getInit());
  });
  std::string lines(static_cast<std::size_t>(llvm::StringRef(source.text(all)).count('\n')), '\n');
  if (!sets) return text_change{all.begin, all.end, lines + ";"};
  std::string text;
  for (const clang::Decl* one : code->decls()) {
    const auto* variable = llvm::cast<clang::VarDecl>(one);
    if (!variable->hasInit() || is_default(variable->getInit())) continue;
    if (variable->getType()->isArrayType()) {
      const std::string value(source.text(source.range(variable->getInit())));
      const auto copied = plain_type(source.context, variable->getType(), "cilk_array");
      const bool objects =
          is_held(source.context, source.context.getBaseElementType(variable->getType()));
      if (value.empty() || !copied || objects) return std::nullopt;
      text += "{ " + *copied + " = " + value + "; " +
              copied_array(variable->getNameAsString(), "cilk_array") + " } ";
      continue;
    }
    const bool object = is_held(source.context, variable->getType());
    const bool assigns = (variable->getInitStyle() == clang::VarDecl::CInit || object) &&
                         !llvm::isa<clang::InitListExpr>(variable->getInit()->IgnoreImplicit());
    if (!assigns || variable->getLocation().isMacroID()) return std::nullopt;
    const unsigned name = source.offset(variable->getLocation());
    const auto name_end = name + static_cast<unsigned>(variable->getName().size());
    const unsigned end = end_of(source, variable->getInit());
    const std::string word = variable->getNameAsString();
    const bool set = variable->getInitStyle() == clang::VarDecl::CInit;
    text += word + (set ? "" : " = decltype(" + word + ")") +
            std::string(source.text({name_end, end})) + "; ";
  }
  const auto missing = lines.size() - static_cast<std::size_t>(std::ranges::count(text, '\n'));
  return text_change{all.begin, all.end, text + std::string(missing, '\n')};
}

}  // namespace

bool can_be_cut(const clang::FunctionDecl* function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return (method == nullptr || !method->getParent()->isLambda()) && !function->isConstexpr();
}

std::vector<parallel_region> parallel_regions(const parsed_file& source,
                                              const clang::FunctionDecl* definition) {
  return region_finder(source, definition).run();
}

std::string copied_array(const std::string& to, const std::string& from) {
  return "__builtin_memcpy(" + to + ", " + from + ", sizeof " + from + ");";
}

std::vector<text_change> changes_around(parsed_file& source, const parallel_region& region,
                                        const std::string& head) {
  const clang::Stmt* front = region.statements.front();
  const clang::Stmt* back = region.statements.back();
  const auto place = [&](clang::SourceLocation where) {
    return source.sources.getExpansionLoc(where);
  };
  if (!source.in_main_file(front->getBeginLoc())) return {};
  unsigned begin = source.sources.getFileOffset(place(front->getBeginLoc()));
  unsigned end = end_of(source, back);
  // A part of a fold expression, which an instance has in the place of all of it.
  if (source.text().take_front(begin).rtrim().ends_with("(")) return {};
  if (wants_semicolon(back)) {
    const unsigned next = source.next_token(end);
    if (!source.text().substr(next).starts_with(";")) return {};
    end = next + 1;
  }
  const unsigned start = with_pragma(source, begin);
  std::vector<text_change> changes;
  std::string before;
  for (const clang::VarDecl* one : region.early) {
    const auto text =
        plain_type(source.context, one->getType().getUnqualifiedType(), one->getNameAsString());
    if (!text || has_hidden_type(*text)) return {};
    before += *text + "; ";
  }
  before += "{ " + head;
  if (start != begin) before += "\n" + source.line_directive(start);
  changes.push_back({start, start, before});
  for (const clang::Stmt* each : region.statements) {
    const auto* code = llvm::dyn_cast<clang::DeclStmt>(each);
    if (code == nullptr) continue;
    const auto early = [&](const clang::Decl* one) {
      return std::ranges::find(region.early, one) != region.early.end();
    };
    if (std::ranges::none_of(code->decls(), early)) continue;
    const auto change = as_assignment(source, code);
    if (!change) return {};
    changes.push_back(*change);
  }
  changes.push_back({end, end, " } }"});
  return changes;
}

}  // namespace cilk2chan
