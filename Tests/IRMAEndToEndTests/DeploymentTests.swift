#if Server && Client
import CredentialTransport
import Foundation
import IRMAClient
import IRMAMessages
import IRMAServer
import LoopbackTesting
import ServingContracts
import TestSupport
import Testing

/// The sessions of the other suites over TLS.
@Suite struct TLSTests {
    @Test func everyKindOfSession() async throws {
        try await Deployment.$current.withValue(Deployment(identity: ServerIdentity())) {
            try await SessionRuns.all()
        }
    }

    /// A wallet that does not know the certificate has no session.
    @Test func otherCertificatesAreRefused() async throws {
        let deployment = Deployment(identity: try await ServerIdentity())
        let other = try await Deployment(identity: ServerIdentity()).connector()
        try await Deployment.$current.withValue(deployment) {
            try await EndToEndWorld.run { world in
                let open = AddressGuard(allowing: [.loopback], literalAddresses: true, ports: .any)
                let stranger = GuardedHTTPTransport(connector: other, addressGuard: open)
                let wallet = try await world.wallet(over: FaultyTransport(stranger, fault: nil))
                let package = try await world.server.start(EndToEndParties.cardIssuance)
                let error = await #expect(throws: WalletError.self) { try await wallet.finish(package) }
                #expect(error?.code == .transport)
                #expect(try await world.server.status(of: package.token) == .initialized)
            }
        }
    }
}

#if Redis && os(Linux)
/// Two instances with their sessions in Redis behind Debian's haproxy, which gives every request to the other instance.
@Suite(.enabled(if: PeerProcess.areWanted, PeerProcess.comment))
struct ClusterTests {
    private static func redis(port: Int? = nil) async throws -> PeerProcess {
        try await PeerProcess(
            "/usr/bin/redis-server",
            port: port,
            arguments: { [$0] },
            configuration: { port, folder in
                """
                bind 127.0.0.1
                port \(port)
                dir \(folder)
                save ""
                appendonly no
                logfile \(folder)/log

                """
            }
        )
    }

    @Test func everyKindOfSession() async throws {
        let redis = try await Self.redis()
        defer { redis.stop() }
        try await Deployment.$current.withValue(Deployment(redisPort: redis.port)) {
            try await SessionRuns.all()
        }
    }

    @Test func endingsAndLostExchanges() async throws {
        let redis = try await Self.redis()
        defer { redis.stop() }
        try await Deployment.$current.withValue(Deployment(redisPort: redis.port)) {
            try await SessionRuns.endings()
        }
    }

    /// Without Redis, every endpoint says so, and does so again as before when it is back.
    @Test func goesOnWhenTheStoreIsBack() async throws {
        let redis = try await Self.redis()
        defer { redis.stop() }
        try await Deployment.$current.withValue(Deployment(redisPort: redis.port)) {
            try await EndToEndWorld.run { world in
                let wallet = try await world.walletWithCard()
                let package = try await world.server.start(EndToEndParties.nameRequest)
                redis.stop()
                let refusal = await #expect(throws: RemoteError.self) {
                    try await world.server.start(EndToEndParties.nameRequest)
                }
                #expect(refusal?.name == .internalError)
                let error = await #expect(throws: WalletError.self) { try await wallet.finish(package) }
                #expect(error?.code == .api)
                #expect(error?.remoteError?.name == .internalError)
                let again = try await Self.redis(port: redis.port)
                defer { again.stop() }
                // The store connects again after a pause, which the clock of the test decides about.
                var next: SessionPackage?
                for _ in 0..<100 where next == nil {
                    world.time.advance(by: .seconds(1))
                    next = try? await world.server.start(EndToEndParties.nameRequest)
                }
                // Redis kept nothing: the old session is unknown, and a new one runs to its end.
                let gone = await #expect(throws: RemoteError.self) { try await world.server.result(of: package.token) }
                #expect(gone?.name == .sessionUnknown)
                let last = try #require(next)
                try await wallet.finish(last)
                #expect(try await world.server.result(of: last.token).proofStatus == .valid)
            }
        }
    }
}
#endif

/// The tests of the suites that say nothing about the way in which the servers run.
enum SessionRuns {
    /// Every kind of session.
    static func all() async throws {
        let kinds = SessionKindTests()
        for version in [ProtocolVersion.v2_4, .v2_8] {
            try await kinds.issuesAndDisclosesInEveryVersion(version: version)
        }
        try await kinds.issuesSeveralCredentialsWithADisclosure()
        try await kinds.signsAMessageThatVerifiesOffline()
        try await kinds.followsAChain()
        try await kinds.startsAStaticSession()
        for withEvents in [true, false] { try await kinds.pairs(withEvents: withEvents) }
        try await kinds.sendsTheResultToTheRequestor()
        try await kinds.servesRequestorsOverHTTP()
        try await kinds.statusesComeInTheirOrder()
        let keyshare = KeyshareTests()
        for newProtocol in [false, true] {
            try await keyshare.enrolsAndUsesTheAccount(newProtocol: newProtocol)
            try await keyshare.signsAndIssuesWithADisclosure(newProtocol: newProtocol)
        }
        try await keyshare.changesThePIN()
        try await keyshare.twoWalletsHaveTwoAccounts()
    }

    /// Sessions that end early, and exchanges that are lost.
    static func endings() async throws {
        let endings = EndingTests()
        for moment in EndingTests.Moment.allCases {
            try await endings.theWalletCancels(moment: moment)
            try await endings.theRequestorCancels(moment: moment)
        }
    }
}
#endif
