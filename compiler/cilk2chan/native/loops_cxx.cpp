#include "native/loops.hpp"

#include <algorithm>

namespace cilk2chan::native {

void rewrite_loop_cxx(rewriting& out, const loop_site& site, const loop_form& form) {
  out.text.replace(range_of(out, site), [&out, &site, form] {
    const std::string name = form.variable->getNameAsString();
    const text_range body = body_range(out, site);
    std::string text = "{ " + initialisation(out, site) +
                       " const auto cilk_limit = " + out.render_line(form.limit) +
                       "; const auto cilk_first = " + name + ";";
    std::string step = form.subtracts ? "-1" : "1";
    if (form.step != nullptr) {
      const std::string value = "static_cast<std::int64_t>(" + out.render_line(form.step) + ")";
      text += " const std::int64_t cilk_step = " + (form.subtracts ? "-" + value : value) + ";";
      step = "cilk_step";
    }
    text += " const std::uint64_t cilk_trips = channels::cilk::trips(" +
            condition_of(form, "cilk_limit") + ", cilk_first, cilk_limit, " + step + ", " +
            (is_inclusive(form) ? "true" : "false") + ");";
    text += " channels::cilk::for_each_range(cilk_trips, " +
            (site.grain.empty() ? "0" : site.grain) +
            ", [&](std::uint64_t cilk_begin, std::uint64_t cilk_end) { " + out.views_of(site) +
            "for (auto " + name + " = channels::cilk::nth(cilk_first, cilk_begin, " + step +
            "); cilk_begin != cilk_end; ++cilk_begin, ";
    if (form.step == nullptr) {
      text += std::string(form.subtracts ? "--" : "++") + name;
    } else {
      text += name + " = channels::cilk::nth(" + name + ", 1, cilk_step)";
    }
    text += ") ";
    const llvm::StringRef head = out.source.text().slice(range_of(out, site).begin, body.begin);
    text.append(head.count('\n'), '\n');
    text += out.text.render(body) + " });";
    if (!form.declared)
      text += " " + name + " = channels::cilk::nth(cilk_first, cilk_trips, " + step + ");";
    return text + " }";
  });
}

}  // namespace cilk2chan::native
