import Foundation
import IdemixCore

/// A keyshare server behind a wire, which computes only with values from received messages.
struct IdemixKeyshareServer {
    private let storedSecret: [UInt8]
    private let publicKeys: [String: [UInt8]]

    /// - Parameter publicKeys: The files of the issuers' keys, by `scheme.issuer-counter`.
    init(publicKeys: [String: [UInt8]]) {
        storedSecret = KeyshareSecret.random().secretInteger.bytes
        self.publicKeys = publicKeys
    }

    private var secret: KeyshareSecret {
        get throws { try KeyshareSecret(BigInteger(bytes: storedSecret)) }
    }

    private func key(
        _ name: String
    ) throws -> (identifier: KeyshareKeyIdentifier, publicKey: IssuerPublicKey) {
        guard let identifier = KeyshareKeyIdentifier(name), let file = publicKeys[name] else {
            throw RefusedMessage("unknown key \(name)")
        }
        return (identifier, try IssuerPublicKey(xml: file))
    }

    /// The shares P of the named keys.
    func shares(_ request: [UInt8]) throws -> [UInt8] {
        let names = try KeyshareKeys(received: request).keys
        let secret = try secret
        let shares = try names.map { ($0, Decimal(secret.share(for: try key($0).publicKey))) }
        return try KeyshareNumbers(numbers: Dictionary(uniqueKeysWithValues: shares)).sent()
    }

    /// The commitments R_0^ρ for the named keys, and the server's state until its response.
    func commit(_ request: [UInt8]) throws -> (answer: [UInt8], kept: KeyshareCommitment) {
        let message = try KeyshareKeys(received: request)
        let commitment = try secret.commit(to: message.keys.map(key), inputHash: message.hash)
        let numbers = commitment.commitments.map { ($0.key.description, Decimal($0.value)) }
        return (try KeyshareNumbers(numbers: Dictionary(uniqueKeysWithValues: numbers)).sent(), commitment)
    }

    /// The response to a challenge that the holder computed: the older protocol.
    func respond(_ request: [UInt8], with commitment: KeyshareCommitment) throws -> [UInt8] {
        let challenge = try KeyshareNumbers(received: request).number("c")
        return try KeyshareAnswer(commitment.response(toChallenge: challenge)).sent()
    }

    /// The response to a challenge that the server computes: the newer protocol.
    func respond(
        toInputs request: [UInt8],
        linkable: Bool,
        with commitment: KeyshareCommitment
    ) throws -> [UInt8] {
        let request = try KeyshareChallenge(received: request).request()
        return try KeyshareAnswer(commitment.response(to: request, linkable: linkable)).sent()
    }
}

/// Names of keys; in the newer protocol with the hash of the holder's part.
struct KeyshareKeys: IdemixMessage {
    let keys: [String]
    var hash: [UInt8]?
}

/// Numbers by name.
struct KeyshareNumbers: IdemixMessage {
    let numbers: [String: Decimal]

    func number(_ name: String) throws -> BigInteger {
        guard let number = numbers[name] else { throw RefusedMessage("\(name) is missing") }
        return number.number
    }
}

/// The server's input for computing a challenge.
struct KeyshareChallenge: IdemixMessage {
    let context, nonce, resp: Decimal
    let sig: Bool
    let inputs: [Input]

    struct Input: Codable {
        let key: String?
        let val, comm: Decimal
        let otherComms: [Decimal]

        init(_ input: KeyshareChallengeInput) {
            key = input.key?.description
            val = Decimal(input.contributions.value)
            comm = Decimal(input.contributions.commitment)
            otherComms = input.contributions.others.map(Decimal.init)
        }

        func input() throws -> KeyshareChallengeInput {
            KeyshareChallengeInput(
                key: try key.map { name in
                    guard let key = KeyshareKeyIdentifier(name) else { throw RefusedMessage("no key \(name)") }
                    return key
                },
                contributions: ProofContributions(
                    value: val.number,
                    commitment: comm.number,
                    others: otherComms.map(\.number)
                )
            )
        }
    }

    init(_ request: KeyshareCommitment.ChallengeRequest) {
        (context, nonce, resp) = (Decimal(request.context), Decimal(request.nonce), Decimal(request.userResponse))
        sig = request.isSignature
        inputs = request.inputs.map(Input.init)
    }

    func request() throws -> KeyshareCommitment.ChallengeRequest {
        KeyshareCommitment.ChallengeRequest(
            context: context.number,
            nonce: nonce.number,
            isSignature: sig,
            userResponse: resp.number,
            inputs: try inputs.map { try $0.input() }
        )
    }
}

/// The server's answer (ProofP).
struct KeyshareAnswer: IdemixMessage {
    let P: Decimal?
    let c, s_response: Decimal

    init(_ response: KeyshareResponse) {
        P = response.P.map(Decimal.init)
        (c, s_response) = (Decimal(response.challenge), Decimal(response.secretKeyResponse))
    }

    var response: KeyshareResponse {
        KeyshareResponse(P: P?.number, challenge: c.number, secretKeyResponse: s_response.number)
    }
}
