import CredentialTesting
import CredentialTransport
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import Synchronization
import Testing

/// Revocation lists of the issuing authority, and what comes of them.
@Suite struct SignerRevocationTests {
    private static let uri = "https://utopia.example/iaca.crl"

    private func list(
        _ utopia: Utopia,
        revoking certificates: [Certificate] = [],
        from start: Date = Utopia.now - Utopia.day,
        to end: Date = Utopia.now + Utopia.day,
        by authority: CertificateAuthority? = nil
    ) async throws -> CertificateRevocationList {
        let entries = certificates.map {
            RevokedCertificate(serialNumber: $0.serialNumber, revocationDate: start)
        }
        let builder = RevocationListBuilder(
            thisUpdate: start,
            nextUpdate: end,
            number: 1,
            revokedCertificates: entries
        )
        return try await builder.issued(by: authority ?? utopia.iaca)
    }

    private func verified(
        _ list: CertificateRevocationList,
        _ utopia: Utopia
    ) throws -> VerifiedCertificateRevocationLists {
        VerifiedCertificateRevocationLists([
            try #require(list.verify(issuer: utopia.iaca.certificate, at: Utopia.now).verified)
        ])
    }

    private func verification(
        _ utopia: Utopia,
        _ checker: SignerRevocationChecker?,
        isRequired: Bool = false,
        at time: Date = Utopia.now
    ) async throws -> Verification<VerifiedMdocDocument> {
        var policy = MdocVerificationPolicy()
        policy.requiresSignerRevocationStatus = isRequired
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            policy: policy,
            signerRevocationChecker: checker,
            clock: { time }
        )
        let verification = try await utopia.verify(utopia.present(utopia.licence()), with: verifier)
        return try #require(verification.documents.first)
    }

    private func outcome(_ verification: Verification<VerifiedMdocDocument>) -> CheckResult.Outcome? {
        verification.checks.first { $0.check == .signerRevocation }?.outcome
    }

    private func isWaived(_ verification: Verification<VerifiedMdocDocument>) -> Bool {
        guard case .waived("signerRevocation", let message?) = outcome(verification) else { return false }
        return !message.isEmpty
    }

    @Test(arguments: [true, false])
    func aCurrentListThatDoesNotNameTheSigner(_ isRequired: Bool) async throws {
        let utopia = try await Utopia()
        let lists = try verified(try await list(utopia, revoking: [utopia.reader]), utopia)
        let verification = try await verification(utopia, SignerRevocationChecker(lists: lists), isRequired: isRequired)
        #expect(verification.verified != nil)
        #expect(outcome(verification) == .passed)
    }

    @Test(arguments: [1.0, -0.5])
    func aListThatNamesTheSigner(_ days: Double) async throws {
        let utopia = try await Utopia()
        // A list past its time names it all the same.
        let revoking = try await list(utopia, revoking: [utopia.documentSigner], to: Utopia.now + days * Utopia.day)
        let checker = SignerRevocationChecker(lists: try verified(revoking, utopia))
        let verification = try await verification(utopia, checker)
        #expect(verification.failure?.check == .signerRevocation)
        #expect(verification.failure?.reason == .invalidSignerCertificate)
    }

    @Test(arguments: [true, false])
    func anExpiredListVouchesForNothing(_ isRequired: Bool) async throws {
        let utopia = try await Utopia()
        let end = Utopia.now + 3600
        let checker = SignerRevocationChecker(lists: try verified(try await list(utopia, to: end), utopia))
        let inTime = try await verification(utopia, checker, isRequired: isRequired, at: end)
        #expect(outcome(inTime) == .passed)
        let late = try await verification(utopia, checker, isRequired: isRequired, at: end + 1)
        #expect(outcome(late) != .passed)
        #expect(late.failure?.reason == (isRequired ? .statusUnknown : nil))
        #expect(late.refusal?.isUnavailable == (isRequired ? true : nil))
        #expect(late.failure.map(\.check) == (isRequired ? .signerRevocation : nil))
        #expect(isWaived(late) == !isRequired)
    }

    @Test(arguments: [true, false])
    func noList(_ isRequired: Bool) async throws {
        let utopia = try await Utopia()
        for checker in [nil, SignerRevocationChecker()] {
            let verification = try await verification(utopia, checker, isRequired: isRequired)
            #expect(verification.failure?.reason == (isRequired ? .statusUnknown : nil))
            #expect(isWaived(verification) == !isRequired)
        }
    }

    @Test func aListOfAnotherAuthoritySaysNothing() async throws {
        let utopia = try await Utopia()
        let foreign = try await list(utopia, revoking: [utopia.documentSigner], by: utopia.readerAuthority)
        let verified = try #require(foreign.verify(issuer: utopia.readerAuthority.certificate, at: Utopia.now).verified)
        let checker = SignerRevocationChecker(lists: VerifiedCertificateRevocationLists([verified]))
        #expect(isWaived(try await verification(utopia, checker)))
    }

    @Test func aChainThatFailedIsNotAskedFor() async throws {
        let utopia = try await Utopia()
        let verifier = MdocVerifier(
            trustAnchors: [],
            signerRevocationChecker: SignerRevocationChecker(
                lists: try verified(try await list(utopia, revoking: [utopia.documentSigner]), utopia)
            ),
            clock: { Utopia.now }
        )
        let verification = try await utopia.verify(utopia.present(utopia.licence()), with: verifier)
        let document = try #require(verification.documents.first)
        #expect(document.failure?.reason == .issuerNotTrusted)
        #expect(outcome(document) == .notReached)
    }

    // MARK: Fetching

    private func transport(_ list: CertificateRevocationList) -> InMemoryHTTPTransport {
        InMemoryHTTPTransport([Self.uri: InMemoryHTTPAnswer(status: 200, body: list.derBytes)])
    }

    @Test func theListOfTheDistributionPointIsFetchedOnce() async throws {
        let utopia = try await Utopia()
        let transport = transport(try await list(utopia, revoking: [utopia.documentSigner]))
        let checker = SignerRevocationChecker(transport: transport)
        for _ in 0..<3 {
            #expect(try await verification(utopia, checker).failure?.check == .signerRevocation)
        }
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.limits.maximumBodySize == CertificateRevocationList.defaultMaximumSize)
    }

    @Test func aFetchedListIsKeptUntilItsNextUpdate() async throws {
        let utopia = try await Utopia()
        let transport = transport(try await list(utopia, to: Utopia.now + 600))
        let checker = SignerRevocationChecker(transport: transport)
        for (offset, count): (TimeInterval, Int) in [(0, 1), (599, 1), (600, 2)] {
            let verification = try await verification(utopia, checker, isRequired: true, at: Utopia.now + offset)
            #expect(outcome(verification) == .passed)
            #expect(transport.requests.count == count)
        }
    }

    /// The cache keeps nothing for less than a minute, except what is past its time.
    @Test func aListThatIsFetchedJustBeforeItsNextUpdateGivesWay() async throws {
        let utopia = try await Utopia()
        let ending = try await list(utopia, to: Utopia.now + 10)
        let next = try await list(utopia, revoking: [utopia.documentSigner], from: Utopia.now + 10)
        let answers = Mutex([next, ending])
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            InMemoryHTTPAnswer(status: 200, body: answers.withLock { $0.removeLast().derBytes })
        }
        let checker = SignerRevocationChecker(transport: transport)
        for (offset, isRevoked): (TimeInterval, Bool) in [(0, false), (10, false), (11, true)] {
            let verification = try await verification(utopia, checker, at: Utopia.now + offset)
            #expect((verification.failure?.reason == .invalidSignerCertificate) == isRevoked, "\(offset)")
        }
    }

    /// A publisher that is late is asked again after a minute, and not for every credential.
    @Test func aListThatCameLateIsFetchedAgainAfterAWhile() async throws {
        let utopia = try await Utopia()
        let late = try await list(utopia, from: Utopia.now - 2 * Utopia.day, to: Utopia.now - 10)
        let current = try await list(utopia)
        let answers = Mutex([current, late])
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            InMemoryHTTPAnswer(status: 200, body: answers.withLock { $0.removeLast().derBytes })
        }
        let checker = SignerRevocationChecker(transport: transport)
        for (offset, isWaived): (TimeInterval, Bool) in [(0, true), (30, true), (61, false)] {
            let verification = try await verification(utopia, checker, at: Utopia.now + offset)
            #expect(self.isWaived(verification) == isWaived, "\(offset)")
        }
    }

    @Test func whatTheCallerSuppliedComesFirst() async throws {
        let utopia = try await Utopia()
        let transport = transport(try await list(utopia, revoking: [utopia.documentSigner]))
        let supplied = try verified(try await list(utopia), utopia)
        let checker = SignerRevocationChecker(lists: supplied, transport: transport)
        #expect(outcome(try await verification(utopia, checker)) == .passed)
        #expect(transport.requests.isEmpty)
        let late = Utopia.now + 2 * Utopia.day
        #expect(try await verification(utopia, checker, at: late).failure?.reason == .invalidSignerCertificate)
        #expect(transport.requests.count == 1)
    }

    @Test func fetchedListsThatCannotBeReliedOn() async throws {
        let utopia = try await Utopia()
        let good = try await list(utopia)
        var forged = good.derBytes
        forged[forged.count - 1] ^= 1
        let foreign = try await list(utopia, by: utopia.readerAuthority)
        let answers = [
            InMemoryHTTPAnswer(status: 200, body: forged), InMemoryHTTPAnswer(status: 200, body: foreign.derBytes),
            InMemoryHTTPAnswer(status: 200, body: [0x30, 0]), InMemoryHTTPAnswer(status: 404),
            InMemoryHTTPAnswer(status: 200, body: [UInt8](repeating: 0, count: 10_000)),
        ]
        for answer in answers {
            let transport = InMemoryHTTPTransport([Self.uri: answer])
            let checker = SignerRevocationChecker(transport: transport, maximumSize: 9999)
            let verification = try await verification(utopia, checker, isRequired: true)
            #expect(verification.failure?.reason == .statusUnknown)
        }
    }

    /// A distribution point, or anyone on the path to it, may replay a list from before the revocation.
    @Test func anOlderListTakesNoRevocationBack() async throws {
        let utopia = try await Utopia()
        let older = try await list(utopia, from: Utopia.now - 2 * Utopia.day, to: Utopia.now + 9 * Utopia.day)
        let newer = try await list(utopia, revoking: [utopia.documentSigner], to: Utopia.now + 600)
        let newest = try await list(utopia, from: Utopia.now + 700, to: Utopia.now + Utopia.day)
        let answers = Mutex([newest, older, newer])
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            InMemoryHTTPAnswer(status: 200, body: answers.withLock { $0.removeLast().derBytes })
        }
        let checker = SignerRevocationChecker(transport: transport)
        for (offset, isRevoked): (TimeInterval, Bool) in [(0, true), (601, true), (1000, false)] {
            let verification = try await verification(utopia, checker, at: Utopia.now + offset)
            #expect((verification.failure?.reason == .invalidSignerCertificate) == isRevoked)
        }
        #expect(answers.withLock { $0.isEmpty })
    }

    /// An authority that mistook the year issues the list again.
    @Test func aListOfATimeToComeGivesWay() async throws {
        let utopia = try await Utopia()
        let mistaken = try await list(utopia, from: Utopia.now + 300 * Utopia.day, to: Utopia.now + 301 * Utopia.day)
        let mended = try await list(utopia, to: Utopia.now + 9 * Utopia.day)
        let answers = Mutex([mended, mistaken])
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            InMemoryHTTPAnswer(status: 200, body: answers.withLock { $0.removeLast().derBytes })
        }
        let checker = SignerRevocationChecker(transport: transport)
        // The mistaken list is kept for a day.
        for (offset, reason): (TimeInterval, FailureReason?) in [(0, .statusUnknown), (Utopia.day + 1, nil)] {
            let verification = try await verification(utopia, checker, isRequired: true, at: Utopia.now + offset)
            #expect(verification.failure?.reason == reason)
        }
    }

    /// A list past its time, while the server answers nothing or something that is refused.
    @Test(arguments: [InMemoryHTTPAnswer(status: 404), InMemoryHTTPAnswer(status: 200, body: [0x30, 0])])
    func aKeptListPastItsTimeStillRevokesAndVouchesForNothing(_ answer: InMemoryHTTPAnswer) async throws {
        let utopia = try await Utopia()
        for isRevoked in [true, false] {
            let list = try await list(utopia, revoking: isRevoked ? [utopia.documentSigner] : [], to: Utopia.now + 600)
            let answers = Mutex([answer, InMemoryHTTPAnswer(status: 200, body: list.derBytes)])
            let transport = InMemoryHTTPTransport { _ throws(TransportError) in
                answers.withLock { $0.popLast() } ?? answer
            }
            let checker = SignerRevocationChecker(transport: transport)
            for (offset, unrevoked): (TimeInterval, FailureReason?) in [(0, nil), (1000, .statusUnknown)] {
                let verification = try await verification(utopia, checker, isRequired: true, at: Utopia.now + offset)
                #expect(verification.failure?.reason == (isRevoked ? .invalidSignerCertificate : unrevoked))
            }
        }
    }
}
