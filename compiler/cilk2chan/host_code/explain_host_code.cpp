#include "diagnostics/refusals.hpp"  // place_of
#include "host_code/rewriting.hpp"

#include "frontend/spelling.hpp"
namespace cilk2chan::host_code {
namespace {

class host_code_explainer {
 public:
  explicit host_code_explainer(const rewriting& out) : out_(out), source_(out.source) {}

  std::string run() {
    for (const spawn_site& site : out_.places.spawns) {
      if (site.call == nullptr) continue;
      const unsigned at = source_.offset(site.node->getOperatorLoc());
      const clang::FunctionDecl* callee = site.call->getDirectCallee();
      const std::string what =
          callee == nullptr ? "spawn" : "spawn of '" + callee->getNameAsString() + "'";
      const bool given = site.form != spawn_form::plain;
      add(site.where, at, what,
          given ? ", given away when a worker is hungry" + rank_of(site) : serial_at(at));
    }
    for (const loop_site& loop : out_.places.loops) {
      const unsigned at = source_.offset(loop.node->getForLoc());
      const char* const lowered = loop.spawned ? ", given away when a worker is hungry"
                                               : ", halved when a worker is hungry";
      add(loop.where, at, loop.spawned ? "spawn of a block" : "cilk_for",
          loop.lowered ? lowered : serial_at(at));
    }
    for (const auto& [at, call] : out_.calls_through_entries) {
      lines_[call.caller][at] =
          "'" + call.callee->getNameAsString() + "' goes through its entry: an init node";
    }
    return text();
  }

 private:
  void add(const region* where, unsigned at, const std::string& what, const std::string& how) {
    lines_[where == nullptr ? nullptr : where->function][at] = what + how;
  }

  // With --net.
  std::string rank_of(const spawn_site& site) const {
    if (out_.reach == nullptr) return {};
    const auto found = out_.stays.find(&site);
    return found == out_.stays.end() ? ", also of another rank"
                                     : ", of this rank: " + text_of(found->second);
  }
  std::string reach_of(const clang::FunctionDecl* function) const {
    if (out_.reach == nullptr || function == nullptr) return {};
    const auto found = out_.reach->of(function);
    return "  reach: " + (found ? "host: " + text_of(*found) : std::string("world")) + "\n";
  }
  std::string text_of(const reach_obstacle& why) const {
    return place_of(source_.sources, why.where) + why.reason;
  }

  std::string serial_at(unsigned at) const {
    const auto found = source_.serial.find(at);
    return ", serial" + (found == source_.serial.end() ? "" : ": " + found->second);
  }

  unsigned line_of(unsigned at) const {
    const auto start = source_.sources.getLocForStartOfFile(source_.sources.getMainFileID());
    return source_.sources.getPresumedLineNumber(start.getLocWithOffset(static_cast<int>(at)));
  }

  std::string text() const {
    // Sorted by place in the source.
    std::map<unsigned, std::string> parts;
    for (const auto& [function, lines] : lines_) {
      // The user did not write plain forms.
      if (function != nullptr && is_plain_form(function)) continue;
      std::string part = function == nullptr ? "outside of functions" : shown_name(function);
      part += ": host code\n" + reach_of(function);
      for (const auto& [at, line] : lines)
        part += "  line " + std::to_string(line_of(at)) + ": " + line + '\n';
      parts[lines.begin()->first] = part;
    }
    std::string all;
    for (const auto& [at, part] : parts) all += part;
    return all;
  }

  const rewriting& out_;
  const parsed_file& source_;
  std::map<const clang::FunctionDecl*, std::map<unsigned, std::string>, declared_before> lines_;
};

}  // namespace

std::string explain_host_code(const rewriting& out) { return host_code_explainer(out).run(); }

}  // namespace cilk2chan::host_code
