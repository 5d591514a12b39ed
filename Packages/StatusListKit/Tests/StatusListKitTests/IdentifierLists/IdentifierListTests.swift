import CBORKit
import COSEKit
import CredentialTransport
import CryptoCore
import Foundation
import StatusListKit
import Testing

/// Identifier list tokens: made, read and refused.
@Suite struct IdentifierListTests {
    private func verify(
        _ token: IdentifierListToken,
        _ issuer: IdentifierListIssuer,
        policy: StatusListPolicy = .mdoc,
        at time: Date = IdentifierListIssuer.now
    ) throws -> VerifiedIdentifierList {
        try token.verify(
            for: IdentifierListIssuer.uri,
            anchors: issuer.anchors,
            policy: policy,
            at: time
        )
        .get()
    }

    @Test func aTokenIsMadeAsTheStandardHasIt() async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token(timeToLive: 600)
        let message = try COSESign1(decoding: token.encodedBytes)
        #expect(token.encodedBytes.first == 0xd2)
        #expect(try message.headers.protected.type() == .mediaType("application/identifierlist+cwt"))
        #expect(try message.headers.protected.x5chain() == [issuer.certificate.derBytes[...]])
        let payload = try CBOR(decoding: Array(#require(message.unverifiedPayload)))
        let now = Int64(IdentifierListIssuer.now.timeIntervalSince1970)
        #expect(
            payload == [
                2: .text(IdentifierListIssuer.uri), 6: .integer(now - 60), 4: .integer(now + 86_400), 65534: 600,
                65530: [
                    "identifiers": [.bytes([]): [:], .bytes([9]): [:], .bytes([1, 2, 3]): [:]],
                    "aggregation_uri": "https://issuer.example/identifiers",
                ],
            ]
        )
        let list = try verify(IdentifierListToken(cwt: token.encodedBytes), issuer)
        #expect(list.uri == IdentifierListIssuer.uri)
        #expect(list.issuedAt == IdentifierListIssuer.now - 60)
        #expect(list.expirationTime == IdentifierListIssuer.now + IdentifierListIssuer.day)
        #expect(list.timeToLive == 600)
        #expect(list.identifiers.count == 3)
        #expect(list.contains([1, 2, 3]) && !list.contains([1, 2]))
        #expect(list.aggregationURI == "https://issuer.example/identifiers")
        #expect(list.certificateChain.leaf == issuer.certificate)
        #expect(list.token.encodedBytes == token.encodedBytes)
    }

    @Test func aTokenIsSignedInTwoSteps() async throws {
        let issuer = try await IdentifierListIssuer()
        let unsigned = try issuer.content().unsignedCWT(x5chain: [issuer.certificate], algorithm: .es256)
        let signature = try SoftwareSigner(issuer.key).signature(for: unsigned.bytesToSign)
        let token = IdentifierListToken(try unsigned.completed(with: signature))
        #expect(try verify(token, issuer).contains([9]))
    }

    @Test func anEmptyListRevokesNothing() async throws {
        let issuer = try await IdentifierListIssuer()
        let content = try IdentifierListContent(
            uri: IdentifierListIssuer.uri,
            identifiers: [],
            issuedAt: IdentifierListIssuer.now,
            expirationTime: IdentifierListIssuer.now + 60
        )
        let token = try await content.signedCWT(x5chain: [issuer.certificate], with: SoftwareSigner(issuer.key))
        let list = try verify(token, issuer)
        #expect(list.identifiers.isEmpty)
        #expect(list.aggregationURI == nil)
        #expect(list.timeToLive == nil)
    }

    @Test(arguments: ["application/identifierlist+cwt", "identifierlist+cwt", "APPLICATION/IdentifierList+CWT"])
    func theTypeIsReadAsItIsWritten(_ type: String) async throws {
        let issuer = try await IdentifierListIssuer()
        #expect(try verify(await issuer.token(type: .text(type)) { _ in }, issuer).contains([9]))
    }

