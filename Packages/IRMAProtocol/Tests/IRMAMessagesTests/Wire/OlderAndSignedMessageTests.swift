import CryptoCore
import Foundation
import IRMAMessages
import IdemixCore
import JSONKit
import Testing

/// Requests in the older form, the claims of tokens, and messages in CBOR.
@Suite struct OlderAndSignedMessageTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    @Test func olderRequestsConvertBothWays() throws {
        let text = """
            {"type":"signing","message":"m","content":[
              {"label":"L","attributes":["a.b.c.d","a.b.c.e"]},{"label":"N","attributes":{"a.b.c.f":"x","a.b.c.g":null}}]}
            """
        let legacy = try LegacySessionRequest(json: json(text))
        #expect(try legacy.json() == json(text))
        let request = try LegacyRequestConverter.request(from: legacy)
        #expect(request.message == "m")
        #expect(
            request.disclose == [
                [["a.b.c.d"], ["a.b.c.e"]], [[AttributeRequest("a.b.c.f", value: "x")], ["a.b.c.g"]],
            ]
        )
        #expect(request.labels[0]??["nl"] == "L")
        #expect(try LegacyRequestConverter.legacy(from: request) == legacy)
    }

    @Test func requestsThatTheOlderFormLacksAreNotConverted() {
        let requests: [Condiscon] = [
            [[["a.b.c.d", "a.b.c.e"]]], [[["a.b.c.d"], []]],
            [[[AttributeRequest("a.b.c.d", isPresenceRequired: true)]]],
        ]
        for disclose in requests {
            expectRefusal(.notConvertible, at: "disclose[0]") {
                try LegacyRequestConverter.legacy(from: SessionRequest(.disclosing, disclose: disclose))
            }
        }
    }

    @Test func labelDefaultsToTheAttribute() throws {
        let request = SessionRequest(.disclosing, disclose: [[["a.b.c.d"]]], labels: [0: nil])
        #expect(try LegacyRequestConverter.legacy(from: request).content.first?.label == "a.b.c.d")
    }

    @Test func requestorMessagesAreToldApart() throws {
        let bare = #"{"@context":"https://irma.app/ld/request/disclosure/v2","disclose":[[["a.b.c.d"]]]}"#
        let older = #"{"type":"disclosing","content":[{"label":"","attributes":["a.b.c.d"]}]}"#
        for text in [bare, older, #"{"timeout":3,"request":\#(bare)}"#, #"{"validity":9,"request":\#(older)}"#] {
            let message = try RequestorMessage(json: json(text))
            #expect(try message.json() == json(text))
            #expect(try message.request().disclose == [[["a.b.c.d"]]])
            #expect((message.options == nil) == (text == bare || text == older))
        }
        for text in ["{}", #"{"request":{}}"#, #"{"type":"revoking","content":[]}"#, #"{"request":3}"#] {
            expectRefusal(.malformed) { try RequestorMessage(json: json(text)) }
        }
        let untyped = try RequestorMessage(json: json(#"{"request":{"content":[],"message":"m"}}"#))
        #expect(untyped.kind == .signing)
    }

    @Test func claimsNameTheKindOfRequest() throws {
        let message = RequestorMessage(SessionRequest(.disclosing, disclose: [[["a.b.c.d"]]]))
        let claims = RequestorTokenClaims(issuer: "r", issuedAt: 5, content: .session(message))
        #expect(try claims.json()["sub"] == "verification_request")
        // The existing server refuses a bare request in a token.
        #expect(try claims.json()["sprequest"] == .object(["request": message.json()]))
        var bare = try #require(claims.json().objectValue)
        bare["sprequest"] = try message.json()
        #expect(try RequestorTokenClaims(json: .object(bare)) == claims)
        #expect(try RequestorTokenClaims(json: claims.json()) == claims)
        let revocation = RequestorTokenClaims(
            issuer: nil,
            issuedAt: 5,
            content: .revocation(RevocationRequest("a.b.c", revocationKey: "k", issued: 1))
        )
        #expect(try RequestorTokenClaims(json: revocation.json()) == revocation)
        for subject in [nil, ""] as [JSONValue?] {
            var unnamed = try #require(revocation.json().objectValue)
            unnamed["sub"] = subject
            #expect(try RequestorTokenClaims(json: .object(unnamed)) == revocation)
        }
        var always = try #require(revocation.json().objectValue?["revrequest"]?.objectValue)
        always["issued"] = 0
        #expect(try RevocationRequest(json: .object(always)).issued == nil)
        var other = try #require(claims.json().objectValue)
        other["sub"] = "signature_request"
        other["absrequest"] = other["sprequest"]
        expectRefusal(.malformed, at: "absrequest") { try RequestorTokenClaims(json: .object(other)) }
        other["sub"] = "something"
        expectRefusal(.malformed, at: "sub") { try RequestorTokenClaims(json: .object(other)) }
        var timeless = try #require(claims.json().objectValue)
        timeless["iat"] = nil
        #expect(try RequestorTokenClaims(json: .object(timeless)).issuedAt == 0)
    }

    @Test func resultClaimsExpire() throws {
        var result = SessionResult(token: "t", status: .done, kind: .signing)
        result.proofStatus = .valid
        let claims = SessionResultClaims(result, issuer: "s", issuedAt: 100)
        #expect(claims.expiresAt == 220)
        #expect(try SessionResultClaims(json: claims.json()) == claims)
        #expect(SessionResultClaims(result, issuer: nil, issuedAt: .max, validity: .max).expiresAt == .max)
        var other = try #require(claims.json().objectValue)
        other["sub"] = "issuing_result"
        expectRefusal(.malformed, at: "sub") { try SessionResultClaims(json: .object(other)) }
        let older = LegacyResultClaims(result, issuer: "s", issuedAt: 100)
        #expect(older.subject == "abs_result")
        #expect(try LegacyResultClaims(json: older.json()) == older)
        // Without proofs the status is empty, as the existing server's.
        let cancelled = SessionResult(token: "t", status: .cancelled, kind: .disclosing)
        #expect(try LegacyResultClaims(cancelled, issuer: "s", issuedAt: 100).json().objectValue?["status"] == "")
        result.disclosed = [[DisclosedAttribute("a.b.c.d", rawValue: nil, status: .null, issuanceTime: 0)]]
        let absent = LegacyResultClaims(result, issuer: "s", issuedAt: 100)
        #expect(try absent.json().objectValue?["attributes"] == ["a.b.c.d": ""])
        // Of two credentials of a type the last counts, as the existing server's.
        let values = ["x", "y"].map {
            [DisclosedAttribute("a.b.c.d", rawValue: $0, status: .present, issuanceTime: 0)]
        }
        result.disclosed = [values[0], nil, values[1]]
        #expect(LegacyResultClaims(result, issuer: "s", issuedAt: 100).attributes == ["a.b.c.d": "y"])
    }

    @Test func keyshareMessagesAreOfTheirKind() throws {
        #expect(KeysharePIN.hashed("1234", nonce: [UInt8](repeating: 0, count: 32)).hasSuffix("=\n"))
        expectRefusal(.malformed) { try KeyshareTokenMessage(json: ["auth_request_jwt": "a", "jwt": "b"]) }
        expectRefusal(.malformed) { try KeyshareTokenMessage(json: [:]) }
        expectRefusal(.malformed, at: "sub") { try KeyshareProofClaims(json: ["sub": "auth_tok"]) }
        expectRefusal(.malformed, at: "sub") { try KeyshareAccountClaims(json: ["sub": "ProofP"]) }
        expectRefusal(.malformed, at: "no-key-") {
            try KeyshareShares(json: ["ps": ["no-key-": "AQ=="]])
        }
        let request = KeyshareCommitmentRequest(
            keys: [KeyshareKeyIdentifier(issuer: "a.b", counter: 1)],
            inputHash: [1, 2, 3]
        )
        #expect(try KeyshareCommitmentRequest(json: request.json()) == request)
        let commitments = KeyshareCommitments([
            KeyshareKeyIdentifier(issuer: "a.b", counter: 1): .init(share: nil, commitment: 5)
        ])
        #expect(try KeyshareCommitments(json: commitments.json()) == commitments)
        #expect(KeysharePINStatus(.failure, message: "2").number == 2)
        let change = KeysharePINChangeClaims(id: "i", oldPIN: "o", newPIN: "n")
        #expect(try KeysharePINChangeClaims(json: change.json()) == change)
        let registration = KeyshareKeyRegistrationClaims(id: "i", pin: "p", publicKey: [1])
        #expect(try KeyshareKeyRegistrationClaims(json: registration.json()) == registration)
    }

    @Test func revocationErrorsAreReadWhateverTheBody() {
        let error = RemoteError(.revocation, message: "m")
        #expect(RemoteError(revocationBody: error.cborEncoded(), status: 500) == error)
        #expect(RemoteError(revocationBody: error.json().encoded(), status: 500) == error)
        let proxy = RemoteError(revocationBody: Array("404 page not found\n".utf8), status: 404)
        #expect(proxy.name == nil && proxy.status == 404 && proxy.message?.hasPrefix("404 page") == true)
        #expect(RemoteError(revocationBody: [], status: 502).message == nil)
    }

    @Test func updatesAndRecordsAreReadAsWritten() async throws {
        let scene = try Scene.shared.get()
        let updates = RevocationUpdates([3: try scene.authority.update(lastEvents: 4)])
        #expect(try RevocationUpdates(decodingCBOR: updates.cborEncoded()) == updates)
        expectRefusal(.malformed) { try RevocationUpdates(decodingCBOR: [0x80]) }
        var record = IssuanceRecord(
            revocationKey: "k",
            credentialType: Scene.pass,
            issued: 5,
            keyCounter: 3,
            attribute: 1_000_003,
            validUntil: 9
        )
        #expect(try IssuanceRecord(decodingCBOR: record.cborEncoded()) == record)
        record.revokedAt = 7
        let signer = try scene.keys.privateKey.revocationSigner()
        var signed = try await record.signed(with: signer)
        #expect(try IssuanceRecord(verifying: signed, with: signer.publicKey) == record)
        signed[10] ^= 1
        expectRefusal(.proofFailed) { try IssuanceRecord(verifying: signed, with: signer.publicKey) }
        expectRefusal(.malformed) { try IssuanceRecord(verifying: [0xa0], with: signer.publicKey) }
        expectRefusal(.malformed) { try IssuanceRecord(decodingCBOR: [0xa0]) }
        expectRefusal(.signingFailed) {
            try record.completed(with: [UInt8](repeating: 1, count: 64), by: signer.publicKey)
        }
        record.attribute = -1
        expectRefusal(.malformed, at: "Attr") { try record.cborEncoded() }
    }
}
