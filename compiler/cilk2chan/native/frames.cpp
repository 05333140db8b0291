#include "edits.hpp"  // wants_semicolon
#include "native/rewriting.hpp"

namespace cilk2chan::native {
namespace {

bool goes_on_outwards(const region* where) {
  return where->kind == region_kind::try_block || (where->kind == region_kind::scope && where->frame.empty());
}

class frame_rewriter {
 public:
  explicit frame_rewriter(rewriting& out) : out_(out), source_(out.source) {}

  void run() {
    name_frames();
    for (region& one : out_.places.regions) {
      if (!one.frame.empty() && one.body != nullptr) open(one);
    }
    for (const scope_site& scope : out_.places.scopes) {
      unsigned end = scope.keyword + 10;
      while (source_.text()[end] == ' ') ++end;
      out_.text.replace({scope.keyword, end}, [] { return std::string(); }, 4);
    }
    for (const sync_site& sync : out_.places.syncs) {
      const std::string text = sync_text(sync.where);
      if (!text.empty()) out_.text.replace(source_.range(sync.node), [text] { return text; });
    }
  }

 private:
  // A try block's frame has a name of its own: a sync in it waits for the children around it, too.
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

  std::string declare(const region& one) const {
    return source_.is_c() ? "CHANNELS_CILK_FRAME;" : "channels::cilk::frame " + one.frame + ";";
  }

  void open(const region& one) {
    const auto* block = llvm::dyn_cast<clang::CompoundStmt>(one.body);
    if (block != nullptr) {
      if (block->getLBracLoc().isMacroID()) return source_.hide(block->getLBracLoc());
      out_.text.insert(source_.offset(block->getLBracLoc()) + 1, [text = " " + declare(one)] { return text; });
    } else {
      const text_range range = {source_.range(one.body).begin, end_of_statement(source_, one.body)};
      const std::string start = "{ " + declare(one) + " ";
      out_.text.replace(range, [this, range, start] { return start + out_.text.render(range) + " }"; }, 7);
    }
    for (const clang::DeclStmt* declaration : one.destroyed) {
      const text_range range = source_.range(declaration);
      const std::string name = "cilk_guard_" + std::to_string(++guards_);
      const std::string text = source_.is_c() ? " CHANNELS_CILK_GUARD(" + name + ");"
                                              : " channels::cilk::sync_on_exit " + name + "(" + one.frame + ");";
      out_.text.insert(range.end, [text] { return text; });
    }
  }

  std::string sync_text(const region* where) const {
    std::vector<std::string> frames;
    for (; where != nullptr; where = where->outer) {
      if (!where->frame.empty()) {
        frames.push_back(source_.is_c() ? "channels_cilk_sync(&cilk_frame)" : where->frame + ".sync()");
      }
      if (!goes_on_outwards(where)) break;
    }
    std::string text;
    for (const std::string& one : frames) text += (text.empty() ? "" : ", ") + one;
    return frames.size() > 1 ? "(" + text + ")" : text;
  }

  rewriting& out_;
  unit& source_;
  unsigned guards_ = 0;
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

unsigned end_of_statement(unit& source, const clang::Stmt* statement) {
  const unsigned end = source.range(statement).end;
  if (!wants_semicolon(statement)) return end;
  const unsigned next = source.next_token(end);
  return source.text().substr(next).starts_with(";") ? next + 1 : end;
}

}  // namespace cilk2chan::native
