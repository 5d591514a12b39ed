import CBORKit
import COSEKit
import CredentialTransport
import CryptoCore
import Foundation
import MdocKit
import StatusListKit
import Testing

/// Identifier list tokens: made, read and refused.
@Suite struct IdentifierListTests {
    private func expectRefusal(
        _ code: StatusListError.Code,
        at claim: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: StatusListError.self, sourceLocation: sourceLocation) { try await body() }
        guard let error else { return }
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
        if let claim { #expect(error.path.last == claim, "\(error)", sourceLocation: sourceLocation) }
    }

    private func expectRefused(
        _ reason: Reason,
        at claim: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        let refusal = await #expect(throws: Refusal.self, sourceLocation: sourceLocation) { try await body() }
        guard let refusal else { return }
        #expect(refusal.reason == reason, "\(refusal)", sourceLocation: sourceLocation)
        if let claim { #expect(refusal.path.last == claim, "\(refusal)", sourceLocation: sourceLocation) }
    }

    private func verify(
        _ token: IdentifierListToken,
        _ issuer: ListIssuer,
        policy: StatusListPolicy = .mdoc,
        at time: Date = Utopia.now
    ) throws -> VerifiedIdentifierList {
        try token.verify(
            for: ListIssuer.identifierURI,
            anchors: [issuer.utopia.iaca.certificate],
            policy: policy,
            at: time
        )
        .get()
    }

    @Test func aTokenIsMadeAsTheStandardHasIt() async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken(timeToLive: 600)
        let message = try COSESign1(decoding: token.encodedBytes)
        #expect(token.encodedBytes.first == 0xd2)
        #expect(try message.headers.protected.type() == .mediaType("application/identifierlist+cwt"))
        #expect(try message.headers.protected.x5chain() == [issuer.certificate.derBytes[...]])
        let payload = try CBOR(decoding: Array(#require(message.unverifiedPayload)))
        let now = Int64(Utopia.now.timeIntervalSince1970)
        #expect(
            payload == [
                2: .text(ListIssuer.identifierURI), 6: .integer(now - 60), 4: .integer(now + 86_400), 65534: 600,
                65530: [
                    "identifiers": [.bytes([]): [:], .bytes([9]): [:], .bytes([1, 2, 3]): [:]],
                    "aggregation_uri": "https://utopia.example/identifiers",
                ],
            ]
        )
        let list = try verify(IdentifierListToken(cwt: token.encodedBytes), issuer)
        #expect(list.uri == ListIssuer.identifierURI)
        #expect(list.issuedAt == Utopia.now - 60)
        #expect(list.expirationTime == Utopia.now + Utopia.day)
        #expect(list.timeToLive == 600)
        #expect(list.identifiers.count == 3)
        #expect(list.contains([1, 2, 3]) && !list.contains([1, 2]))
        #expect(list.aggregationURI == "https://utopia.example/identifiers")
        #expect(list.certificateChain.leaf == issuer.certificate)
        #expect(list.token.encodedBytes == token.encodedBytes)
    }

    @Test func aTokenIsSignedInTwoSteps() async throws {
        let issuer = try await ListIssuer()
        let unsigned = try issuer.identifierContent().unsignedCWT(x5chain: [issuer.certificate], algorithm: .es256)
        let signature = try SoftwareSigner(issuer.key).signature(for: unsigned.bytesToSign)
        let token = IdentifierListToken(try unsigned.completed(with: signature))
        #expect(try verify(token, issuer).contains([9]))
    }

    @Test func anEmptyListRevokesNobody() async throws {
        let issuer = try await ListIssuer()
        let content = try IdentifierListContent(
            uri: ListIssuer.identifierURI,
            identifiers: [],
            issuedAt: Utopia.now,
            expirationTime: Utopia.now + 60
        )
        let token = try await content.signedCWT(x5chain: [issuer.certificate], with: SoftwareSigner(issuer.key))
        let list = try verify(token, issuer)
        #expect(list.identifiers.isEmpty)
        #expect(list.aggregationURI == nil)
        #expect(list.timeToLive == nil)
    }

    @Test(arguments: ["application/identifierlist+cwt", "identifierlist+cwt", "APPLICATION/IdentifierList+CWT"])
    func theTypeIsReadAsItIsWritten(_ type: String) async throws {
        let issuer = try await ListIssuer()
        #expect(try verify(await issuer.identifierToken(type: .text(type)) { _ in }, issuer).contains([9]))
    }

    /// The example D.6 of the draft misspells the type.
    @Test(arguments: ["application/identfierlist+cwt", "identfierlist+cwt"])
    func aMisspelledTypeNeedsATolerance(_ type: String) async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken(type: .text(type)) { _ in }
        await expectRefused(.unexpectedType, at: "typ") { _ = try verify(token, issuer) }
        var policy = StatusListPolicy.mdoc
        policy.tolerances = .deployedMdoc
        let verification = token.verify(
            for: ListIssuer.identifierURI,
            anchors: [issuer.utopia.iaca.certificate],
            policy: policy,
            at: Utopia.now
        )
        #expect(verification.verified?.contains([9]) == true)
        #expect(verification.deviations == [Deviation("misspelledType", at: ["typ"])])
    }

