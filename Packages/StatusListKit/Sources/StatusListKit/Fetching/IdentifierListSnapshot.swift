import VerificationCore

/// Identifier lists to check statuses with where there is no network: fetched before, or handed over.
///
/// Nothing in a snapshot is verified; an ``IdentifierListClient`` verifies each token when it is used.
public struct IdentifierListSnapshot: Sendable {
    private var byURI: [ExactText: [IdentifierListToken]] = [:]

    /// The longest encoding that is read: 256 MiB.
    public static let maximumSize = 256 << 20

    /// A snapshot without tokens.
    public init() {}

    /// The tokens, each with the URI that references name it by, in the order of the URIs' bytes.
    ///
    /// A snapshot of a client can hold several of one URI: of two signers, or one that is not verified beside one that is.
    public var tokens: [(uri: String, token: IdentifierListToken)] {
        byURI.sorted { $0.key < $1.key }
            .flatMap { (uri, tokens) in tokens.map { (uri: uri.text, token: $0) } }
    }

    /// The token of a URI, the last of several; nil without one.
    public subscript(uri: String) -> IdentifierListToken? { byURI[ExactText(uri)]?.last }

    /// Adds a token, in place of those with the same URI.
    public mutating func insert(_ token: IdentifierListToken, for uri: String) {
        byURI[ExactText(uri)] = [token]
    }

    /// Adds a token to those with the same URI, unless it is the one added last.
    mutating func append(_ token: IdentifierListToken, for uri: String) {
        guard self[uri]?.encodedBytes != token.encodedBytes else { return }
        byURI[ExactText(uri), default: []].append(token)
    }

    /// The snapshot as bytes, for storage: CBOR, an array of `[uri, media type, token]`, as status lists are stored.
    public func encoded() -> [UInt8] {
        SnapshotEntry.encoded(
            tokens.map { SnapshotEntry($0.uri, IdentifierListToken.mediaType, $0.token.encodedBytes) }
        )
    }

    /// Reads a snapshot from storage.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, and the errors of reading its tokens.
    public init(decoding bytes: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        for entry in try SnapshotEntry.read(bytes, maximumSize: Self.maximumSize) {
            guard entry.form.hasSameBytes(as: IdentifierListToken.mediaType) else { throw entry.unknownForm }
            append(try IdentifierListToken(cwt: entry.token, limits: limits), for: entry.uri)
        }
    }
}
