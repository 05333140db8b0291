#include "normal_form/refused_forms.hpp"

#include "diagnostics/refusals.hpp"

#include <algorithm>

namespace cilk2chan {
namespace {

// Collects reasons for messages about the functions that forms stand for.
class reason_notes {
 public:
  reason_notes(const std::vector<plain_form>& forms, function_reasons& refused)
      : forms_(forms), refused_(refused) {}

  // `is_all`: nothing else keeps the function on the host.
  void note(const plain_form& form, std::string why, bool is_all) {
    // What stands in the way of the whole of a function says more than what does so here.
    if (form.regions != 0 && !form.is_only_part) return;
    // The small functions that a form needs have its name and a number.
    for (const plain_form& one : forms_) {
      for (std::size_t at = 0; (at = why.find("'" + one.name, at)) != std::string::npos; ++at) {
        const std::size_t end = why.find_first_not_of("_0123456789", at + 1 + one.name.size());
        if (end != std::string::npos && why[end] == '\'')
          why.replace(at + 1, end - at - 1, one.function);
      }
    }
    why_.try_emplace(form.name, why);
    refused_function& known = refused_[{form.function, form.line}];
    known.is_all = known.is_all || is_all;
    if (std::ranges::find(known.reasons, why) == known.reasons.end()) known.reasons.push_back(why);
  }

  // Forms that call those. `says_why`: else that is found by their calls.
  void note_callers(bool says_why) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const plain_form& form : forms_) {
        if (why_.contains(form.name)) continue;
        for (const plain_form& callee : forms_) {
          if (!form.calls.contains(callee.name) || !why_.contains(callee.name)) continue;
          const std::string why = reasons::calls_host_code({callee.function});
          if (says_why) {
            note(form, why + ": " + why_.at(callee.name), false);
          } else {
            note_otherwise(form, why);
          }
          changed = changed || why_.contains(form.name);
          break;
        }
      }
    }
  }

  // `why` has no place, and is said of a form only where nothing else is.
  void note_otherwise(const plain_form& form, const std::string& why) {
    if (form.regions != 0 && !form.is_only_part) return;
    why_.try_emplace(form.name, why);
    refused_[{form.function, form.line}].otherwise = why;
  }

 private:
  const std::vector<plain_form>& forms_;
  function_reasons& refused_;
  std::map<std::string, std::string> why_;  // the first reason of each form that is left out
};

}  // namespace

bool is_of_form(const staying_function& one, const plain_form& form) {
  const llvm::StringRef name = one.name;
  return name == form.name || name.starts_with(form.name + "_");
}

void note_unwritten(const std::vector<plain_form>& forms, function_reasons& refused) {
  reason_notes notes(forms, refused);
  for (const plain_form& form : forms) {
    for (const std::string& why : form.why_not) notes.note(form, why, false);
  }
  notes.note_callers(false);
}

void note_staying(const std::vector<plain_form>& forms, const task_plan& plan,
                  function_reasons& refused) {
  reason_notes notes(forms, refused);
  for (const plain_form& form : forms) {
    for (const staying_function& one : plan.stay) {
      if (!is_of_form(one, form)) continue;
      for (const std::string& why : one.reasons) notes.note(form, why, true);
    }
    const bool entered = std::ranges::any_of(
        plan.entries, [&](const task_entry& one) { return one.symbol == form.name; });
    if (!entered && !form.changes.empty()) notes.note_otherwise(form, reasons::nothing_parallel);
  }
  notes.note_callers(true);
}

void note_not_compiled(const std::vector<plain_form>& forms,
                       const std::vector<compiler_error>& errors, function_reasons& refused) {
  reason_notes notes(forms, refused);
  for (const compiler_error& error : errors) {
    for (const plain_form& form : forms) {
      const bool here = std::ranges::any_of(
          error.places, [&](const auto& at) { return form.has_line(at.first, at.second); });
      if (here) notes.note(form, reasons::plain_form_refused(error.text), false);
    }
  }
  notes.note_callers(false);
}

}  // namespace cilk2chan
