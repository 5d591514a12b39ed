import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct SigningTests {
    /// A signer that cannot.
    private struct BrokenSigner: Signer {
        struct Failure: Error {}

        let publicKey: PublicKey
        let algorithm = SignatureAlgorithm.ecdsaSHA256

        func signature(for message: [UInt8]) async throws -> [UInt8] { throw Failure() }
    }

    @Test func twoStepsGiveAMessageThatVerifies() async throws {
        let key = try TestKeys.p256.get()
        let headers = COSEHeaders(protected: [.alg: -7], unprotected: [.kid: .bytes([1, 2])])
        let unsigned = try COSESign1.Unsigned(payload: content, detached: true, headers: headers, externalAAD: [9])
        #expect(unsigned.algorithm == .es256)
        let signature = try key.signature(for: unsigned.bytesToSign, algorithm: .ecdsaSHA256)
        let message = try unsigned.completed(with: signature)
        let verified = try message.verify(
            with: key.publicKey,
            policy: [.es256],
            detachedPayload: content,
            externalAAD: [9]
        )
        #expect(Array(verified.payload) == content)
        #expect(try verified.headers.keyID().map { Array($0) } == [1, 2])
    }

    @Test func theHeadersMustNameASignatureAlgorithm() throws {
        expectRefusal(.missingAlgorithm) { try COSESign1.Unsigned(payload: content, headers: COSEHeaders()) }
        expectRefusal(.unsuitableAlgorithm) {
            try COSESign1.Unsigned(payload: content, headers: COSEHeaders(protected: [.alg: 5]))
        }
        expectRefusal(.unsupportedAlgorithm) {
            try COSESign1.Unsigned(payload: content, headers: COSEHeaders(protected: [.alg: -46]))
        }
    }

    @Test func headersThatAReceiverWouldRefuseAreNotSigned() throws {
        let broken: [(COSEError.Code, COSEHeaders)] = [
            (.duplicateLabel, COSEHeaders(protected: [.alg: -7], unprotected: [.alg: -7])),
            (
                .conflictingIV,
                COSEHeaders(protected: [.alg: -7, .iv: .bytes([1])], unprotected: [.partialIV: .bytes([1])])
            ),
            (.invalidCritical, COSEHeaders(protected: [.alg: -7, .crit: .array([99])])),
            (.invalidCritical, COSEHeaders(protected: [.alg: -7], unprotected: [.crit: .array([1])])),
        ]
        for (code, headers) in broken {
            expectRefusal(code) { try COSESign1.Unsigned(payload: content, headers: headers) }
        }
    }

    @Test func theHeadersAndTheSignerMustAgree() async throws {
        let signer = try TestKeys.signer(for: .es256)
        for (code, algorithm) in [(COSEError.Code.keyMismatch, -35), (.keyMismatch, -51), (.unsuitableAlgorithm, 5)] {
            let headers = COSEHeaders(protected: [.alg: .integer(algorithm)])
            await expectRefusal(code) { try await COSESign1.sign(content, headers: headers, with: signer) }
        }
    }

    @Test func theFailureOfASignerIsTheCause() async throws {
        let signer = BrokenSigner(publicKey: try TestKeys.p256.get().publicKey)
        let error = try await #require(throws: COSEError.self) { try await COSESign1.sign(content, with: signer) }
        #expect(error.code == .operationFailed)
        #expect(error.cause is BrokenSigner.Failure)
    }

    @Test func signaturesOfImpossibleLengthAreRefused() throws {
        for (algorithm, lengths) in [(-7, [0, 63, 65, 72]), (-9, [96]), (-8, [63]), (-19, [114]), (-37, [64])] {
            let headers = COSEHeaders(protected: [.alg: .integer(algorithm)])
            let unsigned = try COSESign1.Unsigned(payload: content, headers: headers)
            for length in lengths {
                expectRefusal(.invalidSignature, at: "signature") {
                    try unsigned.completed(with: [UInt8](repeating: 1, count: length))
                }
            }
        }
    }

    @Test func protectedHeadersAreWrittenDeterministically() throws {
        let headers = COSEHeaders(protected: ["z": 1, .x5chain: .bytes([1]), -1: 0, .alg: -7, 100: 0])
        #expect(headers.protectedBytes.hex == "a50126182141011864002000617a01")
    }
}
