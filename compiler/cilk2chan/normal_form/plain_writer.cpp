#include "normal_form/plain_writer.hpp"

#include "frontend/writer.hpp"
#include "normal_form/plain_types.hpp"

#include <algorithm>

namespace cilk2chan {

void plain_writer::line(const std::string& text) {
  text_ += text + "\n";
  if (line_ != 0) line_ += 1 + static_cast<unsigned>(std::ranges::count(text, '\n'));
}

void plain_writer::at(clang::SourceLocation where, unsigned above) {
  const clang::PresumedLoc place =
      source_.sources.getPresumedLoc(source_.sources.getExpansionLoc(where));
  if (place.isInvalid() || place.getLine() - above == line_) return;
  line_ = place.getLine() - above;
  text_ += line_directive(place.getFilename(), line_);
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
  line_ = 0;
  functions_ = 0;
}

std::string plain_writer::declared(clang::QualType type, const std::string& name) {
  const auto text = plain_type(source_.context, type, name);
  if (!text) fail();
  return text.value_or("");
}

std::string plain_writer::boxed(clang::QualType type, const std::string& name) {
  const auto text = plain_variable(source_.context, type, name);
  if (!text) fail();
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
  if (temporaries_.size() > blocks_.back().temporaries) fail();
  temporaries_.resize(std::min(temporaries_.size(), blocks_.back().temporaries));
  leave(blocks_.size() - 1);
  // Control may have come past it.
  expressions_.is_quiet = expressions_.is_quiet && blocks_.back().was_quiet;
  blocks_.pop_back();
  line("}");
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
  if (!serial_) line("_Cilk_sync;");
  for (std::size_t level = from; level < blocks_.size(); ++level) add_up(blocks_[level]);
  for (std::size_t level = blocks_.size(); level-- > from;) {
    for (auto one = blocks_[level].objects.rbegin(); one != blocks_[level].objects.rend(); ++one) {
      if (*one != kept) line(*one + ".end();");
    }
  }
}

bool plain_writer::waits(std::size_t from) const {
  return std::ranges::any_of(
      blocks_.begin() + static_cast<std::ptrdiff_t>(from), blocks_.end(),
      [](const open_block& one) { return !one.sums.empty() || !one.objects.empty() || one.lends; });
}

void plain_writer::add_up(const open_block& of) {
  for (const pending_sum& one : of.sums)
    line(one.place + " " + one.operation + " " + one.value + ";");
}

void plain_writer::sync() {
  line("_Cilk_sync;");
  for (std::size_t level = 0; level + 1 < blocks_.size(); ++level) {
    // They would be added once more where the block around ends.
    if (!blocks_[level].sums.empty()) fail();
  }
  add_up(blocks_.back());
  blocks_.back().sums.clear();
  expressions_.is_quiet = !jumps_while_children_run_;
}

}  // namespace cilk2chan
