# Device code is compiled on its own, with the compiler under test; the host compiler has no part in it.

# code/compiler.txt: the compiler's version, kept beside what it built and written into every record.
set(CDNA_CTS_COMPILER_TXT ${CMAKE_BINARY_DIR}/code/compiler.txt)
add_custom_command(
  OUTPUT ${CDNA_CTS_COMPILER_TXT}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/code
  COMMAND ${CDNA_CTS_DEVICE_COMPILER} --version > ${CDNA_CTS_COMPILER_TXT}
  DEPENDS ${CDNA_CTS_DEVICE_COMPILER}
  COMMENT "Version of the device compiler"
  VERBATIM)
add_custom_target(cdna_cts_compiler_txt DEPENDS ${CDNA_CTS_COMPILER_TXT})

# What every suite's device code is compiled with, beside paths; `cdna-cts env` tells it. scripts/compare-compilers.sh reads
# it from code/flags.txt (one a line) and the suites' sources from code/sources.txt.
set(CDNA_CTS_DEVICE_FLAGS -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch=TARGET -std=c++20 -OPT
                          -Wall -Wextra -Werror)
list(JOIN CDNA_CTS_DEVICE_FLAGS "\n" flags)
file(WRITE ${CMAKE_BINARY_DIR}/code/flags.txt "${flags}\n")
file(WRITE ${CMAKE_BINARY_DIR}/code/sources.txt "")

# cdna_cts_device_code(suite kernels.hip): code/<suite>.<target>.<O1|O3>.co for each target. (-MD is ignored by clang's driver
# when it compiles for the device alone; its front end writes dependencies all the same.)
function(cdna_cts_device_code suite source)
  file(APPEND ${CMAKE_BINARY_DIR}/code/sources.txt "${suite} ${CMAKE_CURRENT_SOURCE_DIR}/${source}\n")
  set(outputs)
  foreach(target IN LISTS CDNA_CTS_TARGETS)
    foreach(opt O1 O3)
      set(out ${CMAKE_BINARY_DIR}/code/${suite}.${target}.${opt}.co)
      string(REPLACE "TARGET" "${target}" flags "${CDNA_CTS_DEVICE_FLAGS}")
      string(REPLACE "-OPT" "-${opt}" flags "${flags}")
      add_custom_command(
        OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/code
        COMMAND timeout 300 ${CDNA_CTS_DEVICE_COMPILER} ${flags} -I${CMAKE_SOURCE_DIR}
                -Xclang -dependency-file -Xclang ${out}.d -Xclang -MT -Xclang ${out} -o ${out} ${CMAKE_CURRENT_SOURCE_DIR}/${source}
        DEPFILE ${out}.d
        DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${CDNA_CTS_DEVICE_COMPILER}
        COMMENT "Device code ${suite} ${target} -${opt}"
        VERBATIM)
      list(APPEND outputs ${out})
    endforeach()
  endforeach()
  add_custom_target(${suite}_code ALL DEPENDS ${outputs})
  add_dependencies(${suite}_code cdna_cts_compiler_txt)
endfunction()
