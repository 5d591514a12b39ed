import CryptoCore
import Foundation
import IdemixCore

/// An issuer, a holder and a credential of six exponents under a key of one length.
struct IdemixScene {
    let keys: IdemixIssuerKeyPair
    let secretKey = IdemixHolderSecretKey.random()
    let attributes: [BigInteger]
    let credential: IdemixCredential
    let revocable: IdemixCredential

    /// When the credentials are issued and shown.
    static let time = Date(timeIntervalSince1970: 1_800_000_000)

    static func keys(
        _ parameters: IdemixSystemParameters = .bits2048,
        baseCount: Int = 7
    ) throws -> IdemixIssuerKeyPair {
        try IdemixIssuerKeyPair.generate(parameters, counter: 1, expiryDate: .distantFuture, baseCount: baseCount)
    }

    init(_ keys: IdemixIssuerKeyPair) throws {
        self.keys = keys
        let metadata = try MetadataAttribute(
            credentialType: "bench.issuer.type",
            keyCounter: 1,
            signedAt: Self.time,
            expiresAt: Date(timeIntervalSince1970: 1_810_000_000)
        )
        let texts = ["Alice", "Amsterdam", "a somewhat longer value, hashed", "1990-01-01"]
        attributes = [metadata.integer] + texts.map { AttributeEncoding.version3.integer(for: $0) }
        credential = try Self.issue(keys, secretKey, attributes, witness: nil)
        let unsigned = try RevocationAuthority.prepare(keys: keys, at: Self.time)
        let signature = try keys.privateKey.revocationSigner().signature(for: unsigned.bytesToSign)
        let authority = try unsigned.completed(with: signature)
        let witness = try authority.makeWitness()
        revocable = try Self.issue(keys, secretKey, Array(attributes.dropLast()) + [witness.e], witness: witness)
    }

    private static func issue(
        _ keys: IdemixIssuerKeyPair,
        _ secretKey: IdemixHolderSecretKey,
        _ attributes: [BigInteger],
        witness: RevocationWitness?
    ) throws -> IdemixCredential {
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey)
        let issued = try IdemixIssuer(keys: keys).sign(
            attributes: attributes,
            commitment: commitment(builder.prove(challenge: IdemixChallenge(nonce: 1)), keys.publicKey),
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

    /// The verified commitment of a list that answers the nonce 1.
    static func commitment(
        _ list: IdemixProofList,
        _ publicKey: IdemixIssuerPublicKey
    ) throws -> VerifiedIdemixCommitment {
        let expectation = IdemixProofExpectation.issuance(IdemixIssuanceExpectation(publicKey: publicKey))
        let verified = try list.verify(expecting: [expectation], challenge: IdemixChallenge(nonce: 1), at: time).get()
        guard case .issuance(let commitment)? = verified.proofs.first else { throw CocoaError(.coderInvalidValue) }
        return commitment
    }

    /// A statement about the hidden attribute 4, whose integer has 249 bits: it is at least 2^248.
    var statements: [Int: [RangeStatement]] {
        [4: [RangeStatement(.atLeast, BigInteger.powerOfTwo(attributes[3].bitCount - 1))]]
    }

    /// Shows metadata and two attributes, hides the secret key and the others.
    func request(
        provingNonRevocation: Bool = false,
        statements: [Int: [RangeStatement]] = [:]
    ) throws -> IdemixDisclosureRequest {
        try IdemixDisclosureRequest(
            provingNonRevocation ? revocable : credential,
            disclosing: [2, 3],
            provingNonRevocation: provingNonRevocation,
            statements: statements
        )
    }

    func show(_ request: IdemixDisclosureRequest) throws -> IdemixProofList {
        let builder = IdemixProofListBuilder()
        try builder.add(request)
        return try builder.prove(challenge: IdemixChallenge(nonce: 42))
    }

    func verifies(
        _ list: IdemixProofList,
        publicKey: IdemixIssuerPublicKey? = nil,
        nonRevocation: Bool = false,
        statements: [Int: [RangeStatement]] = [:]
    ) -> Bool {
        let expectation = IdemixDisclosureExpectation(
            publicKey: publicKey ?? keys.publicKey,
            nonRevocation: nonRevocation ? .required(index: 5) : .absent,
            statements: statements
        )
        return list.verify(expecting: [.disclosure(expectation)], challenge: IdemixChallenge(nonce: 42), at: Self.time)
            .verified != nil
    }
}
