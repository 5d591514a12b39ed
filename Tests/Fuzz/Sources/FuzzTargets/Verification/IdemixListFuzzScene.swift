import CryptoCore
import Foundation
import IdemixCore

/// A holder with a keyshare server that discloses one credential and requests another in one list of proofs.
struct IdemixListFuzzScene: Sendable {
    static let shared: IdemixListFuzzScene = {
        do { return try IdemixListFuzzScene() } catch { fatalError("\(error)") }
    }()

    static let challenge = IdemixChallenge(nonce: 42)

    let keys: IdemixIssuerKeyPair
    let identifier = KeyshareKeyIdentifier(issuer: "fuzz.issuer", counter: 1)
    let keyshareSecret: KeyshareSecret
    let expectations: [IdemixProofExpectation]
    /// The list with the keyshare server's part.
    let list: IdemixProofList
    /// The list as the holder makes it, and the keyshare server's response.
    let ownList: IdemixProofList
    let keyshareResponse: KeyshareResponse
    /// An issuance, and the issuer's answer.
    let pending: PendingIdemixCredential
    let issued: IssuedCLSignature
    let attributes: [BigInteger]
    let witness: RevocationWitness
    let authority: RevocationAuthority

    private init() throws {
        let random = FuzzKeys.randomness(70)
        keys = try IdemixIssuerKeyPair.generate(
            .bits1024,
            counter: 1,
            expiryDate: .distantFuture,
            baseCount: 5,
            using: random
        )
        keyshareSecret = KeyshareSecret.random(using: random)
        let publicKey = keys.publicKey
        let share = keyshareSecret.share(for: publicKey)
        let secretKey = IdemixHolderSecretKey.random(using: random)
        let metadata = try MetadataAttribute(
            credentialType: "fuzz.issuer.type",
            keyCounter: 1,
            signedAt: FuzzKeys.time,
            expiresAt: FuzzKeys.time + 1e7
        )
        let signer = try keys.privateKey.revocationSigner()
        func signed(_ unsigned: UnsignedRevocationAuthority) throws -> RevocationAuthority {
            try unsigned.completed(with: signer.signature(for: unsigned.bytesToSign))
        }
        var authority = try signed(RevocationAuthority.prepare(keys: keys, at: FuzzKeys.time, using: random))
        witness = try authority.makeWitness(using: random)
        attributes = [metadata.integer, AttributeEncoding.version3.integer(for: "a"), witness.e]
        // The disclosed credential: its secret key is the sum of the holder's and the keyshare server's.
        let first = IdemixProofListBuilder(using: random)
        pending = try first.addIssuance(publicKey: publicKey, secretKey: secretKey, keyshareP: share)
        let commitment = try keyshareSecret.commit(to: [(identifier, publicKey)], using: random)
        let own = try first.prove(
            challenge: IdemixChallenge(nonce: 1),
            keyshareCommitments: [0: commitment.commitments[identifier] ?? .one]
        ).dividingOut([0: (share, publicKey)])
        let answer = try commitment.response(toChallenge: own.proofs.first?.challenge ?? 0)
        let merged = try own.merging(answer, at: [0: publicKey], multiplyingShare: true)
        let expectation = IdemixIssuanceExpectation(publicKey: publicKey, keyshareServer: "s")
        let verified = try merged.verify(
            expecting: [.issuance(expectation)],
            challenge: IdemixChallenge(nonce: 1),
            at: FuzzKeys.time
        )
        .get()
        guard case .issuance(let commitment)? = verified.proofs.first else { throw CocoaError(.coderInvalidValue) }
        issued = try IdemixIssuer(keys: keys)
            .sign(attributes: attributes, commitment: commitment, nonce: 2, witness: witness.message)
        let credential = try pending.finish(with: issued, attributes: attributes, revocationIndex: 3, nonce: 2)
        // The list: a disclosure and an issuance.
        let second = IdemixProofListBuilder(using: random)
        try second.add(IdemixDisclosureRequest(credential, disclosing: [2], provingNonRevocation: true))
        _ = try second.addIssuance(publicKey: publicKey, secretKey: secretKey, keyshareP: share)
        let shared = try keyshareSecret.commit(to: [(identifier, publicKey)], using: random)
        let factor = shared.commitments[identifier] ?? .one
        ownList = try second.prove(challenge: Self.challenge, keyshareCommitments: [0: factor, 1: factor])
            .dividingOut([1: (share, publicKey)])
        keyshareResponse = try shared.response(toChallenge: ownList.proofs.first?.challenge ?? 0)
        list = try ownList.merging(keyshareResponse, at: [0: publicKey, 1: publicKey], multiplyingShare: true)
        expectations = [
            .disclosure(
                IdemixDisclosureExpectation(
                    publicKey: publicKey,
                    attributeCount: 2,
                    keyshareServer: "s",
                    nonRevocation: .required(index: 3)
                )
            ),
            .issuance(expectation),
        ]
        for seconds in [10.0, 20] {
            let prime = try authority.makeWitness(using: random).e
            authority = try signed(authority.prepareRevocation(of: prime, at: FuzzKeys.time + seconds))
        }
        self.authority = authority
        guard list.verify(expecting: expectations, challenge: Self.challenge, at: FuzzKeys.time).verified != nil else {
            throw CocoaError(.coderInvalidValue)
        }
    }
}
