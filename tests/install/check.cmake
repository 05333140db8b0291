# Installs the build tree `build` to a prefix of its own; configures, builds and runs the outside project
# against it. Nothing but the prefix tells the project where channels is.
cmake_minimum_required(VERSION 3.25)

set(work ${build}/tests/install)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --config ${config} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${generator}
    -DCMAKE_BUILD_TYPE=${config} -DCMAKE_CXX_COMPILER=${compiler} -DCMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build --config ${config})
run(${work}/build/outside)
if(EXISTS ${work}/prefix/bin/cilk2chan)
  run(${CMAKE_COMMAND} -E env CHANNELS_CUS=2 CHANNELS_STATS=json:${work}/run.json ${work}/build/outside_cilk)
  if(EXISTS ${work}/prefix/lib/libchannels_races.a)
    run(${work}/prefix/bin/cilk2chan --races ${CMAKE_CURRENT_LIST_DIR}/../races/programs/clean_tree.c -o ${work}/races)
    run(${work}/races)
  endif()
  run(${work}/prefix/bin/channels-report ${work}/run.json -o ${work}/page.html)
endif()
