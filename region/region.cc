#include "region/region.h"
