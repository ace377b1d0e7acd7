#include "engine/cell_key.h"
