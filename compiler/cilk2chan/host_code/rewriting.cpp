#include "host_code/rewriting.hpp"

#include "host_code/functions/entries.hpp"

namespace cilk2chan::host_code {

std::string rewrite(parsed_file& source, const task_plan* plan, bool lines, bool races, bool net,
                    std::string& explanation) {
  place_list places = find_places(source);
  if (source.context.getDiagnostics().hasErrorOccurred()) return {};
  rewriting out(source, places, plan, lines);
  out.races = races;
  if (net) out.reach = std::make_unique<reach_finder>(source);
  // A result that nobody may read is read by mistake.
  if (races) {
    for (spawn_site& site : places.spawns) site.unread = false;
  }
  check_functions(out);
  rewrite_entries(out);
  rewrite_reducers(out);
  rewrite_loops(out);
  rewrite_spawns(out);
  rewrite_frames(out);
  if (!races) write_serial_versions(out);
  write_preceding_text(out);
  if (!source.hidden.empty() || source.context.getDiagnostics().hasErrorOccurred()) return {};
  std::string start = "#define CHANNELS_CILK_HOST_CODE 1\n";
  // Keywords that need no header bring none that declares the functions of host code.
  if (!source.preprocessor.isMacroDefined("CILK_CILK_H"))
    start += std::string("#include <channels/cilk/emitted.h") + (source.is_c() ? ">\n" : "pp>\n");
  if (lines) start += source.line_directive(0);
  explanation = explain_host_code(out);
  return start + out.text.render_all() + epilogue(out);
}

}  // namespace cilk2chan::host_code
