#include "server/grpc_front_end.h"
