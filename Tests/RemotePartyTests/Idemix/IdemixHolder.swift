import CryptoCore
import IdemixCore

/// A holder behind a wire.
///
/// Between two steps it keeps only its stored state: its secret key, what it has committed to, and its credentials, all as
/// bytes.
struct IdemixHolder {
    private let storedKey: SecretBytes
    private var storedIssuance = SecretBytes(count: 0) { _ in }
    private(set) var stored: [SecretBytes] = []
    /// The files of the issuers' keys, by position of the credentials.
    private let files: [[UInt8]]

    init(files: [[UInt8]]) {
        storedKey = IdemixHolderSecretKey.random().encodedBytes
        self.files = files
    }

    var secretKey: IdemixHolderSecretKey {
        get throws { try IdemixHolderSecretKey(decoding: storedKey) }
    }

    private var publicKeys: [IdemixIssuerPublicKey] {
        get throws { try files.map { try IdemixIssuerPublicKey(xml: $0) } }
    }

    /// The first credential, read again from storage.
    var credential: IdemixCredential {
        get throws { try credentials[0] }
    }

    /// The credentials, read again from storage.
    var credentials: [IdemixCredential] {
        get throws {
            try zip(stored, publicKeys).map {
                try IdemixCredential(decodingVouchedFor: $0, publicKey: $1, secretKey: secretKey)
            }
        }
    }

    /// Keeps what the holder needs when the signatures come.
    mutating func store(_ pending: PendingIdemixIssuance) { storedIssuance = pending.encoded() }

    /// Commits to the credentials that an issuer offers.
    mutating func commit(to requests: [IdemixIssuanceRequest], challenge: IdemixChallenge) throws -> [UInt8] {
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(of: requests, secretKey: secretKey)
        store(pending)
        let proofs = try builder.prove(challenge: challenge)
        return try CommitmentsMessage(combinedProofs: proofs, n_2: pending.nonce).sent()
    }

    /// Checks the issuers' answer and stores the credentials.
    mutating func finish(with answer: [UInt8]) throws {
        let signatures = try [IssuedCLSignature](decoding: answer)
        let keys = try publicKeys
        let pending = try PendingIdemixIssuance(decoding: storedIssuance, publicKeys: keys, secretKey: secretKey)
        stored = try pending.finish(with: signatures).map { $0.encoded() }
        for (bytes, key) in zip(stored, keys) {
            _ = try IdemixCredential(decoding: bytes, publicKey: key, secretKey: secretKey)
        }
    }

    /// Follows a revocation authority's update.
    mutating func update(_ update: [UInt8]) throws {
        let credential = try credential
        let verified = try RevocationUpdate(decodingCBOR: update).verified(by: credential.publicKey)
        guard let witness = credential.witness else { throw RefusedMessage("the credential has no witness") }
        let next = try witness.updated(with: verified, publicKey: credential.publicKey)
        stored[0] = try credential.updatingWitness(next).encoded()
    }
}
