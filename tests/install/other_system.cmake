# A build for another system ends with one sentence.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${work}/other_system)
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${root} -B ${work}/other_system -G ${generator} -DCMAKE_SYSTEM_NAME=FreeBSD
          -DCMAKE_C_COMPILER_WORKS=ON -DCMAKE_CXX_COMPILER_WORKS=ON
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "channels runs on Linux only, and this is a build for FreeBSD")
  message(FATAL_ERROR "a build for FreeBSD is not refused:\n${output}")
endif()
