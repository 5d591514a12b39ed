/// A verifier's knowledge about credential types and the keys of their issuers, such as a scheme's.
///
/// An implementation vouches for what it returns: a key belongs to the issuer of the type, and no part of it comes from
/// the sender of a proof.
public protocol IdemixCredentialTypeSource: Sendable {
    /// The type whose identifier has a hash, or `nil` if it is unknown.
    ///
    /// - Parameter hash: The first 16 bytes of the SHA-256 of the identifier.
    func credentialType(hash: [UInt8]) -> IdemixCredentialType?

    /// The key with a counter of the issuer of a type, or `nil` if it is unknown.
    func publicKey(of type: IdemixCredentialType, counter: UInt) -> IdemixIssuerPublicKey?
}

/// Credential types and keys in memory.
public struct IdemixCredentialTypeCatalog: IdemixCredentialTypeSource {
    private var entries: [[UInt8]: (type: IdemixCredentialType, publicKeys: [UInt: IdemixIssuerPublicKey])] = [:]

    /// An empty catalog.
    public init() {}

    /// Adds a type with the keys of its issuer; of two keys with the same counter, and of two types with the same
    /// identifier, the later one stays.
    public mutating func add(_ type: IdemixCredentialType, publicKeys: [IdemixIssuerPublicKey]) {
        entries[type.hash] = (type, Dictionary(publicKeys.map { ($0.counter, $0) }, uniquingKeysWith: { $1 }))
    }

    /// The type whose identifier has a hash, or `nil` if it is unknown.
    public func credentialType(hash: [UInt8]) -> IdemixCredentialType? { entries[hash]?.type }

    /// The key with a counter of the issuer of a type, or `nil` if it is unknown.
    public func publicKey(of type: IdemixCredentialType, counter: UInt) -> IdemixIssuerPublicKey? {
        entries[type.hash]?.publicKeys[counter]
    }
}

extension IdemixDisclosureExpectation {
    /// The expectation of a proof whose credential type and issuer's key a source knows.
    ///
    /// The metadata attribute of the proof names both. The expectation allows no proof of non-revocation and no range
    /// proof; the request decides about them.
    ///
    /// - Throws: ``IdemixError/Code/invalidAttribute`` for a proof whose metadata is missing or malformed,
    ///   ``IdemixError/Code/unknownCredentialType``, ``IdemixError/Code/unknownKey``.
    public init(for proof: IdemixDisclosureProof, from source: some IdemixCredentialTypeSource) throws(IdemixError) {
        let metadata = try proof.metadata()
        guard let type = source.credentialType(hash: metadata.credentialTypeHash),
            metadata.describes(credentialType: type.identifier)
        else {
            throw IdemixError(.unknownCredentialType, "no known credential type has this hash", path: ["metadata"])
        }
        let counter = UInt(metadata.keyCounter)
        guard let publicKey = source.publicKey(of: type, counter: counter), publicKey.counter == counter else {
            throw IdemixError(
                .unknownKey,
                "the issuer of \(type.identifier) has no known key \(counter)",
                path: ["metadata"]
            )
        }
        self.init(
            publicKey: publicKey,
            credentialType: type,
            attributeCount: type.attributeCount,
            keyshareServer: type.keyshareServer
        )
    }
}

extension IdemixProofList {
    /// The expectations of the disclosures, in the list's order.
    ///
    /// In an issuance, the commitments come after them; ``IdemixIssuanceOrder/expectation`` is theirs.
    ///
    /// - Throws: The errors of ``IdemixDisclosureExpectation/init(for:from:)``, with the position in the path.
    public func disclosureExpectations(
        from source: some IdemixCredentialTypeSource
    ) throws(IdemixError) -> [IdemixDisclosureExpectation] {
        var expectations: [IdemixDisclosureExpectation] = []
        for (position, proof) in proofs.enumerated() {
            guard case .disclosure(let disclosure) = proof else { continue }
            do throws(IdemixError) {
                expectations.append(try IdemixDisclosureExpectation(for: disclosure, from: source))
            } catch {
                throw error.inside("proofs[\(position)]")
            }
        }
        return expectations
    }
}
