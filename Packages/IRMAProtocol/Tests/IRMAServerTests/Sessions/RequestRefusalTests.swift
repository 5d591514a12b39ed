import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

@testable import IRMAServer

/// Requests that do not start a session, each with its reason.
@Suite struct RequestRefusalTests {
    private func expectRefusal(
        _ message: String,
        of request: SessionRequest,
        in world: ServerWorld? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let world = try world ?? ServerWorld()
        await expectError(.invalidRequest, message, sourceLocation: sourceLocation) { try await world.start(request) }
    }

    @Test func unknownNames() async throws {
        for name in ["demo.bank.card.colour", "demo.bank.purse.name", "demo.shop.card.name", "other.bank.card.name"] {
            let request = SessionRequest(.disclosing, disclose: [[[AttributeRequest(AttributeIdentifier(name))]]])
            try await expectRefusal("Unknown identifiers: \(name)", of: request)
        }
        let purse = CredentialRequest("demo.bank.purse", attributes: [:])
        try await expectRefusal("Unknown identifiers: demo.bank.purse", of: ServerScene.issuance(purse))
        // The server issues with its newest key, whatever known one the request names.
        var card = ServerScene.cardRequest
        card.keyCounter = 7
        try await expectRefusal("Unknown identifiers: demo.bank-7", of: ServerScene.issuance(card))
        for counter in [nil, 0, 3] as [UInt?] {
            card.keyCounter = counter
            _ = try await ServerWorld().start(ServerScene.issuance(card))
        }
    }

    @Test func malformedRequests() async throws {
        try await expectRefusal("names an attribute", of: SessionRequest(.disclosing))
        try await expectRefusal(
            "without a choice",
            of: SessionRequest(.disclosing, disclose: [[], [["demo.bank.card"]]])
        )
        try await expectRefusal("three or four parts", of: SessionRequest(.disclosing, disclose: [[["demo.bank"]]]))
        try await expectRefusal("is empty", of: SessionRequest(.signing(message: ""), disclose: [[["demo.bank.card"]]]))
        try await expectRefusal("names a credential", of: SessionRequest(.issuing([])))
    }

    @Test func credentialsThatCannotBeIssued() async throws {
        var card = ServerScene.cardRequest
        card.attributes["number"] = nil
        try await expectRefusal(
            "Required attributes are missing: demo.bank.card.number",
            of: ServerScene.issuance(card)
        )
        card = ServerScene.cardRequest
        card.attributes["colour"] = "red"
        try await expectRefusal("no such attribute", of: ServerScene.issuance(card))
        card = ServerScene.cardRequest
        card.validity = Int64(ServerScene.now.timeIntervalSince1970) - 1
        try await expectRefusal("cannot issue expired credentials", of: ServerScene.issuance(card))
        card = ServerScene.cardRequest
        card.revocationKey = "key"
        try await expectRefusal("cannot be revoked", of: ServerScene.issuance(card))
        let vote = CredentialRequest(ServerScene.vote, attributes: ["election": "1", "hall": "2", "ballot": "3"])
        try await expectRefusal("random-blind", of: ServerScene.issuance(vote))
        let pass = CredentialRequest(ServerScene.pass, attributes: ["id": "1"], revocationKey: "key")
        try await expectRefusal("no revocation server configured", of: ServerScene.issuance(pass))
        let world = try ServerWorld()
        world.server.replaceMaterial(ServerMaterial(schemes: world.scene.material.schemes))
        try await expectRefusal("missing private key", of: ServerScene.issuance(ServerScene.cardRequest), in: world)
    }

    /// The newest key that the server has is one without material for revocation.
    @Test func revocableCredentialsOfAKeyWithoutRevocation() async throws {
        let scene = try ServerScene.shared.get()
        let keys = try scene.copy(counter: 4, withRevocation: false)
        let schemes = try SchemeSnapshot([ServerScene.demo([keys.publicKey])])
        var ring = IssuerKeyRing()
        try ring.add(keys.privateKey, of: ServerScene.pass.issuer, schemes: schemes)
        let world = try RevocationWorld().world
        world.server.replaceMaterial(ServerMaterial(schemes: schemes, issuerKeys: ring))
        let pass = CredentialRequest(ServerScene.pass, attributes: ["id": "1"], revocationKey: "key")
        try await expectRefusal(
            "private key demo.bank-4 does not support revocation",
            of: ServerScene.issuance(pass),
            in: world
        )
        // Another type needs none.
        _ = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
    }

