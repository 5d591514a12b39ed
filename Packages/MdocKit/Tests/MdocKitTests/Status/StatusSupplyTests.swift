import CredentialTesting
import CredentialTransport
import CryptoCore
import Foundation
import MdocKit
import StatusListKit
import Testing

/// Lists fetched ahead, looked at, saved and loaded, through the checker that verification uses.
@Suite struct StatusSupplyTests {
    private static let both = MobileSecurityObject.Status(
        statusList: ListIssuer.status(1).statusList,
        identifierList: ListIssuer.status([4]).identifierList
    )

    private func verified(
        _ issuer: ListIssuer,
        _ status: MobileSecurityObject.Status
    ) async throws -> VerifiedIssuerSigned {
        var builder = try issuer.utopia.builder()
        builder.status = status
        return try issuer.utopia.verifier().verifyForStorage(try await issuer.utopia.issue(builder)).get()
    }

    private func verifier(
        _ issuer: ListIssuer,
        _ checker: any MdocStatusChecking,
        _ maximumAge: MaximumStatusAge = MaximumStatusAge()
    ) -> MdocVerifier {
        var policy = MdocVerificationPolicy()
        policy.maximumStatusAge = maximumAge
        return MdocVerifier(
            trustAnchors: [TrustAnchor(issuer.utopia.iaca.certificate)],
            policy: policy,
            statusChecker: checker,
            clock: { Utopia.now }
        )
    }

