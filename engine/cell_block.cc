#include "engine/cell_block.h"
