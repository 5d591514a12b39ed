import CBORKit
import IdemixCore

/// A holder behind a wire.
///
/// Between two steps it keeps only its stored state: its secret key and its credential as bytes.
struct IdemixHolder {
    private let storedKey: [UInt8]
    private(set) var stored: [UInt8] = []

    init() {
        storedKey = HolderSecretKey.random().secretInteger.bytes
    }

    var secretKey: HolderSecretKey {
        get throws { try HolderSecretKey(BigInteger(bytes: storedKey)) }
    }

    /// The credential, read again from storage.
    var credential: Credential {
        get throws { try StoredCredential(received: stored).credential(secretKey) }
    }

    mutating func store(_ credential: Credential) throws {
        stored = try StoredCredential(credential).sent()
    }

    /// Checks an issuer's answer and stores the credential.
    mutating func finish(
        _ pending: PendingCredential,
        with answer: [UInt8],
        attributes: [BigInteger],
        nonce: BigInteger
    ) throws {
        let issued = try SignatureMessage(received: answer).issued()
        let credential = try pending.finish(
            with: issued,
            attributes: attributes + [0],
            revocationIndex: attributes.count + 1,
            nonce: nonce
        )
        try store(credential)
    }

    /// Follows a revocation authority's update.
    mutating func update(_ update: [UInt8]) throws {
        let credential = try credential
        let verified = try RevocationUpdate(cbor: CBORDocument(update).root).verified(by: credential.publicKey)
        guard let witness = credential.witness else { throw RefusedMessage("the credential has no witness") }
        let next = try witness.updated(with: verified, publicKey: credential.publicKey)
        try store(try credential.updatingWitness(next))
    }
}
