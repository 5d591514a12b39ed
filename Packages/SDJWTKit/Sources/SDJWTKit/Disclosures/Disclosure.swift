import CryptoCore
import JOSEKit
public import JSONKit

/// A Disclosure: a salt and a claim, which a digest in the payload stands for (RFC 9901, section 4.2).
///
/// What was received is kept: the digest covers the base64url text as it came, never a new encoding.
public struct Disclosure: Sendable {
    /// The base64url text, in ASCII.
    public let encodedBytes: ArraySlice<UInt8>
    /// The claim's name; nil for an element of an array.
    public let claimName: String?
    /// The claim's value, which may hold digests itself.
    public let value: JSONValue

    /// The value in the text that it was read from.
    let valueView: JSONView
    private let saltBytes: ArraySlice<UInt8>

    /// Reads a Disclosure.
    ///
    /// - Throws: ``SDJWTError/Code/malformedDisclosure``; ``SDJWTError/Code/limitExceeded``.
    public init(encoded: String, limits: SDJWTLimits = .default) throws(SDJWTError) {
        try self.init(encodedBytes: Array(encoded.utf8)[...], limits: limits)
    }

    init(encodedBytes: ArraySlice<UInt8>, limits: SDJWTLimits) throws(SDJWTError) {
        guard encodedBytes.count <= limits.size else {
            throw SDJWTError(.limitExceeded, "\(encodedBytes.count) bytes, over \(limits.size)")
        }
        let json: [UInt8]
        do throws(JOSEError) {
            json = try Base64URL.decode(encodedBytes)
        } catch {
            throw SDJWTError(.malformedDisclosure, reading: error)
        }
        let document = try reading(.malformedDisclosure) { () throws(JSONError) in
            try JSONDocument(json, limits: limits.json)
        }
        try self.init(encodedBytes: encodedBytes, contents: document.root)
    }

    /// Takes the parts of a Disclosure from its contents: `[salt, name, value]` or `[salt, value]`.
    init(encodedBytes: ArraySlice<UInt8>, contents: JSONView) throws(SDJWTError) {
        do throws(JSONError) {
            var elements = try contents.array().makeIterator()
            let first = elements.next()
            let second = elements.next()
            let third = elements.next()
            guard let first, let second, elements.next() == nil else {
                throw JSONError(.typeMismatch, "a Disclosure has two or three elements", at: contents)
            }
            saltBytes = try first.stringBytes()
            claimName = if third == nil { nil } else { try second.string() }
            valueView = third ?? second
            value = try valueView.ownedValue()
        } catch {
            throw SDJWTError(.malformedDisclosure, reading: error)
        }
        self.encodedBytes = encodedBytes
    }

    /// The base64url text.
    public var encoded: String { String(decoding: encodedBytes, as: UTF8.self) }

    /// The salt.
    public var salt: String { String(decoding: saltBytes, as: UTF8.self) }

    /// The digest that stands for the Disclosure: base64url over the hash of its text.
    ///
    /// - Throws: ``SDJWTError/Code/unsupportedHashAlgorithm``.
    public func digest(_ algorithm: SDHashAlgorithm = .sha256) throws(SDJWTError) -> String {
        String(decoding: digestBytes(try algorithm.requireHash()), as: UTF8.self)
    }

    /// The digest in ASCII.
    func digestBytes(_ hash: HashAlgorithm) -> [UInt8] {
        Base64URL.encodedBytes(hash.digest(of: encodedBytes))
    }
}

extension Disclosure: Hashable {
    /// Whether two Disclosures have the same text.
    public static func == (a: Disclosure, b: Disclosure) -> Bool { a.encodedBytes == b.encodedBytes }

    /// Feeds the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(encodedBytes) }
}
