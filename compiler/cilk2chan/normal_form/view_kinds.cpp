#include "normal_form/view_kinds.hpp"

#include "analysis/reducer_types.hpp"
#include "frontend/tree_walker.hpp"
#include "frontend/writer.hpp"  // line_directive
#include "normal_form/plain_types.hpp"

#include <clang/AST/ExprCXX.h>

namespace cilk2chan {
namespace {

// Memory of views is aligned as `malloc` does it.
constexpr unsigned most_aligned = 128;  // bits

// A set of views, and a strand's sets: its first, which it has from its parent, and one for what
// comes behind each child. A view is the reducer's place where the strand has declared the reducer.
// All names are ours, since a program may have macros.
constexpr const char* common_text =
    R"(struct cilk_view { struct cilk_view* cilk_next; void* cilk_of; void* cilk_at; };
struct cilk_views { struct cilk_view* cilk_first; struct cilk_views* cilk_next; };
struct cilk_strand {
  struct cilk_views* cilk_mine;
  struct cilk_views* cilk_first;
  struct cilk_views* cilk_last;
};
static struct cilk_view* cilk_find_view(struct cilk_views* cilk_in, void* cilk_of) {
  struct cilk_view* cilk_one = cilk_in->cilk_first;
  while (cilk_one && cilk_one->cilk_of != cilk_of) cilk_one = cilk_one->cilk_next;
  return cilk_one;
}
static struct cilk_view* cilk_new_view(struct cilk_views* cilk_in, void* cilk_of,
                                       unsigned long cilk_size) {
  struct cilk_view* cilk_made =
      (struct cilk_view*)cilk_memory(sizeof(struct cilk_view) + cilk_size);
  cilk_made->cilk_next = cilk_in->cilk_first;
  cilk_made->cilk_of = cilk_of;
  cilk_made->cilk_at = cilk_made + 1;
  cilk_in->cilk_first = cilk_made;
  return cilk_made;
}
static void cilk_keep_view(struct cilk_views* cilk_in, void* cilk_of) {
  if (cilk_in) cilk_new_view(cilk_in, cilk_of, 0)->cilk_at = cilk_of;
}
static void cilk_forget_view(struct cilk_views* cilk_in, void* cilk_of) {
  struct cilk_view** cilk_at;
  if (!cilk_in) return;
  cilk_at = &cilk_in->cilk_first;
  while (*cilk_at && (*cilk_at)->cilk_of != cilk_of) cilk_at = &(*cilk_at)->cilk_next;
  if (*cilk_at) {
    struct cilk_view* cilk_found = *cilk_at;
    *cilk_at = cilk_found->cilk_next;
    cilk_free(cilk_found);
  }
}
static void cilk_begin_strand(struct cilk_strand* cilk_made, struct cilk_views* cilk_mine) {
  cilk_made->cilk_mine = cilk_mine;
  cilk_made->cilk_first = 0;
  cilk_made->cilk_last = 0;
}
static struct cilk_views* cilk_current_views(struct cilk_strand* cilk_of) {
  return cilk_of->cilk_last ? cilk_of->cilk_last : cilk_of->cilk_mine;
}
static void cilk_next_views(struct cilk_strand* cilk_of) {
  struct cilk_views* cilk_made = (struct cilk_views*)cilk_memory(sizeof(struct cilk_views));
  cilk_made->cilk_first = 0;
  cilk_made->cilk_next = 0;
  if (cilk_of->cilk_last) cilk_of->cilk_last->cilk_next = cilk_made;
  else cilk_of->cilk_first = cilk_made;
  cilk_of->cilk_last = cilk_made;
}
static struct cilk_views* cilk_new_rows(long cilk_count) {
  const unsigned long cilk_size = (unsigned long)(cilk_count + 1) * sizeof(struct cilk_views);
  return (struct cilk_views*)cilk_memory(cilk_size);
}
)";

// `@` is the kind's number, `POINTER` the type of pointers to its views, `MAKE` and `REDUCE` what
// makes the view `cilk_made`, and reduces `cilk_left` and `cilk_right`.
constexpr const char* kind_text = R"(static void cilk_make_@(POINTER cilk_made) { MAKE }
static void cilk_reduce_@(POINTER cilk_left, POINTER cilk_right) { REDUCE }
static POINTER cilk_view_@(struct cilk_views* cilk_in, POINTER cilk_of) {
  struct cilk_view* cilk_one;
  if (!cilk_in) return cilk_of;
  cilk_one = cilk_find_view(cilk_in, (void*)cilk_of);
  if (!cilk_one) {
    cilk_one = cilk_new_view(cilk_in, (void*)cilk_of, sizeof *cilk_of);
    cilk_make_@((POINTER)cilk_one->cilk_at);
  }
  return (POINTER)cilk_one->cilk_at;
}
static void cilk_merge_@(struct cilk_views* cilk_into, struct cilk_views* cilk_from) {
  struct cilk_view* cilk_one = cilk_from->cilk_first;
  while (cilk_one) {
    struct cilk_view* cilk_next = cilk_one->cilk_next;
    struct cilk_view* cilk_known = cilk_into ? cilk_find_view(cilk_into, cilk_one->cilk_of) : 0;
    if (cilk_into && !cilk_known) {
      cilk_one->cilk_next = cilk_into->cilk_first;
      cilk_into->cilk_first = cilk_one;
    } else {
      POINTER cilk_left = (POINTER)(cilk_known ? cilk_known->cilk_at : cilk_one->cilk_of);
      POINTER cilk_right = (POINTER)cilk_one->cilk_at;
      if (cilk_left != cilk_right) cilk_reduce_@(cilk_left, cilk_right);
      cilk_free(cilk_one);
    }
    cilk_one = cilk_next;
  }
}
static void cilk_join_@(struct cilk_strand* cilk_of) {
  struct cilk_views* cilk_one = cilk_of->cilk_first;
  cilk_of->cilk_first = 0;
  cilk_of->cilk_last = 0;
  while (cilk_one) {
    struct cilk_views* cilk_next = cilk_one->cilk_next;
    cilk_merge_@(cilk_of->cilk_mine, cilk_one);
    cilk_free(cilk_one);
    cilk_one = cilk_next;
  }
}
static void cilk_merge_rows_@(struct cilk_views* cilk_into, struct cilk_views* cilk_rows,
                              long cilk_count) {
  long cilk_i;
  for (cilk_i = 0; cilk_i < cilk_count; ++cilk_i) cilk_merge_@(cilk_into, &cilk_rows[cilk_i]);
  cilk_free(cilk_rows);
}
)";

