#include "normal_form/hidden_types.hpp"

#include "analysis/reducer_types.hpp"
#include "frontend/keywords.hpp"
#include "frontend/tree_walker.hpp"
#include "normal_form/plain_types.hpp"

#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/DenseMap.h>

#include <algorithm>
#include <optional>

namespace cilk2chan {
namespace {

class hidden_type_collector : public tree_walker {
 public:
  llvm::SetVector<clang::TagDecl*> found;

  [[nodiscard]] bool shouldVisitImplicitCode() const override { return true; }

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    found.insert(lambda->getLambdaClass());
    return true;
  }
  bool VisitDeclStmt(clang::DeclStmt* code) override {
    for (clang::Decl* one : code->decls()) {
      auto* tag = llvm::dyn_cast<clang::TagDecl>(one);
      if (tag != nullptr && tag->isThisDeclarationADefinition()) found.insert(tag);
    }
    return true;
  }
};

// Finds what host code rewrites.
class cilk_word_finder : public tree_walker {
 public:
  explicit cilk_word_finder(const parsed_file& source) : source_(source) {}

  bool found = false;

  bool VisitUnaryOperator(clang::UnaryOperator* node) override {
    found = found || is_spawn(node, source_.sources);
    return true;
  }
  bool VisitParenExpr(clang::ParenExpr* node) override {
    found = found || is_sync(node, source_.sources);
    return true;
  }
  bool VisitForStmt(clang::ForStmt* node) override {
    found = found || is_parallel_for(node->getForLoc(), source_.sources) ||
            is_spawned_block(node->getForLoc(), source_.sources);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) override {
    found = found || holds_reducer(variable);
    return true;
  }

 private:
  const parsed_file& source_;
};

// Whether a class is no more than its members.
bool is_structure(const clang::RecordDecl* record) {
  for (const clang::FieldDecl* field : record->fields()) {
    const clang::TagDecl* type = field->getType()->getBaseElementTypeUnsafe()->getAsTagDecl();
    const bool unnamed =
        field->getIdentifier() == nullptr || (type != nullptr && type->getIdentifier() == nullptr);
    if (unnamed || field->hasInClassInitializer() || field->getType()->isVariablyModifiedType())
      return false;
  }
  const auto* known = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (known == nullptr) return true;
  return known->isAggregate() && known->getNumBases() == 0 && !known->isTemplated() &&
         std::ranges::all_of(known->methods(),
                             [](const clang::CXXMethodDecl* one) { return one->isImplicit(); });
}

bool can_be_named(const clang::TagDecl* type) {
  if (type->getDeclContext()->isRecord() || !type->getDeclContext()->isFunctionOrMethod())
    return false;
  const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(type);
  if (record != nullptr && record->isLambda()) return !record->isDependentContext();
  const auto* structure = llvm::dyn_cast<clang::RecordDecl>(type);
  return structure == nullptr || is_structure(structure);
}

class definition_writer {
 public:
  definition_writer(const clang::ASTContext& context, const std::vector<hidden_type>& types)
      : context_(context), types_(types) {
    for (const hidden_type& one : types) waiting_[one.declaration] = &one;
  }

  std::vector<hidden_type> run() {
    for (const hidden_type& one : types_) write(one.declaration);
    return std::move(done_);
  }

 private:
  void write(const clang::TagDecl* declaration) {
    const auto at = waiting_.find(declaration);
    if (at == waiting_.end()) return;
    hidden_type made = *at->second;
    waiting_.erase(at);
    if (const auto* list = llvm::dyn_cast<clang::EnumDecl>(declaration)) {
      made.definition = numbers_of(list, made.name);
    } else {
      made.definition = members_of(llvm::cast<clang::RecordDecl>(declaration), made);
    }
    if (made.definition.empty()) return;
    // Clang prints a type without its keyword if only a typedef named it.
    if (declaration->getTypedefNameForAnonDecl() != nullptr)
      made.definition +=
          "typedef " + declaration->getKindName().str() + " " + made.name + " " + made.name + ";\n";
    done_.push_back(std::move(made));
  }

  // An enumeration of the same numbers, whose names are not needed.
  std::string numbers_of(const clang::EnumDecl* list, const std::string& name) const {
    const clang::QualType type = list->getIntegerType();
    if (context_.getLangOpts().CPlusPlus)
      return "enum " + name + " : " + plain_type(context_, type).value_or("int") + ";\n";
    if (context_.getTypeSize(type) != 32) return {};
    const char* low = type->isSignedIntegerType() ? "-2147483647 - 1" : "0";
    const std::string number = name.substr(llvm::StringRef(hidden_mark).size());
    return "enum " + name + " { cilk_low_" + number + " = " + low + ", cilk_high_" + number +
           " = 2147483647 };\n";
  }

  std::string members_of(const clang::RecordDecl* record, const hidden_type& type) {
    const auto* closure = llvm::dyn_cast<clang::CXXRecordDecl>(record);
    const bool lambda = closure != nullptr && closure->isLambda();
    std::string text = (record->isUnion() ? "union " : "struct ") + type.name + " {\n";
    unsigned index = 0;
    for (const clang::FieldDecl* field : record->fields()) {
      clang::QualType member = field->getType();
      if (const clang::TagDecl* inner = member->getBaseElementTypeUnsafe()->getAsTagDecl())
        write(inner);
      if (lambda && (member->isArrayType() || member->isVariablyModifiedType())) return {};
      if (member->isReferenceType()) member = context_.getPointerType(member.getNonReferenceType());
      const auto one =
          plain_type(context_, member, lambda ? captured_name(index) : field->getNameAsString());
      if (!one) return {};
      ++index;
      text += *one;
      if (field->isBitField()) text += " : " + std::to_string(field->getBitWidthValue(context_));
      text += ";\n";
    }
    for (const clang::CXXMethodDecl* one : type.operators) {
      const std::string head = operator_head(context_, one, "");
      if (head.empty()) return {};
      text += head + ";\n";
    }
    return text + "};\n";
  }

