#include "region/table_name.h"