    @Test func aSingleCertificateInAnArrayNeedsATolerance() async throws {
        let issuer = try await ListIssuer()
        let headers = COSEHeaders(protected: [
            .type: .text(IdentifierListToken.mediaType), .x5chain: [.bytes(Array(issuer.certificate.derBytes))],
        ])
        let payload = try issuer.identifierContent().cwtClaims().encoded()
        let signer = try SoftwareSigner(issuer.key)
        let token = IdentifierListToken(try await COSESign1.sign(payload, headers: headers, with: signer))
        await expectRefused("invalidHeader", at: "x5chain") { _ = try verify(token, issuer) }
        var policy = StatusListPolicy.mdoc
        policy.tolerances = [.arrayOfOneCertificate]
        #expect(try verify(token, issuer, policy: policy).contains([9]))
    }

    @Test(arguments: ["application/statuslist+cwt", "statuslist+cwt", "", 60, nil] as [CBOR?])
    func anotherType(_ type: CBOR?) async throws {
        let issuer = try await ListIssuer()
        await expectRefused(.unexpectedType, at: "typ") {
            _ = try verify(await issuer.identifierToken(type: type) { _ in }, issuer)
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

    private static let now = Int64(Utopia.now.timeIntervalSince1970)

    @Test(
        arguments: [
            ClaimChange(.claimSubject, nil, .missingClaim), ClaimChange(.claimIssuedAt, nil, .missingClaim),
            ClaimChange(.claimExpirationTime, nil, .missingClaim),
            ClaimChange(.claimIdentifierList, nil, .missingClaim),
            ClaimChange(.claimSubject, "https://utopia.example/identifiers/2", .claimMismatch),
            ClaimChange(.claimSubject, 7, .invalidClaim),
            ClaimChange(.claimAudience, "somebody", .claimMismatch),
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
        let issuer = try await ListIssuer()
        await expectRefused(change.reason) {
            _ = try verify(await issuer.identifierToken { $0[change.label] = change.value }, issuer)
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
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken { $0[change.label] = change.value }
        #expect(throws: Never.self) { try verify(token, issuer) }
    }

    @Test func aTokenForAnAudience() async throws {
        let issuer = try await ListIssuer()
        var policy = StatusListPolicy.mdoc
        policy.audience = "me"
        let token = try await issuer.identifierToken { $0[.claimAudience] = ["you", "me"] }
        #expect(try verify(token, issuer, policy: policy).contains([9]))
        policy.maximumAge = 0
        policy.clockSkew = 59
        await expectRefused(.tooOld, at: "iat") { _ = try verify(token, issuer, policy: policy) }
    }

    @Test func signaturesAndSigners() async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken()
        var bytes = token.encodedBytes
        bytes[bytes.count - 1] ^= 1
        let forged = try IdentifierListToken(cwt: bytes)
        await expectRefused("invalidSignature") { _ = try verify(forged, issuer) }
        await expectRefused(.algorithmNotAllowed) {
            _ = try verify(token, issuer, policy: StatusListPolicy(jwtAlgorithms: [], cwtAlgorithms: [.es384]))
        }
        await expectRefused(.issuerNotTrusted) {
            _ = try token.verify(
                for: ListIssuer.identifierURI,
                anchors: [issuer.utopia.readerAuthority.certificate],
                at: Utopia.now
            )
            .get()
        }
        let bare = try await COSESign1.sign(
            issuer.identifierContent().cwtClaims().encoded(),
            headers: COSEHeaders(protected: [.type: .text(IdentifierListToken.mediaType)]),
            with: SoftwareSigner(issuer.key)
        )
        await expectRefused(.issuerNotTrusted) { _ = try verify(IdentifierListToken(bare), issuer) }
        await expectRefused(.issuerNotTrusted) {
            _ = try verify(token, issuer, at: issuer.certificate.notValidAfter + 1)
        }
    }

    @Test func refusesMalformedTokens() async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken()
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
            let twice = try await issuer.identifierToken(
                x5chain: [issuer.certificate, issuer.utopia.iaca.certificate]
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

    @Test func contentThatCannotBe() async throws {
        let now = Utopia.now
        await expectRefusal(.invalidClaim, at: "sub") {
            _ = try IdentifierListContent(uri: "", identifiers: [], issuedAt: now, expirationTime: now + 1)
        }
        await expectRefusal(.invalidClaim, at: "exp") {
            _ = try IdentifierListContent(uri: "a", identifiers: [], issuedAt: now, expirationTime: now)
        }
        await expectRefusal(.invalidClaim, at: "iat") {
            _ = try IdentifierListContent(uri: "a", identifiers: [], issuedAt: .distantPast, expirationTime: now)
        }
        await expectRefusal(.invalidClaim, at: "exp") {
            _ = try IdentifierListContent(
                uri: "a",
                identifiers: [],
                issuedAt: now,
                expirationTime: Date(timeIntervalSince1970: 253_402_300_800)
            )
        }
        await expectRefusal(.invalidClaim, at: "ttl") {
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
    func snapshotsThatAreNone(_ bytes: [UInt8]) async {
        await expectRefusal(.malformed) { _ = try IdentifierListSnapshot(decoding: bytes) }
    }

    @Test func aSnapshotKeepsItsTokens() async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken()
        var snapshot = IdentifierListSnapshot()
        for uri in ["b", "a", "b"] { snapshot.insert(token, for: uri) }
        let read = try IdentifierListSnapshot(decoding: snapshot.encoded())
        #expect(read.tokens.map(\.uri) == ["a", "b"])
        #expect(read.tokens.allSatisfy { $0.token.encodedBytes == token.encodedBytes })
        #expect(read["c"] == nil)
    }
}
