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

/// Every name of an error that this server sends: its status, its JSON, and the state of the session behind it.
@Suite struct ErrorNameTests {
    /// The names that other tests of this suite reach.
    private static let sent: Set<RemoteError.Name> = [
        .unauthorized, .pairingRequired, .issuanceFailed, .invalidProofs, .attributesExpired, .unexpectedRequest,
        .unknownPublicKey, .keyshareProofMissing, .sessionUnknown, .malformedInput, .exception, .nextSession,
        .revocation,
        .unknownRevocationKey, .unsupported, .invalidRequest, .protocolVersion, .internalError, .eventsDisabled,
    ]
    /// The names that the reference defines and sends nowhere.
    private static let unusedByReference: Set<RemoteError.Name> = [
        .attributesMissing, .attributesWrong, .cannotIssue, .invalidTimestamp, .issuingDisabled,
        .malformedIssuerRequest,
        .malformedSignatureRequest, .malformedVerifierRequest,
    ]
    /// The names of the keyshare server.
    private static let ofKeyshareServer: Set<RemoteError.Name> = [
        .invalidToken, .missingCommitment, .missingChallenge, .revalidateEmail, .userNotRegistered, .invalidEmail,
        .tooManyRequests,
    ]

    @Test func everyNameIsSentOrHasAReasonNotToBe() {
        let known = Self.sent.union(Self.unusedByReference).union(Self.ofKeyshareServer)
        #expect(Set(RemoteError.Name.all) == known)
        #expect(Self.sent.count + Self.unusedByReference.count + Self.ofKeyshareServer.count == known.count)
    }

    private func expectState(
        _ status: SessionStatus,
        _ error: RemoteError.Name?,
        of package: SessionPackage,
        in world: ServerWorld,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await world.server.result(of: package.token)
        #expect(result.status == status, sourceLocation: sourceLocation)
        #expect(result.error?.name == error, sourceLocation: sourceLocation)
    }

    @Test func protocolVersion() async throws {
        let world = try ServerWorld()
        for (oldest, newest) in [("2.4", "2.7"), ("2.9", "2.9"), ("2.8", "2.7"), ("3.0", "3.1")] {
            let package = try await world.start()
            let response = try await world.wallet(package).connect(from: oldest, to: newest)
            try expectError(.protocolVersion, in: response)
            try await expectState(.cancelled, .protocolVersion, of: package, in: world)
        }
    }

