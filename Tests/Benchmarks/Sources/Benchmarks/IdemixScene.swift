import Foundation
import IdemixCore

/// An issuer, a holder and a credential of six exponents, as the figures of IdemixCore have them.
struct IdemixScene {
    let keys: IssuerKeyPair
    let secretKey = HolderSecretKey.random()
    let attributes: [BigInteger]
    let credential: Credential
    let revocable: Credential

    static func keys(baseCount: Int = 7) throws -> IssuerKeyPair {
        try IssuerKeyPair.generate(.bits2048, counter: 1, expiryDate: .distantFuture, baseCount: baseCount)
    }

    init(_ keys: IssuerKeyPair) throws {
        self.keys = keys
        let metadata = try MetadataAttribute(
            credentialType: "bench.issuer.type",
            keyCounter: 1,
            signedAt: Date(timeIntervalSince1970: 1_800_000_000),
            expiresAt: Date(timeIntervalSince1970: 1_810_000_000)
        )
        let texts = ["Alice", "Amsterdam", "a somewhat longer value, hashed", "1990-01-01"]
        attributes = [metadata.integer] + texts.map { AttributeEncoding.version3.integer(for: $0) }
        credential = try Self.issue(keys, secretKey, attributes, witness: nil)
        let authority = try RevocationAuthority(keys: keys, at: Date(timeIntervalSince1970: 1_800_000_000))
        let witness = try authority.makeWitness()
        revocable = try Self.issue(keys, secretKey, Array(attributes.dropLast()) + [witness.e], witness: witness)
    }

    private static func issue(
        _ keys: IssuerKeyPair,
        _ secretKey: HolderSecretKey,
        _ attributes: [BigInteger],
        witness: RevocationWitness?
    ) throws -> Credential {
        var builder = ProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let issued = try Issuer(keys: keys).sign(
            attributes: attributes,
            commitment: commitment(builder.prove(nonce: 1)),
            nonce: 2,
            witness: witness?.message
        )
        return try pending.finish(
            with: issued,
            attributes: attributes,
            revocationIndex: witness == nil ? nil : attributes.count,
            nonce: 2
        )
    }

    /// U of a list with one commitment.
    static func commitment(_ list: ProofList) -> BigInteger {
        guard case .issuance(let proof)? = list.proofs.first else { return 0 }
        return proof.U
    }

    /// Shows metadata and two attributes, hides the secret key and the others.
    func request(provingNonRevocation: Bool = false) throws -> DisclosureRequest {
        try DisclosureRequest(
            provingNonRevocation ? revocable : credential,
            disclosing: [2, 3],
            provingNonRevocation: provingNonRevocation
        )
    }

    func show(_ request: DisclosureRequest) throws -> ProofList {
        var builder = ProofListBuilder()
        try builder.add(request)
        return builder.prove(nonce: 42)
    }

    func verifies(_ list: ProofList, publicKey: IssuerPublicKey? = nil, nonRevocation: Bool = false) -> Bool {
        let expectation = DisclosureExpectation(
            publicKey: publicKey ?? keys.publicKey,
            nonRevocation: nonRevocation ? .required(index: 5) : .absent
        )
        return list.verify(expecting: [.disclosure(expectation)], nonce: 42).verified != nil
    }
}
