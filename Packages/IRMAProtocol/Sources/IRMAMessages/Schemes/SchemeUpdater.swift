public import CredentialTransport
public import CryptoCore
import IdemixCore

/// Fetches schemes over HTTP, and keeps them.
///
/// A scheme is taken only with a signature of the key that is pinned or kept, and only forward in time; it is read as a
/// whole, every key too, before it takes the place of the version that is kept. With a demo scheme come its issuers' private keys,
/// which are public. A version that is damaged is fetched anew: its key still counts, and its time as far as the signature over it
/// verifies.
public struct SchemeUpdater: Sendable {
    /// The result of an update.
    public enum Result: Sendable {
        /// The version that is kept is the newest.
        case unchanged(VerifiedSchemeFiles)
        /// A newer version is kept now.
        case updated(VerifiedSchemeFiles)

        /// The version that is kept.
        public var files: VerifiedSchemeFiles {
            switch self {
            case .unchanged(let files), .updated(let files): files
            }
        }
    }

    private let transport: any HTTPTransport
    private let store: any SchemeStore
    private let limits: SchemeLimits

    /// The number of files that are fetched at the same time.
    public static let parallelRequests = 8

    /// An updater that fetches through a transport.
    public init(transport: any HTTPTransport, store: any SchemeStore, limits: SchemeLimits = .default) {
        self.transport = transport
        self.store = store
        self.limits = limits
    }

    /// Installs a scheme that is not kept yet, or updates the one that is, even if it is damaged.
    ///
    /// - Parameters:
    ///   - scheme: The name of the scheme.
    ///   - url: The URL of the scheme's files.
    ///   - key: The scheme's key, from a source that the caller trusts.
    /// - Throws: As ``update(_:pinned:)``.
    public func install(
        _ scheme: SchemeIdentifier,
        from url: String,
        pinned key: PublicKey
    ) async throws(IRMAError) -> Result {
        let current = try await kept(scheme, pinned: key)
        return try await fetch(scheme, from: url, key: key, replacing: current)
    }

    /// Installs a scheme with the key that its own server gives: control of the connection is control of the scheme.
    ///
    /// A scheme that is kept is updated with the key that is kept.
    ///
    /// - Throws: As ``update(_:pinned:)``; ``IRMAError/Code/invalidScheme`` where the key that is kept is damaged or
    ///   missing.
    public func installTrustingFirstUse(
        _ scheme: SchemeIdentifier,
        from url: String
    ) async throws(IRMAError) -> Result {
        if let remains = try await store.remains(of: scheme) {
            return try await install(scheme, from: url, pinned: try remains.storedPublicKey())
        }
        let bytes = try await file(.publicKey, of: url, limit: limits.fileSize)
        let key = try SchemeFiles(scheme: scheme, files: [.publicKey: bytes]).storedPublicKey()
        return try await install(scheme, from: url, pinned: key)
    }

    /// The name of the scheme at a URL, as its description says, which is not verified.
    ///
    /// - Throws: ``IRMAError/Code/retrievalFailed`` where there is no description; ``IRMAError/Code/malformedDescription``.
    public func scheme(at url: String) async throws(IRMAError) -> SchemeIdentifier {
        let path: SchemePath = "description.xml"
        if let bytes = try await optionalFile(path, of: url) { return try SchemeFiles(described: [path: bytes]).scheme }
        let bytes = try await file(RequestorScheme.descriptionPath, of: url, limit: limits.fileSize)
        return try SchemeFiles(described: [RequestorScheme.descriptionPath: bytes]).scheme
    }

    /// Updates a scheme that is kept, from the URL in its description; that of a well-known scheme is known without one.
    ///
    /// - Parameters:
    ///   - scheme: The scheme.
    ///   - key: The pinned key; nil to trust the key that is kept with the scheme.
    /// - Throws: ``IRMAError/Code/unknownIdentifier`` for a scheme that is not kept; ``IRMAError/Code/retrievalFailed``;
    ///   ``IRMAError/Code/invalidSchemeSignature``, ``IRMAError/Code/digestMismatch``, ``IRMAError/Code/rollback``; the errors
    ///   of ``IRMAScheme``, ``RequestorScheme`` and the store. After any of them the old version is still kept.
    public func update(_ scheme: SchemeIdentifier, pinned key: PublicKey? = nil) async throws(IRMAError) -> Result {
        guard let current = try await kept(scheme, pinned: key) else {
            throw IRMAError(.unknownIdentifier, "the scheme is not kept", path: [scheme.text])
        }
        guard let url = current.url ?? WellKnownSchemes.urls[scheme] else {
            throw IRMAError(.invalidScheme, "the description is damaged, which has the URL", path: [scheme.text])
        }
        return try await fetch(scheme, from: url, key: current.key, replacing: current)
    }

