# For tests of what compilers print: include() it in a script that has `compiler` and `root`.

# The build's compiler, and Clang where it is found.
set(compilers ${compiler})
find_program(clang clang++-19)
if(clang)
  list(APPEND compilers ${clang})
endif()

# expect_one_error(<compiler> <source> <words> <option>...): it ends with one error, whose output has the words. Sets
# `lines` to how many lines it prints.
function(expect_one_error compiler source words)
  execute_process(
    COMMAND ${compiler} ${ARGN} -fsyntax-only -I ${root}/include ${source}
    RESULT_VARIABLE result ERROR_VARIABLE output)
  string(REGEX MATCHALL "error: " errors "${output}")
  list(LENGTH errors count)
  string(FIND "${output}" "${words}" found)
  if(result EQUAL 0 OR NOT count EQUAL 1 OR found EQUAL -1)
    message(FATAL_ERROR "${source} with ${compiler} ${ARGN}: ${count} errors, not one with '${words}'\n${output}")
  endif()
  string(REGEX MATCHALL "\n" ends "${output}")
  list(LENGTH ends lines)
  set(lines ${lines} PARENT_SCOPE)
endfunction()
