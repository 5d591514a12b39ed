import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct AlgorithmPolicyTests {
    /// `[ protected, unprotected, payload, signature ]` with given buckets and a signature of zeros.
    private func message(protected: String, unprotected: String = "a0") throws -> COSESign1 {
        let bucket = try bytes(protected)
        let signature = [UInt8](repeating: 0, count: 64)
        return try COSESign1(
            decoding: [0x84, 0x40 | UInt8(bucket.count)] + bucket + bytes(unprotected) + [0x41, 0x00, 0x58, 0x40]
                + signature
        )
    }

    private func key() throws -> PublicKey { try TestKeys.p256.get().publicKey }

    @Test func anAlgorithmOffTheListIsRefused() throws {
        let message = try message(protected: "a10126")
        expectRefusal(.algorithmNotAllowed, at: "alg") { try message.verify(with: key(), policy: []) }
        expectRefusal(.algorithmNotAllowed, at: "alg") { try message.verify(with: key(), policy: [.esp256, .es384]) }
    }

    @Test func theSignOfTheIdentifierMatters() throws {
        let plusSix = try message(protected: "a10106")
        expectRefusal(.unsuitableAlgorithm, at: "alg") {
            try plusSix.verify(with: key(), policy: [.es256, .hmac384_384])
        }
        expectRefusal(.algorithmNotAllowed, at: "alg") { try plusSix.verify(with: key(), policy: [.es256]) }
    }

    @Test func noAlgorithmAtAllIsRefused() throws {
        let message = try message(protected: "")
        expectRefusal(.missingAlgorithm, at: "alg") { try message.verify(with: key(), policy: [.es256]) }
    }

    @Test func aTextIdentifierIsRefused() throws {
        let message = try message(protected: "a101654553323536")
        expectRefusal(.unsupportedAlgorithm, at: "alg") { try message.verify(with: key(), policy: [.es256]) }
    }

    @Test func anAlgorithmOfAnotherTypeIsRefused() throws {
        let message = try message(protected: "a101f5")
        expectRefusal(.invalidHeader, at: "alg") { try message.verify(with: key(), policy: [.es256]) }
    }

    @Test func anUnprotectedAlgorithmIsRefusedUnlessTolerated() throws {
        let message = try message(protected: "", unprotected: "a10126")
        expectRefusal(.algorithmNotProtected, at: "alg") { try message.verify(with: key(), policy: [.es256]) }
        let policy = COSEPolicy(algorithms: [.es256], allowsUnprotectedAlgorithm: true)
        expectRefusal(.invalidSignature) { try message.verify(with: key(), policy: policy) }
    }

    @Test func hashBasedSignaturesAreRefusedByName() throws {
        let message = try message(protected: "a101382d")
        let error = try #require(throws: COSEError.self) {
            try message.verify(with: key(), policy: COSEPolicy(algorithms: [COSEAlgorithm(rawValue: -46)]))
        }
        #expect(error.code == .unsupportedAlgorithm)
        #expect(error.message.contains("HSS-LMS"))
    }

    @Test func aSHA1SignatureNeedsItsNameOnTheList() async throws {
        let key = try TestKeys.rsa.get()
        let headers = COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.Insecure.rs1.rawValue)])
        let unsigned = try COSESign1.Unsigned(payload: content, headers: headers)
        let signature = try key.signature(
            for: unsigned.bytesToSign,
            algorithm: SignatureAlgorithm.Insecure.rsaPKCS1SHA1
        )
        let message = try unsigned.completed(with: signature)
        expectRefusal(.algorithmNotAllowed) { try message.verify(with: key.publicKey, policy: [.rs256]) }
        _ = try message.verify(with: key.publicKey, policy: [COSEAlgorithm.Insecure.rs1])
    }

    @Test func everyKnownIdentifierHasANameAndNoOther() {
        for algorithm in (-300...300).map({ COSEAlgorithm(rawValue: $0) }) where algorithm.isSupported {
            #expect(algorithm.name != nil)
            #expect(algorithm.description.hasSuffix("(\(algorithm.rawValue))"))
        }
        #expect(COSEAlgorithm(rawValue: -999).name == nil)
        #expect(COSEAlgorithm(rawValue: -999).description == "algorithm -999")
        #expect(!COSEAlgorithm(rawValue: -46).isSupported)
    }

    @Test func namesAreUnique() {
        let names = (-65535...300).compactMap { COSEAlgorithm(rawValue: $0).name }
        #expect(Set(names).count == names.count)
    }
}
