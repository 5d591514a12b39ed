/// A verifier's knowledge about credential types and the keys of their issuers, such as a scheme's.
///
/// An implementation vouches for what it returns: a key belongs to the issuer of the type, and no part of it comes from
/// the sender of a proof.
public protocol CredentialTypeSource: Sendable {
    /// The type whose identifier has a hash, or `nil` if it is unknown.
    ///
    /// - Parameter hash: The first 16 bytes of the SHA-256 of the identifier.
    func credentialType(hash: [UInt8]) -> CredentialType?

    /// The key with a counter of the issuer of a type, or `nil` if it is unknown.
    func publicKey(of type: CredentialType, counter: UInt) -> IssuerPublicKey?
}

/// Credential types and keys in memory.
public struct CredentialTypeCatalog: CredentialTypeSource {
    private var entries: [[UInt8]: (type: CredentialType, publicKeys: [UInt: IssuerPublicKey])] = [:]

    /// An empty catalog.
    public init() {}

    /// Adds a type with the keys of its issuer; of two keys with the same counter, and of two types with the same
    /// identifier, the later one stays.
    public mutating func add(_ type: CredentialType, publicKeys: [IssuerPublicKey]) {
        entries[type.hash] = (type, Dictionary(publicKeys.map { ($0.counter, $0) }, uniquingKeysWith: { $1 }))
    }

    /// The type whose identifier has a hash, or `nil` if it is unknown.
    public func credentialType(hash: [UInt8]) -> CredentialType? { entries[hash]?.type }

    /// The key with a counter of the issuer of a type, or `nil` if it is unknown.
    public func publicKey(of type: CredentialType, counter: UInt) -> IssuerPublicKey? {
        entries[type.hash]?.publicKeys[counter]
    }
}

extension DisclosureExpectation {
    /// The expectation of a proof whose credential type and issuer's key a source knows.
    ///
    /// The metadata attribute of the proof names both. The expectation allows no proof of non-revocation and no range
    /// proof; the request decides about them.
    ///
    /// - Throws: ``IdemixError/Code/invalidAttribute`` for a proof whose metadata is missing or malformed,
    ///   ``IdemixError/Code/unknownCredentialType``, ``IdemixError/Code/unknownKey``.
    public init(for proof: DisclosureProof, from source: some CredentialTypeSource) throws(IdemixError) {
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

extension ProofList {
    /// The expectations of the disclosures, in the list's order.
    ///
    /// In an issuance, the commitments come after them; ``IssuanceOrder/expectation`` is theirs.
    ///
    /// - Throws: The errors of ``DisclosureExpectation/init(for:from:)``, with the position in the path.
    public func disclosureExpectations(
        from source: some CredentialTypeSource
    ) throws(IdemixError) -> [DisclosureExpectation] {
        var expectations: [DisclosureExpectation] = []
        for (position, proof) in proofs.enumerated() {
            guard case .disclosure(let disclosure) = proof else { continue }
            do throws(IdemixError) {
                expectations.append(try DisclosureExpectation(for: disclosure, from: source))
            } catch {
                throw error.inside("proofs[\(position)]")
            }
        }
        return expectations
    }
}
