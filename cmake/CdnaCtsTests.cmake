# CTest entries: plain unit tests of our own parts, and the suites' claim tests.
include(GoogleTest)

set(CDNA_CTS_RUN_WRAPPER "" CACHE STRING "Command in front of every device test; the environment's variable of that name wins")

# cdna_cts_unit_test(name SOURCES... LINK... LABELS...): a GoogleTest binary of tests/, one CTest entry a test.
function(cdna_cts_unit_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;LABELS" ${ARGN})
  cdna_cts_executable(${name} SOURCES ${arg_SOURCES} LINK ${arg_LINK} GTest::gtest GTest::gtest_main)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 300)
endfunction()

# One binary of a suite, and its CTest entries, which the finished binary is asked for (cmake/list_claim_tests.cmake): a binary
# that cannot list its tests fails the build.
function(cdna_cts_claim_test_binary binary suite)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;OPTS" ${ARGN})
  cdna_cts_executable(${binary} SOURCES ${arg_SOURCES} LINK ${arg_LINK})
  target_compile_definitions(${binary} PRIVATE CDNA_CTS_SUITE="${suite}"
                                               CDNA_CTS_SUITE_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}")
  set(entries ${CMAKE_CURRENT_BINARY_DIR}/${binary}.ctest.cmake)
  add_custom_command(
    TARGET ${binary} POST_BUILD BYPRODUCTS ${entries}
    COMMAND ${CMAKE_COMMAND} -D BINARY=$<TARGET_FILE:${binary}> -D SUITE=${suite} "-DTARGETS=${CDNA_CTS_TARGETS}"
            "-DOPTS=${arg_OPTS}" "-DWRAPPER=${CDNA_CTS_RUN_WRAPPER}" -D OUT=${entries}
            -P ${CMAKE_SOURCE_DIR}/cmake/list_claim_tests.cmake
    VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${entries})
endfunction()

# cdna_cts_suite(name KERNELS kernels.hip HOST sources... RUN sources...
#                LINK libraries... [HOST_LINK libraries...] [RUN_LINK libraries...])
# HOST holds the host, compile and code checks (bin/<name>_host, no HIP; the check of its kernels comes by itself), RUN the run checks (bin/<name>_run). With the
# emulator there are also entries that plant its faults (cmake/list_fault_tests.cmake).
function(cdna_cts_suite name)
  cmake_parse_arguments(arg "" "KERNELS" "HOST;RUN;LINK;HOST_LINK;RUN_LINK" ${ARGN})
  cdna_cts_device_code(${name} ${arg_KERNELS})

  cdna_cts_claim_test_binary(${name}_host ${name}
    SOURCES ${arg_HOST} ${CMAKE_SOURCE_DIR}/suites/shared/kernel_checks_test.cpp ${CMAKE_SOURCE_DIR}/common/claim_test_main.cpp
    LINK ${arg_LINK} ${arg_HOST_LINK} cdna_cts_suite_checks cdna_cts_claim_test)
  add_dependencies(${name}_host ${name}_code)

  if(NOT CDNA_CTS_EMULATED AND NOT CDNA_CTS_HIP_RUNTIME)
    message(STATUS "${name}: no HIP runtime, so its run checks are left out")
    return()
  endif()
  cdna_cts_claim_test_binary(${name}_run ${name} OPTS O1 O3
    SOURCES ${arg_RUN} ${CMAKE_SOURCE_DIR}/common/hip/run_main.cpp
    LINK ${arg_LINK} ${arg_RUN_LINK} cdna_cts_hip_support cdna_cts_hip)
  add_dependencies(${name}_run ${name}_code)

  if(CDNA_CTS_EMULATED)
    set(entries ${CMAKE_CURRENT_BINARY_DIR}/${name}.faults.ctest.cmake)
    add_custom_command(
      OUTPUT ${entries}
      COMMAND ${CMAKE_COMMAND} -D CLI=$<TARGET_FILE:cdna-cts> -D BINARY=$<TARGET_FILE:${name}_run> -D SUITE=${name}
              "-DTARGETS=${CDNA_CTS_TARGETS}" -D EVIDENCE=${CMAKE_BINARY_DIR}/evidence -D OUT=${entries}
              -P ${CMAKE_SOURCE_DIR}/cmake/list_fault_tests.cmake
      DEPENDS cdna-cts ${name}_run ${CMAKE_SOURCE_DIR}/manifests/faults.yaml
              ${CMAKE_SOURCE_DIR}/cmake/list_fault_tests.cmake
      COMMENT "Planted faults of ${name}"
      VERBATIM)
    add_custom_target(${name}_faults ALL DEPENDS ${entries})
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${entries})
  endif()
endfunction()
