import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import KeyshareServer
import TestSupport
import Testing

/// A wallet whose secret key is shared with the server.
struct SharedWallet {
    let phone: Phone
    let token: String
    let secretKey = IdemixHolderSecretKey.random()
    var world: World { phone.world }

    static let prover = "demo.bank.card"

    init(_ world: World) async throws {
        phone = try await Phone.enrolled(at: world)
        token = try await phone.token()
    }

    func post(_ path: String, _ body: JSONValue) async throws -> World.Answer {
        try await world.post(path, body, username: phone.username, token: token)
    }

    func names(_ positions: [Int]) -> JSONValue { KeyshareKeyList(positions.map { TestKeys.names[$0] }).json() }

    func share(of position: Int) async throws -> BigInteger {
        let answer = try await post("/api/v2/prove/getPs", names([position]))
        return try #require(try KeyshareShares(decoding: answer.body).shares[TestKeys.names[position]])
    }

    /// The server's answer, from its token.
    func response(_ answer: World.Answer) throws -> KeyshareResponse {
        #expect(answer.contentType == "text/plain")
        let token = try JWT(compact: answer.text)
        #expect(try token.unverifiedHeader().members == ["alg": "RS256", "kid": "0", "typ": "JWT"])
        let verified = try token.jws.verify(with: TestKeys.signer.get().publicKey, policy: [.rs256])
        let claims = try KeyshareProofClaims(decoding: verified.payload)
        #expect(claims.issuer == "keyshare_server" && claims.issuedAt == world.time.seconds)
        return claims.response
    }

    /// Commits in the older protocol.
    func olderCommitments(_ positions: [Int]) async throws -> [Int: KeyshareCommitments.Commitment] {
        let answer = try await post("/prove/getCommitments", names(positions))
        try #require(answer.status == 200)
        let commitments = try KeyshareCommitments(decoding: answer.body).commitments
        return try Dictionary(
            uniqueKeysWithValues: positions.map { ($0, try #require(commitments[TestKeys.names[$0]])) }
        )
    }

    /// Issues a credential under an issuer's key, in the older protocol as today's wallets speak it.
    func issue(_ position: Int) async throws -> IdemixCredential {
        let keys = world.keys[position]
        let name = TestKeys.names[position]
        let share = try await share(of: position)
        let builder = IdemixProofListBuilder()
        let pending = try builder.addIssuance(publicKey: keys.publicKey, secretKey: secretKey, keyshareP: share)
        let commitment = try #require(try await olderCommitments([position])[position])
        #expect(commitment.share == share)
        let challenge = IdemixChallenge(nonce: 7)
        let own = try builder.prove(challenge: challenge, keyshareCommitments: [0: commitment.commitment])
        let sent = try own.dividingOut([0: (share, keys.publicKey)])
        let answer = try await post("/prove/getResponse", sent.proofs[0].challenge.json())
        let merged = try sent.merging(try response(answer), at: [0: keys.publicKey], multiplyingShare: true)
        let expectation = IdemixIssuanceExpectation(publicKey: keys.publicKey, keyshareServer: "demo")
        let verified = try merged.verify(expecting: [.issuance(expectation)], challenge: challenge, at: world.time.date)
            .get()
        guard case .issuance(let committed)? = verified.proofs.first else { throw CocoaError(.coderInvalidValue) }
        let metadata = try MetadataAttribute(
            credentialType: Self.prover,
            keyCounter: name.counter,
            signedAt: world.time.date - 1e6,
            expiresAt: world.time.date + 1e7
        )
        let attributes = [metadata.integer, AttributeEncoding.version3.integer(for: "Alice")]
        let issued = try IdemixIssuer(keys: keys).sign(attributes: attributes, commitment: committed, nonce: 8)
        return try pending.finish(with: issued, attributes: attributes, nonce: 8)
    }

    /// A disclosure of credentials in the newer protocol, as far as the request for the response.
    struct Newer {
        let builder = IdemixProofListBuilder()
        var inputs: [KeyshareChallengeInput] = []
        var commitments: [Int: BigInteger] = [:]
    }

    func newerCommitments(_ credentials: [(Int, IdemixCredential)]) async throws -> Newer {
        var newer = Newer()
        for (_, credential) in credentials {
            try newer.builder.add(IdemixDisclosureRequest(credential, disclosing: [2]))
        }
        newer.inputs = zip(credentials, try newer.builder.contributions).map {
            KeyshareChallengeInput(key: TestKeys.names[$0.0], contributions: $1)
        }
        let request = KeyshareCommitmentRequest(
            keys: credentials.map { TestKeys.names[$0.0] },
            inputHash: KeyshareChallengeInput.hash(newer.inputs)
        )
        let answer = try await post("/api/v2/prove/getCommitments", request.json())
        try #require(answer.status == 200)
        let commitments = try KeyshareCommitments(decoding: answer.body).commitments
        for (position, (key, _)) in credentials.enumerated() {
            let commitment = try #require(commitments[TestKeys.names[key]])
            #expect(commitment.share == nil)
            newer.commitments[position] = commitment.commitment
        }
        return newer
    }

    func request(_ newer: Newer, _ own: IdemixProofList, nonce: BigInteger) throws -> JSONValue {
        try KeyshareCommitment.ChallengeRequest(
            challenge: IdemixChallenge(nonce: nonce),
            userResponse: try #require(own.proofs[0].secretKeyResponse),
            inputs: newer.inputs
        ).json()
    }
}
