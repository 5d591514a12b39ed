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

/// Whole sessions with a wallet: every kind, with what each may contain.
@Suite struct WalletFlowTests {
    @Test func disclosesOptionalAndExtraAttributes() async throws {
        let world = try ServerWorld()
        let request = SessionRequest(
            .disclosing,
            disclose: [
                [["demo.bank.card.name", "demo.bank.card.note"]], [[], ["demo.bank.mail.address"]],
                [["demo.bank.card"]],
            ]
        )
        let package = try await world.start(request)
        let wallet = world.wallet(package)
        let proofs = try wallet.proofs(
            [(world.scene.card(), [2, 4, 5])],
            [[(0, 2), (0, 5)], [], [(0, 1)]],
            for: await wallet.request()
        )
        #expect(try await wallet.post("proofs", proofs).json() == ["proofStatus": "VALID"])
        let disclosed = try await world.server.result(of: package.token).disclosed
        #expect(disclosed.map { $0?.map(\.status) } == [[.present, .null], [], [.present], [.extra]])
        #expect(disclosed.map { $0?.map(\.rawValue) } == [["Alice", nil], [], ["present"], ["1"]])
    }

    @Test func signsWithATimestamp() async throws {
        let world = try ServerWorld()
        let signing = SessionRequest(
            .signing(message: "I owe you everything"),
            disclose: [[[AttributeRequest(ServerScene.name)]]]
        )
        let package = try await world.start(signing)
        let wallet = world.wallet(package)
        let message = try await world.signature(of: wallet)
        #expect(try await wallet.post("proofs", message).json() == ["proofStatus": "VALID"])
        let result = try await world.server.result(of: package.token)
        #expect(result.signature == message)
        #expect(result.disclosed.first??.first?.rawValue == "Alice")
    }

    @Test func aTimestampOfAnUnknownKeyIsInvalid() async throws {
        let world = try ServerWorld { $0.timestampKeys = TrustedTimestampKeys() }
        let signing = SessionRequest(.signing(message: "x"), disclose: [[[AttributeRequest(ServerScene.name)]]])
        let package = try await world.start(signing)
        let wallet = world.wallet(package)
        let message = try await world.signature(of: wallet)
        #expect(try await wallet.post("proofs", message).json() == ["proofStatus": "INVALID_TIMESTAMP"])
        let result = try await world.server.result(of: package.token)
        #expect(result.status == .done)
        #expect(result.proofStatus == .invalidTimestamp)
    }

    @Test func issuesSeveralCredentialsWithOptionalAndBlindAttributes() async throws {
        let world = try ServerWorld()
        let vote = CredentialRequest(ServerScene.vote, attributes: ["election": "2027", "hall": "4"])
        var card = ServerScene.cardRequest
        card.validity = Int64(ServerScene.now.timeIntervalSince1970) + 604_800 * 3
        let package = try await world.start(
            ServerScene.issuance(card, vote, disclose: [[["demo.bank.mail.address"]]])
        )
        #expect(package.frontend?.isPairingAdvised == true)
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        #expect(request.credentials[0].keyCounter == 3)
        #expect(request.credentials[1].randomBlindNames == ["hall"])
        // Six months after 15 January 2027.
        #expect(request.credentials[1].validity == 1_815_638_400)
        let (commitments, pending) = try wallet.commitments(
            for: request,
            showing: [(world.scene.mail(), [2])],
            [[(0, 2)]]
        )
        let response = try ServerSessionResponse(decoding: await wallet.post("commitments", commitments).body)
        let signatures = try #require(response.signatures)
        #expect(signatures.count == 2)
        let first = try finish(pending[0], signatures[0], request.credentials[0], ["Alice", nil, "1", nil])
        #expect(first.attributes.count == 5)
        #expect(try MetadataAttribute(integer: first.attributes[0]).validityWeeks == 3)
        let second = try finish(pending[1], signatures[1], request.credentials[1], ["2027", "", "4"], blind: 1)
        #expect(!second.attributes[2].isZero)
        let result = try await world.server.result(of: package.token)
        #expect(result.proofStatus == .valid)
        #expect(result.disclosed.first??.first?.rawValue == "a@example.com")
    }

    private func finish(
        _ pending: PendingIdemixCredential,
        _ issued: IssuedCLSignature,
        _ credential: CredentialRequest,
        _ values: [String?],
        blind: Int? = nil
    ) throws -> IdemixCredential {
        let metadata = try MetadataAttribute(
            credentialType: credential.credential.text,
            keyCounter: credential.keyCounter ?? 0,
            signedAt: ServerScene.now,
            expiresAt: Date(timeIntervalSince1970: Double(credential.validity ?? 0))
        )
        var attributes = [metadata.integer] + values.map { AttributeEncoding.version3.integer(for: $0) }
        if let blind { attributes[blind + 1] = .zero }
        return try pending.finish(with: issued, attributes: attributes, nonce: 4711)
    }

