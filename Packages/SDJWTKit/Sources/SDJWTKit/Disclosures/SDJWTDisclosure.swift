import CryptoCore
import JOSEKit
@_spi(Layers) public import JSONKit

/// A Disclosure: a salt and a claim, represented by a digest in the payload (RFC 9901, section 4.2).
///
/// The received text is kept: the digest covers the base64url text as received, never a new encoding.
public struct SDJWTDisclosure: Sendable {
    /// The Disclosures that this one was read together with, and its place among them.
    private let batch: DisclosureBatch
    private let place: Int

    init(_ batch: DisclosureBatch, at place: Int) {
        self.batch = batch
        self.place = place
    }

    /// Reads a Disclosure.
    ///
    /// - Throws: ``SDJWTError/Code/malformedDisclosure``; ``SDJWTError/Code/limitExceeded``.
    public init(encoded: String, limits: SDJWTLimits = .default) throws(SDJWTError) {
        try self.init(encodedBytes: Array(encoded.utf8)[...], limits: limits)
    }

    init(encodedBytes: ArraySlice<UInt8>, limits: SDJWTLimits) throws(SDJWTError) {
        self.init(try DisclosureBatch(only: encodedBytes, limits: limits), at: 0)
    }

    /// The base64url text, in ASCII.
    public var encodedBytes: ArraySlice<UInt8> { batch.encodedBytes(at: place) }

    /// The base64url text.
    public var encoded: String { String(decoding: encodedBytes, as: UTF8.self) }

    /// The salt.
    public var salt: String { batch.string(at: batch.entries[place].salt) }

    /// The claim's name; nil for an element of an array.
    public var claimName: String? { batch.claimName(at: place) }

    /// The claim's value, which may hold digests itself; made of the text each time that it is asked for.
    public var value: JSONValue {
        // Reading has refused what is nested too deep for a value.
        (try? contents.value(at: valuePosition)) ?? .null
    }

    /// The claim's value; nil for one with values inside.
    var scalar: JSONValue? { batch.scalar(at: place) }

    /// The decoded text, together with other Disclosures.
    var contents: JSONDocument { batch.contents }

    /// The place of the claim's value in the contents.
    var valuePosition: JSONPosition { batch.entries[place].value }

    /// The digest that stands for the Disclosure: base64url over the hash of its text.
    ///
    /// - Throws: ``SDJWTError/Code/unsupportedHashAlgorithm``.
    public func digest(_ algorithm: SDHashAlgorithm = .sha256) throws(SDJWTError) -> String {
        digest(try algorithm.requireHash())
    }

    func digest(_ hash: HashAlgorithm) -> String {
        Base64URL.encode(hash.digest(of: encodedBytes))
    }
}

extension SDJWTDisclosure: Hashable {
    /// Returns `true` if two Disclosures have the same text.
    public static func == (a: SDJWTDisclosure, b: SDJWTDisclosure) -> Bool { a.encodedBytes == b.encodedBytes }

    /// Feeds the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(encodedBytes) }
}
