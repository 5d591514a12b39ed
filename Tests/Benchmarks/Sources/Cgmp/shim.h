// The unit of IdemixCore's figures is one of GMP's modular exponentiations.

#include <gmp.h>
