// server/master/assignment/state_machine/region_placement.h: where regions open that nobody asked to open somewhere:
// those that were open go back to the same address, if a server lives there, or else anywhere; new ones go to all
// servers in turn.
#pragma once

#include "server/master/assignment/state_machine/messages.h"

namespace vaquita {

assignment::Placement RetainingPlacement();

}  // namespace vaquita
