#include "region/filter_language.h"
