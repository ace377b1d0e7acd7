// lab/report/page.h: a report as one HTML file, which needs no other file, no script and no network.
//
// It follows the reader's choice of light or dark, and its letters grow with the window, for projectors.
#pragma once

#include <string>

namespace vaquita::lab {

// Returns the page. `title` is text; `body` is HTML, whose pictures are in <figure>s.
std::string Page(const std::string& title, const std::string& body);

}  // namespace vaquita::lab
