// console/console_pages.h: the web console at a process's info port, below /console.
//
// GET /console/ is the page; /console/v1/tables and /console/v1/heat are the JSON that it shows (docs/console.md).
// Everything can only be read.
#pragma once

#include <functional>
#include <memory>

#include "server/frontend/http/http_server.h"

namespace vaquita {

class Clock;
class HeatRecorder;

using CurrentHeat = std::function<std::shared_ptr<const HeatRecorder>()>;

// Adds the console's pages. `heat` returns the recorder, or null while no region server is open. `clock` outlives the
// pages.
void AddConsolePages(CurrentHeat heat, const Clock* clock, http::Pages* pages);

}  // namespace vaquita
