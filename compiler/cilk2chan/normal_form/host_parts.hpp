#pragma once

#include "normal_form/call_edges.hpp"
#include "normal_form/chosen_functions.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>

namespace cilk2chan {

/// Functions that stay on the host, with their parallel parts cut out (regions.hpp), although each
/// could be a task as a whole: between what runs in parallel they loop, or call what does, in ways
/// that lanes cannot share. One lane of a device would do that, a hundred times slower than the
/// host. No task calls them, and they do not call themselves.
///
/// `spawns`: functions of the file that spawn, or lead to what does. `refused`: functions whose
/// parallel parts could not all be cut out.
[[nodiscard]] llvm::DenseSet<const clang::FunctionDecl*> functions_with_host_parts(
    parsed_file& source, const llvm::MapVector<const clang::FunctionDecl*, instance>& found,
    reference_finder& references, call_edges& edges,
    const llvm::DenseSet<const clang::FunctionDecl*>& spawns, const named_functions& refused);

}  // namespace cilk2chan
