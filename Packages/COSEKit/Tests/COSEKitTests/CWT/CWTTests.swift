import CBORKit
import COSEKit
import CryptoCore
import Foundation
import TestSupport
import Testing

@Suite struct CWTTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func claims() -> CWTClaims {
        CWTClaims(
            issuer: "issuer",
            subject: "subject",
            audience: ["audience"],
            expirationTime: now.addingTimeInterval(60),
            notBefore: now.addingTimeInterval(-60),
            issuedAt: now.addingTimeInterval(-60),
            id: [1]
        )
    }

    private var anyAudience: CWTClaimsPolicy { CWTClaimsPolicy(audience: .any) }

    @Test func everyMessageCarriesAToken() async throws {
        let payload = claims().encoded()
        let signer = try TestKeys.signer(for: .es256)
        let (mac, aead) = (TestKeys.symmetric(32), TestKeys.symmetric(16))
        let macHeaders = COSEHeaders(protected: [.alg: 5])
        let encryptHeaders = COSEHeaders(protected: [.alg: 1])
        let tokens: [(COSETaggedMessage, CWTKey)] = [
            (.sign1(try await COSESign1.sign(payload, with: signer)), .signature(signer.publicKey)),
            (.sign(try await COSESign.sign(payload, with: [(COSEHeaders(), signer)])), .signature(signer.publicKey)),
            (.mac0(try COSEMac0.authenticate(payload, headers: macHeaders, with: mac)), .symmetric(mac)),
            (
                .mac(try await COSEMac.authenticate(payload, headers: macHeaders, for: [.direct(mac)])),
                .recipient(.symmetric(mac))
            ),
            (.encrypt0(try COSEEncrypt0.encrypt(payload, headers: encryptHeaders, with: aead)), .symmetric(aead)),
            (
                .encrypt(try await COSEEncrypt.encrypt(payload, headers: encryptHeaders, for: [.direct(aead)])),
                .recipient(.symmetric(aead))
            ),
        ]
        let policy: COSEPolicy = [.es256, .hmac256_256, .a128GCM, .direct]
        for (message, key) in tokens {
            for tagged in [true, false] {
                let token = try CWT(decoding: CWT(message).encoded(tagged: tagged))
                #expect(token.message.messageType == message.messageType)
                let verified = try await token.verify(policy: policy, claims: anyAudience, at: now) { _ in key }.get()
                #expect(try verified.claims.subject() == "subject")
            }
        }
        let wrongKey = CWTKey.symmetric(mac)
        await CWT(tokens[0].0).verify(policy: policy, claims: anyAudience, at: now) { _ in wrongKey }
            .expectRefusal("keyMismatch")
    }

    /// The key of a confirmation claim keeps its restrictions for every use.
    @Test func restrictionsOfACOSEKeyAreKept() async throws {
        let payload = claims().encoded()
        let signer = try TestKeys.signer(for: .es256)
        let mac = TestKeys.symmetric(32)
        let point = try #require(signer.publicKey.x.flatMap { x in signer.publicKey.y.map { (x, $0) } })
        let publicKey: CBOR = [1: 2, -1: 1, -2: .bytes(point.0), -3: .bytes(point.1)]
        let sharedKey: CBOR = [1: 4, -1: .bytes(mac.withUnsafeBytes { [UInt8]($0) })]
        let tokens: [(COSETaggedMessage, CBOR, algorithm: Int, operation: Int)] = [
            (.sign1(try await COSESign1.sign(payload, with: signer)), publicKey, -7, 2),
            (.sign(try await COSESign.sign(payload, with: [(COSEHeaders(), signer)])), publicKey, -7, 2),
            (
                .mac0(try COSEMac0.authenticate(payload, headers: COSEHeaders(protected: [.alg: 5]), with: mac)),
                sharedKey, 5, 10
            ),
        ]
        let policy: COSEPolicy = [.es256, .hmac256_256]
        for (message, key, algorithm, operation) in tokens {
            let token = CWT(message)
            for (label, value, isTaken) in [
                (3, .integer(algorithm), true), (3, -35, false), (4, [.integer(operation)], true), (4, [5], false),
            ] as [(CBOR, CBOR, Bool)] {
                var members = try #require(key.mapValue)
                members[label] = value
                let own = CWTKey.coseKey(try COSEKey(decoding: CBOR.map(members).encoded()))
                let verification = await token.verify(policy: policy, claims: anyAudience, at: now) { _ in own }
                if isTaken {
                    #expect(try verification.get().claims.subject() == "subject")
                } else {
                    verification.expectRefusal("keyRestricted")
                }
            }
        }
    }

    @Test func aTokenNeedsTheTagOfItsMessage() async throws {
        let message = try await COSESign1.sign(claims().encoded(), with: TestKeys.signer(for: .es256))
        expectRefusal(.wrongTag) { try CWT(decoding: message.encoded(tagged: false)) }
        expectRefusal(.wrongTag) { try CWT(decoding: [0xd8, 0x3d] + message.encoded(tagged: false)) }
        expectRefusal(.wrongTag) { try CWT(decoding: [0xd8, 0x3d, 0xd8, 0x3d] + message.encoded()) }
        expectRefusal(.malformed) { try CWT(decoding: []) }
    }

    @Test func claimsInTheHeaderMustAgreeWithThePayload() async throws {
        let signer = try TestKeys.signer(for: .es256)
        let key = CWTKey.signature(signer.publicKey)
        func verify(_ header: CBOR) async throws -> Verification<VerifiedCWT> {
            let headers = COSEHeaders(protected: [.cwtClaims: header])
            let message = try await COSESign1.sign(claims().encoded(), headers: headers, with: signer)
            return await CWT(.sign1(message)).verify(policy: [.es256], claims: anyAudience, at: now) { _ in key }
        }
        let verified = try await verify([1: "issuer", 99: "only here"]).get()
        #expect(try verified.layers.first?.headers.cwtClaims()?.issuer() == "issuer")
        try await verify([1: "another"]).expectRefusal(.claimMismatch)
        try await verify("no map").expectRefusal(.malformed)
    }

    /// Anybody on the way can write there.
    @Test func claimsInAnUnprotectedHeaderMustAgreeWithThePayload() async throws {
        let signer = try TestKeys.signer(for: .es256)
        let key = CWTKey.signature(signer.publicKey)
        func refusal(_ issuer: CBOR, inSigner: Bool) async throws -> Refusal? {
            let headers = COSEHeaders(unprotected: [.cwtClaims: .map([1: issuer])])
            let (own, ofSigner) = inSigner ? (COSEHeaders(), headers) : (headers, COSEHeaders())
            let message = try await COSESign.sign(claims().encoded(), headers: own, with: [(ofSigner, signer)])
            return await CWT(.sign(message)).verify(policy: [.es256], claims: anyAudience, at: now) { _ in key }.refusal
        }
        for inSigner in [false, true] {
            #expect(try await refusal("issuer", inSigner: inSigner) == nil)
            #expect(try await refusal("another", inSigner: inSigner)?.reason == .claimMismatch)
        }
    }

    @Test func whatIsNotAClaimsSetIsRefused() async throws {
        let signer = try TestKeys.signer(for: .es256)
        let key = CWTKey.signature(signer.publicKey)
        for (reason, payload) in [
            (.malformed, "80"), (.malformed, ""), ("duplicateLabel", "a201610101 6102"),
        ] as [(Reason, String)] {
            let message = try await COSESign1.sign(bytes(payload), with: signer)
            await CWT(.sign1(message)).verify(policy: [.es256], claims: anyAudience, at: now) { _ in key }
                .expectRefusal(reason)
        }
    }

    @Test func theErrorOfTheKeySourceIsTheRefusal() async throws {
        let message = try await COSESign1.sign(claims().encoded(), with: TestKeys.signer(for: .es256))
        await CWT(.sign1(message)).verify(policy: [.es256], claims: anyAudience, at: now) { _ throws(COSEError) in
            throw COSEError(.unsupportedKey, "none", path: ["here"])
        }
        .expectRefusal("unsupportedKey", at: "here")
    }
}
