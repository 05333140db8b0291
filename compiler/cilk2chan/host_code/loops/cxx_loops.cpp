#include "diagnostics/diagnostics.hpp"
#include "host_code/loops/captures.hpp"
#include "host_code/loops/loops.hpp"

#include <algorithm>

namespace cilk2chan::host_code {

void rewrite_loop_cxx(rewriting& out, const loop_site& site, const loop_form& form) {
  out.text.replace(range_of(out, site), [&out, &site, form] {
    const std::string name = form.variable->getNameAsString();
    const text_range body = body_range(out, site);
    std::string text = "{ " + initialisation(out, site) + " const auto " + out.own.limit + " = " +
                       out.render_line(form.limit) + "; const auto " + out.own.first + " = " +
                       name + ";";
    std::string step = form.subtracts ? "-1" : "1";
    if (form.step != nullptr) {
      const std::string value = "static_cast<std::int64_t>(" + out.render_line(form.step) + ")";
      text += " const std::int64_t " + out.own.step + " = " +
              (form.subtracts ? "-" + value : value) + ";";
      step = out.own.step;
    }
    text += " const std::uint64_t " + out.own.trips + " = channels::cilk::trips(" +
            condition_of(form, out.own.limit) + ", " + out.own.first + ", " + out.own.limit + ", " +
            step + ", " + (is_inclusive(form) ? "true" : "false") + ");";
    text += " channels::cilk::for_each_range(" + out.own.trips + ", " +
            (site.grain.empty() ? "0" : site.grain) + ", [&](std::uint64_t " + out.own.begin +
            ", std::uint64_t " + out.own.end + ") { " + out.views_of(site);
    const std::string start = "auto " + name + " = channels::cilk::nth(" + out.own.first + ", " +
                              out.own.begin + ", " + step + "); ";
    const llvm::StringRef head = out.source.text().slice(range_of(out, site).begin, body.begin);
    const std::string lines(head.count('\n'), '\n');
    if (out.races) {
      text += start + lines + one_iteration(out.text.render(body));
    } else {
      text +=
          "for (" + start + out.own.begin + " != " + out.own.end + "; ++" + out.own.begin + ", ";
      if (form.step == nullptr) {
        text += std::string(form.subtracts ? "--" : "++") + name;
      } else {
        text += name + " = channels::cilk::nth(" + name + ", 1, " + out.own.step + ")";
      }
      text += ") " + lines + out.text.render(body);
    }
    text += " });";
    if (!form.declared)
      text += " " + name + " = channels::cilk::nth(" + out.own.first + ", " + out.own.trips + ", " +
              step + ");";
    return text + " }";
  });
}

void rewrite_block_cxx(rewriting& out, loop_site& site) {
  const char* why_not = nullptr;
  const auto copied = copied_variables(out.source, site, why_not);
  if (!copied) {
    site.lowered = false;
    warn_serial(out.source, site.node->getForLoc(), "spawn", why_not);
    return leave_block(out, site);
  }
  site.where->frame = "cilk_frame";
  std::string captured = "[&";
  for (const clang::VarDecl* one : *copied) captured += ", " + one->getNameAsString();
  out.text.replace(range_of(out, site), [&out, &site, captured] {
    const std::string frame = frame_of(site.where);
    const std::string views = out.views_of(site);
    const text_range range = body_range(out, site);
    const llvm::StringRef head = out.source.text().slice(range_of(out, site).begin, range.begin);
    const std::string body = std::string(head.count('\n'), '\n') + out.text.render(range);
    // A race names the line of the call that gives the child away.
    const bool named = out.races && out.lines;
    const auto line = [&](unsigned at) {
      return named ? "\n" + out.source.line_directive(at) : std::string(" ");
    };
    return "{ auto " + out.own.loop + " = " + captured + "]() mutable -> void " +
           (views.empty() ? body : "{ " + views + body + " }") + ";" +
           line(range_of(out, site).begin) + "if (channels_cilk_hungry(&" + frame +
           ")) channels::cilk::give_child(" + frame + ", std::move(" + out.own.loop + ")); else " +
           out.own.loop + "(); }" + (named ? line(range.end) : "");
  });
}

}  // namespace cilk2chan::host_code
