# Host code: one place for warnings, include paths and sanitizers.

add_library(cdna_cts_options INTERFACE)
target_compile_options(cdna_cts_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror)
target_include_directories(cdna_cts_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
if(CDNA_CTS_SANITIZE)
  target_compile_options(cdna_cts_options INTERFACE -fsanitize=${CDNA_CTS_SANITIZE} -fno-omit-frame-pointer
                                                    -fno-sanitize-recover=all)
  # g++'s flow analysis misjudges the standard library's code once it is instrumented.
  target_compile_options(cdna_cts_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(cdna_cts_options INTERFACE -fsanitize=${CDNA_CTS_SANITIZE})
endif()

# cdna_cts_library(name SOURCES... LINK libraries...)
function(cdna_cts_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE cdna_cts_options)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
endfunction()

# cdna_cts_executable(name SOURCES... LINK libraries...)
function(cdna_cts_executable name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} cdna_cts_options)
  if(CDNA_CTS_SANITIZE) # what takes time to run is in libraries; what takes time to compile is here
    target_compile_options(${name} PRIVATE -O0)
  endif()
endfunction()
