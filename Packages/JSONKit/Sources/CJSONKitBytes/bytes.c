#include "CJSONKitBytes.h"
