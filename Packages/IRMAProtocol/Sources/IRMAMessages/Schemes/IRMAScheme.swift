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
