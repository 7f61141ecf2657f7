// index.html from its parts.
#include "runners/report/html/page.hpp"
#include "common/error.hpp"
#include "common/file.hpp"

namespace cts::report {

/// The files of page/, put here by the build.
namespace page {
extern const std::string_view page_html, page_css, dom_js, data_js, claims_js, filter_js, pictures_js,
    hazards_js, throughput_js, summary_js, page_js;
} // namespace page

namespace {

void replace(std::string& text, std::string_view mark, std::string_view by) {
  const auto at = text.find(mark);
  if (at == std::string::npos) throw Error("page.html: '{}' is missing", mark);
  text.replace(at, mark.size(), by);
}

} // namespace

std::string to_html(const Report& report, const manifest::Manifests& manifests, const PageData& data) {
  std::string script = "'use strict';\n";
  for (const std::string_view part :
       {page::dom_js, page::data_js, page::summary_js, page::claims_js, page::filter_js, page::pictures_js,
        page::hazards_js, page::throughput_js, page::page_js})
    script += part;
  std::string html(page::page_html);
  // The data last: nothing in them is a mark. They hold no `<`, so nothing in them ends their element.
  replace(html, "@style@", page::page_css);
  replace(html, "@script@", script);
  replace(html, "@data@", script_safe(page_data(report, manifests, data)));
  return html;
}

} // namespace cts::report
