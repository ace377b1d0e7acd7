#include "lab/report/page.h"

#include "absl/strings/str_cat.h"
#include "lab/report/xml_text.h"

namespace vaquita::lab {
namespace {

// A picture fits into the window, so that it is seen as a whole.
constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--ground:#fff;--text:#1a1a1a;--quiet:#555;--line:#ddd;--best:#e4f3e6}
@media (prefers-color-scheme:dark){:root{--ground:#14181c;--text:#f0f0f0;--quiet:#b0b8c0;--line:#3a4047;--best:#1d3b2a}}
body{font:clamp(15px,1.15vw,30px)/1.5 'DejaVu Sans',Verdana,sans-serif;color:var(--text);background:var(--ground);
max-width:min(96vw,110em);margin:1em auto;padding:0 8px}
h1{font-size:1.5em;line-height:1.25}h2{font-size:1.2em;margin:0}
code,pre,.key{font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace;overflow-wrap:anywhere}
.quiet{color:var(--quiet)}
figure{margin:1em 0;text-align:center}figure svg{width:100%;max-height:84vh}
.designs{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24em),1fr));gap:1.5em}
.designs figure svg{max-height:none}
.scroll{overflow-x:auto}pre{overflow-x:auto;font-size:.8em;overflow-wrap:normal}
table{border-collapse:collapse;margin:1em 0}
td,th{padding:.2em 1em .2em 0;text-align:right;border-bottom:1px solid var(--line);vertical-align:top}
td:first-child,th:first-child{text-align:left}.best{background:var(--best);font-weight:bold}
)";

}  // namespace

std::string Page(const std::string& title, const std::string& body) {
  return absl::StrCat(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
      XmlText(title), "</title>\n<style>", kStyle, "</style></head><body>\n<h1>", XmlText(title), "</h1>\n", body,
      "</body></html>\n");
}

}  // namespace vaquita::lab
