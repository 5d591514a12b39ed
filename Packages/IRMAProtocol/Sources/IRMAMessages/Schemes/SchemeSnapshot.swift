public import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The schemes as they were at one time, which a session keeps from its beginning to its end.
///
/// A snapshot never changes; an update of a scheme makes another one. Copies share their content.
public struct SchemeSnapshot: Sendable {
    /// The schemes of issuers.
    public let schemes: [SchemeIdentifier: IRMAScheme]
    /// The schemes of requestors.
    public let requestorSchemes: [SchemeIdentifier: RequestorScheme]
    private let typesByHash: [[UInt8]: CredentialTypeIdentifier]
    private let proofTypes: [CredentialTypeIdentifier: IdemixCredentialType]

    /// A snapshot of schemes; of two with the same name the later one counts.
    ///
    /// - Throws: ``IRMAError/Code/invalidScheme`` for two credential types with the same hash, and for two schemes of requestors
    ///   with a host name in common.
    public init(_ schemes: [IRMAScheme] = [], requestorSchemes: [RequestorScheme] = []) throws(IRMAError) {
        self.schemes = Dictionary(schemes.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        self.requestorSchemes = Dictionary(requestorSchemes.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var others: [RequestorScheme] = []
        for scheme in self.requestorSchemes.values.sorted(by: { $0.id < $1.id }) {
            try scheme.requireOtherHostNames(than: others)
            others.append(scheme)
        }
        var typesByHash: [[UInt8]: CredentialTypeIdentifier] = [:]
        var proofTypes: [CredentialTypeIdentifier: IdemixCredentialType] = [:]
        for scheme in self.schemes.values {
            for type in scheme.credentialTypes.values {
                let proofType = try type.proofType(keyshareServer: scheme.keyshareScheme)
                guard typesByHash.updateValue(type.id, forKey: proofType.hash) == nil else {
                    throw IRMAError(.invalidScheme, "another credential type has the same hash", path: [type.id.text])
                }
                proofTypes[type.id] = proofType
            }
        }
        self.typesByHash = typesByHash
        self.proofTypes = proofTypes
    }

    /// The same snapshot with another version of a scheme.
    ///
    /// - Throws: As ``init(_:requestorSchemes:)``.
    public func replacing(_ scheme: IRMAScheme) throws(IRMAError) -> SchemeSnapshot {
        try SchemeSnapshot(
            schemes.values.filter { $0.id != scheme.id } + [scheme],
            requestorSchemes: Array(requestorSchemes.values)
        )
    }

    /// The description of a credential type, or nil if it is unknown.
    public func credentialType(_ id: CredentialTypeIdentifier) -> CredentialTypeDescription? {
        schemes[id.scheme]?.credentialTypes[id]
    }

    /// The description of an issuer, or nil if it is unknown.
    public func issuer(_ id: IssuerIdentifier) -> IssuerDescription? { schemes[id.scheme]?.issuers[id] }

    /// A credential type as far as proofs depend on it, or nil if it is unknown.
    public func proofType(_ id: CredentialTypeIdentifier) -> IdemixCredentialType? { proofTypes[id] }

    /// An issuer's key with a counter, or nil if it is unknown.
    public func publicKey(of issuer: IssuerIdentifier, counter: UInt) -> IdemixIssuerPublicKey? {
        schemes[issuer.scheme]?.publicKey(of: issuer, counter: counter)
    }

    /// The requestor with a host name, or nil if none is known.
    ///
    /// - Parameters:
    ///   - host: The host of the session's URL, which has to be https.
    ///   - time: The time at which the entry must be valid.
    public func requestor(host: String, at time: Date) -> RequestorDescription? {
        let host = host.foldedASCII
        return requestorSchemes.values.lazy.flatMap(\.requestors).first { requestor in
            let isValid = requestor.validUntil.map { Double($0) >= time.timeIntervalSince1970 } ?? true
            return isValid && requestor.hostNames.contains { Self.matches(host, $0.foldedASCII) }
        }
    }

    /// The logo of a requestor as a PNG picture, or nil if its scheme has none.
    public func logo(of requestor: RequestorDescription) -> [UInt8]? {
        requestor.logo.flatMap { requestorSchemes[requestor.scheme]?.logos[ExactText($0)] }
    }

    private static func matches(_ host: String, _ pattern: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return host.hasSameBytes(as: pattern) }
        let suffix = pattern.utf8.dropFirst()
        return host.utf8.count > suffix.count && host.utf8.suffix(suffix.count).elementsEqual(suffix)
    }
}

extension SchemeSnapshot: IdemixCredentialTypeSource {
    /// The type whose identifier has a hash, or nil if it is unknown.
    public func credentialType(hash: [UInt8]) -> IdemixCredentialType? { typesByHash[hash].flatMap { proofTypes[$0] } }

    /// The key with a counter of the issuer of a type, or nil if it is unknown.
    public func publicKey(of type: IdemixCredentialType, counter: UInt) -> IdemixIssuerPublicKey? {
        publicKey(of: CredentialTypeIdentifier(type.identifier).issuer, counter: counter)
    }
}
