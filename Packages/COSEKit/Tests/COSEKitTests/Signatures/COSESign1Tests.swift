import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct COSESign1Tests {
    private func signed(
        _ algorithm: COSEAlgorithm = .es256,
        detached: Bool = false,
        headers: COSEHeaders = COSEHeaders(),
        externalAAD: [UInt8] = []
    ) async throws -> (message: COSESign1, key: PublicKey) {
        let signer = try TestKeys.signer(for: algorithm)
        let message = try await COSESign1.sign(
            content,
            detached: detached,
            headers: headers,
            externalAAD: externalAAD,
            with: signer
        )
        return (message, signer.publicKey)
    }

    @Test(arguments: COSEAlgorithm.signatures)
    func whatIsSignedVerifies(algorithm: COSEAlgorithm) async throws {
        let signer = try TestKeys.signer(for: algorithm)
        let headers = COSEHeaders(protected: [.alg: .integer(algorithm.rawValue)])
        let message = try await COSESign1.sign(content, headers: headers, externalAAD: [1, 2], with: signer)
        let received = try COSESign1(decoding: message.encoded())
        let verified = try received.verify(
            with: signer.publicKey,
            policy: COSEPolicy(algorithms: [algorithm]),
            externalAAD: [1, 2]
        )
        #expect(Array(verified.payload) == content)
        #expect(verified.algorithm == algorithm)
        expectRefusal(.invalidSignature, at: "signature") {
            try received.verify(with: signer.publicKey, policy: COSEPolicy(algorithms: [algorithm]))
        }
    }

    @Test(
        arguments: [COSEAlgorithm.es256, .es384, .es512, .edDSA, .ps256, .rs384]
            + (EngineCoverage.isWhole ? [.es256K] : [])
    )
    func theAlgorithmOfTheSignerGoesIntoTheProtectedBucket(algorithm: COSEAlgorithm) async throws {
        let (message, _) = try await signed(algorithm)
        #expect(try message.headers.protected.algorithm() == algorithm)
        #expect(try message.headers.unprotected.algorithm() == nil)
    }

    @Test func aTagIsWrittenAndReadAndMayBeMissing() async throws {
        let (message, key) = try await signed()
        let (tagged, untagged) = (message.encoded(tagged: true), message.encoded(tagged: false))
        #expect(tagged == [0xd2] + untagged)
        #expect(try COSESign1(decoding: tagged).isTagged)
        #expect(try !COSESign1(decoding: untagged).isTagged)
        #expect(try COSESign1(decoding: untagged).encoded(tagged: true) == tagged)
        _ = try COSESign1(decoding: untagged).verify(with: key, policy: [.es256])
    }

    @Test func anotherTagIsRefused() async throws {
        let bytes = try await signed().message.encoded(tagged: false)
        for tag: [UInt8] in [[0xd1], [0xd8, 0x62], [0xd8, 0x3d], [0xd9, 0xd9, 0xf7], [0xd2, 0xd2]] {
            expectRefusal(.wrongTag) { try COSESign1(decoding: tag + bytes) }
        }
    }

    @Test func aDetachedPayloadIsHandedIn() async throws {
        let (message, key) = try await signed(detached: true)
        #expect(message.unverifiedPayload == nil)
        let verified = try message.verify(with: key, policy: [.es256], detachedPayload: content)
        #expect(Array(verified.payload) == content)
        expectRefusal(.missingContent, at: "payload") { try message.verify(with: key, policy: [.es256]) }
        expectRefusal(.invalidSignature) {
            try message.verify(with: key, policy: [.es256], detachedPayload: content + [0])
        }
    }

    @Test func anAttachedPayloadIsNotHandedIn() async throws {
        let (message, key) = try await signed()
        expectRefusal(.contentNotDetached, at: "payload") {
            try message.verify(with: key, policy: [.es256], detachedPayload: content)
        }
    }

    @Test func anEmptyPayloadIsNotADetachedOne() async throws {
        let signer = try TestKeys.signer(for: .es256)
        let message = try await COSESign1.sign([], with: signer)
        #expect(message.unverifiedPayload == [])
        #expect(try message.verify(with: signer.publicKey, policy: [.es256]).payload.isEmpty)
        expectRefusal(.contentNotDetached) {
            try message.verify(with: signer.publicKey, policy: [.es256], detachedPayload: [])
        }
    }

    @Test func theStructureHasTheFormOfSection44() async throws {
        let (message, _) = try await signed(headers: COSEHeaders(unprotected: [.kid: .bytes([1])]))
        let expected = try bytes("846a5369676e61747572653143a10126420a0b54") + content
        #expect(try message.toBeSigned(externalAAD: [0x0a, 0x0b]) == expected)
    }

    @Test func anEncodedEmptyMapCountsAsNoProtectedHeaders() throws {
        let signer = try TestKeys.signer(for: .es256)
        let headers = COSEHeaders(unprotected: [.alg: -7])
        let unsigned = try COSESign1.Unsigned(payload: content, headers: headers)
        let message = try unsigned.completed(with: signer.signature(for: unsigned.bytesToSign))
        var encoded = message.encoded(tagged: false)
        #expect(encoded[1] == 0x40)
        encoded.replaceSubrange(1...1, with: [0x41, 0xa0])
        let received = try COSESign1(decoding: encoded)
        #expect(Array(received.headers.protectedBytes) == [0xa0])
        var policy: COSEPolicy = [.es256]
        policy.allowsUnprotectedAlgorithm = true
        #expect(Array(try received.verify(with: signer.publicKey, policy: policy).payload) == content)
    }

    @Test func theBytesOfTheProtectedBucketAreVerifiedAsReceived() throws {
        // {1: -7} as a map of indefinite length, whose re-encoding would be another.
        let signer = try TestKeys.signer(for: .es256)
        let protected: [UInt8] = [0xbf, 0x01, 0x26, 0xff]
        var structure = CBORWriter()
        structure.beginArray(count: 4)
        structure.write(text: "Signature1")
        for field in [protected, [], content] { structure.write(bytes: field) }
        let signature = try signer.signature(for: structure.finish())
        var message = CBORWriter()
        message.beginArray(count: 4)
        message.write(bytes: protected)
        message.beginMap(count: 0)
        message.write(bytes: content)
        message.write(bytes: signature)
        let received = try COSESign1(decoding: message.finish())
        #expect(Array(try received.verify(with: signer.publicKey, policy: [.es256]).payload) == content)
    }

    @Test func aPayloadInChunksIsJoined() async throws {
        let (message, key) = try await signed()
        let whole: [UInt8] = [0x54] + content
        let chunks: [UInt8] = [0x5f, 0x44] + content[..<4] + [0x50] + content[4...] + [0xff]
        var encoded = message.encoded()
        let start = try #require(encoded.indices.first { encoded[$0...].starts(with: whole) })
        encoded.replaceSubrange(start..<(start + whole.count), with: chunks)
        #expect(Array(try COSESign1(decoding: encoded).verify(with: key, policy: [.es256]).payload) == content)
    }

    @Test func theArrayHasExactlyFourElements() async throws {
        let encoded = try await signed().message.encoded(tagged: false)
        expectRefusal(.wrongElementCount) { try COSESign1(decoding: [0x85] + encoded.dropFirst() + [0x00]) }
        expectRefusal(.wrongElementCount) { try COSESign1(decoding: bytes("83 43a10126 a0 40")) }
        expectRefusal(.malformed) { try COSESign1(decoding: bytes("a0")) }
        expectRefusal(.malformed) { try COSESign1(decoding: encoded + [0x00]) }
    }

    @Test func fieldsHaveTheirTypes() throws {
        expectRefusal(.malformed, at: "protected") { try COSESign1(decoding: bytes("84 a10126 a0 40 40")) }
        expectRefusal(.malformed, at: "header_map") { try COSESign1(decoding: bytes("84 43a10126 80 40 40")) }
        expectRefusal(.malformed, at: "header_map") { try COSESign1(decoding: bytes("84 4100 a0 40 40")) }
        expectRefusal(.malformed, at: "protected") { try COSESign1(decoding: bytes("84 44a1012600 a0 40 40")) }
        expectRefusal(.malformed, at: "payload") { try COSESign1(decoding: bytes("84 43a10126 a0 60 40")) }
        expectRefusal(.malformed, at: "signature") { try COSESign1(decoding: bytes("84 43a10126 a0 40 f6")) }
    }

    @Test func theErrorNamesStructureAndField() throws {
        let error = try #require(throws: COSEError.self) { try COSESign1(decoding: bytes("84 43a10126 a0 60 40")) }
        #expect(error.path == ["COSE_Sign1", "payload"])
        #expect(error.cause is CBORError)
        #expect(error.description.hasPrefix("malformed in COSE_Sign1.payload: "))
    }

    @Test(EngineCoverage.demanded) func keysOfAnotherKindOrCurveAreRefused() async throws {
        let (message, _) = try await signed(headers: COSEHeaders(protected: [.alg: -9]))
        for algorithm in [COSEAlgorithm.es384, .es256K, .esb256, .edDSA, .ps256] {
            let key = try TestKeys.key(for: algorithm).publicKey
            expectRefusal(.keyMismatch, at: "alg") { try message.verify(with: key, policy: [.esp256]) }
        }
        let es256 = try await signed().message
        let secp256k1 = try TestKeys.key(for: .es256K).publicKey
        expectRefusal(.keyMismatch, at: "alg") { try es256.verify(with: secp256k1, policy: [.es256]) }
    }

    @Test func anotherKeyDoesNotVerify() async throws {
        let message = try await signed().message
        let other = try PrivateKey.generate(.p256).publicKey
        expectRefusal(.invalidSignature, at: "signature") { try message.verify(with: other, policy: [.es256]) }
    }

    @Test func aSignatureInDERIsRefused() async throws {
        let (message, key) = try await signed()
        let der = try ECDSASignature(rawRepresentation: message.signature, curve: .p256).derRepresentation
        var encoded = CBORWriter()
        encoded.beginArray(count: 4)
        encoded.write(bytes: [0xa1, 0x01, 0x26])
        encoded.beginMap(count: 0)
        encoded.write(bytes: content)
        encoded.write(bytes: der)
        let received = try COSESign1(decoding: encoded.finish())
        expectRefusal(.invalidSignature) { try received.verify(with: key, policy: [.es256]) }
        let unsigned = try COSESign1.Unsigned(payload: content, headers: COSEHeaders(protected: [.alg: -7]))
        expectRefusal(.invalidSignature) { try unsigned.completed(with: der) }
    }
}
