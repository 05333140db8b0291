# channels_add_cilk_executable(<target> <source>...)
#
# Makes an executable of Cilk sources, in C (.c) and C++ (.cpp, .cc, .cxx). It is a target as from add_executable,
# but cilk2chan compiles its sources: with the build type's flags, CMAKE_C_FLAGS or CMAKE_CXX_FLAGS, the target's
# own properties and those of what it links. In compile_commands.json the sources have the project's compiler, for
# which they are serial programs. The executable is linked with the channels library.
function(channels_add_cilk_executable target)
  if(NOT ARGN)
    message(FATAL_ERROR "channels_add_cilk_executable(${target}): no sources")
  endif()
  # Cilk programs of C, too, are linked as C++: the channels library is C++.
  set(needed CXX)
  if("${ARGN}" MATCHES "\\.c(;|$)")
    set(needed C CXX)
  endif()
  get_property(enabled GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(language IN LISTS needed)
    if(NOT language IN_LIST enabled)
      list(JOIN needed " " languages)
      message(FATAL_ERROR "channels_add_cilk_executable(${target}): ${language} is not enabled; "
                          "write project(${PROJECT_NAME} LANGUAGES ${languages})")
    endif()
  endforeach()
  if(TARGET channels::cilk2chan)
    set(compiler channels::cilk2chan)
  elseif(TARGET cilk2chan)
    set(compiler cilk2chan)
  else()
    message(FATAL_ERROR "channels_add_cilk_executable(${target}): this channels was built without cilk2chan")
  endif()
  add_executable(${target} ${ARGN})

  # CMake starts a compiler launcher with the compiler and all of its arguments.
  set(launcher ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cilk2chan)
  file(GENERATE OUTPUT ${launcher}
       CONTENT "#!/bin/sh\n# Compiles by cilk2chan what it is to compile by $1.\nshift\nexec '$<TARGET_FILE:${compiler}>' \"$@\"\n"
       FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX
    C_COMPILER_LAUNCHER ${launcher}
    CXX_COMPILER_LAUNCHER ${launcher}
    # The project's compiler would do these before cilk2chan, or behind it.
    CXX_SCAN_FOR_MODULES OFF
    INTERPROCEDURAL_OPTIMIZATION OFF)
  get_target_property(installed ${compiler} IMPORTED)
  if(installed)
    get_target_property(installed ${compiler} LOCATION)
    set_property(SOURCE ${ARGN} APPEND PROPERTY OBJECT_DEPENDS ${installed})
  else()
    add_dependencies(${target} ${compiler})
  endif()
  foreach(language IN LISTS needed)
    # Compilers do not optimize unless they are asked to, and cilk2chan does.
    if(NOT "${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_DEBUG}" MATCHES "(^| )-O")
      target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Debug>,$<COMPILE_LANGUAGE:${language}>>:-O0>)
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE channels::channels)
  # Reads the settings before main, also in a program that calls no task: CHANNELS_HELP, and errors in settings.
  target_link_options(${target} PRIVATE "LINKER:-u,channels_cilk_start")
endfunction()
