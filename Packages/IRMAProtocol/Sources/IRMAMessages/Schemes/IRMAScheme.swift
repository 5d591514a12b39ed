public import CryptoCore
public import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A scheme of issuers: their descriptions, keys and credential types, as one version of the scheme has them.
public struct IRMAScheme: Sendable {
    /// The description.
    public let description: SchemeDescription
    /// The time of the scheme's signature; the distant past for a scheme made in memory.
    public let time: Date
    /// The issuers.
    public let issuers: [IssuerIdentifier: IssuerDescription]
    /// The credential types.
    public let credentialTypes: [CredentialTypeIdentifier: CredentialTypeDescription]
    /// The keys of the keyshare server that sign its answers, by their number.
    public let keyshareKeys: [UInt: PublicKey]
    private let keys: IssuerKeys

    /// The name of the scheme.
    public var id: SchemeIdentifier { description.id }

    /// Makes a scheme in memory.
    ///
    /// - Throws: ``IRMAError/Code/invalidScheme`` for content that breaks a rule.
    public init(
        _ description: SchemeDescription,
        issuers: [IssuerDescription],
        credentialTypes: [CredentialTypeDescription],
        publicKeys: [IssuerIdentifier: [IdemixIssuerPublicKey]],
        keyshareKeys: [UInt: PublicKey] = [:]
    ) throws(IRMAError) {
        self.description = description
        time = .distantPast
        self.issuers = Dictionary(issuers.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        self.credentialTypes = Dictionary(credentialTypes.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        self.keyshareKeys = keyshareKeys
        keys = IssuerKeys(keys: publicKeys)
        try SchemeRules(scheme: self, limits: .default).check()
    }

    /// Reads a scheme from its verified files.
    ///
    /// The issuers' keys are read when they are first needed; ``readAllKeys()`` reads them at once.
    ///
    /// - Parameters:
    ///   - files: The verified files.
    ///   - limits: The limits of a scheme.
    /// - Throws: ``IRMAError/Code/malformedDescription``, ``IRMAError/Code/limitExceeded``, and
    ///   ``IRMAError/Code/invalidScheme`` for content that breaks a rule, with the path of the file.
    public init(_ files: VerifiedSchemeFiles, limits: SchemeLimits = .default) throws(IRMAError) {
        let reader = SchemeReader(files: files)
        description = try reader.description()
        time = files.time
        issuers = try reader.issuers(description.languages)
        credentialTypes = try reader.credentialTypes(issuers)
        keyshareKeys = try reader.keyshareKeys()
        keys = IssuerKeys(files: try reader.keyFiles())
        try SchemeRules(scheme: self, limits: limits).check()
    }

    /// Reads every issuer's keys.
    ///
    /// - Throws: ``IRMAError/Code/invalidScheme`` for a file that is not a key.
    public func readAllKeys() throws(IRMAError) { try keys.readAll() }

    /// Checks that the newest key of each issuer can sign the credential types of the issuer; one without keys has none to check.
    ///
    /// A wallet and a server take a scheme that breaks this rule, as the reference does: it is for the owner of a scheme.
    ///
    /// - Throws: ``IRMAError/Code/invalidScheme`` for a type with more attributes than the key has bases for, one that can be
    ///   revoked with a key that lacks the parts of revocation, and a file that is not a key.
    public func checkNewestKeys() throws(IRMAError) {
        for type in credentialTypes.values.sorted(by: { $0.id < $1.id }) {
            let issuer = type.id.issuer
            guard let counter = keyCounters(of: issuer).last else { continue }
            let place = [type.id.text, "\(counter)"]
            guard let key = publicKey(of: issuer, counter: counter) else {
                throw IRMAError(.invalidScheme, "the issuer's newest key cannot be read", path: place)
            }
            // The secret key and the metadata have a base, too.
            let needed = type.attributes.count + 2
            guard key.elements.R.count >= needed else {
                throw IRMAError(
                    .invalidScheme,
                    "the issuer's newest key has \(key.elements.R.count) bases, \(needed) are needed",
                    path: place
                )
            }
            guard type.revocationServers.isEmpty || key.supportsRevocation else {
                throw IRMAError(.invalidScheme, "the issuer's newest key does not support revocation", path: place)
            }
        }
    }

    /// An issuer's key with a counter, or nil.
    public func publicKey(of issuer: IssuerIdentifier, counter: UInt) -> IdemixIssuerPublicKey? {
        keys.key(of: issuer, counter: counter)
    }

    /// The counters of an issuer's keys, the newest last.
    public func keyCounters(of issuer: IssuerIdentifier) -> [UInt] { keys.counters[issuer] ?? [] }

    /// The issuers that have keys.
    var issuersWithKeys: some Sequence<IssuerIdentifier> { keys.counters.keys }

    /// The scheme's name, if users' secret keys are shared with its keyshare server.
    public var keyshareScheme: SchemeIdentifier? { description.keyshareServer == nil ? nil : id }
}
