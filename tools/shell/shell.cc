#include "client/admin.h"
