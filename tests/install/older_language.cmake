# Each header that users include, in C++17, gives one error, which says what to do: with the build's compiler, and with
# Clang where it is found.
cmake_minimum_required(VERSION 3.25)

file(GLOB headers RELATIVE ${root}/include ${root}/include/channels/*.hpp)
# Included last, by sources that also include others.
list(REMOVE_ITEM headers channels/code_here.hpp)
if(NOT headers OR NOT compiler)
  message(FATAL_ERROR "no headers in ${root}, or no compiler")
endif()
include(${root}/tests/support/one_error.cmake)
foreach(compiler IN LISTS compilers)
  foreach(header IN LISTS headers)
    file(WRITE ${work}/older_language.cpp "#include <${header}>\n")
    expect_one_error(${compiler} ${work}/older_language.cpp "channels needs C++20: compile with -std=c++20" -std=c++17)
  endforeach()
endforeach()
