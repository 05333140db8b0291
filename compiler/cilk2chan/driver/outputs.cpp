#include "driver/outputs.hpp"

#include "driver/commands.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace cilk2chan {
namespace {

struct output_file {
  std::string name;
  std::string option;  // that names it
};

std::vector<output_file> outputs_of(const options& chosen) {
  std::vector<output_file> list;
  const auto sources = std::ranges::count_if(
      chosen.inputs, [](const input_file& one) { return one.kind != input_kind::linked; });
  if (chosen.emit == product::executable) list.push_back({chosen.output, "-o"});
  for (const input_file& one : chosen.inputs) {
    if (one.kind == input_kind::linked || chosen.emit == product::executable) continue;
    const bool object = chosen.emit == product::object;
    const std::string name =
        object ? object_of(chosen, one) : text_output_of(chosen, one, sources == 1);
    if (!name.empty() && name != "-") list.push_back({name, chosen.output.empty() ? "-c" : "-o"});
  }
  for (std::size_t i = 0; i + 1 < chosen.for_host.size(); ++i) {
    if (chosen.for_host[i] == "-MF") list.push_back({chosen.for_host[i + 1], "-MF"});
  }
  return list;
}

std::vector<std::string> inputs_of(const options& chosen) {
  std::vector<std::string> list;
  for (const input_file& one : chosen.inputs) {
    if (!llvm::StringRef(one.name).starts_with("-")) list.push_back(one.name);
  }
  for (std::size_t i = 0; i + 1 < chosen.for_both.size(); ++i) {
    if (chosen.for_both[i] == "-include") list.push_back(chosen.for_both[i + 1]);
  }
  return list;
}

}  // namespace

std::string object_of(const options& chosen, const input_file& source) {
  if (!chosen.output.empty()) return chosen.output;
  return llvm::sys::path::stem(source.name).str() + ".o";
}

std::string text_output_of(const options& chosen, const input_file& source, bool alone) {
  if (alone || chosen.output.empty() || chosen.output == "-") return chosen.output;
  llvm::SmallString<256> name(chosen.output);
  llvm::sys::path::append(name, llvm::sys::path::filename(source.name));
  return name.str().str();
}

bool outputs_are_no_inputs(const options& chosen) {
  const std::vector<std::string> inputs = inputs_of(chosen);
  for (const output_file& one : outputs_of(chosen)) {
    if (llvm::sys::fs::is_directory(one.name))
      return fail("'" + one.name + "', which " + one.option +
                  " would write, is a folder; name a file with " +
                  (one.option == "-MF" ? "-MF" : "-o"));
    for (const std::string& input : inputs) {
      bool same = false;
      if (!llvm::sys::fs::equivalent(one.name, input, same) && same)
        return fail("'" + one.name + "', which " + one.option + " would write, is the input '" +
                    input + "'; name another file with " + (one.option == "-MF" ? "-MF" : "-o"));
    }
  }
  return true;
}

}  // namespace cilk2chan
