import CBORKit

/// Tokens to check statuses with where there is no network: fetched before, or handed over.
///
/// Nothing in a snapshot is verified; a ``StatusListClient`` verifies each token when it is used, or at once by
/// ``StatusListClient/load(_:signedBy:at:)``.
public struct StatusListSnapshot: Sendable {
    private var byURI: [ExactText: [StatusListToken]] = [:]

    /// The longest encoding that is read: 256 MiB.
    public static let maximumSize = 256 << 20

    /// A snapshot without tokens.
    public init() {}

    /// The tokens, each with the URI that references name it by, in the order of the URIs' bytes.
    ///
    /// A snapshot of a client can hold several of one URI: of two signers, or one that is not verified beside one that is.
    public var tokens: [(uri: String, token: StatusListToken)] {
        byURI.sorted { $0.key < $1.key }
            .flatMap { (uri, tokens) in tokens.map { (uri: uri.text, token: $0) } }
    }

    /// Adds a token, in place of those with the same URI.
    public mutating func insert(_ token: StatusListToken, for uri: String) {
        byURI[ExactText(uri)] = [token]
    }

    /// Adds a token to those with the same URI, unless it is the one added last.
    mutating func append(_ token: StatusListToken, for uri: String) {
        guard self[uri]?.encodedBytes != token.encodedBytes else { return }
        byURI[ExactText(uri), default: []].append(token)
    }

    /// The token of a URI, the last of several; nil without one.
    public subscript(uri: String) -> StatusListToken? { byURI[ExactText(uri)]?.last }

    /// The snapshot as bytes, for storage: CBOR, an array of `[uri, media type, token]`.
    public func encoded() -> [UInt8] {
        SnapshotEntry.encoded(tokens.map { SnapshotEntry($0.uri, $0.token.form.rawValue, $0.token.encodedBytes) })
    }

    /// Reads a snapshot from storage.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, and the errors of reading its tokens.
    public init(decoding bytes: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        for entry in try SnapshotEntry.read(bytes, maximumSize: Self.maximumSize) {
            guard let form = StatusListToken.Form(rawValue: entry.form) else { throw entry.unknownForm }
            append(try StatusListToken(entry.token, form: form, limits: limits), for: entry.uri)
        }
    }
}

/// A token in a stored snapshot of lists: `[uri, media type, token]`.
struct SnapshotEntry {
    let uri: String
    let form: String
    let token: [UInt8]

    init(_ uri: String, _ form: String, _ token: [UInt8]) {
        self.uri = uri
        self.form = form
        self.token = token
    }

    static func encoded(_ entries: [SnapshotEntry]) -> [UInt8] {
        var writer = CBORWriter()
        writer.beginArray(count: entries.count)
        for entry in entries {
            writer.beginArray(count: 3)
            writer.write(text: entry.uri)
            writer.write(text: entry.form)
            writer.write(bytes: entry.token)
        }
        return writer.finish()
    }

    static func read(
        _ bytes: some Collection<UInt8>,
        maximumSize: Int
    ) throws(StatusListError) -> [SnapshotEntry] {
        do throws(CBORError) {
            var options = CBORReadingOptions.default
            options.limits = CBORLimits(size: maximumSize, depth: 4, items: 1 << 20)
            var entries: [SnapshotEntry] = []
            for entry in try CBORDocument(Array(bytes), options: options).root.array() {
                let parts = try entry.array(count: 3)
                let (uri, form) = (try parts.element(at: 0).text(), try parts.element(at: 1).text())
                entries.append(SnapshotEntry(uri, form, Array(try parts.element(at: 2).bytes())))
            }
            return entries
        } catch {
            throw StatusListError(.malformed, error.message, path: ["snapshot"], cause: error)
        }
    }

    /// The error for an entry of another kind of list.
    var unknownForm: StatusListError {
        StatusListError(.malformed, "\"\(form.prefix(100))\" is no form of a token", path: ["snapshot"])
    }
}
