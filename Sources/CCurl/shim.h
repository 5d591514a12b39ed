// libcurl's easy interface; and what Swift cannot see of it, since its setters take any number of arguments.

#ifndef SWIFT_CREDENTIALS_CURL_SHIM_H
#define SWIFT_CREDENTIALS_CURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <string.h>
#include <time.h>

// Sets libcurl up for the process.
static inline CURLcode mail_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

// Demands TLS 1.2 or later.
static inline CURLcode mail_curl_set_oldest_tls(CURL *handle) {
    return curl_easy_setopt(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
}

// Uses STARTTLS if the server offers it, or demands it.
static inline CURLcode mail_curl_set_tls(CURL *handle, int is_demanded) {
    return curl_easy_setopt(handle, CURLOPT_USE_SSL, is_demanded ? (long)CURLUSESSL_ALL : (long)CURLUSESSL_TRY);
}

static inline CURLcode mail_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode mail_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode mail_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

// The last reply code of the server, or 0.
static inline long mail_curl_reply(CURL *handle) {
    long code = 0;
    return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

// The bytes of a message that are still to be sent.
struct mail_curl_message {
    const unsigned char *bytes;
    size_t count;
};

static inline size_t mail_curl_read(char *buffer, size_t size, size_t items, void *context) {
    struct mail_curl_message *message = context;
    size_t count = size * items < message->count ? size * items : message->count;
    if (count == 0) { return 0; }
    memcpy(buffer, message->bytes, count);
    message->bytes += count;
    message->count -= count;
    return count;
}

static inline size_t mail_curl_drop(char *bytes, size_t size, size_t items, void *context) {
    return size * items;
}

// Lets a message be sent, which lives until then.
static inline CURLcode mail_curl_set_message(CURL *handle, struct mail_curl_message *message) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, mail_curl_read);
    if (code == CURLE_OK) { code = curl_easy_setopt(handle, CURLOPT_READDATA, message); }
    if (code == CURLE_OK) { code = curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L); }
    return code;
}

// The time at which a transfer ends at the latest, by the clock that is never set.
struct mail_curl_deadline {
    struct timespec end;
};

static inline struct mail_curl_deadline mail_curl_deadline_in(long milliseconds) {
    struct mail_curl_deadline deadline = { { 0, 0 } };
    clock_gettime(CLOCK_MONOTONIC, &deadline.end);
    long nanoseconds = deadline.end.tv_nsec + milliseconds % 1000 * 1000000;
    deadline.end.tv_sec += milliseconds / 1000 + nanoseconds / 1000000000;
    deadline.end.tv_nsec = nanoseconds % 1000000000;
    return deadline;
}

// Tells libcurl, which asks once a second or more often, whether to give up.
static inline int mail_curl_is_late(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    const struct mail_curl_deadline *deadline = context;
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) { return 1; }
    return now.tv_sec > deadline->end.tv_sec
        || (now.tv_sec == deadline->end.tv_sec && now.tv_nsec >= deadline->end.tv_nsec);
}

// Ends a transfer at a time, which lives as long as the handle: unlike libcurl's own limit, in the farewell, too.
static inline CURLcode mail_curl_set_deadline(CURL *handle, struct mail_curl_deadline *deadline) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, mail_curl_is_late);
    if (code == CURLE_OK) { code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, deadline); }
    if (code == CURLE_OK) { code = curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L); }
    return code;
}

// Drops what the server says.
static inline CURLcode mail_curl_drop_answers(CURL *handle) {
    return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, mail_curl_drop);
}

#endif
