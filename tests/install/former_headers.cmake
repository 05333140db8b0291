# Includes each header of include/deprecated by its former path, with warnings as errors: it compiles, and a
# message names the new path.
cmake_minimum_required(VERSION 3.25)

set(former ${root}/include/deprecated)
file(GLOB_RECURSE headers RELATIVE ${former} ${former}/*.h ${former}/*.hpp)
if(NOT headers)
  message(FATAL_ERROR "no headers in ${former}")
endif()
foreach(header IN LISTS headers)
  file(WRITE ${work}/former_header.cpp "#include <${header}>\n")
  execute_process(
    COMMAND ${compiler} -std=c++20 -fsyntax-only -Wall -Wextra -Werror -Wno-deprecated-declarations
            -DCHANNELS_GPU_EMULATED -I ${root}/include -I ${former} ${work}/former_header.cpp
    RESULT_VARIABLE result ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "<${header}> does not compile:\n${output}")
  endif()
  if(NOT output MATCHES "<${header}> has moved: include <([^>]+)>" OR NOT EXISTS ${root}/include/${CMAKE_MATCH_1})
    message(FATAL_ERROR "<${header}> does not name the new path:\n${output}")
  endif()
endforeach()
