#ifndef BENCHMARKS_LIBCBOR_SHIM_H
#define BENCHMARKS_LIBCBOR_SHIM_H

#include <cbor.h>

#endif
