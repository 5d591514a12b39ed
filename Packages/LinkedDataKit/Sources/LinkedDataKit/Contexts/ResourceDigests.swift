import CryptoCore
import DIDKit
import JSONKit

/// The digests of a resource that is at hand.
struct ResourceDigests: Sendable {
    private let digests: [HashAlgorithm: [UInt8]]

    /// No digests, for a resource whose bytes are unknown.
    static let unknown = ResourceDigests([:])

    private init(_ digests: [HashAlgorithm: [UInt8]]) {
        self.digests = digests
    }

    /// The digests of bytes.
    init(of bytes: [UInt8]) {
        self.init([
            .sha256: HashAlgorithm.sha256.digest(of: bytes), .sha384: HashAlgorithm.sha384.digest(of: bytes),
            .sha512: HashAlgorithm.sha512.digest(of: bytes),
        ])
    }

    /// Known digests in base64.
    init(sha256: String, sha384: String, sha512: String) {
        let texts: [HashAlgorithm: String] = [.sha256: sha256, .sha384: sha384, .sha512: sha512]
        self.init(texts.compactMapValues { try? JSONBase64.base64.decode($0) })
    }

    /// Returns `true` if a digest is that of the resource, and nil if there is none of its function to compare it with.
    func matches(_ digest: ResourceDigest) -> Bool? {
        digest.function.flatMap { digests[$0] }.map { $0 == digest.bytes }
    }
}

/// A digest that a credential states of a resource.
struct ResourceDigest: Hashable, Sendable {
    /// The hash function; nil for an unknown one.
    let function: HashAlgorithm?
    /// The digest.
    let bytes: [UInt8]

    /// Reads a hash expression, such as `sha384-…` (Subresource Integrity, section 3.5).
    ///
    /// - Returns: Nil for a malformed one.
    init?(hashExpression text: Substring) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let bytes = try? JSONBase64.base64.decode(String(parts[1])) else { return nil }
        let functions: [Substring: HashAlgorithm] = ["sha256": .sha256, "sha384": .sha384, "sha512": .sha512]
        self.init(functions[parts[0]], bytes)
    }

    /// Reads a multihash in multibase (Controlled Identifiers 1.0, section 2.5).
    ///
    /// - Returns: Nil for a malformed one.
    init?(multibase text: String) {
        guard let bytes = try? Multibase.decode(text), bytes.count > 2 else { return nil }
        let functions: [UInt8: HashAlgorithm] = [0x12: .sha256, 0x20: .sha384, 0x13: .sha512]
        guard let function = functions[bytes[0]] else {
            self.init(nil, bytes)
            return
        }
        // The codes and lengths of these functions take one byte each.
        guard Int(bytes[1]) == bytes.count - 2 else { return nil }
        self.init(function, Array(bytes.dropFirst(2)))
    }

    private init?(_ function: HashAlgorithm?, _ bytes: [UInt8]) {
        guard function?.digestSize ?? bytes.count == bytes.count else { return nil }
        self.function = function
        self.bytes = bytes
    }
}
