public import CryptoCore
import JOSEKit

/// The digests that a document must have: "integrity metadata" as W3C Subresource Integrity writes them, verified as
/// SD-JWT VC says (integrity of referenced documents).
public struct IntegrityMetadata: Hashable, Sendable {
    /// The text, as received.
    public let text: String

    /// The strongest of the known hash functions that the text names; nil if it names no known one.
    private let hash: HashAlgorithm?
    private let digests: [[UInt8]]

    /// From the weakest to the strongest.
    private static let algorithms: [(name: String, hash: HashAlgorithm)] = [
        ("sha256", .sha256), ("sha384", .sha384), ("sha512", .sha512),
    ]

    /// Reads integrity metadata: expressions such as `sha256-…` with white space between them.
    ///
    /// Only those with the strongest of the known hash functions count; expressions with unknown ones are skipped.
    /// Without a digest to compare with, every document is refused: that one, not the one that refers to it.
    public init(_ text: String) {
        self.text = text
        var found: [(strength: Int, digest: [UInt8]?)] = []
        // By bytes: a line feed after a carriage return, and a letter with an accent behind it, are one character each.
        for expression in text.utf8.split(whereSeparator: Self.isWhiteSpace) {
            // Options follow a question mark; none is defined.
            let value = expression.prefix { $0 != UInt8(ascii: "?") }
            guard let dash = value.firstIndex(of: UInt8(ascii: "-")),
                let strength = Self.algorithms.firstIndex(where: { value[..<dash].elementsEqual($0.name.utf8) })
            else { continue }
            let digest = Self.digest(value[value.index(after: dash)...], Self.algorithms[strength].hash)
            found.append((strength, digest))
        }
        let strongest = found.map(\.strength).max()
        hash = strongest.map { Self.algorithms[$0].hash }
        digests = found.filter { $0.strength == strongest }.compactMap(\.digest)
    }

    /// The integrity metadata of a document, for `vct#integrity`, `extends#integrity` and others of that name.
    ///
    /// - Parameters:
    ///   - document: The bytes as they are published.
    ///   - hash: SHA-256, SHA-384 or SHA-512.
    /// - Throws: ``SDJWTError/Code/unsupportedHashAlgorithm`` for another hash function.
    public init(of document: some Collection<UInt8>, hash: HashAlgorithm = .sha256) throws(SDJWTError) {
        guard let algorithm = Self.algorithms.first(where: { $0.hash == hash }) else {
            throw SDJWTError(.unsupportedHashAlgorithm, "integrity metadata have no hash function \(hash)")
        }
        let digest = hash.digest(of: Array(document))
        text = "\(algorithm.name)-\(Self.base64(digest))"
        self.hash = hash
        digests = [digest]
    }

    /// A digest in base64 with padding, as browsers read it.
    private static func base64(_ digest: [UInt8]) -> String {
        let characters = Base64URL.encode(digest).map { character -> Character in
            switch character {
            case "-": "+"
            case "_": "/"
            default: character
            }
        }
        return String(characters) + String(repeating: "=", count: (4 - characters.count % 4) % 4)
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        // Tab, line feed, form feed, carriage return and space.
        [0x09, 0x0a, 0x0c, 0x0d, 0x20].contains(byte)
    }

    /// The bytes of a digest in base64, with either alphabet, with padding or without; `nil` for other text.
    private static func digest(_ text: Substring.UTF8View, _ hash: HashAlgorithm) -> [UInt8]? {
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        let characters = text.dropLast(padding).map { character in
            switch character {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: character
            }
        }
        guard let digest = try? Base64URL.decode(characters), digest.count == hash.digestSize else { return nil }
        return digest
    }

    /// Refuses a document that has none of the digests.
    ///
    /// - Parameter document: The bytes as received.
    /// - Throws: ``SDJWTError/Code/integrityMismatch``.
    public func requireMatch(of document: [UInt8]) throws(SDJWTError) {
        guard hash != nil else {
            throw SDJWTError(.integrityMismatch, "no hash function in \"\(text.prefix(100))\" is known")
        }
        guard matches(document) else {
            throw SDJWTError(.integrityMismatch, "the document is not the one that \"\(text.prefix(200))\" stands for")
        }
    }

    /// Returns `true` if a document has one of the digests.
    func matches(_ document: [UInt8]) -> Bool {
        hash.map { digests.contains($0.digest(of: document)) } ?? false
    }
}
