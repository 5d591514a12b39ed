import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JOSEKit
import JSONKit
import Testing

@testable import IRMAServer

/// Credentials whose holders share their keys with servers.
@Suite struct KeyshareSessionTests {
    @Test func answersOfSeveralKeyshareServersAreMerged() async throws {
        let world = try ServerWorld()
        let types: [CredentialTypeIdentifier] = ["club.house.member", "guild.hall.member"]
        let package = try await world.start(
            SessionRequest(.issuing(types.map { CredentialRequest($0, attributes: ["number": "1"]) }))
        )
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        let key = world.scene.keys.publicKey
        let servers = try types.map { type in
            try KeyshareSecret.random().commit(
                to: [(KeyshareKeyIdentifier(issuer: type.issuer.text, counter: 3), key)]
            )
        }
        let builder = IdemixProofListBuilder()
        for server in servers {
            _ = try builder.addIssuance(publicKey: key, secretKey: world.scene.secretKey, keyshareP: server.share)
        }
        let parts = servers.map { Array($0.commitments.values)[0] }
        let whole = try builder.prove(
            challenge: request.parameters.challenge(),
            keyshareCommitments: [0: parts[0], 1: parts[1]]
        )
        let proofs = try whole.dividingOut([0: (servers[0].share, key), 1: (servers[1].share, key)])
        let signer = try SoftwareSigner(world.scene.keyshareKey, algorithm: .rsaPKCS1SHA256)
        var commitments = IssuanceCommitments(combinedProofs: proofs, nonce: 4711)
        for (server, scheme) in zip(servers, [SchemeIdentifier("club"), "guild"]) {
            guard case .issuance(let proof) = proofs.proofs[0] else { throw CocoaError(.coderInvalidValue) }
            let response = try server.response(toChallenge: proof.challenge)
            let claims = try KeyshareProofClaims(response, issuer: "keyshare_server", issuedAt: nil).json()
            let token = try await JWT.sign(
                JWTClaims(try #require(claims.objectValue)),
                header: JOSEHeader(type: "JWT", keyID: "0"),
                with: signer
            )
            commitments.keyshareTokens[scheme] = try token.compactSerialization()
        }
        let answer = try await wallet.post("commitments", commitments)
        #expect(answer.status == .ok, "\(answer.text)")
        #expect(try ServerSessionResponse(decoding: answer.body).signatures?.count == 2)

        // The answer of one server is no answer of the other.
        let other = world.wallet(try await world.start(request))
        _ = try await other.connect()
        let tokens = commitments.keyshareTokens
        commitments.keyshareTokens = ["club": tokens["guild"] ?? "", "guild": tokens["club"] ?? ""]
        try expectError(.invalidProofs, in: await other.post("commitments", commitments))

        // A token of the largest size is read, a longer one is not.
        for (size, reason) in [(8192, "invalid keyshare proof included"), (8193, "a keyshare proof that is too long")] {
            let session = world.wallet(try await world.start(request))
            _ = try await session.connect()
            commitments.keyshareTokens["club"] = String(repeating: "a", count: size)
            let refusal = try await session.post("commitments", commitments)
            try expectError(.keyshareProofMissing, in: refusal)
            #expect(try RemoteError(decoding: refusal.body).message == "\(reason) for scheme club")
        }
    }
}
