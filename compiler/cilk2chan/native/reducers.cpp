#include "native/reducers.hpp"

#include "native/diagnostics.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace cilk2chan::native {
namespace {

// The text of `cilk_reducer(...)`, from the attribute that it was read as.
std::optional<std::string> functions_of(const clang::Attr* attribute) {
  const auto* annotation = llvm::dyn_cast_or_null<clang::AnnotateTypeAttr>(attribute);
  if (annotation == nullptr || annotation->getAnnotation() != "cilk_reducer" ||
      annotation->args_size() != 1)
    return std::nullopt;
  const auto* text =
      llvm::dyn_cast<clang::StringLiteral>((*annotation->args_begin())->IgnoreParenImpCasts());
  if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(*annotation->args_begin())) {
    text = llvm::dyn_cast<clang::StringLiteral>(constant->getSubExpr()->IgnoreParenImpCasts());
  }
  return text == nullptr ? std::nullopt : std::optional(text->getString().str());
}

std::optional<reducer_type> look_into(clang::TypeLoc type, reducer_type::level level) {
  while (!type.isNull()) {
    if (const auto qualified = type.getAs<clang::QualifiedTypeLoc>()) {
      type = qualified.getUnqualifiedLoc();
    } else if (const auto attributed = type.getAs<clang::AttributedTypeLoc>()) {
      if (const auto found = functions_of(attributed.getAttr())) return reducer_type{level, *found};
      type = attributed.getModifiedLoc();
    } else if (const auto elaborated = type.getAs<clang::ElaboratedTypeLoc>()) {
      type = elaborated.getNamedTypeLoc();
    } else if (const auto parens = type.getAs<clang::ParenTypeLoc>()) {
      type = parens.getInnerLoc();
    } else if (const auto name = type.getAs<clang::TypedefTypeLoc>()) {
      const auto* info = name.getTypedefNameDecl()->getTypeSourceInfo();
      if (info == nullptr) return std::nullopt;
      type = info->getTypeLoc();
    } else if (const auto pointer = type.getAs<clang::PointerTypeLoc>()) {
      if (level != reducer_type::direct) return std::nullopt;
      level = reducer_type::pointed_to;
      type = pointer.getPointeeLoc();
    } else if (const auto array = type.getAs<clang::ArrayTypeLoc>()) {
      if (level != reducer_type::direct) return std::nullopt;
      level = reducer_type::element;
      type = array.getElementLoc();
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

bool has_two_functions(const std::string& text) {
  int depth = 0;
  int commas = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    commas += c == ',' && depth == 0 ? 1 : 0;
  }
  return commas >= 1;
}

class reducer_rewriter : public clang::RecursiveASTVisitor<reducer_rewriter> {
 public:
  explicit reducer_rewriter(rewriting& out) : out_(out), source_(out.source) {}

  void run() {
    for (clang::Decl* declaration : source_.context.getTranslationUnitDecl()->decls()) {
      if (source_.in_main_file(declaration->getLocation())) TraverseDecl(declaration);
    }
  }

  bool VisitDeclaratorDecl(clang::DeclaratorDecl* declaration) {
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

  bool VisitDeclStmt(clang::DeclStmt* statement) {
    for (const clang::Decl* one : statement->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
      if (variable == nullptr || !variable->hasLocalStorage()) continue;
      if (const auto type = reducer_of(variable)) {
        if (type->where == reducer_type::element)
          refuse(source_, variable->getLocation(), refusals::reducer_place,
                 variable->getNameAsString());
        if (type->where == reducer_type::direct)
          begin(statement, variable->getNameAsString(), type->functions);
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

  bool VisitCallExpr(clang::CallExpr* call) {
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
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->getInit() != nullptr) leave_leftmost(variable, variable->getInit());
    return true;
  }
  bool VisitBinaryOperator(clang::BinaryOperator* node) {
    if (node->getOpcode() != clang::BO_Assign) return true;
    if (const auto* target = entity(node->getLHS())) leave_leftmost(target, node->getRHS());
    return true;
  }

  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) { return true; }
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc) { return true; }
  bool TraverseTypeOfExprTypeLoc(clang::TypeOfExprTypeLoc) { return true; }
  bool TraverseAttr(clang::Attr*) { return true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* node) {
    use(node, llvm::dyn_cast<clang::VarDecl>(node->getDecl()), reducer_type::direct);
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr* node) {
    use(node, llvm::dyn_cast<clang::DeclaratorDecl>(node->getMemberDecl()), reducer_type::direct);
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator* node) {
    if (node->getOpcode() == clang::UO_Deref)
      use(node, entity(node->getSubExpr()), reducer_type::pointed_to);
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* node) {
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

  // `&sum` for a pointer to a reducer is the reducer, and not this strand's view.
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
    const bool c = source_.is_c();
    out_.text.replace(
        range,
        [this, range, functions, c] {
          const std::string leftmost = out_.text.render(range);
          return (c ? "CHANNELS_CILK_VIEW(" : "channels::cilk::view(") + leftmost + ", " +
                 functions + ")";
        },
        10);
  }

  // Names of members are looked up in the class.
  std::string qualified(const clang::DeclaratorDecl* declaration, const std::string& text) const {
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

  // A reducer in a block begins with its declaration.
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
  unit& source_;
  llvm::DenseSet<const clang::Expr*> left_;
  unsigned guards_ = 0;
};

}  // namespace

std::optional<reducer_type> reducer_of(const clang::DeclaratorDecl* declaration) {
  if (declaration == nullptr || declaration->getTypeSourceInfo() == nullptr) return std::nullopt;
  return look_into(declaration->getTypeSourceInfo()->getTypeLoc(), reducer_type::direct);
}

bool holds_reducer(const clang::VarDecl* variable) {
  if (reducer_of(variable)) return true;
  const clang::RecordDecl* record = variable->getType()->getAsRecordDecl();
  if (record == nullptr) return false;
  for (const clang::FieldDecl* field : record->fields()) {
    if (reducer_of(field)) return true;
  }
  return false;
}

void rewrite_reducers(rewriting& out) { out.keep<reducer_rewriter>().run(); }

}  // namespace cilk2chan::native