    private func kept(_ scheme: SchemeIdentifier, pinned key: PublicKey?) async throws(IRMAError) -> KeptScheme? {
        try await KeptScheme.version(of: scheme, in: store, pinned: key, limits: limits)
    }

    private func fetch(
        _ scheme: SchemeIdentifier,
        from url: String,
        key: PublicKey,
        replacing current: KeptScheme?
    ) async throws(IRMAError) -> Result {
        let index = try SchemeIndex(
            decoding: try await file(.index, of: url, limit: limits.indexSize),
            of: scheme,
            limits: limits
        )
        let signature = try await file(.signature, of: url, limit: limits.fileSize)
        try index.requireSignature(signature, by: key)
        let timestamp = try await file(.timestamp, of: url, limit: limits.fileSize)
        try index.requireDigest(of: timestamp, at: .timestamp)
        if let least = current?.time {
            let time = try SchemeIndex.time(timestamp)
            guard time >= least else { throw Self.rollback(scheme) }
            if time == least, let current, current.isReadable, let files = current.files { return .unchanged(files) }
        }
        var files: [SchemePath: [UInt8]] = [
            .index: index.encodedBytes, .signature: signature, .publicKey: Array(key.pem.utf8), .timestamp: timestamp,
        ]
        var missing: [SchemePath] = []
        for (path, digest) in index.digests where path != .timestamp {
            if current?.files?.index.digests[path] == digest, let bytes = current?.files?.files[path] {
                files[path] = bytes
            } else {
                missing.append(path)
            }
        }
        try await fetch(missing, of: url, into: &files) { bytes, path throws(IRMAError) in
            try index.requireDigest(of: bytes, at: path)
        }
        let verified = try await withLogos(scheme, files, key, from: url, replacing: current?.files)
        var unsigned: [SchemePath: [UInt8]] = [:]
        if verified.files[RequestorScheme.descriptionPath] != nil {
            _ = try RequestorScheme(verified)
        } else {
            let scheme = try IRMAScheme(verified, limits: limits)
            try scheme.readAllKeys()
            if scheme.description.isDemo { unsigned = try await demoKeys(of: scheme, verified, from: url) }
        }
        // Another update may have brought a newer version while the files came.
        let latest = try await kept(scheme, pinned: key)?.time
        if let latest, latest > verified.time { throw Self.rollback(scheme) }
        try await store.replace(with: verified, unsigned: unsigned)
        return .updated(verified)
    }

    private static func rollback(_ scheme: SchemeIdentifier) -> IRMAError {
        IRMAError(.rollback, "the offered version is older than the one that is kept", path: [scheme.text])
    }

    /// The verified files of a scheme with the logos that its requestors name.
    private func withLogos(
        _ scheme: SchemeIdentifier,
        _ fetched: [SchemePath: [UInt8]],
        _ key: PublicKey,
        from url: String,
        replacing current: VerifiedSchemeFiles?
    ) async throws(IRMAError) -> VerifiedSchemeFiles {
        var files = fetched.merging(current?.logos ?? [:]) { file, _ in file }
        let verified = try SchemeFiles(scheme: scheme, files: files).verified(by: key, limits: limits)
        let missing = try RequestorScheme.missingLogos(verified)
        guard !missing.isEmpty else { return verified }
        try await fetch(missing, of: url, into: &files) { bytes, path throws(IRMAError) in
            guard let digest = path.logoDigest, HashAlgorithm.sha256.isDigest(digest, of: bytes) else {
                throw IRMAError(.digestMismatch, "not the picture that its name promises", path: [path.text])
            }
        }
        return try SchemeFiles(scheme: scheme, files: files).verified(by: key, limits: limits)
    }

