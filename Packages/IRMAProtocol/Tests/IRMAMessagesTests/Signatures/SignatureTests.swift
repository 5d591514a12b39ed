import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

/// Attribute-based signatures: made, verified with their request and alone, and every reason that refuses.
@Suite struct SignatureTests {
    private let scene: Scene
    private let request: SessionRequest

    init() throws {
        scene = try Scene.shared.get()
        var request = SessionRequest(
            .signing(message: "I owe you everything"),
            disclose: [[[AttributeRequest("demo.bank.card.name")]]]
        )
        request.parameters.nonce = 99
        request.parameters.context = 1
        self.request = request
    }

    private func prepared() throws -> PreparedSignature {
        try PreparedSignature(
            of: request,
            showing: [IdemixDisclosureRequest(scene.card(), disclosing: [2])],
            indices: [[AttributePosition(credential: 0, attribute: 2)]],
            schemes: scene.schemes
        )
    }

    private func stamp(
        for prepared: PreparedSignature,
        at time: Date = Scene.now,
        by signer: SoftwareSigner? = nil
    ) throws -> SignatureTimestamp {
        let signer = signer ?? scene.timestampSigner
        var stamp = SignatureTimestamp(
            time: Int64(time.timeIntervalSince1970),
            serverURL: Scene.timestampServer,
            signature: SignatureTimestamp.Signature(
                algorithm: SignatureTimestamp.ed25519,
                data: [],
                publicKey: try #require(signer.publicKey.rawRepresentation)
            )
        )
        stamp.signature.data = try signer.signature(for: stamp.signedBytes(nonce: prepared.timestampRequest.nonce))
        return stamp
    }

    private func signed(at time: Date = Scene.now) throws -> SignedMessage {
        let prepared = try prepared()
        return try prepared.completed(with: stamp(for: prepared, at: time))
    }

    private func verifier(expiresAt: Date? = nil, server: String = Scene.timestampServer) throws -> SignatureVerifier {
        var keys = TimestampKeys()
        let raw = try #require(scene.timestampSigner.publicKey.rawRepresentation)
        keys.add(try TimestampKey(rawRepresentation: raw, expiresAt: expiresAt), of: server)
        return SignatureVerifier(schemes: scene.schemes, timestampKeys: keys)
    }

    private func status(
        _ message: SignedMessage,
        answering request: SessionRequest? = nil,
        verifier: SignatureVerifier? = nil
    ) throws -> ProofStatus {
        try (verifier ?? self.verifier()).verify(message, answering: request, at: Scene.now + 10).proofStatus
    }

    /// The verification of a signature with a timestamp and its request.
    func verificationWithItsRequest() throws -> () -> DisclosureOutcome {
        let (verifier, message, request) = (try verifier(), try signed(), request)
        return { verifier.verify(message, answering: request, at: Scene.now + 10) }
    }

    @Test func verifiesWithItsRequestAndAlone() throws {
        let message = try signed()
        let again = try SignedMessage(decoding: message.encoded())
        #expect(again == message)
        let outcome = try verifier().verify(again, answering: request, at: Scene.now + 10)
        #expect(try outcome.verification.get().disclosed.first?.first?.rawValue == "Alice")
        let alone = try verifier().verify(again, at: Scene.now + 10)
        #expect(try alone.verification.get().disclosed == [[#require(outcome.disclosed.first??.first)]])
        #expect(try prepared().timestampServer == Scene.timestampServer)
    }

