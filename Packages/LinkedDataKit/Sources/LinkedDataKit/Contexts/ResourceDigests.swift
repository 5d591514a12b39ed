import CryptoCore
import DIDKit
import JSONKit

/// The known digests of a resource.
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

    /// The one digest of a resource whose bytes are not at hand.
    init(sha256: [UInt8]) {
        self.init([.sha256: sha256])
    }

    /// Known digests in base64.
    init(sha256: String, sha384: String, sha512: String) {
        let texts: [HashAlgorithm: String] = [.sha256: sha256, .sha384: sha384, .sha512: sha512]
        self.init(texts.compactMapValues { try? JSONBase64.base64.decode($0) })
    }

    /// Returns `true` if a digest is that of the resource, and `nil` if the digest of that function is unknown.
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
    /// Options, which follow a question mark, are passed over: none is defined.
    ///
    /// - Returns: Nil for a malformed one.
    init?(hashExpression text: Substring.UTF8View) {
        let expression = text.prefix { $0 != UInt8(ascii: "?") }
        guard let dash = expression.firstIndex(of: UInt8(ascii: "-")),
            let bytes = Self.base64(expression[expression.index(after: dash)...])
        else { return nil }
        let functions: [String: HashAlgorithm] = ["sha256": .sha256, "sha384": .sha384, "sha512": .sha512]
        self.init(functions[String(Substring(expression[..<dash]))], bytes)
    }

    /// The bytes of a text in base64, with either alphabet, padded or not (Content Security Policy 3, `base64-value`).
    private static func base64(_ text: Substring.UTF8View) -> [UInt8]? {
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        let characters = text.dropLast(padding).map { character in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: character
            }
        }
        return try? JSONBase64.base64url.decode(characters)
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
