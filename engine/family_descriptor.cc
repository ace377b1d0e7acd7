#include "engine/family_descriptor.h"
