# Where the device compiler, LLVM's tools, the HIP headers and the HIP runtime are.
# The answer is scripts/setup.sh's (ROCm if present, else the downloaded toolchain); each can be given by hand.

set(CDNA_CTS_DEVICE_COMPILER "" CACHE FILEPATH "clang++ under test: compiles the suites' kernels")
set(CDNA_CTS_LLVM_BIN "" CACHE PATH "llvm-objdump, llvm-mc, llc and llvm-readelf of the same LLVM")
set(CDNA_CTS_HIP_INCLUDE "" CACHE PATH "folder that holds hip/hip_runtime_api.h")
set(CDNA_CTS_HIP_RUNTIME "" CACHE FILEPATH "libamdhip64.so of ROCm; the emulated presets build their own")

if(NOT CDNA_CTS_DEVICE_COMPILER OR NOT CDNA_CTS_LLVM_BIN OR NOT CDNA_CTS_HIP_INCLUDE)
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/scripts/setup.sh --print --no-install
                  OUTPUT_VARIABLE found RESULT_VARIABLE status ERROR_VARIABLE why OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "No device toolchain: ${why}\nRun scripts/setup.sh, or set CDNA_CTS_DEVICE_COMPILER, "
                        "CDNA_CTS_LLVM_BIN and CDNA_CTS_HIP_INCLUDE.")
  endif()
  foreach(pair "device_compiler=CDNA_CTS_DEVICE_COMPILER" "llvm_bin=CDNA_CTS_LLVM_BIN"
               "hip_include=CDNA_CTS_HIP_INCLUDE" "runtime=CDNA_CTS_HIP_RUNTIME")
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 key)
    list(GET pair 1 variable)
    if(NOT ${variable} AND "\n${found}\n" MATCHES "\n${key}=([^\n]+)\n")
      set(${variable} "${CMAKE_MATCH_1}" CACHE STRING "" FORCE)
    endif()
  endforeach()
endif()
message(STATUS "Device compiler: ${CDNA_CTS_DEVICE_COMPILER}")

# HIP's headers need to know that the host compiler targets AMD's platform; as SYSTEM, since their warnings are not ours.
add_library(cdna_cts_hip_headers INTERFACE)
target_include_directories(cdna_cts_hip_headers SYSTEM INTERFACE ${CDNA_CTS_HIP_INCLUDE})
target_compile_definitions(cdna_cts_hip_headers INTERFACE __HIP_PLATFORM_AMD__=1)

# cdna_cts_hip: headers and the runtime that the suites link. Emulated presets bind it to runners/emulator's library.
add_library(cdna_cts_hip INTERFACE)
target_link_libraries(cdna_cts_hip INTERFACE cdna_cts_hip_headers)
if(CDNA_CTS_EMULATED)
  target_link_libraries(cdna_cts_hip INTERFACE amdhip64)
elseif(CDNA_CTS_HIP_RUNTIME)
  target_link_libraries(cdna_cts_hip INTERFACE ${CDNA_CTS_HIP_RUNTIME})
endif()
