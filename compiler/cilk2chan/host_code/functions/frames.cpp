#include "host_code/rewriting.hpp"
#include "tasks/node_text.hpp"  // wants_semicolon

namespace cilk2chan::host_code {
namespace {

bool goes_on_outwards(const region* where) {
  return where->kind == region_kind::try_block ||
         (where->kind == region_kind::scope && where->frame.empty());
}

class frame_rewriter {
 public:
  explicit frame_rewriter(rewriting& out) : out_(out), source_(out.source) {}

  void run() {
    name_frames();
    for (region& one : out_.places.regions) {
      if (!one.frame.empty() && one.body != nullptr) open(one);
    }
    for (const return_site& site : out_.places.returns) join_at(site);
    for (const scope_site& scope : out_.places.scopes) {
      unsigned end = scope.keyword + word_length(source_.text(), scope.keyword);
      while (source_.text()[end] == ' ') ++end;
      out_.text.replace({scope.keyword, end}, [] { return std::string(); }, 4);
    }
    for (const sync_site& sync : out_.places.syncs) {
      const std::string text = sync_text(sync.where);
      if (!text.empty()) out_.text.replace(source_.range(sync.node), [text] { return text; });
    }
  }

 private:
  // Frames inside one another need different names: a sync in a try block waits for the children
  // of the blocks around it, too.
  void name_frames() {
    for (region& one : out_.places.regions) {
      if (one.frame.empty() || source_.is_c()) continue;
      one.frame = "cilk_frame";
      unsigned depth = 1;
      for (const region* at = &one; goes_on_outwards(at) && at->outer != nullptr;) {
        at = at->outer;
        if (!at->frame.empty()) ++depth;
      }
      if (depth > 1) one.frame += "_" + std::to_string(depth);
    }
  }

  // In C++ an exception that leaves the block gives way to an exception of a child that is serially
  // earlier.
  std::string opening(const region& one) const {
    if (source_.is_c()) return " CHANNELS_CILK_FRAME;";
    const std::string frame =
        " channels::cilk::" + std::string(is_guarded(one) ? "guarded_frame " : "frame ") +
        one.frame + ";";
    return source_.context.getLangOpts().CXXExceptions ? frame + " try {" : frame;
  }
  std::string closing(const region& one) const {
    if (source_.is_c() || !source_.context.getLangOpts().CXXExceptions) return "";
    return "} catch (...) { " + one.frame + (is_guarded(one) ? ".left_by_exception()" : ".sync()") +
           "; throw; } ";
  }
  bool is_guarded(const region& one) const {
    return !one.destroyed.empty() || !one.destroyed_inside.empty();
  }

  void open(const region& one) {
    guard(one.destroyed, one,
          source_.is_c() ? "CHANNELS_CILK_GUARD" : "channels::cilk::exit_guard");
    if (source_.is_c()) {
      guard(left_by_returns(one), one, "CHANNELS_CILK_RETURN_GUARD");
    } else {
      guard(one.destroyed_inside, one, "channels::cilk::inner_guard");
    }
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(one.body);
    if (block != nullptr) {
      source_.hide(block->getLBracLoc());
      source_.hide(block->getRBracLoc());
      out_.text.insert(source_.offset(block->getLBracLoc()) + 1,
                       [text = opening(one)] { return text; });
      out_.text.insert(source_.offset(block->getRBracLoc()),
                       [text = closing(one)] { return text; });
    } else {
      const text_range range = {source_.range(one.body).begin, end_of_statement(source_, one.body)};
      const std::string start = "{" + opening(one) + " ";
      const std::string end = " " + closing(one) + "}";
      out_.text.replace(
          range, [this, range, start, end] { return start + out_.text.render(range) + end; }, 7);
    }
  }

  void guard(const std::vector<const clang::DeclStmt*>& declarations, const region& one,
             const std::string& kind) {
    for (const clang::DeclStmt* declaration : declarations) {
      const std::string name = "cilk_guard_" + std::to_string(++guards_);
      const std::string text = source_.is_c() ? " " + kind + "(" + name + ");"
                                              : " " + kind + " " + name + "(" + one.frame + ");";
      out_.text.insert(source_.range(declaration).end, [text] { return text; });
      guard_of_[declaration] = name;
    }
  }

  std::vector<const clang::DeclStmt*> left_by_returns(const region& one) const {
    std::vector<const clang::DeclStmt*> left;
    llvm::copy_if(one.destroyed_inside, std::back_inserter(left), [&](const auto* declaration) {
      return llvm::any_of(out_.places.returns, [&](const return_site& site) {
        return llvm::is_contained(site.leaves, declaration);
      });
    });
    return left;
  }

  // Has the guards behind what a return leaves join the children.
  void join_at(const return_site& site) {
    std::string text;
    for (const clang::DeclStmt* declaration : site.leaves) {
      const auto name = guard_of_.find(declaration);
      if (name == guard_of_.end()) continue;
      text += name->second + (source_.is_c() ? ".joins = 1; " : ".joins(); ");
    }
    if (text.empty()) return;
    out_.text.insert(source_.range(site.node).begin, [text] { return "{ " + text; });
    out_.text.insert(end_of_statement(source_, site.node), [] { return std::string(" }"); });
  }

  std::string sync_text(const region* where) const {
    std::vector<std::string> frames;
    for (; where != nullptr; where = where->outer) {
      if (!where->frame.empty()) {
        frames.push_back(source_.is_c() ? "channels_cilk_sync(&cilk_frame)"
                                        : where->frame + ".sync()");
      }
      if (!goes_on_outwards(where)) break;
    }
    std::string text;
    for (const std::string& one : frames) text += (text.empty() ? "" : ", ") + one;
    return frames.size() > 1 ? "(" + text + ")" : text;
  }

  rewriting& out_;
  parsed_file& source_;
  unsigned guards_ = 0;
  llvm::DenseMap<const clang::DeclStmt*, std::string> guard_of_;
};

}  // namespace

void rewrite_frames(rewriting& out) { out.keep<frame_rewriter>().run(); }

std::string frame_of(const region* where) {
  for (; where != nullptr; where = where->outer) {
    if (!where->frame.empty()) return where->frame;
    if (!goes_on_outwards(where)) break;
  }
  return {};
}

unsigned end_of_statement(parsed_file& source, const clang::Stmt* statement) {
  const unsigned end = source.range(statement).end;
  if (!wants_semicolon(statement)) return end;
  const unsigned next = source.next_token(end);
  return source.text().substr(next).starts_with(";") ? next + 1 : end;
}

}  // namespace cilk2chan::host_code
