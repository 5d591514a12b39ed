// hiredis' reader and formatter; its blocking connections are not used.

#ifndef CREDENTIALSERVING_HIREDIS_SHIM_H
#define CREDENTIALSERVING_HIREDIS_SHIM_H

#include <hiredis/hiredis.h>
#include <hiredis/read.h>

#if HIREDIS_MAJOR >= 1
static inline void *CredentialServing_refuseDouble(const redisReadTask *task, double value, char *text, size_t size) {
    (void)task, (void)value, (void)text, (void)size;
    return NULL;
}

static inline void *CredentialServing_refuseBool(const redisReadTask *task, int value) {
    (void)task, (void)value;
    return NULL;
}
#endif

// Refuses the types of RESP3 that hiredis knows from 1.0 on, none of which a server sends without HELLO: no object is an
// error to the reader, and no function would be a number in the place of a pointer.
static inline void CredentialServing_refuseRESP3(redisReplyObjectFunctions *functions) {
#if HIREDIS_MAJOR >= 1
    functions->createDouble = CredentialServing_refuseDouble;
    functions->createBool = CredentialServing_refuseBool;
#else
    (void)functions;
#endif
}

#endif
