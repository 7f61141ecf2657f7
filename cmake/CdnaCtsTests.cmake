# CTest entries: plain unit tests of our own parts, and the suites' claim tests.
include(GoogleTest)

# cdna_cts_unit_test(name SOURCES... LINK... LABELS...): a GoogleTest binary of tests/, one CTest entry a test.
function(cdna_cts_unit_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;LABELS" ${ARGN})
  cdna_cts_executable(${name} SOURCES ${arg_SOURCES} LINK ${arg_LINK} GTest::gtest GTest::gtest_main)
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 300)
endfunction()
