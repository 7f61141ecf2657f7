# Writes OUT, a C++ source with one constant for each of the text FILES, so that a program carries them:
#   cmake -D OUT=… -D NAMESPACE=cts::report::page "-DFILES=a/page.css;a/page.js" -P embed_texts.cmake
# page.css becomes `extern const std::string_view page_css`.
cmake_minimum_required(VERSION 3.25)
set(source "// Written by cmake/embed_texts.cmake.\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n")
foreach(file IN LISTS FILES)
  file(READ ${file} text)
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  string(APPEND source "extern const std::string_view ${name};\nconst std::string_view ${name} = R\"__text__(${text})__text__\";\n")
endforeach()
file(WRITE ${OUT} "${source}} // namespace ${NAMESPACE}\n")
