#if OpenSSL
import CCryptoCoreOpenSSL

/// An `EVP_PKEY` of libcrypto, freed with the last reference; libcrypto wipes private numbers then.
///
/// `@unchecked Sendable`: the key is never changed after `init`, and libcrypto guards what it caches in it by locks.
/// Contexts are made for one call each and never shared.
@safe
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over the key that a call of libcrypto makes; nil if it makes none.
    init?(_ make: () -> OpaquePointer?) {
        guard let pointer = unsafe withOwnErrorQueue(make) else { return nil }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Makes a context for one call.
    func withContext<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        withOwnErrorQueue {
            guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return nil }
            defer { unsafe EVP_PKEY_CTX_free(context) }
            return unsafe body(context)
        }
    }
}

/// Runs calls into libcrypto and removes their errors from this thread's error queue.
///
/// Earlier errors of the caller stay on the queue.
func withOwnErrorQueue<Result>(_ body: () -> Result) -> Result {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return body()
}

extension UnsafeRawBufferPointer {
    /// The start as libcrypto's functions take it.
    var octets: UnsafePointer<UInt8>? { unsafe baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
#endif
