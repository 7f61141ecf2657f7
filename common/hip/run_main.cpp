// main() of a suite's run binary. CDNA_CTS_SUITE comes from cdna_cts_suite().
#include "common/hip/hip.hpp"

int main(int argc, char** argv) {
  return cts::claim_test_main(argc, argv, CDNA_CTS_SUITE, cts::hip::find_device);
}
