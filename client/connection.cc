#include "client/connection.h"
