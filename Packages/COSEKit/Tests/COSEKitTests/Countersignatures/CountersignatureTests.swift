import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite struct CountersignatureTests {
    private let macHeaders = COSEHeaders(protected: [.alg: 5])
    private let encryptHeaders = COSEHeaders(protected: [.alg: 1])
    private let key = TestKeys.symmetric(32)

    private func sign1() async throws -> COSESign1 {
        try await COSESign1.sign(content, with: TestKeys.signer(for: .es256))
    }

    private func mac() async throws -> COSEMac {
        try await COSEMac.authenticate(content, headers: macHeaders, for: [.direct(key)])
    }

    private func encrypt() async throws -> COSEEncrypt {
        try await COSEEncrypt.encrypt(content, headers: encryptHeaders, for: [.direct(TestKeys.symmetric(16))])
    }

    /// Countersigns twice and abbreviated, and verifies all of it.
    private func expectLaw<Target: COSECountersignable>(
        for target: Target,
        context: String,
        damaged: Target? = nil
    ) async throws {
        let (first, second) = (try TestKeys.signer(for: .edDSA), try TestKeys.signer(for: .esp384))
        let headers = COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.esp384.rawValue)])
        let once = try await target.countersigned(by: first, externalAAD: [1])
        let twice = try await once.countersigned(by: second, headers: headers, externalAAD: [1])
        let all = try await twice.countersignedAbbreviated(by: first, externalAAD: [1])

        let found = try all.countersignatures()
        #expect(found.count == 2)
        for (countersignature, signer) in zip(found, [first, second]) {
            #expect(countersignature.form == .version2)
            let policy: COSEPolicy = [.edDSA, .esp384]
            let verified = try all.verify(countersignature, with: signer.publicKey, policy: policy, externalAAD: [1])
            #expect(verified.headers != nil)
            expectRefusal(.invalidSignature) {
                try all.verify(countersignature, with: signer.publicKey, policy: policy)
            }
            expectRefusal(.algorithmNotAllowed) {
                try all.verify(countersignature, with: signer.publicKey, policy: [.es256], externalAAD: [1])
            }
        }
        _ = try all.verifyAbbreviatedCountersignature(with: first.publicKey, algorithm: .edDSA, externalAAD: [1])
        expectRefusal(.invalidSignature) {
            try all.verifyAbbreviatedCountersignature(with: first.publicKey, algorithm: .edDSA)
        }
        expectRefusal(.keyMismatch) {
            try all.verifyAbbreviatedCountersignature(with: first.publicKey, algorithm: .es256, externalAAD: [1])
        }
        let structure = try CBORDocument(target.toBeCountersigned(signer: headers)).root.array()
        #expect(try structure.element(at: 0).text() == context)
        #expect(structure.count == (context.hasSuffix("V2") ? 6 : 5))
    }

    @Test func everyStructureCanBeCountersigned() async throws {
        try await expectLaw(for: sign1(), context: "CounterSignatureV2")
        let sign = try await COSESign.sign(content, with: [(COSEHeaders(), TestKeys.signer(for: .es256))])
        try await expectLaw(for: sign, context: "CounterSignature")
        try await expectLaw(for: try #require(sign.signatures.first), context: "CounterSignature")
        let mac0 = try COSEMac0.authenticate(content, headers: macHeaders, with: key)
        try await expectLaw(for: mac0, context: "CounterSignatureV2")
        try await expectLaw(for: mac(), context: "CounterSignatureV2")
        let encrypt0 = try COSEEncrypt0.encrypt(content, headers: encryptHeaders, with: TestKeys.symmetric(16))
        try await expectLaw(for: encrypt0, context: "CounterSignature")
        try await expectLaw(for: encrypt(), context: "CounterSignature")
        try await expectLaw(for: try #require(try await mac().recipients.first), context: "CounterSignature")
    }

    @Test func aCountersignatureCanBeCountersigned() async throws {
        let message = try await sign1().countersigned(by: TestKeys.signer(for: .edDSA))
        try await expectLaw(for: try #require(message.countersignatures().first), context: "CounterSignature")
    }

    @Test func countersigningKeepsTheMessageVerifiable() async throws {
        let signer = try TestKeys.signer(for: .es256)
        let message = try await COSESign1.sign(content, with: signer)
            .countersigned(by: TestKeys.signer(for: .edDSA))
        let received = try COSESign1(decoding: message.encoded())
        #expect(Array(try received.verify(with: signer.publicKey, policy: [.es256]).payload) == content)
        #expect(try received.countersignatures().count == 1)

        let mac = try await mac().countersigned(by: TestKeys.signer(for: .edDSA))
        _ = try await COSEMac(decoding: mac.encoded()).verify(with: .symmetric(key), policy: [.hmac256_256, .direct])
    }

    @Test func aCountersignedSignatureGoesBackIntoItsMessage() async throws {
        let signer = try TestKeys.signer(for: .es256)
        let message = try await COSESign.sign(content, with: [(COSEHeaders(), signer)])
        let countersigner = try TestKeys.signer(for: .edDSA)
        let signature = try await #require(message.signatures.first).countersigned(by: countersigner)
        let received = try COSESign(decoding: message.replacing(signatureAt: 0, with: signature).encoded())
        _ = try received.verify(signatureAt: 0, with: signer.publicKey, policy: [.es256])
        let target = try #require(received.signatures.first)
        let countersignature = try #require(target.countersignatures().first)
        _ = try target.verify(countersignature, with: countersigner.publicKey, policy: [.edDSA])
        #expect(received.replacing(signatureAt: 5, with: signature).signatures.count == 1)
    }

    @Test func theSignatureOfTheTargetIsCovered() async throws {
        let countersigner = try TestKeys.signer(for: .edDSA)
        let message = try await sign1().countersigned(by: countersigner)
        let other = try await sign1()
        let countersignature = try #require(message.countersignatures().first)
        // ECDSA is randomised: the same payload and key give another signature.
        #expect(other.signature != message.signature)
        expectRefusal(.invalidSignature) {
            try other.verify(countersignature, with: countersigner.publicKey, policy: [.edDSA])
        }
    }

    @Test func aDetachedContentIsHandedIn() async throws {
        let countersigner = try TestKeys.signer(for: .edDSA)
        let message = try await COSESign1.sign(content, detached: true, with: TestKeys.signer(for: .es256))
        let countersigned = try await message.countersigned(by: countersigner, detachedContent: content)
        let countersignature = try #require(countersigned.countersignatures().first)
        let key = countersigner.publicKey
        _ = try countersigned.verify(countersignature, with: key, policy: [.edDSA], detachedContent: content)
        expectRefusal(.missingContent, at: "content") {
            try countersigned.verify(countersignature, with: key, policy: [.edDSA])
        }
    }

    @Test func aRecipientWithoutAKeyStaysWithoutOne() throws {
        // COSE_Encrypt with a recipient [h'', {1: -6}, null].
        let bytes: [UInt8] = [0xd8, 0x60, 0x84, 0x40, 0xa0, 0x41, 0, 0x81, 0x83, 0x40, 0xa1, 1, 0x25, 0xf6]
        let recipient = try #require(COSEEncrypt(decoding: bytes).recipients.first)
        #expect(recipient.ciphertext == nil)
        #expect(recipient.replacing(unprotected: [.alg: -6]).ciphertext == nil)
    }

    @Test func theFormOfRFC8152IsReadOnlyWhenAskedFor() async throws {
        let message = try await sign1()
        let key = try PrivateKey.generate(.ed25519)
        let headers = COSEHeaders(protected: [.alg: -8])
        let structure = try message.toBeCountersigned(.rfc8152, signer: headers)
        let context = try CBORDocument(structure).root.array()
        #expect(try context.element(at: 0).text() == "CounterSignature")
        #expect(context.count == 5)
        let signature = try key.signature(for: structure, algorithm: .ed25519)
        var unprotected = COSEHeaderMap()
        unprotected[.counterSignature] = .array([.bytes(Array(headers.protectedBytes)), [:], .bytes(signature)])
        let old = try COSESign1(decoding: message.replacing(unprotected: unprotected).encoded())
        #expect(try old.countersignatures().isEmpty)
        let countersignature = try #require(old.countersignatures(.rfc8152).first)
        #expect(countersignature.form == .rfc8152)
        _ = try old.verify(countersignature, with: key.publicKey, policy: [.edDSA])
    }

    @Test func theAbbreviatedFormOfRFC8152IsVerifiedOnlyWhenAskedFor() async throws {
        let message = try await sign1()
        let key = try PrivateKey.generate(.ed25519)
        let signature = try key.signature(
            for: message.toBeCountersigned(.rfc8152, signer: nil),
            algorithm: .ed25519
        )
        let old = message.replacing(unprotected: [.counterSignature0: .bytes(signature)])
        _ = try old.verifyAbbreviatedCountersignature(.rfc8152, with: key.publicKey, algorithm: .edDSA)
        expectRefusal(.missingCountersignature) {
            try old.verifyAbbreviatedCountersignature(with: key.publicKey, algorithm: .edDSA)
        }
    }

    @Test func aCountersignatureStandsByItselfUnderTag19() async throws {
        let message = try await sign1()
        let key = try PrivateKey.generate(.ed25519)
        let unsigned = try message.unsignedCountersignature(headers: COSEHeaders(protected: [.alg: -8]))
        let signature = try key.signature(for: unsigned.bytesToSign, algorithm: .ed25519)
        let countersignature = try unsigned.completed(with: signature)
        #expect(countersignature.encoded().first == 0xd3)
        for tagged in [true, false] {
            let received = try COSECountersignature(decoding: countersignature.encoded(tagged: tagged))
            _ = try message.verify(received, with: key.publicKey, policy: [.edDSA])
            #expect(received.encoded(tagged: tagged) == countersignature.encoded(tagged: tagged))
        }
        expectRefusal(.wrongTag) {
            try COSECountersignature(decoding: [0xd2] + countersignature.encoded(tagged: false))
        }
        expectRefusal(.invalidSignature) { try unsigned.completed(with: [1]) }
        expectRefusal(.missingAlgorithm) { try message.unsignedCountersignature(headers: COSEHeaders()) }
    }

    @Test func brokenParametersAreRefused() throws {
        func message(_ unprotected: String) throws -> COSESign1 {
            try COSESign1(decoding: bytes("8440 \(unprotected) 4040"))
        }
        expectRefusal(.invalidHeader) { try message("a10b00").countersignatures() }
        expectRefusal(.wrongElementCount) { try message("a10b80").countersignatures() }
        expectRefusal(.wrongElementCount, at: "countersignatures[1]") {
            try message("a10b82 8340a040 8240a0").countersignatures()
        }
        expectRefusal(.limitExceeded) {
            try message("a10b82 8340a040 8340a040").countersignatures(options: COSEReadingOptions(signatures: 1))
        }
        expectRefusal(.invalidHeader) { try message("a10c00").abbreviatedCountersignature() }
        #expect(try message("a0").countersignatures().isEmpty)
        #expect(try message("a0").abbreviatedCountersignature() == nil)
    }
}