    @Test func otherRequestsAreUnmatched() throws {
        let message = try signed()
        var others = [request, request, request]
        others[0].purpose = .signing(message: "I owe you nothing")
        others[1].parameters.nonce = 98
        others[2].parameters.context = 2
        for other in others { #expect(try status(message, answering: other) == .unmatchedRequest) }
        let disclosing = SessionRequest(.disclosing, disclose: request.disclose)
        #expect(try status(message, answering: disclosing) == .unmatchedRequest)
    }

    @Test func changedMessageIsRefusedAlone() throws {
        var message = try signed()
        message.message = "I owe you nothing"
        #expect(try status(message) == .invalidTimestamp)
        message = try signed()
        message.nonce = 98
        #expect(try status(message) == .invalid)
    }

    @Test func signatureThatDoesNotAnswerTheRequestLacksAttributes() throws {
        var other = request
        other.disclose = [[[AttributeRequest("demo.bank.card.number")]]]
        #expect(try status(signed(), answering: other) == .missingAttributes)
    }

    @Test func emptySignatureIsRefused() throws {
        var message = try signed()
        message.signature = IdemixProofList([])
        #expect(try status(message) == .invalid)
        #expect(try status(message, answering: request) == .invalid)
    }

    @Test func timestampOfAnUnknownKeyIsRefused() throws {
        let prepared = try prepared()
        let other = try SoftwareSigner(PrivateKey.generate(.ed25519))
        let message = try prepared.completed(with: stamp(for: prepared, by: other))
        #expect(try status(message) == .invalidTimestamp)
        #expect(try status(signed(), verifier: verifier(server: "https://other.example")) == .invalidTimestamp)
        #expect(try status(signed(), verifier: verifier(server: Scene.timestampServer + "/")) == .valid)
    }

    @Test func unknownIssuerKeyIsNoFaultOfTheTimestamp() throws {
        let stranger = try SignatureVerifier(schemes: SchemeSnapshot(), timestampKeys: verifier().timestampKeys)
        var message = try signed()
        for _ in 0..<2 {
            let outcome = stranger.verify(message, answering: nil, at: Scene.now + 10)
            #expect(outcome.verification.refusal?.reason == .issuerKeyNotFound)
            message.timestamp = nil
        }
    }

    @Test func keyThatExpiredBeforeTheTimestampIsRefused() throws {
        #expect(try status(signed(), verifier: verifier(expiresAt: Scene.now - 1)) == .invalidTimestamp)
        #expect(try status(signed(), verifier: verifier(expiresAt: Scene.now + 1)) == .valid)
    }

    @Test func changedTimestampsAreRefused() throws {
        var changes: [SignatureTimestamp?] = try Array(repeating: signed().timestamp, count: 3)
        changes[0]?.time += 1
        changes[1]?.signature.algorithm = "xmssmt"
        changes[2]?.hashing = ["Hash": "shake256"]
        for change in changes {
            var message = try signed()
            let data = message.timestamp?.signature.data
            message.timestamp = change
            message.timestamp?.signature.data = data ?? []
            #expect(try status(message) == .invalidTimestamp)
        }
    }

    @Test func timestampFromTheFutureIsRefused() throws {
        #expect(try status(signed(at: Scene.now + 1_000)) == .invalidTimestamp)
    }

    @Test func credentialHasToBeValidAtTheTimestamp() throws {
        let message = try signed()
        let later = try verifier().verify(message, answering: request, at: Scene.now + 1e9)
        #expect(later.proofStatus == .valid)
        #expect(later.verification.time == Scene.now)
        var unstamped = message
        unstamped.timestamp = nil
        #expect(try status(unstamped, answering: request) == .invalid)
    }

    @Test func commitmentsAreUsedOnce() throws {
        let prepared = try prepared()
        let stamp = try stamp(for: prepared)
        _ = try prepared.completed(with: stamp)
        expectRefusal(.proofFailed) { try prepared.completed(with: stamp) }
    }

    @Test func onlySignatureRequestsAreSigned() throws {
        let other = SessionRequest(.disclosing, disclose: request.disclose)
        expectRefusal(.invalidRequest) {
            try PreparedSignature(of: other, showing: [], indices: [], schemes: scene.schemes)
        }
        expectRefusal(.invalidTimestamp) {
            try PreparedSignature(of: request, showing: [], indices: [], schemes: scene.schemes)
        }
    }

    @Test func versionOneIsReadWithoutContext() throws {
        var message = try signed()
        message.version = .version1
        let json = try message.json()
        #expect(json["@context"] == nil)
        #expect(try SignedMessage(json: json).version == .version1)
        // The timestamp covers other bytes.
        #expect(try status(message) == .invalidTimestamp)
    }

    @Test func serversConfirmTheirKeys() throws {
        let answer = #"{"Trusted":true,"Expires":"2027-06-01T00:00:00.5Z"}"#
        let status = try TimestampKeyStatus(decoding: Array(answer.utf8))
        #expect(status.isTrusted && status.expiresAt > Scene.now)
        let plain = TimestampKeyStatus(isTrusted: false, expiresAt: Scene.now)
        #expect(try TimestampKeyStatus(json: plain.json()) == plain)
        expectRefusal(.malformed, at: "Expires") { try TimestampKeyStatus(json: ["Trusted": true, "Expires": "now"]) }
        #expect(TimestampKeyStatus.query(for: [0, 255]) == "alg=ed25519&pk=00ff")
        let message = try signed()
        let stamp = try #require(message.timestamp)
        var keys = TimestampKeys()
        expectRefusal(.invalidTimestamp) {
            try keys.add(keyOf: stamp, confirmedBy: plain, of: Scene.timestampServer)
        }
        try keys.add(keyOf: stamp, confirmedBy: status, of: Scene.timestampServer)
        let verifier = SignatureVerifier(schemes: scene.schemes, timestampKeys: keys)
        #expect(try self.status(message, verifier: verifier) == .valid)
    }

    @Test func timestampKeysAreKeys() {
        expectRefusal(.invalidTimestamp) { try TimestampKey(rawRepresentation: [1, 2, 3]) }
    }
}
