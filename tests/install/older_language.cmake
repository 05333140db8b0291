# Each header that users include, in C++17, gives one error, which says what to do: with the build's compiler, and with
# Clang where it is found.
cmake_minimum_required(VERSION 3.25)

file(GLOB headers RELATIVE ${root}/include ${root}/include/channels/*.hpp)
# Included last, by sources that also include others.
list(REMOVE_ITEM headers channels/code_here.hpp)
if(NOT headers OR NOT compiler)
  message(FATAL_ERROR "no headers in ${root}, or no compiler")
endif()
set(compilers ${compiler})
find_program(clang clang++-19)
if(clang)
  list(APPEND compilers ${clang})
endif()
foreach(compiler IN LISTS compilers)
  foreach(header IN LISTS headers)
    file(WRITE ${work}/older_language.cpp "#include <${header}>\n")
    execute_process(
      COMMAND ${compiler} -std=c++17 -fsyntax-only -I ${root}/include ${work}/older_language.cpp
      RESULT_VARIABLE result ERROR_VARIABLE output)
    string(REGEX MATCHALL "error: " errors "${output}")
    list(LENGTH errors count)
    if(result EQUAL 0 OR NOT count EQUAL 1 OR NOT output MATCHES "channels needs C[+][+]20: compile with -std=c[+][+]20")
      message(FATAL_ERROR "<${header}> with -std=c++17 and ${compiler}: ${count} errors\n${output}")
    endif()
  endforeach()
endforeach()
