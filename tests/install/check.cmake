# Installs the build tree `build` to a prefix of its own; configures, builds and runs the outside project
# against it. Nothing but the prefix tells the project where channels is.
cmake_minimum_required(VERSION 3.25)

set(work ${build}/tests/install)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# fails_with(<text> <command...>): the command fails and says that.
function(fails_with text)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX REPLACE "[ \n]+" " " said "${output}")
  string(FIND " ${said}" "${text}" at)
  if(result EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "this does not fail with \"${text}\": ${ARGN}\n${output}")
  endif()
endfunction()

# OpenCilk's header is already in the prefix, and stays.
set(others ${prefix}/include/cilk/cilk.h)
file(WRITE ${others} "#error this is OpenCilk's header\n")

run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${prefix})
file(READ ${others} text)
if(NOT text MATCHES OpenCilk)
  message(FATAL_ERROR "${others} was overwritten")
endif()

string(TOUPPER ${config} CONFIG)
set(configure ${CMAKE_COMMAND} -G ${generator} -DCMAKE_PREFIX_PATH=${prefix})
run(${configure} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build
    -DCMAKE_BUILD_TYPE=${config} -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
    -DCMAKE_C_FLAGS=-DFROM_FLAGS=1 -DCMAKE_CXX_FLAGS=-DFROM_FLAGS=1
    "-DCMAKE_C_FLAGS_${CONFIG}=-O1 -DFROM_BUILD_TYPE=1" "-DCMAKE_CXX_FLAGS_${CONFIG}=-O1 -DFROM_BUILD_TYPE=1")
run(${CMAKE_COMMAND} --build ${work}/build --config ${config})
run(${work}/build/outside)
run(${work}/build/outside_serial)
if(EXISTS ${prefix}/bin/cilk2chan)
  run(${CMAKE_COMMAND} -E env CHANNELS_CUS=2 CHANNELS_STATS=json:${work}/run.json ${work}/build/outside_cilk)
  if(NOT EXISTS ${prefix}/lib/libchannels_thread.a)
    message(FATAL_ERROR "libchannels_thread.a is not installed: cilk2chan -fsanitize=thread links it")
  endif()
  if(EXISTS ${prefix}/lib/libchannels_races.a)
    run(${prefix}/bin/cilk2chan --races ${CMAKE_CURRENT_LIST_DIR}/../races/programs/clean_tree.c -o ${work}/races)
    run(${work}/races)
  endif()
  run(${prefix}/bin/channels-report ${work}/run.json -o ${work}/page.html)
  # What tools such as clangd read. They know the project's compiler, and not cilk2chan.
  file(READ ${work}/build/compile_commands.json commands)
  foreach(source IN ITEMS cilk.c sum.cpp)
    if(NOT commands MATCHES "\"file\": \"[^\"]*/${source}\"")
      message(FATAL_ERROR "compile_commands.json has no entry for ${source}")
    endif()
  endforeach()
  fails_with("channels_add_cilk_executable(program): CXX is not enabled; write project(without_cxx LANGUAGES C CXX)"
             ${configure} -S ${CMAKE_CURRENT_LIST_DIR}/without_cxx -B ${work}/without_cxx)
endif()

# CMakeLists.txt of the project has the version, and all others have it from there. The changelog begins with it.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../../CHANGELOG.md headings REGEX "^## ")
list(GET headings 0 heading)
if(NOT heading MATCHES "^## ${version}(,|$)")
  message(FATAL_ERROR "the version is ${version}; CHANGELOG.md begins with \"${heading}\"")
endif()
file(GLOB_RECURSE pc_file ${prefix}/*/channels.pc)
cmake_path(GET pc_file PARENT_PATH pc_folder)
set(pkg_config ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_folder} pkg-config --print-errors)
run(${pkg_config} --exact-version=${version} channels)
run(${pkg_config} --atleast-version=0.2 channels)
fails_with(" " ${pkg_config} --atleast-version=1 channels)
# Before 1.0 another minor number is another interface.
foreach(asked IN ITEMS 0.1 0.3 1.0)
  file(WRITE ${work}/asked/CMakeLists.txt
       "cmake_minimum_required(VERSION 3.25)\nproject(asked LANGUAGES CXX)\nfind_package(channels ${asked} REQUIRED)\n")
  fails_with("compatible with requested version \"${asked}\"" ${configure} -S ${work}/asked -B ${work}/asked/build)
endforeach()

file(GLOB pages ${prefix}/share/man/man1/*.1)
foreach(page IN LISTS pages)
  file(STRINGS ${page} title REGEX "^[.]TH " LIMIT_COUNT 1)
  string(REGEX REPLACE "[.][0-9]+$" "" minor ${version})
  if(NOT title MATCHES "\"channels ${minor}\"")
    message(FATAL_ERROR "the version is ${version}; ${page} begins with ${title}")
  endif()
endforeach()

# A program of another build system, by pkg-config: graphs, and the serial program of Cilk.
execute_process(COMMAND ${pkg_config} --cflags --libs channels OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
foreach(program IN ITEMS main serial)
  run(${compiler} -std=c++20 ${CMAKE_CURRENT_LIST_DIR}/${program}.cpp ${flags} -o ${work}/${program})
  run(${work}/${program})
endforeach()

run(${CMAKE_COMMAND} -P ${build}/uninstall.cmake)
file(GLOB_RECURSE left ${prefix}/*)
if(NOT left STREQUAL others)
  message(FATAL_ERROR "these are to be left by uninstall: ${others}\nand these are: ${left}")
endif()
