#if OpenSSL
import CCryptoCoreOpenSSL

/// Runs calls into libcrypto and takes what they leave on this thread's error queue away again.
///
/// What a caller had on the queue before stays.
func withOwnErrorQueue<Result>(_ body: () -> Result) -> Result {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return body()
}
#endif
