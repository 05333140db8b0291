#include "frontend/type_text.hpp"
#include "tasks/node_names.hpp"
#include "tasks/task_unit.hpp"

namespace cilk2chan {
namespace {

// In the linker's name of the function that says whether a task suits a device.
constexpr const char* suited_mark = "suited.";

}  // namespace

void write_entries(const program& source, const std::vector<task_entry>& entries,
                   const planned_file& file, writer& out) {
  out.line("");
  if (file.chooses_device && !file.devices.empty())
    out.line(
        "extern \"C\" { const char* const channels_usual_device = channels::cilk::either_device; "
        "}");
  out.line("// What the rest of the program calls.");
  unsigned number = 0;
  for (const task_entry& entry : entries) {
    const task_function& task = *source.task_of(entry.function);
    std::string arguments;
    std::string parameters;
    std::string sizes;
    for (const clang::ParmVarDecl* parameter : task.definition->parameters()) {
      const char* comma = arguments.empty() ? "" : ", ";
      const std::string name = node_names::argument(parameter);
      if (parameter->getType()->isRealType())
        sizes += (sizes.empty() ? "double(" : ", double(") + name + ")";
      arguments += comma + name;
      parameters += comma + type_text(source, parameter->getType(), name);
    }
    const std::string suffix = std::to_string(++number);
    const clang::QualType result = task.definition->getReturnType();
    const auto declared = [&](const std::string& name) {
      return "extern \"C\" " + type_text(source, result, name + suffix + "(" + parameters + ")");
    };
    out.line(declared("cilk_host_") + " __asm__(\"" + entry.host + "\");");
    out.line(declared("cilk_entry_") + " __asm__(\"" + entry.entry + "\");");
    std::string forms;
    for (const std::string& device : file.devices) {
      if (!entry.of_host) break;
      const std::string name = "cilk_" + device + "_" + suffix;
      out.line("extern \"C\" void " + name + "(const void*, void*) __asm__(\"" + entry.form +
               device + "\");");
      const std::string suits = "cilk_suits_" + device + "_" + suffix;
      out.line("extern \"C\" bool " + suits + "() __asm__(\"" + entry.form + suited_mark + device +
               "\");");
      forms +=
          (forms.empty() ? ", {{" : ", {") + ("\"" + device + "\", " + name + ", " + suits + "}");
    }
    const std::string host_call = "cilk_host_" + suffix + "(" + arguments + ")";
    if (!forms.empty()) forms += "}, {" + sizes + "}, [&] { return " + host_call + "; }";
    out.line(declared("cilk_entry_") + " {");
    out.in();
    const std::string back = result->isVoidType() ? "" : "return ";
    out.line("if (channels::cilk::as_task())");
    out.line("  return channels::cilk::invoke<" + task.name + ">({" + arguments + "}" + forms +
             ");");
    out.line(back + host_call + ";");
    out.out();
    out.line("}");
    if (entry.external)
      out.line("extern \"C\" void cilk_symbol_" + suffix + "() __asm__(\"" + entry.symbol +
               "\") __attribute__((__alias__(\"" + entry.entry + "\")));");
  }
}

void write_forms(const program& source, const std::vector<task_entry>& entries, writer& out) {
  out.line("");
  out.line("// What the entries call.");
  unsigned number = 0;
  for (const task_entry& entry : entries) {
    const std::string name = "cilk_form_" + std::to_string(++number);
    if (!entry.of_host) continue;
    const std::string parameters = "(const void* arguments, void* result)";
    out.line("extern \"C\" void " + name + parameters + " __asm__(\"" + entry.form +
             "\" CHANNELS_CILK_DEVICE);");
    out.line("extern \"C\" void " + name + parameters + " {");
    out.in();
    out.line("channels::cilk::run_on_gpu<" + source.task_of(entry.function)->name +
             ">(cilk_unit, arguments, result);");
    out.out();
    out.line("}");
    out.line("extern \"C\" bool cilk_suits_" + std::to_string(number) + "() __asm__(\"" +
             entry.form + suited_mark + "\" CHANNELS_CILK_DEVICE);");
    out.line("extern \"C\" bool cilk_suits_" + std::to_string(number) +
             "() { return channels::cilk::suits_gpu<" + source.task_of(entry.function)->name +
             ">; }");
  }
}

}  // namespace cilk2chan
