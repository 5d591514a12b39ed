// libcrypto's headers, and functions for what Swift cannot see of them (macros, variadic functions, parameter lists).

#ifndef CRYPTOCORE_OPENSSL_SHIM_H
#define CRYPTOCORE_OPENSSL_SHIM_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

// The hash functions without EVP, whose contexts are allocated and whose one-shot functions look the algorithm up by name
// each time: both take longer than to hash a short message. OpenSSL 3 calls these functions deprecated, and has no other
// that neither allocate nor look up.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/// A message, in one piece or in two, of which each may be empty.
typedef struct {
    const void *start;
    size_t size;
    const void *rest;
    size_t rest_size;
} cryptocore_message;

/// Writes the SHA-256 digest, of 32 bytes. Returns 1 on success.
static inline int cryptocore_sha256(cryptocore_message message, unsigned char *digest) {
    SHA256_CTX context;
    int done = SHA256_Init(&context) && SHA256_Update(&context, message.start, message.size) &&
               SHA256_Update(&context, message.rest, message.rest_size) && SHA256_Final(digest, &context);
    OPENSSL_cleanse(&context, sizeof(context));
    return done;
}

/// Writes the SHA-384 digest, of 48 bytes. Returns 1 on success.
static inline int cryptocore_sha384(cryptocore_message message, unsigned char *digest) {
    SHA512_CTX context;
    int done = SHA384_Init(&context) && SHA384_Update(&context, message.start, message.size) &&
               SHA384_Update(&context, message.rest, message.rest_size) && SHA384_Final(digest, &context);
    OPENSSL_cleanse(&context, sizeof(context));
    return done;
}

/// Writes the SHA-512 digest, of 64 bytes. Returns 1 on success.
static inline int cryptocore_sha512(cryptocore_message message, unsigned char *digest) {
    SHA512_CTX context;
    int done = SHA512_Init(&context) && SHA512_Update(&context, message.start, message.size) &&
               SHA512_Update(&context, message.rest, message.rest_size) && SHA512_Final(digest, &context);
    OPENSSL_cleanse(&context, sizeof(context));
    return done;
}

#pragma GCC diagnostic pop

/// Writes a big-endian number in the machine's own order, as OSSL_PARAM wants it. Returns 1 on success.
static inline int cryptocore_to_native(const unsigned char *number, size_t size, unsigned char *native) {
    BIGNUM *value = BN_bin2bn(number, (int)size, NULL);
    if (value == NULL) return 0;
    int written = BN_bn2nativepad(value, native, (int)size);
    BN_clear_free(value);
    return written == (int)size;
}

/// Builds a key from parameters; NULL on failure.
static inline EVP_PKEY *cryptocore_key_from_parameters(const char *type, int selection, OSSL_PARAM *parameters) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (context != NULL && EVP_PKEY_fromdata_init(context) > 0) {
        EVP_PKEY_fromdata(context, &key, selection, parameters);
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/// Builds a key on a named curve from an uncompressed point and, for a private key, a scalar of at most 80 bytes.
static inline EVP_PKEY *cryptocore_ec_key(
    const char *curve, const unsigned char *point, size_t point_size, const unsigned char *scalar, size_t scalar_size
) {
    unsigned char native[80];
    OSSL_PARAM parameters[4];
    OSSL_PARAM *next = parameters;
    if (scalar_size > sizeof(native)) return NULL;
    *next++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0);
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_size);
    if (scalar_size > 0) {
        if (!cryptocore_to_native(scalar, scalar_size, native)) return NULL;
        *next++ = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, scalar_size);
    }
    *next = OSSL_PARAM_construct_end();
    EVP_PKEY *key = cryptocore_key_from_parameters(
        "EC", scalar_size > 0 ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters
    );
    OPENSSL_cleanse(native, sizeof(native));
    return key;
}

/// Builds an RSA key from big-endian numbers laid end to end: n and e, and for a private key d, p, q, dP, dQ, qInv.
static inline EVP_PKEY *cryptocore_rsa_key(const unsigned char *numbers, const size_t *sizes, size_t count) {
    static const char *const names[8] = {
        OSSL_PKEY_PARAM_RSA_N, OSSL_PKEY_PARAM_RSA_E, OSSL_PKEY_PARAM_RSA_D,
        OSSL_PKEY_PARAM_RSA_FACTOR1, OSSL_PKEY_PARAM_RSA_FACTOR2,
        OSSL_PKEY_PARAM_RSA_EXPONENT1, OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1
    };
    OSSL_PARAM parameters[9];
    EVP_PKEY *key = NULL;
    size_t total = 0, index;
    if (count > 8) return NULL;
    for (index = 0; index < count; index++) total += sizes[index];
    unsigned char *native = OPENSSL_malloc(total + 1), *next = native;
    if (native == NULL) return NULL;
    for (index = 0; index < count; index++) {
        if (!cryptocore_to_native(numbers + (next - native), sizes[index], next)) break;
        parameters[index] = OSSL_PARAM_construct_BN(names[index], next, sizes[index]);
        next += sizes[index];
    }
    if (index == count) {
        parameters[index] = OSSL_PARAM_construct_end();
        key = cryptocore_key_from_parameters("RSA", count > 2 ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, parameters);
    }
    OPENSSL_clear_free(native, total + 1);
    return key;
}

/// Sets the label of RSA-OAEP, which the context copies. Returns 1 on success.
static inline int cryptocore_set_oaep_label(EVP_PKEY_CTX *context, const unsigned char *label, int size) {
    if (size <= 0) return size == 0;
    void *copy = OPENSSL_memdup(label, (size_t)size);
    if (copy == NULL) return 0;
    if (EVP_PKEY_CTX_set0_rsa_oaep_label(context, copy, size) > 0) return 1;
    OPENSSL_free(copy);
    return 0;
}

#endif
