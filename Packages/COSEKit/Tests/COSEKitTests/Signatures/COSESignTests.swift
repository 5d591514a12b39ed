import CBORKit
import COSEKit
import CryptoCore
import Foundation
import TestSupport
import Testing

@Suite struct COSESignTests {
    private func signed() async throws -> (message: COSESign, signers: [SoftwareSigner]) {
        let signers = try [COSEAlgorithm.es256, .edDSA, .es512].map { try TestKeys.signer(for: $0) }
        let message = try await COSESign.sign(
            content,
            headers: COSEHeaders(protected: [.contentType: 0]),
            with: signers.enumerated().map { index, signer in
                (headers: COSEHeaders(unprotected: [.kid: .bytes([UInt8(index)])]), signer: signer)
            }
        )
        return (message, signers)
    }

    private let policy: COSEPolicy = [.es256, .edDSA, .es512]

    @Test func everySignatureVerifies() async throws {
        let (message, signers) = try await signed()
        let received = try COSESign(decoding: message.encoded())
        #expect(received.isTagged)
        #expect(received.signatures.count == 3)
        for (index, signer) in signers.enumerated() {
            let verified = try received.verify(signatureAt: index, with: signer.publicKey, policy: policy)
            #expect(Array(verified.payload) == content)
            #expect(try verified.signerHeaders?.keyID().map { Array($0) } == [UInt8(index)])
        }
        #expect(try COSESign(decoding: message.encoded(tagged: false)).encoded() == message.encoded())
    }

    @Test func theStructureHasTheFormOfSection44() async throws {
        let message = try await signed().message
        let expected = try bytes("85695369676e617475726543a1030043a101264054") + content
        #expect(try message.toBeSigned(signatureAt: 0) == expected)
    }

    @Test func theRuleDecidesHowManySignaturesAreNeeded() async throws {
        let (message, signers) = try await signed()
        let stranger = try PrivateKey.generate(.p521).publicKey
        func verify(_ rule: SignatureRule) -> Verification<COSEVerifiedPayload> {
            message.verify(policy: policy, requiring: rule, at: .distantPast) { signature throws(COSEError) in
                switch try signature.headers.keyID()?.first {
                case 0: nil
                case 1: signers[1].publicKey
                default: stranger
                }
            }
        }
        #expect(Array(try verify(.any).get().payload) == content)
        #expect(Array(try verify(.signature(at: 1)).get().payload) == content)
        verify(.all).expectRefusal("invalidSignature", at: "signature")
        verify(.signature(at: 0)).expectRefusal(.issuerKeyNotFound)
        verify(.signature(at: 2)).expectRefusal("invalidSignature")
        verify(.signature(at: 3)).expectRefusal(.notEnoughSignatures)
    }

    @Test func withoutAnyKeyNothingIsVerified() async throws {
        let message = try await signed().message
        for rule in [SignatureRule.any, .all] {
            let verification = message.verify(policy: policy, requiring: rule, at: .distantPast) {
                _ throws(COSEError) in
                nil
            }
            verification.expectRefusal(.issuerKeyNotFound)
            #expect(verification.refusal?.isUnavailable == true)
        }
    }

    @Test func theErrorNamesTheSignature() async throws {
        let message = try await signed().message
        let error = try #require(throws: COSEError.self) {
            try message.verify(signatureAt: 2, with: TestKeys.p256.get().publicKey, policy: [.es512])
        }
        #expect(error.path == ["COSE_Sign", "signatures[2]", "signature"])
        expectRefusal(.notEnoughSignatures, at: "signatures[3]") {
            try message.verify(signatureAt: 3, with: TestKeys.p256.get().publicKey, policy: policy)
        }
    }

    @Test func twoStepsGiveAMessageThatVerifies() async throws {
        let keys = try [PrivateKey.generate(.p256), PrivateKey.generate(.ed25519)]
        let unsigned = try COSESign.Unsigned(
            payload: content,
            detached: true,
            signers: [COSEHeaders(protected: [.alg: -7]), COSEHeaders(protected: [.alg: -8])]
        )
        let signatures = [
            try keys[0].signature(for: unsigned.bytesToSign[0], algorithm: .ecdsaSHA256),
            try keys[1].signature(for: unsigned.bytesToSign[1], algorithm: .ed25519),
        ]
        let message = try unsigned.completed(with: signatures)
        for (index, key) in keys.enumerated() {
            let verified = try message.verify(
                signatureAt: index,
                with: key.publicKey,
                policy: policy,
                detachedPayload: content
            )
            #expect(Array(verified.payload) == content)
        }
        expectRefusal(.notEnoughSignatures) { try unsigned.completed(with: [signatures[0]]) }
        expectRefusal(.invalidSignature) { try unsigned.completed(with: [signatures[0], [1]]) }
    }

    @Test func thereMustBeASigner() throws {
        expectRefusal(.notEnoughSignatures, at: "signatures") { try COSESign.Unsigned(payload: content, signers: []) }
        expectRefusal(.wrongElementCount, at: "signatures") { try COSESign(decoding: bytes("84 40 a0 40 80")) }
    }

    @Test func theNumberOfSignaturesIsLimited() async throws {
        let message = try await signed().message.encoded()
        #expect(try COSESign(decoding: message, options: COSEReadingOptions(signatures: 3)).signatures.count == 3)
        expectRefusal(.limitExceeded, at: "signatures") {
            try COSESign(decoding: message, options: COSEReadingOptions(signatures: 2))
        }
    }

    @Test func aBrokenSignatureIsNamedWithItsPlace() throws {
        expectRefusal(.wrongElementCount, at: "signatures[1]") {
            try COSESign(decoding: bytes("84 40 a0 40 82 8340a040 8240a0"))
        }
    }
}
