#if OpenSSL
import CCryptoCoreOpenSSL

/// Runs calls into libcrypto and removes their errors from this thread's error queue.
///
/// Earlier errors of the caller stay on the queue.
func withOwnErrorQueue<Result>(_ body: () -> Result) -> Result {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return body()
}
#endif
