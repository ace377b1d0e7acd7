#include "region/region_info.h"
