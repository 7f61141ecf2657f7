# Claim ids known at compile time: build/*/generated/claim_ids.hpp, made from manifests/ by cdna-cts-claim-ids, and the target
# cdna_cts_claim_ids. Whatever includes common/claim_id.hpp links it, so that the header exists before it is compiled.
# A manifest that does not load fails this step with its file and line.
set(CDNA_CTS_CLAIM_IDS_HEADER ${CMAKE_BINARY_DIR}/generated/claim_ids.hpp)

file(GLOB CDNA_CTS_MANIFEST_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/manifests/*.yaml
                                                    ${CMAKE_SOURCE_DIR}/manifests/claims/*.yaml)
add_custom_command(
  OUTPUT ${CDNA_CTS_CLAIM_IDS_HEADER}
  COMMAND cdna-cts-claim-ids ${CMAKE_SOURCE_DIR}/manifests ${CDNA_CTS_CLAIM_IDS_HEADER}
  DEPENDS cdna-cts-claim-ids ${CDNA_CTS_MANIFEST_FILES}
  COMMENT "Claim ids"
  VERBATIM)
add_custom_target(cdna_cts_claim_ids_header DEPENDS ${CDNA_CTS_CLAIM_IDS_HEADER})

add_library(cdna_cts_claim_ids INTERFACE)
target_include_directories(cdna_cts_claim_ids INTERFACE ${CMAKE_BINARY_DIR}/generated)
add_dependencies(cdna_cts_claim_ids cdna_cts_claim_ids_header)
