#if OpenSSL
extension UnsafeRawBufferPointer {
    /// The start as libcrypto's functions take it.
    var octets: UnsafePointer<UInt8>? { unsafe baseAddress?.assumingMemoryBound(to: UInt8.self) }
}
#endif
