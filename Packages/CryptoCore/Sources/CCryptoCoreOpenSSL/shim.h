// libcrypto's headers, and functions for what Swift cannot see of them (macros).

#ifndef CRYPTOCORE_OPENSSL_SHIM_H
#define CRYPTOCORE_OPENSSL_SHIM_H

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#endif