    /// The example D.6 of the draft misspells the type.
    @Test(arguments: ["application/identfierlist+cwt", "identfierlist+cwt"])
    func aMisspelledTypeNeedsATolerance(_ type: String) async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token(type: .text(type)) { _ in }
        await expectRefused(.unexpectedType, at: "typ") { _ = try verify(token, issuer) }
        var policy = StatusListPolicy.mdoc
        policy.tolerances = .deployed
        let verification = token.verify(
            for: IdentifierListIssuer.uri,
            anchors: issuer.anchors,
            policy: policy,
            at: IdentifierListIssuer.now
        )
        #expect(verification.verified?.contains([9]) == true)
        #expect(verification.deviations == [Deviation("misspelledType", at: ["typ"])])
    }

    @Test func aSingleCertificateInAnArrayNeedsATolerance() async throws {
        let issuer = try await IdentifierListIssuer()
        let headers = COSEHeaders(protected: [
            .type: .text(IdentifierListToken.mediaType), .x5chain: [.bytes(Array(issuer.certificate.derBytes))],
        ])
        let payload = try issuer.content().cwtClaims().encoded()
        let signer = try SoftwareSigner(issuer.key)
        let token = IdentifierListToken(try await COSESign1.sign(payload, headers: headers, with: signer))
        await expectRefused("invalidHeader", at: "x5chain") { _ = try verify(token, issuer) }
        var policy = StatusListPolicy.mdoc
        policy.tolerances = [.arrayOfOneCertificate]
        #expect(try verify(token, issuer, policy: policy).contains([9]))
    }

    @Test(arguments: ["application/statuslist+cwt", "statuslist+cwt", "", 60, nil] as [CBOR?])
    func anotherType(_ type: CBOR?) async throws {
        let issuer = try await IdentifierListIssuer()
        await expectRefused(.unexpectedType, at: "typ") {
            _ = try verify(await issuer.token(type: type) { _ in }, issuer)
        }
    }

    /// A claim that is replaced or removed, and the reason of the refusal.
    struct ClaimChange: Sendable, CustomTestStringConvertible {
        let label: COSELabel
        let value: CBOR?
        let reason: Reason

        init(_ label: COSELabel, _ value: CBOR?, _ reason: Reason) {
            self.label = label
            self.value = value
            self.reason = reason
        }

        var testDescription: String { "\(label) → \(value.map { "\($0)" } ?? "removed")" }
    }

    private static let now = Int64(IdentifierListIssuer.now.timeIntervalSince1970)

    @Test(
        arguments: [
            ClaimChange(.claimSubject, nil, .missingClaim), ClaimChange(.claimIssuedAt, nil, .missingClaim),
            ClaimChange(.claimExpirationTime, nil, .missingClaim),
            ClaimChange(.claimIdentifierList, nil, .missingClaim),
            ClaimChange(.claimSubject, "https://issuer.example/identifiers/2", .claimMismatch),
            ClaimChange(.claimSubject, 7, .invalidClaim),
            ClaimChange(.claimAudience, "another", .claimMismatch),
            ClaimChange(.claimIssuedAt, .integer(now + 61), .issuedInFuture),
            ClaimChange(.claimNotBefore, .integer(now + 61), .notYetValid),
            ClaimChange(.claimExpirationTime, .integer(now - 60), .expired),
            ClaimChange(.claimExpirationTime, "soon", .invalidClaim),
            ClaimChange(.claimTimeToLive, 0, .invalidClaim), ClaimChange(.claimTimeToLive, -1, .invalidClaim),
            ClaimChange(.claimTimeToLive, "long", .invalidClaim),
            ClaimChange(.claimIdentifierList, [:], .malformed),
            ClaimChange(.claimIdentifierList, [.bytes([9])], .malformed),
            ClaimChange(.claimIdentifierList, ["identifiers": [.bytes([9])]], .malformed),
            ClaimChange(.claimIdentifierList, ["identifiers": ["9": [:]]], .malformed),
            ClaimChange(.claimIdentifierList, ["identifiers": [:], "aggregation_uri": 1], .malformed),
        ]
    )
    func claimsThatAreNotInOrder(_ change: ClaimChange) async throws {
        let issuer = try await IdentifierListIssuer()
        await expectRefused(change.reason) {
            _ = try verify(await issuer.token { $0[change.label] = change.value }, issuer)
        }
    }

    @Test(
        arguments: [
            ClaimChange(.claimIssuedAt, .integer(now + 60), .malformed),
            ClaimChange(.claimNotBefore, .integer(now + 60), .malformed),
            ClaimChange(.claimExpirationTime, .integer(now - 59), .malformed),
            ClaimChange(.claimIdentifierList, ["identifiers": [.bytes([9]): ["more": 1]], "more": 2], .malformed),
        ]
    )
    func claimsThatAreJustInOrder(_ change: ClaimChange) async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token { $0[change.label] = change.value }
        #expect(throws: Never.self) { try verify(token, issuer) }
    }

    @Test func aTokenForAnAudience() async throws {
        let issuer = try await IdentifierListIssuer()
        var policy = StatusListPolicy.mdoc
        policy.audience = "me"
        let token = try await issuer.token { $0[.claimAudience] = ["you", "me"] }
        #expect(try verify(token, issuer, policy: policy).contains([9]))
        policy.maximumAge = 0
        policy.clockSkew = 59
        await expectRefused(.tooOld, at: "iat") { _ = try verify(token, issuer, policy: policy) }
    }

    @Test func signaturesAndSigners() async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token()
        var bytes = token.encodedBytes
        bytes[bytes.count - 1] ^= 1
        let forged = try IdentifierListToken(cwt: bytes)
        await expectRefused("invalidSignature") { _ = try verify(forged, issuer) }
        await expectRefused(.algorithmNotAllowed) {
            _ = try verify(token, issuer, policy: StatusListPolicy(jwtAlgorithms: [], cwtAlgorithms: [.es384]))
        }
        await expectRefused(.issuerNotTrusted) {
            _ = try token.verify(
                for: IdentifierListIssuer.uri,
                anchors: [try await SignerPKI.make().authority.certificate],
                at: IdentifierListIssuer.now
            )
            .get()
        }
        let bare = try await COSESign1.sign(
            issuer.content().cwtClaims().encoded(),
            headers: COSEHeaders(protected: [.type: .text(IdentifierListToken.mediaType)]),
            with: SoftwareSigner(issuer.key)
        )
        await expectRefused(.issuerNotTrusted) { _ = try verify(IdentifierListToken(bare), issuer) }
        await expectRefused(.issuerNotTrusted) {
            _ = try verify(token, issuer, at: issuer.certificate.notValidAfter + 1)
        }
    }

    @Test func refusesMalformedTokens() async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token()
        let untagged = try COSESign1(decoding: token.encodedBytes).encoded(tagged: false)
        let mac = try COSEMac0.authenticate(
            [1, 2, 3],
            headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.hmac256_256.rawValue)]),
            with: SecretBytes([UInt8](repeating: 1, count: 32))
        )
        for bytes in [[], [0xa0], untagged, mac.encoded(), token.encodedBytes + [0]] {
            await expectRefusal(.malformed) { _ = try IdentifierListToken(cwt: bytes) }
        }
        let limits = StatusListLimits(tokenSize: token.encodedBytes.count)
        #expect(throws: Never.self) { try IdentifierListToken(cwt: token.encodedBytes, limits: limits) }
        await expectRefusal(.limitExceeded) {
            let limits = StatusListLimits(tokenSize: token.encodedBytes.count - 1)
            _ = try IdentifierListToken(cwt: token.encodedBytes, limits: limits)
        }
        await expectRefused(.limitExceeded) {
            let twice = try await issuer.token(
                x5chain: [issuer.certificate, issuer.pki.authority.certificate]
            )
            _ = try verify(
                twice,
                issuer,
                policy: StatusListPolicy(
                    jwtAlgorithms: [],
                    cwtAlgorithms: [.es256],
                    limits: StatusListLimits(certificates: 1)
                )
            )
        }
    }

    @Test func contentThatCannotBe() {
        let now = IdentifierListIssuer.now
        expectRefusal(.invalidClaim, at: "sub") {
            _ = try IdentifierListContent(uri: "", identifiers: [], issuedAt: now, expirationTime: now + 1)
        }
        expectRefusal(.invalidClaim, at: "exp") {
            _ = try IdentifierListContent(uri: "a", identifiers: [], issuedAt: now, expirationTime: now)
        }
        expectRefusal(.invalidClaim, at: "iat") {
            _ = try IdentifierListContent(uri: "a", identifiers: [], issuedAt: .distantPast, expirationTime: now)
        }
        expectRefusal(.invalidClaim, at: "exp") {
            _ = try IdentifierListContent(
                uri: "a",
                identifiers: [],
                issuedAt: now,
                expirationTime: Date(timeIntervalSince1970: 253_402_300_800)
            )
        }
        expectRefusal(.invalidClaim, at: "ttl") {
            _ = try IdentifierListContent(
                uri: "a",
                identifiers: [],
                issuedAt: now,
                expirationTime: now + 1,
                timeToLive: 0
            )
        }
    }

    @Test(arguments: [[0xa0], [0x81, 0x80], [0x81, 0x83, 0x61, 0x61, 0x61, 0x62, 0x40]] as [[UInt8]])
    func refusesMalformedSnapshots(_ bytes: [UInt8]) {
        expectRefusal(.malformed) { _ = try IdentifierListSnapshot(decoding: bytes) }
    }

    @Test func aSnapshotKeepsItsTokens() async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token()
        var snapshot = IdentifierListSnapshot()
        for uri in ["b", "a", "b"] { snapshot.insert(token, for: uri) }
        let read = try IdentifierListSnapshot(decoding: snapshot.encoded())
        #expect(read.tokens.map(\.uri) == ["a", "b"])
        #expect(read.tokens.allSatisfy { $0.token.encodedBytes == token.encodedBytes })
        #expect(read["c"] == nil)
    }

    @Test func anX5TMustNameTheSignersCertificate() async throws {
        let issuer = try await IdentifierListIssuer()
        func hash(_ certificate: Certificate) -> CBOR {
            [-16, .bytes(Array(HashAlgorithm.sha256.digest(of: certificate.derBytes)))]
        }
        let right = try await issuer.token(x5t: hash(issuer.certificate)) { _ in }
        #expect(try verify(right, issuer).contains([9]))
        let wrong = try await issuer.token(x5t: hash(issuer.pki.authority.certificate)) { _ in }
        await expectRefused("certificateMismatch") { _ = try verify(wrong, issuer) }
    }
}
