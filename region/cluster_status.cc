#include "region/cluster_status.h"
