import CryptoCore
import IdemixCore

/// A keyshare server behind a wire, which computes only with values from received messages.
struct IdemixKeyshareServer {
    private let storedSecret: SecretBytes
    private let publicKeys: [String: [UInt8]]

    /// - Parameter publicKeys: The files of the issuers' keys, by `scheme.issuer-counter`.
    init(publicKeys: [String: [UInt8]]) {
        storedSecret = KeyshareSecret.random().encodedBytes
        self.publicKeys = publicKeys
    }

    private var secret: KeyshareSecret {
        get throws { try KeyshareSecret(decoding: storedSecret) }
    }

    private func key(
        _ name: String
    ) throws -> (identifier: KeyshareKeyIdentifier, publicKey: IdemixIssuerPublicKey) {
        guard let identifier = KeyshareKeyIdentifier(name), let file = publicKeys[name] else {
            throw RefusedMessage("unknown key \(name)")
        }
        return (identifier, try IdemixIssuerPublicKey(xml: file))
    }

    /// The shares P of the named keys.
    func shares(_ request: [UInt8]) throws -> [UInt8] {
        let names = try KeyshareKeys(received: request).keys
        let secret = try secret
        let shares = try names.map { ($0, secret.share(for: try key($0).publicKey)) }
        return try KeyshareNumbers(numbers: Dictionary(uniqueKeysWithValues: shares)).sent()
    }

    /// The commitments R_0^ρ for the named keys, and the server's state until its response.
    func commit(_ request: [UInt8]) throws -> (answer: [UInt8], kept: KeyshareCommitment) {
        let message = try KeyshareKeys(received: request)
        let commitment = try secret.commit(to: message.keys.map(key), inputHash: message.hash)
        let numbers = commitment.commitments.map { ($0.key.description, $0.value) }
        return (try KeyshareNumbers(numbers: Dictionary(uniqueKeysWithValues: numbers)).sent(), commitment)
    }

    /// The response to a challenge that the holder computed: the older protocol.
    func respond(_ request: [UInt8], with commitment: KeyshareCommitment) throws -> [UInt8] {
        try commitment.response(toChallenge: BigInteger(decoding: request)).encoded()
    }

    /// The response to a challenge that the server computes: the newer protocol.
    func respond(
        toInputs request: [UInt8],
        linkable: Bool,
        with commitment: KeyshareCommitment
    ) throws -> [UInt8] {
        let request = try KeyshareCommitment.ChallengeRequest(decoding: request)
        return try commitment.response(to: request, linkable: linkable).encoded()
    }
}

/// Names of keys; in the newer protocol with the hash of the holder's part.
struct KeyshareKeys: IdemixMessage {
    let keys: [String]
    var hash: [UInt8]?
}

/// Numbers by name.
struct KeyshareNumbers: IdemixMessage {
    let numbers: [String: BigInteger]

    func number(_ name: String) throws -> BigInteger {
        guard let number = numbers[name] else { throw RefusedMessage("\(name) is missing") }
        return number
    }
}
