#include "engine/store_scanner.h"
