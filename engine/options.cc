#include "engine/options.h"
