# cdna_cts_device_code(suite kernels.hip): build/<preset>/code/<suite>.<target>.<O1|O3>.co for each target,
# device-only, with the compiler under test. The host compiler has no part in it.
function(cdna_cts_device_code suite source)
  set(outputs)
  foreach(target IN LISTS CDNA_CTS_TARGETS)
    foreach(opt O1 O3)
      set(out ${CMAKE_BINARY_DIR}/code/${suite}.${target}.${opt}.co)
      add_custom_command(
        OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/code
        COMMAND timeout 300 ${CDNA_CTS_DEVICE_COMPILER} -x hip --cuda-device-only --no-gpu-bundle-output
                --offload-arch=${target} -std=c++20 -${opt} -Wall -Wextra -Werror -I${CMAKE_SOURCE_DIR}
                -MD -MF ${out}.d -MT ${out} -o ${out} ${CMAKE_CURRENT_SOURCE_DIR}/${source}
        DEPFILE ${out}.d
        DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source}
        COMMENT "Device code ${suite} ${target} -${opt}"
        VERBATIM)
      list(APPEND outputs ${out})
    endforeach()
  endforeach()
  add_custom_target(${suite}_code ALL DEPENDS ${outputs})
endfunction()
