#include "server/standalone.h"