constexpr const char* memory_in_c = R"(#include <stdlib.h>
static void* cilk_memory(unsigned long cilk_size) { return malloc(cilk_size); }
static void cilk_free(void* cilk_memory) { free(cilk_memory); }
)";
constexpr const char* memory_in_cxx = R"(#include <new>
static void* cilk_memory(unsigned long cilk_size) { return ::operator new(cilk_size); }
static void cilk_free(void* cilk_memory) { ::operator delete(cilk_memory); }
template <class Object> inline void cilk_end_view(Object* cilk_view) { cilk_view->~Object(); }
)";

std::string filled(llvm::StringRef text, llvm::StringRef what, llvm::StringRef by) {
  std::string result;
  for (auto at = text.find(what); at != llvm::StringRef::npos; at = text.find(what)) {
    result += (text.take_front(at) + by).str();
    text = text.drop_front(at + what.size());
  }
  return result + text.str();
}

class use_finder : public tree_walker {
 public:
  use_finder(view_kinds& kinds, const parsed_file& source) : kinds_(kinds), source_(source) {}

  view_set found;

  bool TraverseStmt(clang::Stmt* code) override {
    if (const auto* value = llvm::dyn_cast_or_null<clang::Expr>(code)) {
      if (const auto view = view_in(source_.context, value)) note(view->facts);
      if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(value)) {
        if (const auto view = view_behind(member)) note(view->facts);
      }
      const auto* call = llvm::dyn_cast<clang::CallExpr>(value);
      const auto* method =
          call == nullptr ? nullptr
                          : llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
      if (method != nullptr && is_reducer_class(method->getParent())) {
        if (const auto facts = facts_of_reducer_class(method->getParent())) note(*facts);
      }
    }
    return tree_walker::TraverseStmt(code);
  }

 private:
  void note(const reducer_facts& facts) {
    if (const auto kind = kinds_.find(source_, facts)) found.insert(*kind);
  }

  view_kinds& kinds_;
  const parsed_file& source_;
};

}  // namespace

std::optional<unsigned> view_kinds::find(const parsed_file& source, const reducer_facts& facts) {
  const clang::ASTContext& context = source.context;
  if (facts.reduce.empty() || facts.view.isNull() ||
      (!all_reducers_ && reduces_in_any_order(context, facts)))
    return std::nullopt;
  const auto pointer = plain_type(context, context.getPointerType(facts.view));
  if (!pointer) return std::nullopt;
  auto [at, fresh] = known_.try_emplace(*pointer + " " + facts.identity + " " + facts.reduce);
  if (!fresh) return at->second;
  if (facts.view->isIncompleteType() || facts.view->isArrayType() ||
      context.getTypeAlign(facts.view) > most_aligned)
    return std::nullopt;
  const std::string key = facts.how_declared == reducer_facts::c_object ? "0, " : "";
  kind made{facts.view.getAsString(plain_policy(context)), *pointer,
            facts.identity + "(" + key + "cilk_made);",
            facts.reduce + "(" + key + "cilk_left, cilk_right);"};
  // What the program reduces with `cilk_reducer` it ends itself.
  if (facts.how_declared == reducer_facts::object) made.reduce += " cilk_end_view(cilk_right);";
  at->second = static_cast<unsigned>(all_.size());
  all_.push_back(std::move(made));
  return at->second;
}

view_set view_kinds::used_in(const parsed_file& source, const clang::Stmt* code) {
  use_finder look(*this, source);
  look.look_through(code);
  return look.found;
}

std::string view_kinds::text(unsigned kind) const {
  std::string text = filled(kind_text, "@", std::to_string(kind));
  text = filled(text, "POINTER", all_[kind].pointer);
  text = filled(text, "MAKE", all_[kind].make);
  return line_directive("views of " + all_[kind].name, 1) +
         filled(text, "REDUCE", all_[kind].reduce);
}

std::string common_text_of_views(bool is_c) {
  return std::string(is_c ? memory_in_c : memory_in_cxx) + common_text;
}

std::string views_name(unsigned kind) { return "cilk_views_" + std::to_string(kind); }

std::string views_parameter(unsigned kind) { return "struct cilk_views* " + views_name(kind); }

}  // namespace cilk2chan
