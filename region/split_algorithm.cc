#include "region/split_algorithm.h"
