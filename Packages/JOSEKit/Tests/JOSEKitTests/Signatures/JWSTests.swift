import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

@Suite struct JWSTests {
    private let payload = Array("It is a dangerous business, Frodo.".utf8)

    @Test(arguments: JWSAlgorithm.signatures)
    func signaturesVerifyInEverySerialization(algorithm: JWSAlgorithm) async throws {
        let signer = try TestKeys.signer(for: algorithm)
        let policy = JWSVerificationPolicy(algorithms: [algorithm])
        let header: JOSEHeader = ["alg": .string(algorithm.rawValue), "kid": "1"]
        let signed = try await JWS.sign(payload, header: header, with: signer)
        let readings = [
            try JWS(compact: signed.compactSerialization()),
            try JWS(json: signed.flattenedSerialization()),
            try JWS(json: signed.generalSerialization()),
        ]
        for message in readings {
            let verified = try message.verify(with: signer.publicKey, policy: policy)
            #expect(verified.payload == payload)
            #expect(verified.algorithm == algorithm)
            #expect(try verified.header.keyID() == "1")
        }
    }

    @Test(arguments: JWSAlgorithm.macs)
    func macsVerify(algorithm: JWSAlgorithm) throws {
        let key = TestKeys.symmetric(64)
        let signed = try JWS.authenticate(payload, header: ["alg": .string(algorithm.rawValue)], hmacKey: key)
        let message = try JWS(compact: signed.compactSerialization())
        let policy = JWSVerificationPolicy(algorithms: [algorithm])
        #expect(try message.verify(hmacKey: key, policy: policy).payload == payload)
        #expect(try message.verify(with: JWK(symmetric: key), policy: policy).payload == payload)
        expectRefusal(.invalidSignature) {
            try message.verify(hmacKey: TestKeys.symmetric(65), policy: policy)
        }
    }

    @Test func signerNamesItsAlgorithm() async throws {
        let signed = try await JWS.sign(payload, header: ["typ": "x"], with: TestKeys.es256())
        #expect(signed.signatures.first?.protectedHeader.description == #"{"alg":"ES256","typ":"x"}"#)
    }

    @Test func signingInTwoStepsGivesTheSame() async throws {
        let key = try PrivateKey.generate(.ed25519, using: TestKeys.randomness)
        let header: JOSEHeader = ["alg": "EdDSA"]
        let unsigned = try JWS.Unsigned(payload: payload, header: header)
        let signature = try key.signature(for: unsigned.bytesToSign, algorithm: .ed25519)
        let completed = try unsigned.completed(with: signature).compactSerialization()
        let direct = try await JWS.sign(payload, header: header, with: SoftwareSigner(key)).compactSerialization()
        #expect(completed == direct)
    }

    @Test func detachedPayloadIsHandedInAgain() async throws {
        let signer = try TestKeys.es256()
        let signed = try await JWS.sign(payload, detached: true, with: signer)
        for message in [
            try JWS(compact: signed.compactSerialization()), try JWS(json: signed.flattenedSerialization()),
        ] {
            #expect(message.isDetached)
            let verified = try message.verify(with: signer.publicKey, policy: [.es256], detachedPayload: payload)
            #expect(verified.payload == payload)
            expectRefusal(.missingPayload) { try message.verify(with: signer.publicKey, policy: [.es256]) }
            expectRefusal(.invalidSignature) {
                try message.verify(with: signer.publicKey, policy: [.es256], detachedPayload: payload + [0])
            }
        }
    }

    @Test func attachedPayloadIsNotReplaced() async throws {
        let signer = try TestKeys.es256()
        let signed = try await JWS.sign(payload, with: signer)
        expectRefusal(.payloadNotDetached) {
            try signed.verify(with: signer.publicKey, policy: [.es256], detachedPayload: payload)
        }
    }

    @Test func emptyPayloadIsSomethingToSign() async throws {
        let signer = try TestKeys.es256()
        let text = try await JWS.sign([], with: signer).compactSerialization()
        #expect(try JWS(compact: text).verify(with: signer.publicKey, policy: [.es256]).payload == [])
    }

    @Test func severalSignaturesAreJudgedByTheCallersRule() async throws {
        let first = try TestKeys.es256()
        let second = try TestKeys.signer(for: .ed25519)
        let signed = try await JWS.sign(payload, header: ["alg": "ES256"], unprotectedHeader: ["kid": "a"], with: first)
            .addingSignature(header: ["alg": "EdDSA"], unprotectedHeader: ["kid": "b"], with: second)
        let message = try JWS(json: signed.generalSerialization())
        let policy: JWSVerificationPolicy = [.es256, .edDSA]
        let known = ["a": first.publicKey, "b": second.publicKey]

        let all = message.verify(policy: policy, requiring: .all, at: .distantPast) { signature throws(JOSEError) in
            try signature.header.keyID().flatMap { known[$0] }.map { .publicKey($0) }
        }
        #expect(all.verified?.payload == payload)

        func verify(_ rule: SignatureRule) -> Verification<VerifiedJWS> {
            message.verify(policy: policy, requiring: rule, at: .distantPast) { signature throws(JOSEError) in
                try signature.header.keyID() == "b" ? .publicKey(second.publicKey) : nil
            }
        }
        #expect(verify(.any).verified?.algorithm == .edDSA)
        #expect(verify(.signature(at: 1)).verified?.payload == payload)
        for rule in [SignatureRule.all, .signature(at: 0)] {
            #expect(verify(rule).refusal?.reason == .issuerKeyNotFound)
            #expect(verify(rule).refusal?.isUnavailable == true)
        }
        verify(.signature(at: 7)).expectRefusal(.notEnoughSignatures)
        expectRefusal(.notEnoughSignatures) { try message.verify(with: first.publicKey, policy: policy) }
        expectRefusal(.notSerializable) { try message.compactSerialization() }
        expectRefusal(.notSerializable) { try message.flattenedSerialization() }
    }

    @Test func receivedTextsAreWrittenAsReceived() throws {
        // The protected header has white space and an escape that an encoder of our own would not write.
        let header = Base64URL.encode(Array(#"{ "\u0061lg" :"HS256" }"#.utf8))
        let text = "\(header).\(Base64URL.encode(payload)).\(Base64URL.encode([UInt8](repeating: 1, count: 32)))"
        let message = try JWS(compact: text)
        #expect(try message.compactSerialization() == text)
        #expect(try JWS(json: message.generalSerialization()).compactSerialization() == text)
    }
}
