#include "region/table_descriptor.h"
