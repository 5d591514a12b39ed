import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

/// Several signatures, one of them broken.
@Suite struct SeveralSignaturesTests {
    private let payload = Array("{}".utf8)
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func object(_ signatures: [JSONValue], payload: String = "e30") throws -> JWS {
        try JWS(json: JSONValue.object(["payload": .string(payload), "signatures": .array(signatures)]).encoded())
    }

    private func good() async throws -> (signature: JSONValue, key: PublicKey) {
        let signer = try TestKeys.es256()
        let signed = try await JWS.sign(payload, with: signer)
        let members = try #require(JSONValue(parsing: signed.flattenedSerialization()).objectValue)
        return (.object(JSONObject(members.filter { $0.name != "payload" })), signer.publicKey)
    }

    @Test(
        arguments: [
            1, [], [:], ["signature": "="], ["protected": "=", "signature": ""], ["protected": "e30", "signature": ""],
            ["protected": "eyJhbGciOiJFUzI1NiJ9", "header": ["alg": "ES256"], "signature": ""],
            ["protected": "eyJhbGciOiJFUzI1NiJ9", "header": ["crit": ["x"]], "signature": ""],
        ] as [JSONValue]
    )
    func aBrokenSignatureKeepsNoOtherFromBeingVerified(broken: JSONValue) async throws {
        let (signature, key) = try await good()
        let message = try object([broken, signature])
        #expect(message.signatures.map { $0.fault == nil } == [false, true])
        #expect(try message.verify(signatureAt: 1, with: .publicKey(key), policy: [.es256], at: now).payload == payload)
        let fault = #expect(throws: JOSEError.self) {
            try message.verify(signatureAt: 0, with: .publicKey(key), policy: [.es256], at: now)
        }
        #expect(fault?.path.starts(with: ["JWS", "signatures[0]"]) == true)
        let any = message.verify(policy: [.es256], requiring: .any, at: now) { _ in .publicKey(key) }
        #expect(any.verified?.payload == payload)
        let all = message.verify(policy: [.es256], requiring: .all, at: now) { _ in .publicKey(key) }
        #expect(all.refusal?.path.first == "signatures[0]")
        #expect(try JWS(json: message.generalSerialization()).signatures.count == 1)
        #expect(throws: JOSEError.self) { try object([broken]) }
        #expect(throws: JOSEError.self) { try object([broken, broken]) }
    }

    @Test func signaturesThatDoNotVerifyKeepNoOtherFromIt() async throws {
        let (signature, key) = try await good()
        let forged: JSONValue = [
            "protected": "eyJhbGciOiJFUzI1NiJ9", "signature": .string(String(repeating: "A", count: 86)),
        ]
        let message = try object([forged, signature])
        let any = message.verify(policy: [.es256], requiring: .any, at: now) { _ in .publicKey(key) }
        #expect(any.verified?.payload == payload)
        message.verify(policy: [.es256], requiring: .all, at: now) { _ in .publicKey(key) }
            .expectRefusal(.invalidSignature)
    }
}
