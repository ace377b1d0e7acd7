// server/master/assignment/state_machine/region_placement.h: chooses servers for regions if the request names none.
// Regions go back to their last address if a server is online there, or else to any; new ones go to all servers in
// turn.
#pragma once

#include "server/master/assignment/state_machine/messages.h"

namespace vaquita {

assignment::Placement RetainingPlacement();

}  // namespace vaquita
