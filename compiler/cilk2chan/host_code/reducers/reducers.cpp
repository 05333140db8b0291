#include "analysis/reducer_types.hpp"
#include "analysis/reductions.hpp"

#include "diagnostics/diagnostics.hpp"
#include "frontend/spelling.hpp"  // is_plain_form
#include "frontend/tree_walker.hpp"
#include "host_code/reducers/strand_parts.hpp"
#include "host_code/rewriting.hpp"

#include <algorithm>
#include <deque>

namespace cilk2chan::host_code {
namespace {

bool has_two_functions(const std::string& text) {
  int depth = 0;
  int commas = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    commas += c == ',' && depth == 0 ? 1 : 0;
  }
  return commas >= 1;
}

class reducer_rewriter : public tree_walker {
 public:
  explicit reducer_rewriter(rewriting& out) : out_(out), source_(out.source) {}

  void run() {
    for (clang::Decl* declaration : source_.context.getTranslationUnitDecl()->decls()) {
      if (source_.in_main_file(declaration->getLocation())) TraverseDecl(declaration);
    }
  }

  // A plain form has the places of reducers, and no views.
  bool TraverseDecl(clang::Decl* declaration) override {
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    return (function != nullptr && is_plain_form(function)) ||
           tree_walker::TraverseDecl(declaration);
  }

  bool VisitDeclaratorDecl(clang::DeclaratorDecl* declaration) override {
    if (declaration->getTypeSourceInfo() == nullptr || llvm::isa<clang::FunctionDecl>(declaration))
      return true;
    const auto type = reducer_of(declaration);
    if (!type) return true;
    const std::string name = declaration->getNameAsString();
    if (!has_two_functions(type->functions)) {
      refuse(source_, declaration->getLocation(), refusals::reducer_arguments);
    } else if (type->where == reducer_type::direct && llvm::isa<clang::ParmVarDecl>(declaration)) {
      refuse(source_, declaration->getLocation(), refusals::reducer_place, name);
    }
    return true;
  }