    @Test func malformedInput() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        for (oldest, newest) in [
            (nil, "2.8"), ("2.8", nil), ("a", "2.8"), ("2.8", "99999999.1"), ("2.8.1", "2.8"), ("-2.8", "2.8"),
        ] {
            try expectError(.malformedInput, in: await world.wallet(package).connect(from: oldest, to: newest))
        }
        try await expectState(.initialized, nil, of: package, in: world)
        let wallet = world.wallet(package)
        #expect(try await wallet.connect(from: "\"2.8\"", to: "\"2.8\"").status == .ok)
        for body in ["", "{\"proofs\":\"nonsense\"", "[]", "null", "{\"proofs\":[{}],\"indices\":[]}"] {
            try expectError(.malformedInput, in: await wallet.post("proofs", Array(body.utf8)))
        }
        // A wallet may try again with a proper message.
        try await expectState(.connected, nil, of: package, in: world)
    }

    @Test func unauthorized() async throws {
        let world = try ServerWorld()
        let session = "You are not authorized to access the session"
        for authorization in [nil, ""] {
            let package = try await world.start()
            let response = try await world.wallet(package, authorization: authorization).connect()
            try expectError(.unauthorized, in: response, description: session)
            try await expectState(.cancelled, .unauthorized, of: package, in: world)
        }
        let package = try await world.start()
        _ = try await world.wallet(package).connect()
        for authorization in [nil, "", "walle", "wallett"] {
            let thief = world.wallet(package, authorization: authorization)
            try expectError(.unauthorized, in: await thief.get("request"), description: session)
            try expectError(.unauthorized, in: await thief.post("proofs", []), description: session)
            try expectError(.unauthorized, in: await thief.post("commitments", []), description: session)
        }
        try await expectState(.connected, nil, of: package, in: world)
    }

    @Test func invalidRequest() async throws {
        let world = try ServerWorld()
        let disclosing = try await world.start()
        let wallet = world.wallet(disclosing)
        _ = try await wallet.connect()
        try expectError(.invalidRequest, in: await wallet.post("commitments", Array("{}".utf8)))
        try await expectState(.connected, nil, of: disclosing, in: world)
        let issuing = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
        _ = try await world.wallet(issuing).connect()
        try expectError(.invalidRequest, in: await world.wallet(issuing).post("proofs", Array("{}".utf8)))
        try await expectState(.connected, nil, of: issuing, in: world)
    }

    /// An issuance session with an answer that a test has changed.
    private func issue(
        _ request: SessionRequest,
        in world: ServerWorld,
        showing shown: [(IdemixCredential, Set<Int>)] = [],
        _ indices: [[(Int, Int)]]? = nil,
        change: (inout IssuanceCommitments) throws -> Void = { _ in }
    ) async throws -> (SessionPackage, InMemoryResponse) {
        let package = try await world.start(request)
        let wallet = world.wallet(package)
        var (commitments, _) = try wallet.commitments(for: await wallet.request(), showing: shown, indices)
        try change(&commitments)
        return (package, try await wallet.post("commitments", commitments))
    }

    @Test func invalidProofs() async throws {
        let world = try ServerWorld()
        let request = ServerScene.issuance(ServerScene.cardRequest)
        let (package, response) = try await issue(request, in: world) { commitments in
            let other = ServerScene.issuance(ServerScene.cardRequest)
            // The proofs of another session.
            commitments.combinedProofs = try world.wallet(
                SessionPackage(pointer: SessionPointer(url: "a", kind: .issuing), token: "", frontend: nil)
            ).commitments(for: other).0.combinedProofs
        }
        try expectError(.invalidProofs, in: response)
        try await expectState(.cancelled, .invalidProofs, of: package, in: world)
        let combined = ServerScene.issuance(ServerScene.cardRequest, disclose: ServerScene.nameRequest.disclose)
        let (second, missing) = try await issue(combined, in: world)
        try expectError(.invalidProofs, in: missing)
        try await expectState(.cancelled, .invalidProofs, of: second, in: world)
    }

    @Test func wrongNumbersAndKindsOfProofs() async throws {
        let world = try ServerWorld()
        let mail = CredentialRequest(ServerScene.mail, attributes: ["address": "a", "domain": "b"])
        let two = ServerScene.issuance(ServerScene.cardRequest, mail)
        let (package, response) = try await issue(two, in: world) { $0.combinedProofs = IdemixProofList([]) }
        try expectError(.malformedInput, in: response)
        try await expectState(.cancelled, .malformedInput, of: package, in: world)
        let (other, mixed) = try await issue(two, in: world) { commitments in
            let card = try world.scene.card()
            let builder = IdemixProofListBuilder()
            try builder.add(IdemixDisclosureRequest(card, disclosing: [2]))
            let disclosure = try builder.prove(challenge: IdemixChallenge(nonce: 1))
            commitments.combinedProofs = IdemixProofList(
                commitments.combinedProofs.proofs.dropLast() + disclosure.proofs
            )
        }
        try expectError(.malformedInput, in: mixed)
        try await expectState(.cancelled, .malformedInput, of: other, in: world)
    }

    @Test func attributesExpired() async throws {
        let world = try ServerWorld()
        let expired = try world.scene.card(expiresAt: ServerScene.now - 604_800)
        let request = ServerScene.issuance(ServerScene.cardRequest, disclose: ServerScene.nameRequest.disclose)
        let (package, response) = try await issue(request, in: world, showing: [(expired, [2])], [[(0, 2)]])
        try expectError(.attributesExpired, in: response)
        try await expectState(.cancelled, .attributesExpired, of: package, in: world)
    }

    @Test func issuanceFailed() async throws {
        let world = try ServerWorld()
        var card = ServerScene.cardRequest
        // More weeks than the metadata can hold.
        card.validity = 604_800 * 200_000
        let (package, response) = try await issue(ServerScene.issuance(card), in: world)
        try expectError(.issuanceFailed, in: response)
        try await expectState(.cancelled, .issuanceFailed, of: package, in: world)
    }

    @Test func keyshareProofMissing() async throws {
        let world = try ServerWorld()
        let member = ServerScene.issuance(CredentialRequest(ServerScene.member, attributes: ["number": "1"]))
        let stranger = try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPKCS1SHA256)
        let own = try SoftwareSigner(world.scene.keyshareKey, algorithm: .rsaPKCS1SHA256)
        let response = KeyshareResponse(P: 4, challenge: 1, secretKeyResponse: 1)
        func token(_ signer: SoftwareSigner, keyID: String? = "0", at time: Int64? = nil) async throws -> String {
            let claims = try KeyshareProofClaims(response, issuer: "keyshare_server", issuedAt: time).json()
            let header = JOSEHeader(type: "JWT", keyID: keyID)
            let set = JWTClaims(try #require(claims.objectValue))
            return try await JWT.sign(set, header: header, with: signer).compactSerialization()
        }
        let future = Int64(ServerScene.now.timeIntervalSince1970) + 10_000
        let tokens: [SchemeIdentifier: String?] = [
            "a": nil, "b": "nonsense", "c": try await token(stranger), "d": try await token(own, keyID: "1"),
            "e": try await token(own, keyID: "x"), "f": try await token(own, at: future),
        ]
        for (_, token) in tokens {
            let (package, refusal) = try await issue(member, in: world) { commitments in
                if let token { commitments.keyshareTokens = ["club": token] }
            }
            try expectError(.keyshareProofMissing, in: refusal)
            try await expectState(.cancelled, .keyshareProofMissing, of: package, in: world)
        }
        // A proof of the server's that does not fit the wallet's.
        let right = try await token(own)
        let (package, refusal) = try await issue(member, in: world) { $0.keyshareTokens = ["club": right] }
        try expectError(.invalidProofs, in: refusal)
        try await expectState(.cancelled, .invalidProofs, of: package, in: world)
    }

    @Test func unknownPublicKey() async throws {
        let world = try ServerWorld()
        let package = try await world.start()
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        let keys = try IdemixIssuerKeyPair(
            publicKey: IdemixIssuerPublicKey(
                counter: 9,
                expiryDate: world.scene.keys.publicKey.expiryDate,
                elements: world.scene.keys.publicKey.elements,
                revocationKey: world.scene.keys.publicKey.revocationKey
            ),
            privateKey: IdemixIssuerPrivateKey(
                counter: 9,
                expiryDate: world.scene.keys.publicKey.expiryDate,
                p: world.scene.keys.privateKey.factors.p,
                q: world.scene.keys.privateKey.factors.q,
                revocationKey: world.scene.keys.privateKey.revocationKey
            )
        )
        let card = try world.scene.credential(ServerScene.card, ["Alice", "7", "1", nil], keys: keys)
        let response = try await wallet.post("proofs", wallet.proofs([(card, [2])], [[(0, 2)]], for: request))
        try expectError(.unknownPublicKey, in: response)
        try await expectState(.cancelled, .unknownPublicKey, of: package, in: world)
        let combined = ServerScene.issuance(ServerScene.cardRequest, disclose: ServerScene.nameRequest.disclose)
        let (other, refused) = try await issue(combined, in: world, showing: [(card, [2])], [[(0, 2)]])
        try expectError(.malformedInput, in: refused)
        try await expectState(.cancelled, .malformedInput, of: other, in: world)
    }

    @Test func internalErrorForAStoreThatFails() async throws {
        let world = try ServerWorld { $0.store = MemorySessionStore(clock: $0.time.sessionClock) }
        let package = try await world.start()
        await world.server.sessions.store.close()
        await expectError(.internalError) { try await world.start() }
        await expectError(.internalError) { try await world.server.status(of: package.token) }
        try expectError(.internalError, in: await world.wallet(package).connect())
        try expectError(.internalError, in: await world.response(.get, "/session/\(package.token)/result"))
        let json: HTTPFields = [.contentType: "application/json"]
        let start = try RequestorMessage(ServerScene.nameRequest).encoded()
        try expectError(.internalError, in: await world.response(.post, "/session", json, start))
    }
}
