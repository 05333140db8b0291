#include "diagnostics/diagnostics.hpp"
#include "host_code/rewriting.hpp"

#include <algorithm>

namespace cilk2chan::host_code {
namespace {

class spawn_rewriter {
 public:
  explicit spawn_rewriter(rewriting& out) : out_(out), source_(out.source) {}

  void run() {
    if (!source_.is_c()) cxx_children_ = plan_cxx_children(source_, out_.places);
    choose();
    std::map<const clang::DeclStmt*, std::vector<const spawn_site*>> declarations;
    for (std::size_t i = 0; i < out_.places.spawns.size(); ++i) {
      const spawn_site& site = out_.places.spawns[i];
      if (site.call == nullptr) continue;
      remove_keyword(site);
      if (site.form == spawn_form::plain) continue;
      if (source_.is_c()) {
        write_c_child(out_, site, *c_children_[i]);
      } else {
        out_.text.replace(
            source_.range(site.call),
            [this, &site, i] {
              return out_.in_child == &site ? child_call_cxx(out_, site, cxx_children_[i])
                                            : out_.render(site.call);
            },
            2);
      }
      if (site.form == spawn_form::declared) {
        declarations[site.statement].push_back(&site);
        index_[&site] = i;
      } else {
        out_.text.replace(
            source_.range(site.whole),
            [this, &site, i] {
              const std::string text = choice(site, i, out_.render(site.whole));
              return site.operand ? "(" + text + ")" : text;
            },
            1);
      }
    }
    for (const auto& [statement, sites] : declarations) {
      rewrite_declaration(out_, statement, sites, [this](const spawn_site& site) {
        const std::string call = site.variable->getNameAsString() + " = " + value_of(site);
        return choice(site, index_.at(&site), call);
      });
    }
    for (const clang::Expr* arm : out_.places.void_arms) {
      out_.text.replace(
          source_.range(arm), [this, arm] { return "(void)(" + out_.render(arm) + ")"; }, 3);
    }
  }

 private:
  // Decides for each spawn whether it can be given away, and gives regions with such spawns a
  // frame.
  void choose() {
    for (std::size_t i = 0; i < out_.places.spawns.size(); ++i) {
      spawn_site& site = out_.places.spawns[i];
      c_children_.emplace_back();
      if (site.call == nullptr) continue;
      const char* why_not = site.form == spawn_form::plain ? reasons::in_expression : reason(site);
      if (why_not == nullptr && source_.is_c()) {
        c_children_[i] = plan_c_child(out_, site, why_not);
      } else if (why_not == nullptr) {
        why_not = cxx_children_[i].why_not;
      }
      if (why_not != nullptr) {
        site.form = spawn_form::plain;
        if (!is_returned(site)) warn_serial(source_, site.node->getOperatorLoc(), "spawn", why_not);
      } else {
        site.where->frame = "cilk_frame";
        if (out_.reach != nullptr) find_reach(site, i);
      }
    }
  }

  void find_reach(const spawn_site& site, std::size_t i) {
    auto why = out_.reach->of(site);
    if (!why && !source_.is_c() &&
        std::ranges::any_of(cxx_children_[i].arguments, [](const child_argument& one) {
          return one.passed != child_argument::value;
        }))
      why = reach_obstacle{reasons::argument_not_plain, site.node->getOperatorLoc()};
    // The function has a declaration before the functions that its spawns became, or a pointer.
    if (!why && source_.is_c() && c_children_[i]->run.find("child->callee") != std::string::npos)
      why = reach_obstacle{reasons::calls_pointer, site.node->getOperatorLoc()};
    if (why) out_.stays.emplace(&site, *why);
  }

  const char* reason(const spawn_site& site) {
    if (site.place != nullptr && site.place->refersToBitField()) return reasons::bit_field;
    if (site.place != nullptr && !site.place->IgnoreUnlessSpelledInSource()->isLValue() &&
        !site.place->isTypeDependent())
      return reasons::temporary_place;
    const clang::VarDecl* variable = site.variable;
    if (site.place != nullptr) {
      const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(site.place->IgnoreParens());
      if (name != nullptr) variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    }
    if (variable != nullptr && variable->getStorageClass() == clang::SC_Register)
      return reasons::register_variable;
    if (site.form == spawn_form::declared && !can_take_apart(out_, site))
      return reasons::whole_declaration;
    for (const clang::Expr* one : written_arguments(site.call)) {
      if (!one_line(source_, source_.text(source_.range(one)))) return reasons::directive_inside;
    }
    if (!one_line(source_, source_.text(source_.range(site.call->getCallee()))))
      return reasons::many_lines;
    return nullptr;
  }

  static bool is_returned(const spawn_site& site) { return site.returned; }

  void remove_keyword(const spawn_site& site) {
    const unsigned begin = source_.offset(site.node->getOperatorLoc());
    const llvm::StringRef text = source_.text();
    unsigned end = begin + word_length(text, begin);
    while (end < text.size() && text[end] == ' ') ++end;
    out_.text.replace({begin, end}, [] { return std::string(); }, 4);
  }

  std::string value_of(const spawn_site& site) {
    return out_.render(
        site.variable->getInitStyle() == clang::VarDecl::CInit ? site.value : written_value(site));
  }
  static const clang::Expr* written_value(const spawn_site& site) { return site.node; }

  std::string choice(const spawn_site& site, std::size_t i, const std::string& call) {
    const std::string frame = frame_of(site.where);
    std::string test = "channels_cilk_hungry(&" + frame + ")";
    // When one child's result comes late, the results of later children must not overtake it.
    if (site.form == spawn_form::compound && needs_order(site))
      test = "channels_cilk_hungry_or_pending(&" + frame + ")";
    const std::string give = source_.is_c() ? give_c(out_, site, *c_children_[i])
                                            : give_cxx(out_, site, cxx_children_[i]);
    return test + " ? " + give + " : (void)(" + call + ")";
  }

  // Integer sums, products and bit operations are the same in any order. Everything else needs the
  // serial order.
  bool needs_order(const spawn_site& site) const {
    if (site.place->isTypeDependent() || !site.place->getType()->isIntegerType()) return true;
    if (!llvm::isa<clang::CompoundAssignOperator>(site.whole)) return true;
    const auto group = [](llvm::StringRef assignment) {
      return assignment == "-=" ? llvm::StringRef("+=") : assignment;
    };
    const llvm::StringRef own = group(site.assignment);
    if (own != "+=" && own != "*=" && own != "|=" && own != "&=" && own != "^=") return true;
    if (!site.value->getType()->isIntegerType()) return true;
    for (const spawn_site& other : out_.places.spawns) {
      if (other.form == spawn_form::compound && other.where->function == site.where->function &&
          group(other.assignment) != own)
        return true;
    }
    return false;
  }

  rewriting& out_;
  parsed_file& source_;
  std::vector<cxx_child> cxx_children_;
  std::vector<std::optional<c_child>> c_children_;
  std::map<const spawn_site*, std::size_t> index_;
};

}  // namespace

void rewrite_spawns(rewriting& out) { out.keep<spawn_rewriter>().run(); }

}  // namespace cilk2chan::host_code
