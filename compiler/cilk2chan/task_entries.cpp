#include "node_names.hpp"
#include "task_unit.hpp"
#include "type_text.hpp"

namespace cilk2chan {

void write_entries(const program& source, const std::vector<task_entry>& entries, writer& out) {
  out.line("");
  out.line("// What the rest of the program calls.");
  unsigned number = 0;
  for (const task_entry& entry : entries) {
    const task_function& task = *source.task_of(entry.function);
    std::string arguments;
    std::string parameters;
    for (const clang::ParmVarDecl* parameter : task.definition->parameters()) {
      const char* comma = arguments.empty() ? "" : ", ";
      const std::string name = node_names::argument(parameter);
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
    out.line(declared("cilk_entry_") + " {");
    out.in();
    const std::string back = result->isVoidType() ? "" : "return ";
    out.line("if (channels::cilk::through_channels())");
    out.line("  return channels::cilk::invoke<" + task.name + ">({" + arguments + "});");
    out.line(back + "cilk_host_" + suffix + "(" + arguments + ");");
    out.out();
    out.line("}");
    if (entry.external)
      out.line("extern \"C\" void cilk_symbol_" + suffix + "() __asm__(\"" + entry.symbol +
               "\") __attribute__((alias(\"" + entry.entry + "\")));");
  }
}

}  // namespace cilk2chan
