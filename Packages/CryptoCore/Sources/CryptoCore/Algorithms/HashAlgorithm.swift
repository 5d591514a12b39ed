import Crypto

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cryptographic hash function (FIPS 180-4).
public struct HashAlgorithm: Hashable, Sendable, CustomStringConvertible {
    /// The functions that this module has an engine for.
    enum Kind: Hashable, Sendable {
        case sha1
        case sha256
        case sha384
        case sha512
    }

    let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// SHA-1, broken for signatures and here for HMAC, RSA-OAEP, key identifiers and old certificates.
    public static let sha1 = HashAlgorithm(.sha1)
    /// SHA-256.
    public static let sha256 = HashAlgorithm(.sha256)
    /// SHA-384.
    public static let sha384 = HashAlgorithm(.sha384)
    /// SHA-512.
    public static let sha512 = HashAlgorithm(.sha512)

    /// The name as in FIPS 180-4, such as `SHA-256`.
    public var name: String {
        switch kind {
        case .sha1: "SHA-1"
        case .sha256: "SHA-256"
        case .sha384: "SHA-384"
        case .sha512: "SHA-512"
        }
    }

    /// The name.
    public var description: String { name }

    /// The size of a digest in bytes.
    public var digestSize: Int {
        switch kind {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The size in bytes of the blocks that the function works on, which HMAC pads its key to.
    public var blockSize: Int {
        switch kind {
        case .sha1, .sha256: 64
        case .sha384, .sha512: 128
        }
    }

    /// The digest of a message.
    @inlinable
    public func digest(of message: some ContiguousBytes) -> [UInt8] {
        unsafe message.withUnsafeBytes { unsafe digest(of: $0) }
    }

    @usableFromInline
    func digest(of message: UnsafeRawBufferPointer) -> [UInt8] {
        unsafe withDigest(of: message) { unsafe [UInt8]($0) }
    }

    /// Appends the digest of a message to bytes, for callers that keep many digests together.
    @inlinable
    public func appendDigest(of message: some ContiguousBytes, to bytes: inout [UInt8]) {
        unsafe message.withUnsafeBytes { unsafe appendDigest(of: $0, to: &bytes) }
    }

    @usableFromInline
    func appendDigest(of message: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        unsafe withDigest(of: message) { digest in unsafe bytes.append(contentsOf: digest) }
    }

    /// Returns `true` for the digest of a message; not in constant time, for public digests.
    @inlinable
    public func isDigest(_ digest: some ContiguousBytes, of message: some ContiguousBytes) -> Bool {
        unsafe message.withUnsafeBytes { message in
            unsafe digest.withUnsafeBytes { unsafe isDigest($0, of: message) }
        }
    }

    /// Returns `true` for the digest of a message; not in constant time, for public digests.
    public func isDigest(_ digest: Span<UInt8>, of message: Span<UInt8>) -> Bool {
        unsafe message.withUnsafeBytes { message in
            unsafe digest.withUnsafeBytes { unsafe isDigest($0, of: message) }
        }
    }

    @usableFromInline
    func isDigest(_ digest: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer) -> Bool {
        unsafe withDigest(of: message) { unsafe Self.areEqual(digest, $0) }
    }

    /// Returns `true` if two digests are the same, compared word by word.
    private static func areEqual(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Bool {
        guard first.count == second.count else { return false }
        var offset = 0
        while offset + 8 <= first.count {
            let words = unsafe (
                first.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
                second.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            )
            guard words.0 == words.1 else { return false }
            offset += 8
        }
        return unsafe first[offset...].elementsEqual(second[offset...])
    }

    /// Lends the digest of a message, in one piece or in two, to a closure.
    func withDigest<Result>(
        of message: UnsafeRawBufferPointer,
        followedBy rest: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0),
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        #if OpenSSL
        // swift-crypto allocates twice for a digest, which takes longer than to hash a short message.
        if let result = try unsafe withLibcryptoDigest(of: message, followedBy: rest, body) { return result }
        #endif
        return switch kind {
        case .sha1: try unsafe Self.withDigest(Insecure.SHA1.self, message, rest, body)
        case .sha256: try unsafe Self.withDigest(SHA256.self, message, rest, body)
        case .sha384: try unsafe Self.withDigest(SHA384.self, message, rest, body)
        case .sha512: try unsafe Self.withDigest(SHA512.self, message, rest, body)
        }
    }

    private static func withDigest<Function: HashFunction, Result>(
        _ function: Function.Type,
        _ message: UnsafeRawBufferPointer,
        _ rest: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        var state = Function()
        unsafe state.update(bufferPointer: message)
        unsafe state.update(bufferPointer: rest)
        return try unsafe state.finalize().withUnsafeBytes(body)
    }
}
