public import VerificationCore

/// The credentials of bitstring status lists to check statuses with where there is no network: fetched before, or handed over.
///
/// Nothing in a snapshot is verified; a ``BitstringStatusListClient`` has each credential verified when it is used.
///
/// ```swift
/// var snapshot = BitstringListSnapshot()
/// snapshot.insert(credential, for: "https://issuer.example/lists/1")
/// let client = BitstringStatusListClient(transport: nil, snapshot: snapshot, verifier: verifier)
/// ```
public struct BitstringListSnapshot: Sendable {
    private var byURL: [ExactText: [[UInt8]]] = [:]

    /// The longest encoding that is read: 256 MiB.
    public static let maximumSize = 256 << 20

    /// The name of a credential in a stored snapshot, in whatever form it is secured.
    private static let form = "application/vc"

    /// A snapshot without credentials.
    public init() {}

    /// The credentials as received, each with the URL that entries name its list by, in the order of the URLs' bytes.
    ///
    /// A snapshot of a client can hold several of one URL: of two issuers, or one that is not verified beside one that is.
    public var credentials: [(url: ExactText, bytes: [UInt8])] {
        byURL.sorted { $0.key < $1.key }
            .flatMap { (url, credentials) in credentials.map { (url: url, bytes: $0) } }
    }

    /// The credential of a URL, the last of several; nil without one.
    public subscript(url: ExactText) -> [UInt8]? { byURL[url]?.last }

    /// Adds a credential as received, in place of those with the same URL.
    public mutating func insert(_ credential: [UInt8], for url: ExactText) {
        byURL[url] = [credential]
    }

    /// Adds a credential behind those with the same URL.
    mutating func append(_ credential: [UInt8], for url: ExactText) {
        byURL[url, default: []].removeAll { $0 == credential }
        byURL[url, default: []].append(credential)
    }

    /// The snapshot as bytes, for storage: CBOR, an array of `[URL, media type, credential]`, as status lists are stored.
    public func encoded() -> [UInt8] {
        SnapshotEntry.encoded(credentials.map { SnapshotEntry($0.url.text, Self.form, $0.bytes) })
    }

    /// Reads a snapshot from storage.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, or ``StatusListError/Code/limitExceeded`` for a credential that is longer than the
    ///   limit.
    public init(decoding bytes: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        for entry in try SnapshotEntry.read(bytes, maximumSize: Self.maximumSize) {
            guard entry.form.hasSameBytes(as: Self.form) else { throw entry.unknownForm }
            guard entry.token.count <= limits.tokenSize else {
                throw StatusListError(.limitExceeded, "the credential of a list is too long", path: [entry.uri])
            }
            append(entry.token, for: ExactText(entry.uri))
        }
    }
}

/// The credentials that a client was given for lists that cannot be fetched: of each URL, the last ones.
struct LoadedListCredentials: Sendable {
    private static let maximumCount = 4

    private var byURL: [ExactText: [[UInt8]]] = [:]

    init(_ snapshot: BitstringListSnapshot) {
        insert(snapshot)
    }

    /// The credentials of a URL in the order in which they came.
    subscript(url: ExactText) -> [[UInt8]] { byURL[url] ?? [] }

    mutating func insert(_ snapshot: BitstringListSnapshot) {
        for (url, bytes) in snapshot.credentials {
            let others = self[url].filter { $0 != bytes }
            byURL[url] = others.suffix(Self.maximumCount - 1) + [bytes]
        }
    }

    /// All of them.
    var snapshot: BitstringListSnapshot {
        var snapshot = BitstringListSnapshot()
        for (url, credentials) in byURL {
            for bytes in credentials { snapshot.append(bytes, for: url) }
        }
        return snapshot
    }
}
