import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// VC-JWT and VP-JWT of the data model 1.1.
@Suite(.enabled(if: VectorSet("oid4vp").isAvailable, VectorSet.absence))
struct CredentialTokenVectorTests {
    private let file: VectorFile
    private let vectors: [JSONValue]
    private let verifier: W3CCredentialVerifier

    init() throws {
        file = try #require(VectorSet("oid4vp").file("jwt-vc.json"))
        let json = try JSONValue(parsing: file.bytes())
        vectors = try #require(json["vectors"]?.arrayValue)
        let options = JSONLDOptions(safeMode: SafeMode(acceptedVocabularies: ["https://example.com/#"]))
        verifier = W3CCredentialVerifier(
            policy: W3CCredentialPolicy(
                proofs: LinkedDataProofPolicy(linkedData: options),
                tokens: [.edDSA, .es256, .es384, .es256K, .ps256],
                holder: .anyone
            ),
            trust: .issuers(["did:example:123"]),
            resolver: FixedDocuments(try VectorKeys.document(try #require(json["keys"]?.objectValue).values)),
            clock: { Date(timeIntervalSince1970: 1_700_000_000) }
        )
    }

    private func refusal(of text: String, _ name: String) async throws -> Refusal? {
        if name.hasSuffix("vc-jwt") {
            return await verifier.verify(try VerifiableCredential(decoding: Array(text.utf8))).refusal
        }
        let expectation = W3CPresentationExpectation(nonce: nil, audience: nil)
        let presentation = try VerifiablePresentation(decoding: Array(text.utf8))
        return await verifier.verify(presentation, expecting: expectation).refusal
    }

    @Test func verifiesEachVectorAndRefusesADamagedOne() async throws {
        var ran = 0
        for vector in vectors {
            let name = try #require(vector["id"]?.stringValue)
            let text = try #require(vector["jwt"]?.stringValue)
            let refusal = try await refusal(of: text, name)
            #expect(refusal == nil, "\(name)")

            let parts = text.split(separator: ".")
            var payload = try JSONValue(parsing: Base64URL.decode(parts[1]))
            var members = try #require(payload.objectValue)
            members["iat"] = 1
            payload = .object(members)
            let changed = "\(parts[0]).\(Base64URL.encode(payload.encoded())).\(parts[2])"
            let damaged = try await self.refusal(of: changed, name)
            let isCredential = name.hasSuffix("vc-jwt")
            #expect(damaged?.check == (isCredential ? .issuerSignature : .holderBinding), "\(name)")
            #expect(damaged?.reason == .invalidSignature, "\(name)")
            ran += 1
        }
        file.report(ran: ran)
        #expect(ran == 35)
    }

    @Test func comparesEveryClaimWithTheDocument() async throws {
        let vector = try #require(vectors.first { $0["id"]?.stringValue == "afgo-credential-3--key-0-ed25519.vc-jwt" })
        let token = try JWT(compact: #require(vector["jwt"]?.stringValue))
        let payload = try #require(token.jws.unverifiedPayload)
        let claims = try #require(JSONValue(parsing: payload).objectValue)
        let document = try #require(claims["vc"]?["credentialSubject"]?.objectValue)
        for (name, value) in [
            ("iss", "did:example:other"), ("jti", "urn:uuid:other"), ("nbf", 1_483_228_800), ("exp", 2_147_483_649),
            ("sub", "did:example:other"),
        ] as [(String, JSONValue)] {
            var changed = claims
            changed[name] = value
            if name == "sub" {
                var subject = document
                subject["id"] = "did:example:456"
                var credential = try #require(claims["vc"]?.objectValue)
                credential["credentialSubject"] = .object(subject)
                changed["vc"] = .object(credential)
            }
            let signed = try await JWT.sign(JWTClaims(changed), with: ProofScene.signer())
            let refusal = await verifier.verify(VerifiableCredential(.token(signed))).refusal
            #expect(refusal?.check == .claims, "\(name)")
            #expect(refusal?.reason == .claimMismatch, "\(name)")
            #expect(refusal?.path == [name])
        }
    }
}
