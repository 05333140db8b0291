#include "normal_form/plain_writer.hpp"

#include "frontend/writer.hpp"
#include "normal_form/plain_types.hpp"

#include <algorithm>
#include <utility>

namespace cilk2chan {

void plain_writer::line(const std::string& text) {
  // A statement may become several lines, all of which have its place.
  if (line_ != place_line_ && !goes_on_) text_ += line_directive(place_file_, line_ = place_line_);
  goes_on_ = text == "_Cilk_scope" || text.starts_with("#");
  text_ += text + "\n";
  if (line_ != 0) line_ += 1 + static_cast<unsigned>(std::ranges::count(text, '\n'));
  if (text.find(spawn_word) == std::string::npos) return;
  for (const unsigned kind : std::exchange(given_, {})) {
    const auto strand = strands_.find(kind);
    if (strand == strands_.end()) return fail(reasons::no_views);
    line("cilk_next_views(&" + strand->second + ");");
  }
}

void plain_writer::at(clang::SourceLocation where, unsigned above) {
  expressions_.is_at(where);
  const clang::PresumedLoc place =
      source_.sources.getPresumedLoc(source_.sources.getExpansionLoc(where));
  if (place.isInvalid()) return;
  place_file_ = place.getFilename();
  place_line_ = place.getLine() - above;
}

std::string plain_writer::line_of(clang::SourceLocation where) const {
  const clang::PresumedLoc place =
      source_.sources.getPresumedLoc(source_.sources.getExpansionLoc(where));
  return place.isInvalid() ? "" : line_directive(place.getFilename(), place.getLine());
}

void plain_writer::begin_function(const std::string& name) {
  name_ = name;
  before_.clear();
  text_.clear();
  blocks_.clear();
  temporaries_.clear();
  strands_.clear();
  given_.clear();
  expressions_.views.clear();
  line_ = place_line_ = 0;
  goes_on_ = false;
  functions_ = 0;
}

std::string plain_writer::declared(clang::QualType type, const std::string& name) {
  const auto text = plain_type(source_.context, type, name);
  if (!text) fail(why_not_plain(source_.context, type));
  return text.value_or("");
}

std::string plain_writer::boxed(clang::QualType type, const std::string& name) {
  const auto text = plain_variable(source_.context, type, name);
  if (!text) fail(why_not_plain(source_.context, type));
  return text.value_or("");
}

void plain_writer::open() {
  line("{");
  blocks_.emplace_back();
  blocks_.back().was_quiet = expressions_.is_quiet;
  blocks_.back().temporaries = temporaries_.size();
}

void plain_writer::close() {
  // A statement that did not see to their end.
  if (temporaries_.size() > blocks_.back().temporaries) fail(reasons::temporary_stays);
  temporaries_.resize(std::min(temporaries_.size(), blocks_.back().temporaries));
  leave(blocks_.size() - 1);
  // Control may have come past it.
  expressions_.is_quiet = expressions_.is_quiet && blocks_.back().was_quiet;
  blocks_.pop_back();
  line("}");
}

void plain_writer::take_back_brace() {
  text_.resize(text_.size() - 2);
  if (line_ != 0) --line_;
}

void plain_writer::keep_temporaries(std::size_t before) {
  const auto first = temporaries_.begin() + static_cast<std::ptrdiff_t>(before);
  blocks_.back().objects.insert(blocks_.back().objects.end(), first, temporaries_.end());
  temporaries_.resize(before);
}

void plain_writer::end_temporaries(std::size_t before) {
  while (temporaries_.size() > before) {
    line(temporaries_.back() + ".end();");
    temporaries_.pop_back();
  }
}

void plain_writer::leave(std::size_t from, const std::string& kept) {
  if (!waits(from)) return;
  // Without children there are no views to join.
  if (!serial_ && !(has_strand() && expressions_.is_quiet)) wait();
  for (std::size_t level = from; level < blocks_.size(); ++level) add_up(blocks_[level]);
  for (std::size_t level = blocks_.size(); level-- > from;) {
    for (const auto& [kind, place] : blocks_[level].reducers)
      line("cilk_forget_view(" + expressions_.views_here(kind) + ", (void*)&" + place + ");");
    for (auto one = blocks_[level].objects.rbegin(); one != blocks_[level].objects.rend(); ++one) {
      if (*one != kept) line(*one + ".end();");
    }
  }
}

bool plain_writer::waits(std::size_t from) const {
  return std::ranges::any_of(blocks_.begin() + static_cast<std::ptrdiff_t>(from), blocks_.end(),
                             [](const open_block& one) {
                               return !one.sums.empty() || !one.objects.empty() ||
                                      !one.reducers.empty() || one.lends;
                             });
}

void plain_writer::add_up(const open_block& of) {
  for (const pending_sum& one : of.sums)
    line(one.place + " " + one.operation + " " + one.value + ";");
}

void plain_writer::wait() {
  line("_Cilk_sync;");
  for (const auto& [kind, strand] : strands_)
    line("cilk_join_" + std::to_string(kind) + "(&" + strand + ");");
}

void plain_writer::begin_strand() {
  for (auto& [kind, views] : expressions_.views) {
    const std::string name = fresh();
    line("struct cilk_strand " + name + ";");
    line("cilk_begin_strand(&" + name + ", " + (views.empty() ? "0" : views) + ");");
    strands_[kind] = name;
    views = "cilk_current_views(&" + name + ")";
    blocks_.back().lends = true;
  }
}

void plain_writer::keep_view(const clang::VarDecl* variable) {
  if (expressions_.views.empty()) return;
  const auto facts = facts_of_variable(variable);
  const auto kind = facts ? expressions_.kind_of(*facts) : std::nullopt;
  if (!kind || expressions_.views[*kind].empty()) return;
  const std::string place = expressions_.place(expressions_.variable(variable), *facts);
  line("cilk_keep_view(" + expressions_.views[*kind] + ", (void*)&" + place + ");");
  blocks_.back().reducers.emplace_back(*kind, place);
}

void plain_writer::sync() {
  wait();
  for (std::size_t level = 0; level + 1 < blocks_.size(); ++level) {
    // They would be added once more where the block around ends.
    if (!blocks_[level].sums.empty()) fail(reasons::sum_of_outer_block);
  }
  add_up(blocks_.back());
  blocks_.back().sums.clear();
  expressions_.is_quiet = !jumps_while_children_run_;
}

}  // namespace cilk2chan
