# channels_add_cilk_executable(<target> <source>...)
#
# Makes an executable of Cilk sources, in C (.c) and C++ (.cpp, .cc, .cxx). cilk2chan compiles each source with the
# target's include directories, definitions and options, and with its standard if C_STANDARD or CXX_STANDARD is
# set. The executable is linked with the channels library. Add other sources and libraries with target_sources and
# target_link_libraries.
function(channels_add_cilk_executable target)
  if(NOT ARGN)
    message(FATAL_ERROR "channels_add_cilk_executable(${target}): no sources")
  endif()
  if(TARGET channels::cilk2chan)
    set(compiler channels::cilk2chan)
  elseif(TARGET cilk2chan)
    set(compiler cilk2chan)
  else()
    message(FATAL_ERROR "channels_add_cilk_executable(${target}): this channels was built without cilk2chan")
  endif()
  set(directories "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(options "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")

  set(objects)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    cmake_path(GET file EXTENSION LAST_ONLY extension)
    string(MD5 folder "${file}")
    string(SUBSTRING ${folder} 0 8 folder)
    cmake_path(GET file FILENAME name)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.cilk/${folder}/${name}.o)
    if(extension STREQUAL ".c")
      set(standard "$<TARGET_PROPERTY:${target},C_STANDARD>")
      set(prefix gnu)
    else()
      set(standard "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
      set(prefix gnu++)
    endif()
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.cilk/${folder}
      COMMAND ${compiler} -c ${file} -o ${object}
              "$<$<BOOL:${standard}>:-std=${prefix}${standard}>"
              "$<$<BOOL:${directories}>:-I$<JOIN:${directories},;-I>>"
              "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
              "$<$<CONFIG:Debug>:-O0;-g>" "${options}"
              -MMD -MF ${object}.d
      DEPFILE ${object}.d
      DEPENDS ${file} ${compiler}
      COMMENT "Compiling Cilk source ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_executable(${target} ${objects})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE channels::channels)
  # Reads the settings before main, also in a program that calls no task: CHANNELS_HELP, and errors in settings.
  target_link_options(${target} PRIVATE "LINKER:-u,channels_cilk_start")
endfunction()
