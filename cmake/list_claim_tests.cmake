# Writes OUT, a script that CTest includes, with one entry for each test that BINARY lists:
#   cmake -D BINARY=… -D SUITE=… "-DTARGETS=gfx942;gfx950" "-DOPTS=O1;O3" -D WRAPPER=… -D OUT=… -P list_claim_tests.cmake
# OPTS is empty for binaries without device tests. The wrapper is read when CTest loads OUT, so that
# `CDNA_CTS_RUN_WRAPPER=… ctest` needs no new build. Device tests ask CTest for one of the resource `gpus`, which counts only with
# `ctest --resource-spec-file`.
cmake_minimum_required(VERSION 3.25)

set(script [=[
# Written by cmake/list_claim_tests.cmake.
set(wrapper "$ENV{CDNA_CTS_RUN_WRAPPER}")
if(wrapper STREQUAL "")
  set(wrapper [==[@WRAPPER@]==])
endif()
separate_arguments(prefix UNIX_COMMAND "${wrapper}")
]=])
string(CONFIGURE "${script}" script @ONLY)

if(OPTS STREQUAL "")
  set(opts none)
else()
  set(opts ${OPTS})
endif()

foreach(target IN LISTS TARGETS)
  execute_process(COMMAND ${BINARY} --target ${target} --list
                  OUTPUT_VARIABLE listing ERROR_VARIABLE why RESULT_VARIABLE status TIMEOUT 60)
  if(NOT status EQUAL 0)
    file(REMOVE ${OUT})
    message(FATAL_ERROR "${BINARY} --target ${target} --list: ${status}\n${why}")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${listing}")
  foreach(line IN LISTS lines)
    string(JSON test GET "${line}" test)
    string(JSON check GET "${line}" check)
    foreach(opt IN LISTS opts)
      if(opt STREQUAL none)
        set(name "${SUITE}.${target}.${test}")
        set(command "\"${BINARY}\" --target ${target}")
        set(device "")
      else()
        set(name "${SUITE}.${target}.${opt}.${test}")
        set(command "\${prefix} \"${BINARY}\" --target ${target} --opt ${opt}")
        set(device " RESOURCE_GROUPS gpus:1 ENVIRONMENT \"CDNA_CTS_TARGET=${target};OMP_WAIT_POLICY=PASSIVE;CDNA_CTS_RUN_WRAPPER=\${wrapper}\"")
      endif()
      string(APPEND script
        "add_test([==[${name}]==] ${command} --gtest_filter=${test})\n"
        "set_tests_properties([==[${name}]==] PROPERTIES LABELS \"${SUITE};${check};${target}\" TIMEOUT 120 "
        "SKIP_REGULAR_EXPRESSION \"\\\\[  SKIPPED \\\\]\"${device})\n")
    endforeach()
  endforeach()
endforeach()
file(WRITE ${OUT} "${script}")
