#include "tasks/node_text.hpp"

#include "diagnostics/refusals.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/type_text.hpp"

#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <numeric>  // iota

namespace cilk2chan {
namespace {

class replacement_finder : public tree_walker {
 public:
  replacement_finder(const program& source, const text_rules* rules)
      : source_(source), sources_(source.sources()), rules_(rules) {}

  std::vector<replacement> replacements;

  bool VisitExpr(clang::Expr* node) override {
    if (const device_spelling* now = source_.spelling_of(node)) spell(node, *now);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* node) override {
    const device_spelling* now_there = source_.spelling_of(node);
    if (rules_ == nullptr || (now_there != nullptr && now_there->kept != node)) return true;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(node->getDecl());
    const bool local = variable != nullptr && variable->hasLocalStorage();
    const std::string now = node->getDecl()->getNameAsString();
    const std::string name = local ? rules_->name(variable) : rules_->outer_name(node);
    if (!name.empty() && name != now) replace_name(node->getLocation(), now.size(), name);
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (rules_ == nullptr || !variable->hasLocalStorage()) return true;
    // A parameter in a type, such as that of a pointer, is of no function.
    if (llvm::isa<clang::ParmVarDecl>(variable) &&
        !variable->getDeclContext()->isFunctionOrMethod())
      return true;
    rules_->declared(variable);
    const std::string name = rules_->name(variable);
    const std::string now = variable->getNameAsString();
    if (name != now) replace_name(variable->getLocation(), now.size(), name);
    return true;
  }

  bool VisitReturnStmt(clang::ReturnStmt* node) override {
    if (rules_ == nullptr) return true;
    const std::string finish = "return " + rules_->lane + ".finish(";
    const clang::Expr* value = node->getRetValue();
    if (value == nullptr) {
      replace_name(node->getReturnLoc(), 6, finish + ")");
    } else if (value->getType()->isVoidType()) {
      replace_name(node->getReturnLoc(), 6, "return (void)(");
      close(value, "), " + rules_->lane + ".finish()");
    } else {
      const unsigned gap = offset_of(value->getBeginLoc()) - offset_of(node->getReturnLoc()) - 6;
      const bool braces = *sources_.getCharacterData(value->getBeginLoc()) == '{';
      const bool null = is_null_pointer(value);
      replace_name(node->getReturnLoc(), 6 + (gap == 1 ? 1 : 0),
                   finish + (braces ? "result_type"
                             : null ? "result_type("
                                    : ""));
      close(value, null ? "))" : ")");
    }
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* node) override {
    // The headers of C++ have a null pointer of their own for the macro of C.
    const bool null_macro = node->getCastKind() == clang::CK_NullToPointer &&
                            node->getSubExpr()->IgnoreParens()->getBeginLoc().isMacroID();
    if (source_.is_c() && !null_macro && wants_cast(source_, node))
      cast(node->getSubExpr(), node->getType());
    return true;
  }

 private:
  void spell(const clang::Expr* value, const device_spelling& now) {
    const auto whole = file_range(value->getSourceRange());
    const unsigned begin = offset_of(whole.getBegin());
    const unsigned end = offset_of(whole.getEnd());
    if (now.kept == nullptr) return add(begin, end - begin, now.before + now.after, false);
    const auto kept = file_range(now.kept->getSourceRange());
    const unsigned from = offset_of(kept.getBegin());
    const unsigned to = offset_of(kept.getEnd());
    add(begin, from - begin, now.before, false);
    add(to, end - to, now.after, true);
  }

  void cast(const clang::Expr* value, clang::QualType type) {
    const std::string name = type_text(source_, type);
    const auto range = file_range(value->getSourceRange());
    if (range.isInvalid()) {
      refuse(source_.context->getDiagnostics(), value->getExprLoc(), refusals::cast_in_macro, name);
      return;
    }
    if (!sources_.isInMainFile(range.getBegin())) return;
    const bool simple =
        llvm::isa<clang::DeclRefExpr, clang::CallExpr, clang::ParenExpr, clang::MemberExpr,
                  clang::ArraySubscriptExpr>(value->IgnoreImpCasts());
    add(offset_of(range.getBegin()), 0, "(" + name + ")" + (simple ? "" : "("), false);
    if (!simple) add(offset_of(range.getEnd()), 0, ")", true);
  }

  void close(const clang::Expr* value, const std::string& text) {
    const auto range = file_range(value->getSourceRange());
    if (range.isInvalid()) return out_of_reach(value->getExprLoc());
    add(offset_of(range.getEnd()), 0, text, true);
  }

  void replace_name(clang::SourceLocation where, std::size_t length, const std::string& text) {
    while (where.isMacroID() && sources_.isMacroArgExpansion(where)) {
      where = sources_.getImmediateSpellingLoc(where);
    }
    if (where.isMacroID() || !sources_.isInMainFile(where)) return out_of_reach(where);
    add(offset_of(where), static_cast<unsigned>(length), text, false);
  }

  void out_of_reach(clang::SourceLocation where) {
    refuse(source_.context->getDiagnostics(), where, refusals::text_in_macro);
  }

