import CBORKit
public import StatusListKit
import VerificationCore

/// Identifier lists to check statuses with where there is no network: what was fetched before, or was handed over.
///
/// Nothing in a snapshot is verified; an ``IdentifierListClient`` verifies each token when it is used.
public struct IdentifierListSnapshot: Sendable {
    private var byURI: [ExactText: IdentifierListToken] = [:]

    /// The longest encoding that is read: 256 MiB.
    public static let maximumSize = 256 << 20

    /// A snapshot without tokens.
    public init() {}

    /// The tokens, each with the URI that references name it by, in the order of the URIs' bytes.
    public var tokens: [(uri: String, token: IdentifierListToken)] {
        byURI.sorted { $0.key < $1.key }.map { (uri: $0.key.text, token: $0.value) }
    }

    /// The token of a URI, or nil.
    public subscript(uri: String) -> IdentifierListToken? { byURI[ExactText(uri)] }

    /// Adds a token, in place of one with the same URI.
    public mutating func insert(_ token: IdentifierListToken, for uri: String) {
        byURI[ExactText(uri)] = token
    }

    /// The snapshot as bytes, for storage: CBOR, an array of `[uri, media type, token]`, as status lists are stored.
    public func encoded() -> [UInt8] {
        let tokens = tokens
        var writer = CBORWriter()
        writer.beginArray(count: tokens.count)
        for (uri, token) in tokens {
            writer.beginArray(count: 3)
            writer.write(text: uri)
            writer.write(text: IdentifierListToken.mediaType)
            writer.write(bytes: token.encodedBytes)
        }
        return writer.finish()
    }

    /// Reads a snapshot from storage.
    ///
    /// - Throws: `StatusListError` with code `malformed`, and what its tokens are refused for.
    public init(decoding bytes: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        let bytes = Array(bytes)
        var entries: [(uri: String, token: [UInt8])] = []
        var forms: Set<String> = []
        do {
            var options = CBORReadingOptions.default
            options.limits = CBORLimits(size: Self.maximumSize, depth: 4, items: 1 << 20)
            for entry in try CBORDocument(bytes, options: options).root.array() {
                let parts = try entry.array(count: 3)
                forms.insert(try parts.element(at: 1).text())
                entries.append((try parts.element(at: 0).text(), Array(try parts.element(at: 2).bytes())))
            }
        } catch {
            throw StatusListError(.malformed, error.message, path: ["snapshot"], cause: error)
        }
        guard forms.isSubset(of: [IdentifierListToken.mediaType]) else {
            throw StatusListError(.malformed, "an entry is no identifier list", path: ["snapshot"])
        }
        for (uri, token) in entries { insert(try IdentifierListToken(cwt: token, limits: limits), for: uri) }
    }
}