    @Test func expiredIssuerKeys() async throws {
        let world = try ServerWorld { $0.time = TestTime(ServerScene.now + 1e8 + 1) }
        try await expectRefusal("expired public key", of: ServerScene.issuance(ServerScene.cardRequest), in: world)
    }

    @Test func returnURLsAndHosts() async throws {
        var request = ServerScene.nameRequest
        request.parameters.augmentsReturnURL = true
        request.parameters.clientReturnURL = "https://shop.example"
        try await expectRefusal("not enabled", of: request)
        let world = try ServerWorld { $0.options.augmentsReturnURLs = true }
        request.parameters.clientReturnURL = nil
        try await expectRefusal("empty client return url", of: request, in: world)
        for host in ["", "a/b", "a b", "user@host", String(repeating: "a", count: 256)] {
            request = ServerScene.nameRequest
            request.parameters.host = host
            try await expectRefusal("the host", of: request)
        }
    }

    @Test func callbacksThatCannotBeMade() async throws {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let world = try ServerWorld { $0.signer = signer }
        for url in ["", "ftp://a.example", "nonsense"] {
            await expectError(.invalidRequest, "callbackUrl") { try await world.start { $0.callbackURL = url } }
            await expectError(.invalidRequest, "nextSession") { try await world.start { $0.nextSessionURL = url } }
        }
        let unsigned = try ServerWorld()
        await expectError(.unsupported, "needs a key") {
            try await unsigned.start { $0.callbackURL = "https://shop.example/result" }
        }
        await expectError(.unsupported, "needs a key") {
            try await unsigned.start { $0.nextSessionURL = "https://shop.example/next" }
        }
        let alone = try ServerWorld {
            $0.signer = signer
            $0.hasTransport = false
        }
        await expectError(.unsupported, "not supported") {
            try await alone.start { $0.callbackURL = "https://shop.example/result" }
        }
    }

    @Test func whatTheServerSetsIsNotTheRequestors() async throws {
        let world = try ServerWorld()
        var request = ServerScene.nameRequest
        request.parameters.nonce = 1
        request.parameters.context = 7
        request.parameters.protocolVersion = .v2_4
        request.parameters.isDeveloperMode = true
        let sent = try await world.wallet(world.start(request)).request()
        #expect(sent.parameters.nonce != 1)
        #expect(sent.parameters.context == 1)
        #expect(sent.parameters.protocolVersion == .v2_8)
        #expect(!sent.parameters.isDeveloperMode)
        let development = try ServerWorld { $0.options.mode = .development }
        #expect(try await development.wallet(development.start()).request().parameters.isDeveloperMode)
    }

    @Test func requestsThatTheStoreCannotTake() async throws {
        let world = try ServerWorld {
            $0.store = MemorySessionStore(limits: SessionLimits(maximumValueSize: 2000), clock: $0.time.sessionClock)
        }
        var request = ServerScene.nameRequest
        request.labels = [0: TranslatedText(rawValue: String(repeating: "a", count: 2000))]
        try await expectRefusal("too large", of: request, in: world)
    }

    @Test func anAnswerThatTheStoreCannotTakeEndsTheSession() async throws {
        let world = try ServerWorld {
            $0.store = MemorySessionStore(limits: SessionLimits(maximumValueSize: 2500), clock: $0.time.sessionClock)
        }
        let package = try await world.start(
            SessionRequest(.signing(message: "x"), disclose: [[[AttributeRequest(ServerScene.name)]]])
        )
        let wallet = world.wallet(package)
        let request = try await wallet.request(from: "2.5")
        var message = SignedMessage(
            signature: IdemixProofList([]),
            indices: [],
            nonce: request.parameters.nonce,
            context: 1,
            message: String(repeating: "a", count: 2500),
            timestamp: nil
        )
        message.version = .version2
        try expectError(.malformedInput, in: await wallet.post("proofs", message))
        #expect(try await world.server.result(of: package.token).error?.name == .malformedInput)
        #expect(try await world.server.status(of: package.token) == .cancelled)
    }
}
