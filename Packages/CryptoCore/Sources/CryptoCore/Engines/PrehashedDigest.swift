import Crypto

/// A digest that was computed elsewhere, in the form that swift-crypto takes digests in.
///
/// It points at the digest's bytes and must not outlive the call that lends them; that is also what makes
/// `@unchecked Sendable` hold.
@safe
struct PrehashedDigest: Digest, @unchecked Sendable {
    /// Digests of several sizes come through here; the size that counts is that of the bytes lent.
    static var byteCount: Int { 0 }

    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(bytes)
    }

    func hash(into hasher: inout Hasher) {
        unsafe hasher.combine(bytes: bytes)
    }
}
