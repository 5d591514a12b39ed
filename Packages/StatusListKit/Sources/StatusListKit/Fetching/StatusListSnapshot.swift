import CBORKit

/// Tokens to check statuses with where there is no network: what was fetched before, or was handed over.
///
/// Nothing in a snapshot is verified; a ``StatusListClient`` verifies each token when it takes the snapshot in.
public struct StatusListSnapshot: Sendable {
    private var byURI: [ExactText: StatusListToken] = [:]

    /// The longest encoding that is read: 256 MiB.
    public static let maximumSize = 256 << 20

    /// A snapshot without tokens.
    public init() {}

    /// The tokens, each with the URI that references name it by, in the order of the URIs' bytes.
    public var tokens: [(uri: String, token: StatusListToken)] {
        byURI.map { (uri: $0.key.text, token: $0.value) }
            .sorted { $0.uri.utf8.lexicographicallyPrecedes($1.uri.utf8) }
    }

    /// Adds a token, in place of one with the same URI.
    public mutating func insert(_ token: StatusListToken, for uri: String) {
        byURI[ExactText(uri)] = token
    }

    /// The snapshot as bytes, for storage: CBOR, an array of `[uri, media type, token]`.
    public func encoded() -> [UInt8] {
        let tokens = tokens
        var writer = CBORWriter()
        writer.beginArray(count: tokens.count)
        for (uri, token) in tokens {
            writer.beginArray(count: 3)
            writer.write(text: uri)
            writer.write(text: token.form.rawValue)
            writer.write(bytes: token.encodedBytes)
        }
        return writer.finish()
    }

    /// Reads a snapshot from storage.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, and what its tokens are refused for.
    public init(decoding bytes: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        let bytes = Array(bytes)
        var entries: [(uri: String, form: String, token: [UInt8])] = []
        do {
            var options = CBORReadingOptions.default
            options.limits = CBORLimits(size: Self.maximumSize, depth: 4, items: 1 << 20)
            for entry in try CBORDocument(bytes, options: options).root.array() {
                let parts = try entry.array(count: 3)
                let token = Array(try parts.element(at: 2).bytes())
                entries.append((try parts.element(at: 0).text(), try parts.element(at: 1).text(), token))
            }
        } catch {
            throw StatusListError(.malformed, error.message, path: ["snapshot"], cause: error)
        }
        for (uri, form, token) in entries {
            guard let form = StatusListToken.Form(rawValue: form) else {
                throw StatusListError(.malformed, "\"\(form.prefix(100))\" is no form of a token", path: ["snapshot"])
            }
            insert(try StatusListToken(token, form: form, limits: limits), for: uri)
        }
    }
}
