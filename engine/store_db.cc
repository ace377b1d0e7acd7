#include "engine/store_db.h"
