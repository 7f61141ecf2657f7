# Writes OUT, a script that CTest includes: for each target one entry for each planted fault that a claim of this suite is
# to notice, one with no fault, and one that asks whether every run test failed under some fault.
#   cmake -D CLI=…/cdna-cts -D BINARY=…_run -D SUITE=… "-DTARGETS=…" -D EVIDENCE=folder -D OUT=… -P list_fault_tests.cmake
cmake_minimum_required(VERSION 3.25)

set(script [=[
# Written by cmake/list_fault_tests.cmake.
set(evidence "$ENV{CDNA_CTS_EVIDENCE}")
if(evidence STREQUAL "")
  set(evidence [==[@EVIDENCE@]==])
endif()
]=])
string(CONFIGURE "${script}" script @ONLY)

foreach(target IN LISTS TARGETS)
  set(what --target ${target} --suite ${SUITE} --bin ${BINARY})
  execute_process(COMMAND ${CLI} faults list ${what}
                  OUTPUT_VARIABLE listing ERROR_VARIABLE why RESULT_VARIABLE status TIMEOUT 60)
  if(NOT status EQUAL 0)
    file(REMOVE ${OUT})
    message(FATAL_ERROR "${CLI} faults list ${what}: ${status}\n${why}")
  endif()
  if(listing STREQUAL "") # a suite may have nothing on a target that a model can run
    continue()
  endif()
  string(REGEX REPLACE "[][;]" "" listing "${listing}") # a fault's text is no list of CMake's
  string(REGEX MATCHALL "[^\n]+" faults "${listing}")
  set(arguments "--target ${target} --suite ${SUITE} --bin \"${BINARY}\" --evidence \"\${evidence}\"")
  foreach(line IN LISTS faults)
    string(REGEX MATCH "^[^ ]+" fault "${line}")
    set(name "${SUITE}.${target}.faults.${fault}")
    string(APPEND script
      "add_test(${name} \"${CLI}\" faults run --fault ${fault} ${arguments})\n"
      "set_tests_properties(${name} PROPERTIES LABELS \"${SUITE};fault;${target}\" TIMEOUT 600 "
      "ENVIRONMENT CDNA_CTS_TARGET=${target} FIXTURES_SETUP ${SUITE}.${target}.faults)\n")
  endforeach()
  set(name "${SUITE}.${target}.faults.coverage")
  string(APPEND script
    "add_test(${name} \"${CLI}\" faults coverage ${arguments})\n"
    "set_tests_properties(${name} PROPERTIES LABELS \"${SUITE};fault;${target}\" TIMEOUT 60 "
    "FIXTURES_REQUIRED ${SUITE}.${target}.faults)\n")
endforeach()
file(WRITE ${OUT} "${script}")