    @Test func verificationUsesWhatWasFetchedAhead() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(try await issuer.statusToken(), try await issuer.identifierToken())
        let checker = MdocStatusChecker(transport: transport)
        let failures = await checker.prefetch(
            statusLists: [ListIssuer.uri],
            identifierLists: [ListIssuer.identifierURI],
            anchors: [issuer.utopia.iaca.certificate],
            at: Utopia.now
        )
        #expect(failures.isEmpty)
        #expect(transport.requests.count == 2)
        #expect(await issuer.status(checker, Self.both) == .revoked)
        let credential = try await verified(issuer, ListIssuer.status(0))
        #expect(await verifier(issuer, checker).verifyRevocation(of: credential).verified != nil)
        #expect(transport.requests.count == 2)
    }

    @Test func fetchesAheadWhatCredentialsName() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(try await issuer.statusToken(), try await issuer.identifierToken())
        let checker = MdocStatusChecker(transport: transport)
        let credentials = [try await verified(issuer, Self.both), try await verified(issuer, ListIssuer.status(0))]
        #expect(await checker.prefetch(for: credentials, at: Utopia.now).isEmpty)
        #expect(transport.requests.count == 2)
        #expect(await issuer.status(checker, Self.both) == .revoked)
        #expect(transport.requests.count == 2)
    }

    @Test func namesEachListThatIsNotFetched() async throws {
        let issuer = try await ListIssuer()
        let checker = MdocStatusChecker(transport: ListIssuer.transport())
        let credentials = [try await verified(issuer, Self.both), try await verified(issuer, Self.both)]
        let failures = await checker.prefetch(for: credentials, at: Utopia.now)
        #expect(failures.map(\.uri) == [ListIssuer.uri, ListIssuer.identifierURI])
        #expect(failures.map(\.error.code) == [.notFetched, .notFetched])
        let unreadable = ListIssuer.status(0, certificate: nil).statusList.map {
            MobileSecurityObject.Status.StatusList(index: $0.index, uri: $0.uri, certificate: [1])
        }
        let credential = try await verified(issuer, MobileSecurityObject.Status(statusList: unreadable))
        let failure = await checker.prefetch(for: [credential], at: Utopia.now).first
        #expect(failure?.error.code == .invalidReference)
    }

    @Test func tellsAgesAndNextUpdates() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(
            try await issuer.statusToken(timeToLive: 600),
            try await issuer.identifierToken()
        )
        let checker = MdocStatusChecker(transport: transport)
        #expect(checker.keptLists(at: Utopia.now).isEmpty)
        _ = await issuer.status(checker, Self.both)
        let lists = checker.keptLists(at: Utopia.now)
        #expect(lists.map(\.uri) == [ListIssuer.uri, ListIssuer.identifierURI])
        let list = try #require(lists.first)
        #expect(list.issuedAt == Utopia.now - 60)
        #expect(list.age(at: Utopia.now) == 60)
        #expect(list.fetchedAt == Utopia.now)
        #expect(list.nextUpdate == Utopia.now + 600)
        #expect(list.expirationTime == Utopia.now + Utopia.day)
        #expect(!list.isUpdateDue(at: Utopia.now + 599))
        #expect(list.isUpdateDue(at: Utopia.now + 600))
        // The list without a lifetime of its own is kept for an hour.
        #expect(lists.last?.nextUpdate == Utopia.now + 3600)
    }

    @Test func fetchesAgainWhatIsDue() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(
            try await issuer.statusToken(timeToLive: 600),
            try await issuer.identifierToken()
        )
        let checker = MdocStatusChecker(transport: transport)
        _ = await issuer.status(checker, Self.both)
        #expect(await checker.refresh(at: Utopia.now + 599).isEmpty)
        #expect(transport.requests.count == 2)
        #expect(await checker.refresh(at: Utopia.now + 600).isEmpty)
        #expect(transport.requests.count == 3)
        #expect(checker.keptLists(at: Utopia.now + 600).first?.fetchedAt == Utopia.now + 600)
    }

    @Test func aSavedSnapshotAnswersWithoutANetwork() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(try await issuer.statusToken(), try await issuer.identifierToken())
        let online = MdocStatusChecker(transport: transport)
        _ = await issuer.status(online, Self.both)
        let saved = online.snapshot().encoded()

        let offline = MdocStatusChecker(transport: nil)
        #expect(await issuer.status(offline, Self.both).kind == .unknown)
        offline.load(try MdocStatusSnapshot(decoding: saved))
        #expect(await issuer.status(offline, Self.both) == .revoked)
        #expect(await issuer.status(offline, ListIssuer.status(0)).kind == .valid)
        #expect(await issuer.status(offline, ListIssuer.status([9])) == .revoked)
        #expect(offline.keptLists(at: Utopia.now).map(\.issuedAt) == [Utopia.now - 60, Utopia.now - 60])
        #expect(offline.snapshot().encoded() == saved)
        // The tokens expire without a network as they do with one.
        #expect(await issuer.status(offline, Self.both, at: Utopia.now + 2 * Utopia.day).kind == .unknown)
        let credential = try await verified(issuer, ListIssuer.status(0))
        #expect(await verifier(issuer, offline).verifyRevocation(of: credential).verified != nil)
    }

    @Test(arguments: [[], [0x80], [0x82, 0x40, 0x40], [0x82, 0x41, 0x80, 0x01]] as [[UInt8]])
    func refusesASnapshotOfAnotherForm(bytes: [UInt8]) {
        let error = #expect(throws: StatusListError.self) { try MdocStatusSnapshot(decoding: bytes) }
        #expect(error?.code == .malformed)
    }

    @Test(
        arguments: [
            (MaximumStatusAge(), true), (MaximumStatusAge(60), true), (MaximumStatusAge(59), false),
            (MaximumStatusAge(nil, [.mDL: 59]), false), (MaximumStatusAge(59, [.mDL: 60]), true),
            (MaximumStatusAge(nil, ["other": 0]), true),
        ] as [(MaximumStatusAge, Bool)]
    )
    func aStaleStatementShowsNoValidity(maximumAge: MaximumStatusAge, isVerified: Bool) async throws {
        let issuer = try await ListIssuer()
        let checker = FixedStatusChecker(.valid(asOf: Utopia.now - 60))
        let credential = try await verified(issuer, ListIssuer.status(0))
        let verifier = verifier(issuer, checker, maximumAge)
        for verification in [
            await verifier.verify(credential.issuerSigned), await verifier.verifyRevocation(of: credential),
        ] {
            #expect((verification.verified != nil) == isVerified)
            if !isVerified { #expect(verification.refusal?.reason == .statusUnknown) }
        }
    }

    @Test func aStaleStatementStillRevokes() async throws {
        let issuer = try await ListIssuer()
        let credential = try await verified(issuer, ListIssuer.status(0))
        let verifier = verifier(issuer, FixedStatusChecker(.revoked), MaximumStatusAge(0))
        #expect(await verifier.verify(credential.issuerSigned).refusal?.reason == .revoked)
    }

    @Test func fetchesALaterListForAStricterType() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(try await issuer.statusToken())
        let checker = MdocStatusChecker(transport: transport)
        func ask(_ maximumAge: TimeInterval?, _ delay: TimeInterval) async -> CredentialStatus {
            await checker.status(
                named: ListIssuer.status(0),
                of: issuer.documentSigner,
                refreshingAfter: maximumAge,
                at: Utopia.now + delay
            ).status
        }
        #expect(await ask(nil, 0).kind == .valid)
        #expect(await ask(3600, 40).kind == .valid)
        #expect(transport.requests.count == 1)
        #expect(await ask(90, 40) == .valid(asOf: Utopia.now - 60))
        #expect(transport.requests.count == 2)
    }
}