  void add(unsigned offset, unsigned removed, const std::string& text, bool closes) {
    // An argument that a macro uses twice is twice in the tree, but once in the text.
    const bool seen =
        removed > 0 && std::ranges::any_of(replacements, [&](const replacement& other) {
          return other.offset == offset && other.removed > 0;
        });
    if (!seen) replacements.push_back({offset, removed, text, closes});
  }

  clang::CharSourceRange file_range(clang::SourceRange range) const {
    return clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(range), sources_,
                                           source_.context->getLangOpts());
  }
  unsigned offset_of(clang::SourceLocation where) const {
    return sources_.getFileOffset(sources_.getFileLoc(where));
  }

  const program& source_;
  const clang::SourceManager& sources_;
  const text_rules* rules_;
};

}  // namespace

bool wants_cast(const program& source, const clang::ImplicitCastExpr* node) {
  const clang::ASTContext& context = *source.context;
  const clang::QualType to = node->getType();
  const clang::QualType from = node->getSubExpr()->getType();
  switch (node->getCastKind()) {
    case clang::CK_NullToPointer: return from->isPointerType();
    case clang::CK_BitCast:
    case clang::CK_NoOp: {
      if (!to->isPointerType() || !from->isPointerType()) return false;
      const clang::Expr* inner = node->getSubExpr()->IgnoreParens();
      if (llvm::isa<clang::StringLiteral>(inner->IgnoreImpCasts())) return false;
      const clang::QualType target = to->getPointeeType();
      const clang::QualType origin = from->getPointeeType();
      const bool drops = !target.isAtLeastAsQualifiedAs(origin);
      const bool same = context.hasSameUnqualifiedType(target, origin);
      return drops || (!same && !target->isVoidType());
    }
    case clang::CK_IntegralCast:
      // An unnamed type cannot be named; the C++ compiler reports the missing cast.
      return to->isEnumeralType() && !context.hasSameUnqualifiedType(to, from) &&
             to->getAsTagDecl()->hasNameForLinkage();
    default: return false;
  }
}

bool wants_semicolon(const clang::Stmt* node) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(node)) {
    return wants_semicolon(branch->getElse() != nullptr ? branch->getElse() : branch->getThen());
  }
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(node))
    return wants_semicolon(loop->getBody());
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(node)) {
    return wants_semicolon(loop->getBody());
  }
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(node)) {
    return wants_semicolon(loop->getBody());
  }
  if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(node)) {
    return wants_semicolon(choice->getBody());
  }
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(node)) {
    return wants_semicolon(attributed->getSubStmt());
  }
  if (const auto* label = llvm::dyn_cast<clang::LabelStmt>(node)) {
    return wants_semicolon(label->getSubStmt());
  }
  if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(node)) {
    return wants_semicolon(label->getSubStmt());
  }
  if (llvm::isa<clang::CXXTryStmt>(node)) return false;
  return !llvm::isa<clang::DeclStmt, clang::CompoundStmt, clang::NullStmt>(node);
}

bool is_null_pointer(const clang::Expr* value) {
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(value->IgnoreParens());
  return cast != nullptr && cast->getCastKind() == clang::CK_NullToPointer;
}

std::string node_text::text(const clang::Stmt* node) const {
  const clang::SourceManager& sources = source_.sources();
  const auto range =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(node->getSourceRange()),
                                      sources, source_.context->getLangOpts());
  if (range.isInvalid()) {
    refuse(source_.context->getDiagnostics(), node->getBeginLoc(), refusals::text_in_macro);
    return {};
  }
  replacement_finder visitor(source_, &rules_);
  visitor.look_through(node);
  const llvm::StringRef text =
      clang::Lexer::getSourceText(range, sources, source_.context->getLangOpts());
  return apply(visitor.replacements, text.str(), sources.getFileOffset(range.getBegin()));
}

std::string node_text::statement(const clang::Stmt* node) const {
  return text(node) + (wants_semicolon(node) ? ";" : "");
}

std::vector<replacement> text_changes(const program& source, clang::Decl* node) {
  replacement_finder visitor(source, nullptr);
  visitor.TraverseDecl(node);
  return std::move(visitor.replacements);
}

std::string apply(const std::vector<replacement>& replacements, const std::string& text,
                  unsigned offset) {
  // At one place, texts that close come first, from the innermost on, and then texts that open,
  // from the outermost on. The visitor finds the outermost first.
  std::vector<std::size_t> order(replacements.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (replacements[a].offset != replacements[b].offset)
      return replacements[a].offset < replacements[b].offset;
    if (replacements[a].closes != replacements[b].closes) return replacements[a].closes;
    return replacements[a].closes ? a > b : a < b;
  });
  std::string result;
  std::size_t at = 0;
  for (const std::size_t index : order) {
    const replacement& one = replacements[index];
    if (one.offset < offset + at || one.offset - offset > text.size()) continue;
    const std::size_t place = one.offset - offset;
    result.append(text, at, place - at);
    result += one.text;
    at = place + one.removed;
  }
  return result.append(text, std::min(at, text.size()));
}

}  // namespace cilk2chan
