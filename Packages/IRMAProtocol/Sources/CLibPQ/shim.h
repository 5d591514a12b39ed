// PostgreSQL's client library; and what Swift cannot see of it, since they are macros of characters.

#ifndef IRMAPROTOCOL_LIBPQ_SHIM_H
#define IRMAPROTOCOL_LIBPQ_SHIM_H

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// The SQLSTATE of a result, or NULL.
static inline const char *irma_pq_sqlstate(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

// Drops what the server says beside its answers, which libpq prints otherwise.
static inline void irma_pq_drop_notice(void *context, const PGresult *result) {}

static inline void irma_pq_drop_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, irma_pq_drop_notice, 0);
}

#endif