    /// The private keys of a demo scheme: those of the public keys that have none yet, as far as the server has them and they
    /// belong together.
    private func demoKeys(
        of scheme: IRMAScheme,
        _ files: VerifiedSchemeFiles,
        from url: String
    ) async throws(IRMAError) -> [SchemePath: [UInt8]] {
        var keys: [SchemePath: [UInt8]] = [:]
        for path in files.files.keys.sorted() where path.parts.count == 3 && path.parts[1] == "PublicKeys" {
            let (issuer, name) = (path.parts[0], path.parts[2])
            let target = SchemePath("\(issuer)/PrivateKeys/\(name)")
            guard try await !store.hasUnsignedFile(target, of: scheme.id), let counter = UInt(name.dropLast(4)),
                let publicKey = scheme.publicKey(of: IssuerIdentifier("\(scheme.id.text).\(issuer)"), counter: counter),
                let bytes = try await optionalFile(target, of: url),
                let privateKey = try? IdemixIssuerPrivateKey(xml: bytes, validation: .arithmetic),
                (try? IdemixIssuerKeyPair(publicKey: publicKey, privateKey: privateKey)) != nil
            else { continue }
            keys[target] = bytes
        }
        return keys
    }

    /// A file that a server need not have.
    private func optionalFile(_ path: SchemePath, of url: String) async throws(IRMAError) -> [UInt8]? {
        do throws(IRMAError) {
            return try await file(path, of: url, limit: limits.fileSize)
        } catch {
            guard (error.cause as? TransportError)?.code == .unexpectedStatus else { throw error }
            return nil
        }
    }

    /// Fetches files a few at a time, and checks each as it comes.
    private func fetch(
        _ paths: [SchemePath],
        of url: String,
        into files: inout [SchemePath: [UInt8]],
        checking check: @escaping @Sendable ([UInt8], SchemePath) throws(IRMAError) -> Void
    ) async throws(IRMAError) {
        var size = files.values.reduce(0) { $0 + $1.count }
        for start in stride(from: 0, to: paths.count, by: Self.parallelRequests) {
            let batch = paths[start..<min(start + Self.parallelRequests, paths.count)]
            let results = await withTaskGroup(of: (SchemePath, Swift.Result<[UInt8], IRMAError>).self) { group in
                for path in batch {
                    group.addTask {
                        do throws(IRMAError) {
                            let bytes = try await file(path, of: url, limit: limits.fileSize)
                            try check(bytes, path)
                            return (path, .success(bytes))
                        } catch {
                            return (path, .failure(error))
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for (path, result) in results {
                let bytes = try result.get()
                size += bytes.count
                guard size <= limits.totalSize else {
                    throw IRMAError(.limitExceeded, "more than \(limits.totalSize) bytes", path: [path.text])
                }
                files[path] = bytes
            }
        }
    }

    private func file(_ path: SchemePath, of url: String, limit: Int) async throws(IRMAError) -> [UInt8] {
        do throws(TransportError) {
            let base = url.hasSuffix("/") ? String(url.dropLast()) : url
            let request = HTTPTransportRequest.get(
                try HTTPURL("\(base)/\(path.percentEncoded)"),
                accepting: .any,
                limits: HTTPLimits(maximumBodySize: limit, timeout: .seconds(20))
            )
            return try await transport.response(to: request).body
        } catch {
            throw IRMAError(.retrievalFailed, "the file could not be fetched", path: [path.text], cause: error)
        }
    }
}

extension SchemePath {
    /// The path as part of a URL.
    fileprivate var percentEncoded: String {
        text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

/// The schemes that exist in the world, with their keys.
public enum WellKnownSchemes {
    /// The URLs by scheme.
    public static let urls: [SchemeIdentifier: String] = [
        "irma-demo": "https://schemes.yivi.app/irma-demo", "pbdf": "https://schemes.yivi.app/pbdf",
    ]

    /// The pinned keys by scheme.
    public static let keys: [SchemeIdentifier: PublicKey] = [
        "irma-demo":
            "HVnmAY+kGkFZn7XXozdI4HY8GOjm54ngh4chTfn6WsTCf2w5rprfIqML61z2VTE4k8yJ0Z1QbyW6cdaao8obTQ==",
        "pbdf": "LzHV5ipBimWpuZIDaQQd+KmNpNopdpBeCqpDwf+Grrw9ReODb6nwlsPJ/c/gqLnc+Y3sKOAJ2bFGI+jHBSsglg==",
    ].compactMapValues { point in
        try? PublicKey(pem: "-----BEGIN PUBLIC KEY-----\n\(header)\(point)\n-----END PUBLIC KEY-----\n")
    }

    /// The beginning of the SubjectPublicKeyInfo of a key on P-256, in base64.
    private static let header = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"
}