    @Test func credentialsAreDatedByTheAnswer() async throws {
        // One minute before a week ends.
        let week = (ServerScene.now.timeIntervalSince1970 / 604_800).rounded(.up) * 604_800
        let time = TestTime(Date(timeIntervalSince1970: week - 60))
        let world = try ServerWorld { $0.time = time }
        let package = try await world.start(ServerScene.issuance(ServerScene.cardRequest))
        let wallet = world.wallet(package)
        let request = try await wallet.request()
        time.advance(by: .seconds(120))
        let (commitments, pending) = try wallet.commitments(for: request)
        let response = try ServerSessionResponse(decoding: await wallet.post("commitments", commitments).body)
        let metadata = try MetadataAttribute(
            credentialType: "demo.bank.card",
            keyCounter: 3,
            signedAt: Date(timeIntervalSince1970: week + 60),
            expiresAt: Date(timeIntervalSince1970: Double(request.credentials[0].validity ?? 0))
        )
        let values = ["Alice", nil, "1", nil].map { AttributeEncoding.version3.integer(for: $0) }
        _ = try pending[0].finish(
            with: try #require(response.signatures?.first),
            attributes: [metadata.integer] + values,
            nonce: 4711
        )
    }

    @Test func pairsTheWalletWithTheFrontend() async throws {
        let world = try ServerWorld { $0.randomness = ScriptedRandomness(codes: ["0427"]) }
        let package = try await world.start()
        let frontend: HTTPFields = [.authorization: try #require(package.frontend?.authorization)]
        let wallet = world.wallet(package)
        let message = try FrontendOptionsRequest(pairingMethod: .pin).encoded()
        let options = try await world.response(.post, wallet.path + "/frontend/options", frontend, message)
        #expect(
            try options.json() == [
                "@context": "https://irma.app/ld/options/v1", "pairingMethod": "pin", "pairingCode": "0427",
            ]
        )
        _ = try await wallet.connect()
        let status = try await world.response(.get, wallet.path + "/frontend/status", frontend)
        #expect(try status.json() == ["status": "PAIRING"])
        let completed = try await world.response(.post, wallet.path + "/frontend/pairingcompleted", frontend)
        #expect(completed.status == .noContent)
        #expect(try await wallet.get("status").json() == "CONNECTED")
        #expect(try SessionRequest(decoding: await wallet.get("request").body).kind == .disclosing)
    }

    @Test func olderVersionsHaveTheirOwnForms() async throws {
        let world = try ServerWorld { $0.options.minimumVersion = .v2_4 }
        for version in ["2.4", "2.5", "2.6", "2.7"] {
            let package = try await world.start()
            let wallet = world.wallet(package, authorization: nil)
            let first = try await wallet.connect(to: version).json()
            #expect(first["protocolVersion"] == .string(version))
            #expect((first["content"] != nil) == (version == "2.4"))
            #expect((first["@context"] != nil) == (version != "2.4"))
            let request = try await world.server.record(.requestor(package.token)).request
            let proofs = try wallet.proofs([(world.scene.card(), [2])], [[(0, 2)]], for: request)
            let answer = try await wallet.post("proofs", proofs).json()
            #expect(answer == (version == "2.7" ? ["proofStatus": "VALID"] : "VALID"))
            try expectError(.unexpectedRequest, in: await wallet.get("request"))
        }
    }

    @Test func versionsFollowFromWhatTheSessionNeeds() async throws {
        let world = try ServerWorld {
            $0.options.minimumVersion = .v2_4
            $0.options.allowsUnsignedCallbacks = true
        }
        let two: SessionRequest = SessionRequest(
            .disclosing,
            disclose: [[["demo.bank.card.name", "demo.bank.card.note"]]]
        )
        let condiscon = try await world.start(two)
        try expectError(.protocolVersion, in: await world.wallet(condiscon).connect(to: "2.4"))
        let chained = try await world.start { $0.nextSessionURL = "https://shop.example/next" }
        try expectError(.protocolVersion, in: await world.wallet(chained).connect(to: "2.6"))
        let third = try await world.start(two)
        #expect(try await world.wallet(third).connect(to: "2.5").status == .ok)
    }

    @Test func theWalletAsksTheHostOfTheSession() async throws {
        let world = try ServerWorld {
            $0.requestors = .unauthenticated(permissions: .all, requiresPrivateKeys: false)
        }
        var request = ServerScene.nameRequest
        request.parameters.host = "eu.shop.example:8443"
        let package = try await world.start(request)
        #expect(package.pointer.url.hasPrefix("https://eu.shop.example:8443/irma/session/"))
        let path = world.wallet(package).path
        for (host, isRight) in [("shop.example", false), ("eu.shop.example:8443", true)] {
            let head = HTTPRequest(method: .get, scheme: "https", authority: host, path: path + "/status")
            let response = try await world.http.response(to: InMemoryRequest(head: head))
            if isRight {
                #expect(try response.json() == "INITIALIZED")
            } else {
                try expectError(.unauthorized, in: response)
                #expect(try response.json().member("message") == "Host mismatch")
            }
        }
    }

    @Test func theReturnURLGetsTheRequestorsToken() async throws {
        let world = try ServerWorld { $0.options.augmentsReturnURLs = true }
        for (url, mark) in [("https://shop.example/done", "?"), ("https://shop.example/done?a=1", "&")] {
            var request = ServerScene.nameRequest
            request.parameters.clientReturnURL = url
            request.parameters.augmentsReturnURL = true
            let package = try await world.start(request)
            let sent = try await world.wallet(package).request()
            #expect(sent.parameters.clientReturnURL == "\(url)\(mark)token=\(package.token)")
        }
    }
}