  bool VisitDeclStmt(clang::DeclStmt* statement) override {
    for (const clang::Decl* one : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr || !variable->hasLocalStorage()) continue;
      if (const auto type = reducer_of(variable)) {
        if (type->where == reducer_type::element)
          refuse(source_, variable->getLocation(), refusals::reducer_place,
                 variable->getNameAsString());
        if (type->where == reducer_type::direct)
          begin(statement, variable->getNameAsString(), qualified(variable, type->functions));
      } else if (const clang::RecordDecl* record = variable->getType()->getAsRecordDecl()) {
        for (const clang::FieldDecl* field : record->fields()) {
          const auto member = reducer_of(field);
          if (!member || member->where != reducer_type::direct ||
              field->getAccess() > clang::AS_public) {
            if (!member || field->getAccess() != clang::AS_none) continue;
          }
          begin(statement, variable->getNameAsString() + "." + field->getNameAsString(),
                qualified(field, member->functions));
        }
      }
    }
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr) return true;
    const unsigned first =
        llvm::isa<clang::CXXOperatorCallExpr>(call) && llvm::isa<clang::CXXMethodDecl>(callee) ? 1
                                                                                               : 0;
    for (unsigned i = first; i < call->getNumArgs() && i - first < callee->getNumParams(); ++i) {
      leave_leftmost(callee->getParamDecl(i - first), call->getArg(i));
    }
    if (callee->getNameAsString() == "__builtin_addressof" && call->getNumArgs() == 1)
      left_.insert(call->getArg(0)->IgnoreParens());
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (variable->getInit() != nullptr) leave_leftmost(variable, variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) override {
    if (node->getOpcode() != clang::BO_Assign) return true;
    if (const auto* target = entity(node->getLHS())) leave_leftmost(target, node->getRHS());
    return true;
  }

  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) override { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) override { return true; }
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc) override { return true; }
  bool TraverseAttr(clang::Attr*) override { return true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* node) override {
    use(node, llvm::dyn_cast<clang::VarDecl>(node->getDecl()), reducer_type::direct);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* node) override {
    use(node, llvm::dyn_cast<clang::DeclaratorDecl>(node->getMemberDecl()), reducer_type::direct);
    if (view_behind(node)) use_behind(node->getBase());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    if (node->getOpcode() == clang::UO_Deref)
      use(node, entity(node->getSubExpr()), reducer_type::pointed_to);
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* node) override {
    use(node, entity(node->getBase()), reducer_type::pointed_to);
    use(node, entity(node->getBase()), reducer_type::element);
    return true;
  }

 private:
  static const clang::DeclaratorDecl* entity(const clang::Expr* node) {
    node = node->IgnoreParenImpCasts();
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(node))
      return llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(node))
      return llvm::dyn_cast<clang::DeclaratorDecl>(member->getMemberDecl());
    return nullptr;
  }

  // `&sum` that initialises a pointer to a reducer is the reducer itself, not this strand's view.
  void leave_leftmost(const clang::DeclaratorDecl* target, const clang::Expr* value) {
    const auto type = reducer_of(target);
    if (!type || type->where != reducer_type::pointed_to) return;
    const auto* address = llvm::dyn_cast<clang::UnaryOperator>(value->IgnoreParenImpCasts());
    if (address != nullptr && address->getOpcode() == clang::UO_AddrOf)
      left_.insert(address->getSubExpr()->IgnoreParens());
  }

  void use(const clang::Expr* node, const clang::DeclaratorDecl* declaration,
           reducer_type::level level) {
    if (declaration == nullptr || left_.contains(node)) return;
    const auto type = reducer_of(declaration);
    if (!type || type->where != level) return;
    const std::string functions = qualified(declaration, type->functions);
    const text_range range = source_.range(node);
    const taken_view* taken =
        level == reducer_type::direct ? take(node, range, functions) : nullptr;
    out_.text.replace(
        range,
        [this, range, functions, taken] {
          const std::string leftmost = out_.text.render(range);
          if (taken == nullptr || !is_there(*taken->part)) return view(leftmost, functions);
          if (in_declaration_) return leftmost;
          return source_.is_c() ? "(*" + taken->name + ")" : taken->name;
        },
        10);
  }

  // `p->member`, where `p` points to a reducer.
  void use_behind(const clang::Expr* pointer) {
    const clang::DeclaratorDecl* declaration = entity(pointer);
    const auto type = reducer_of(declaration);
    if (!type) return;
    const std::string functions = qualified(declaration, type->functions);
    const text_range range = source_.range(pointer);
    out_.text.replace(
        range,
        [this, range, functions] {
          return "(&" + view("(*" + out_.text.render(range) + ")", functions) + ")";
        },
        10);
  }

  std::string view(const std::string& leftmost, const std::string& functions) const {
    return (source_.is_c() ? "CHANNELS_CILK_VIEW(" : "channels::cilk::view(") + leftmost + ", " +
           functions + ")";
  }

  // A view that is looked up once for a strand part. A look-up for each use would cost more than
  // most uses, and would keep the compiler from vectorizing loops.
  struct taken_view {
    const strand_part* part;
    std::string spelling;  // the reducer's spelling
    std::string functions;
    text_range use;  // one of its uses
    std::string name;
  };

  const taken_view* take(const clang::Expr* node, text_range range, const std::string& functions) {
    const clang::Expr* base = node;
    while (const auto* member = llvm::dyn_cast<clang::MemberExpr>(base)) {
      base = member->getBase()->IgnoreParenImpCasts();
      // A pointer may change, or may be followed only if it is not null.
      if (member->isArrow() && !llvm::isa<clang::CXXThisExpr>(base)) return nullptr;
    }
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(base);
    const auto* variable =
        name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if ((variable == nullptr && !llvm::isa<clang::CXXThisExpr>(base)) || range.end == 0)
      return nullptr;
    if (!parts_) parts_.emplace(source_, out_.places);
    const strand_part* part = parts_->around(node, variable);
    if (part == nullptr) return nullptr;
    const std::string spelling = source_.text(range);
    const bool fresh = std::ranges::find(taken_, part, &taken_view::part) == taken_.end();
    for (const taken_view& one : taken_) {
      if (one.part == part && one.spelling == spelling && one.functions == functions) return &one;
    }
    const std::string number = std::to_string(taken_.size() + 1);
    taken_.push_back(
        {part, spelling, functions, range, source_.unused_name("cilk_view_" + number)});
    if (fresh) open(*part);
    return &taken_.back();
  }

  void open(const strand_part& part) {
    if (part.iterations != nullptr) {
      out_.views[part.iterations] = [this, &part] { return declarations(part); };
      return;
    }
    const text_range range = {source_.range(part.loop).begin, end_of_statement(source_, part.loop)};
    out_.text.replace(
        range,
        [this, range, &part] { return "{ " + declarations(part) + out_.text.render(range) + " }"; },
        12);
  }

  // A cilk_for that stays serial has no place for declarations.
  static bool is_there(const strand_part& part) {
    return part.iterations == nullptr || part.iterations->lowered;
  }

  std::string declarations(const strand_part& part) {
    std::string text;
    for (const taken_view& one : taken_) {
      if (one.part != &part) continue;
      in_declaration_ = true;
      const std::string spelled = out_.text.render(one.use);
      in_declaration_ = false;
      const std::string leftmost = one_line(source_, spelled).value_or(spelled);
      text += (source_.is_c() ? "__typeof__(" + leftmost + ")* const " + one.name + " = &"
                              : "auto& " + one.name + " = ") +
              view(leftmost, one.functions) + "; ";
    }
    return text;
  }

  // Names may mean something else where they stand then, and those of members need their class.
  std::string qualified(const clang::DeclaratorDecl* declaration,
                        const std::string& written) const {
    const std::string text = functions_of_reducer(declaration, written);
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(declaration->getDeclContext());
    if (record == nullptr) return text;
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      const auto word = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
      };
      std::size_t end = at;
      while (end < text.size() && word(text[end])) ++end;
      if (end == at) {
        result += text[at++];
        continue;
      }
      const std::string name = text.substr(at, end - at);
      const bool fresh = result.empty() || (result.back() != ':' && result.back() != '.');
      if (fresh && !record->lookup(&source_.context.Idents.get(name)).empty())
        result += record->getQualifiedNameAsString() + "::";
      result += name;
      at = end;
    }
    return result;
  }

  // A reducer that is a local variable begins with its declaration.
  void begin(const clang::DeclStmt* statement, const std::string& name,
             const std::string& functions) {
    const unsigned end = source_.range(statement).end;
    const std::string guard = "cilk_reducer_" + std::to_string(++guards_);
    const bool c = source_.is_c();
    out_.text.insert(end, [this, end, guard, name, functions, c] {
      const std::string frame = frame_of(region_at(end));
      const std::string children = frame.empty() ? (c ? "0" : "nullptr") : "&" + frame;
      if (c)
        return " CHANNELS_CILK_REDUCER(" + guard + ", " + name + ", " + children + ", " +
               functions + ");";
      return " channels::cilk::local_reducer " + guard + "(" + name + ", " + children + ", " +
             functions + ");";
    });
  }

  const region* region_at(unsigned offset) {
    const region* best = nullptr;
    unsigned size = ~0U;
    for (const region& one : out_.places.regions) {
      if (one.body == nullptr) continue;
      const text_range range = source_.range(one.body);
      if (range.begin > offset || range.end < offset || range.end - range.begin >= size) continue;
      best = &one;
      size = range.end - range.begin;
    }
    return best;
  }

  rewriting& out_;
  parsed_file& source_;
  llvm::DenseSet<const clang::Expr*> left_;
  std::optional<strand_parts> parts_;
  std::deque<taken_view> taken_;
  bool in_declaration_ = false;  // while a view's declaration is written: spell the reducer itself
  unsigned guards_ = 0;
};

}  // namespace

void rewrite_reducers(rewriting& out) { out.keep<reducer_rewriter>().run(); }

}  // namespace cilk2chan::host_code
