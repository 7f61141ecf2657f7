// main() of a suite's host binary: host, compile and code checks. CDNA_CTS_SUITE comes from cdna_cts_suite().
#include "common/claim_test.hpp"

int main(int argc, char** argv) { return cts::claim_test_main(argc, argv, CDNA_CTS_SUITE, nullptr); }