  const clang::ASTContext& context_;
  const std::vector<hidden_type>& types_;
  llvm::DenseMap<const clang::TagDecl*, const hidden_type*> waiting_;
  std::vector<hidden_type> done_;
};

}  // namespace

std::string captured_name(unsigned index) { return "cilk_captured_" + std::to_string(index + 1); }

std::vector<const clang::CXXMethodDecl*> call_operators(const clang::CXXRecordDecl* closure) {
  std::vector<const clang::CXXMethodDecl*> found;
  const clang::CXXMethodDecl* only = closure->getLambdaCallOperator();
  if (only == nullptr) return found;
  const clang::FunctionTemplateDecl* generic = only->getDescribedFunctionTemplate();
  if (generic == nullptr) return {only};
  for (const clang::FunctionDecl* one : generic->specializations()) {
    if (one->getDefinition() != nullptr && one->getDefinition()->hasBody())
      found.push_back(llvm::cast<clang::CXXMethodDecl>(one->getDefinition()));
  }
  return found;
}

// Whether an instance of a class template, which has hidden types among its arguments, is the same
// of the types that they stand for: what is in memory of its own is not.
static bool is_same_of_hidden(const parsed_file& source,
                              const clang::ClassTemplateSpecializationDecl* instance) {
  if (!instance->hasDefinition() || instance->isPolymorphic()) return false;
  for (const clang::Decl* one : instance->decls()) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(one);
    if (variable != nullptr && !variable->isConstexpr()) return false;
  }
  std::vector<clang::QualType> types;
  for (const clang::TemplateArgument& one : instance->getTemplateArgs().asArray()) {
    if (one.getKind() == clang::TemplateArgument::Type) types.push_back(one.getAsType());
    if (one.getKind() != clang::TemplateArgument::Pack) continue;
    for (const clang::TemplateArgument& each : one.pack_elements()) {
      if (each.getKind() == clang::TemplateArgument::Type) types.push_back(each.getAsType());
    }
  }
  return std::ranges::all_of(types, [&](clang::QualType type) {
    const auto text = plain_type(source.context, type);
    return text && (!has_hidden_type(*text) || has_known_layout(source, type));
  });
}

bool has_known_layout(const parsed_file& source, clang::QualType type) {
  while (type->isPointerType() || type->isReferenceType()) type = type->getPointeeType();
  const clang::TagDecl* tag = type->getBaseElementTypeUnsafe()->getAsTagDecl();
  if (const auto* instance = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(tag))
    return is_same_of_hidden(source, instance);
  if (tag == nullptr || tag->getIdentifier() == nullptr || !has_hidden_type(tag->getName()))
    return false;
  const auto* closure = llvm::dyn_cast<clang::CXXRecordDecl>(tag);
  if (closure == nullptr || !closure->isLambda()) return true;
  cilk_word_finder words(source);
  for (const clang::CXXMethodDecl* one : call_operators(closure))
    words.look_through(one->getBody());
  return !words.found;
}

std::string operator_head(const clang::ASTContext& context, const clang::CXXMethodDecl* method,
                          const std::string& name) {
  if (method->isStatic() || method->isVariadic()) return {};
  std::string parameters;
  for (const clang::ParmVarDecl* one : method->parameters()) {
    const auto text = plain_type(context, one->getType(), parameter_name(one));
    if (!text) return {};
    parameters += (parameters.empty() ? "" : ", ") + *text;
  }
  const std::string scope = name.empty() ? "" : name + "::";
  const auto text =
      plain_type(context, method->getReturnType(), scope + "operator()(" + parameters + ")");
  return text ? *text + (method->isConst() ? " const" : "") : "";
}

std::vector<hidden_type> name_hidden_types(
    const parsed_file& source, const llvm::SetVector<const clang::FunctionDecl*>& functions,
    const std::string& id) {
  hidden_type_collector collector;
  for (const clang::FunctionDecl* one : functions) collector.look_through(one->getBody());
  std::vector<hidden_type> types;
  for (clang::TagDecl* one : collector.found) {
    if (!can_be_named(one)) continue;
    hidden_type made;
    made.declaration = one;
    made.name = hidden_mark + id + "_" + std::to_string(types.size() + 1);
    made.lines = {source.line_of(one->getBeginLoc()), source.line_of(one->getEndLoc())};
    const auto* closure = llvm::dyn_cast<clang::CXXRecordDecl>(one);
    if (closure != nullptr && closure->isLambda()) {
      made.operators = call_operators(closure);
      for (const clang::CXXMethodDecl* each : made.operators)
        made.lines.second = std::max(made.lines.second, source.line_of(each->getEndLoc()));
    }
    types.push_back(std::move(made));
  }
  for (const hidden_type& one : types) {
    auto* declaration = const_cast<clang::TagDecl*>(one.declaration);
    declaration->setDeclName(&source.context.Idents.get(one.name));
  }
  return types;
}

std::vector<hidden_type> defined_in_order(const clang::ASTContext& context,
                                          const std::vector<hidden_type>& types) {
  return definition_writer(context, types).run();
}

}  // namespace cilk2chan
