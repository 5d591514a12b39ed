import CredentialTransport
import Foundation
import StatusListKit
import Testing

/// Lists that stand in where none can be fetched, of both kinds: what was fetched before, and what a snapshot holds.
@Suite struct OutageTests {
    /// A client of lists of one kind, and the server that it asks.
    struct Scene: Sendable {
        let server: TokenServer
        /// Indicates whether the credential is revoked in the list that the client has at a time, in seconds from
        /// ``TokenMaker/now``.
        let isRevoked: @Sendable (TimeInterval) async throws -> Bool
        /// The answer with a list that was issued at a time, and that revokes the credential or not.
        let answer: @Sendable (_ issuedAt: TimeInterval, _ isRevoked: Bool) async throws -> InMemoryHTTPAnswer
        /// Loads a snapshot with a list that was issued at a time, by its signer or by a stranger.
        let load: @Sendable (_ issuedAt: TimeInterval, _ isRevoked: Bool, _ isForged: Bool) async throws -> Void
        let url: String

        /// Publishes a list, or takes the server away.
        func publish(_ issuedAt: TimeInterval, isRevoked: Bool) async throws {
            server.set(try await answer(issuedAt, isRevoked), at: url)
        }

        func fail() {
            server.set(nil, at: url)
        }
    }

    enum Kind: CaseIterable {
        case statusList
        case identifierList
    }

    /// The lists live for a minute before they are due, and expire after an hour.
    struct Setting {
        /// When the list of the snapshot was issued, and whether it revokes; nil without a snapshot.
        var snapshot: (issuedAt: TimeInterval, isRevoked: Bool)?
        var stalePeriod: TimeInterval = 0
        var expirationTime: TimeInterval = 3600
        var hasNetwork = true
    }

    private func scene(_ kind: Kind, _ setting: Setting) async throws -> Scene {
        var caching = DocumentCacheOptions(stalePeriod: setting.stalePeriod)
        caching.retryInterval = 0
        let options = StatusListClientOptions(caching: caching)
        switch kind {
        case .statusList: return try await statusLists(setting, options)
        case .identifierList: return try await identifierLists(setting, options)
        }
    }

    private func statusLists(_ setting: Setting, _ options: StatusListClientOptions) async throws -> Scene {
        let maker = try TokenMaker(.jwt)
        let token: @Sendable (TimeInterval, Bool) async throws -> StatusListToken = { issuedAt, isRevoked in
            var maker = maker
            maker.issuedAt = issuedAt
            maker.expirationTime = setting.expirationTime
            maker.timeToLive = 60
            maker.list = StatusList(bytes: [isRevoked ? 1 : 0], bits: .one)
            return try await maker.token()
        }
        var snapshot = StatusListSnapshot()
        if let stored = setting.snapshot {
            snapshot.insert(try await token(stored.issuedAt, stored.isRevoked), for: TokenMaker.uri)
        }
        let server = TokenServer([:])
        let client = StatusListClient(
            transport: setting.hasNetwork ? server.transport : nil,
            snapshot: snapshot,
            policy: TokenMaker.policy,
            options: options
        )
        return Scene(
            server: server,
            isRevoked: { offset in
                let time = TokenMaker.now + offset
                return try await client.list(at: TokenMaker.uri, signedBy: maker.key, at: time).status(at: 0)
                    == .revoked
            },
            answer: { TokenServer.answer(try await token($0, $1)) },
            load: { issuedAt, isRevoked, isForged in
                var maker = isForged ? try TokenMaker(.jwt) : maker
                maker.issuedAt = issuedAt
                maker.expirationTime = setting.expirationTime
                maker.list = StatusList(bytes: [isRevoked ? 1 : 0], bits: .one)
                var snapshot = StatusListSnapshot()
                snapshot.insert(try await maker.token(), for: TokenMaker.uri)
                client.load(snapshot)
            },
            url: TokenMaker.uri
        )
    }

    private func identifierLists(_ setting: Setting, _ options: StatusListClientOptions) async throws -> Scene {
        let issuer = try await IdentifierListIssuer()
        let token: @Sendable (TimeInterval, Bool) async throws -> IdentifierListToken = { issuedAt, isRevoked in
            try await issuer.token(
                identifiers: isRevoked ? [[7]] : [],
                issuedAt: issuedAt,
                expirationTime: setting.expirationTime,
                timeToLive: 60
            )
        }
        var snapshot = IdentifierListSnapshot()
        if let stored = setting.snapshot {
            snapshot.insert(try await token(stored.issuedAt, stored.isRevoked), for: IdentifierListIssuer.uri)
        }
        let server = TokenServer([:])
        let client = IdentifierListClient(
            transport: setting.hasNetwork ? server.transport : nil,
            snapshot: snapshot,
            options: options
        )
        return Scene(
            server: server,
            isRevoked: { offset in
                let time = TokenMaker.now + offset
                return try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: time)
                    .contains([7])
            },
            answer: { IdentifierListIssuer.answer(try await token($0, $1)) },
            load: { issuedAt, isRevoked, isForged in
                let maker = isForged ? try await IdentifierListIssuer() : issuer
                var snapshot = IdentifierListSnapshot()
                snapshot.insert(
                    try await maker.token(
                        identifiers: isRevoked ? [[7]] : [],
                        issuedAt: issuedAt,
                        expirationTime: setting.expirationTime
                    ),
                    for: IdentifierListIssuer.uri
                )
                client.load(snapshot)
            },
            url: IdentifierListIssuer.uri
        )
    }

    @Test(arguments: Kind.allCases)
    func aKeptListIsPreferredToAnOlderSnapshot(_ kind: Kind) async throws {
        let scene = try await scene(kind, Setting(snapshot: (-500, false)))
        try await scene.publish(-100, isRevoked: true)
        #expect(try await scene.isRevoked(0))
        scene.fail()
        for offset: TimeInterval in [100, 200] { #expect(try await scene.isRevoked(offset), "\(offset)") }
        // The server is asked each time: what stands in is not fresh.
        #expect(scene.server.count == 3)
        try await scene.publish(210, isRevoked: true)
        #expect(try await scene.isRevoked(220))
        #expect(scene.server.count == 4)
    }

    @Test(arguments: Kind.allCases)
    func aLaterSnapshotIsPreferredToAFetchedList(_ kind: Kind) async throws {
        for stalePeriod in [0, TimeInterval.infinity] {
            let scene = try await scene(kind, Setting(snapshot: (-50, true), stalePeriod: stalePeriod))
            try await scene.publish(-100, isRevoked: false)
            #expect(try await scene.isRevoked(0))
            scene.fail()
            #expect(try await scene.isRevoked(100))
            try await scene.publish(150, isRevoked: false)
            #expect(try await !scene.isRevoked(200))
        }
    }

    @Test(arguments: Kind.allCases)
    func aLaterSnapshotIsPreferredToAKeptList(_ kind: Kind) async throws {
        let scene = try await scene(kind, Setting(snapshot: (-500, true)))
        try await scene.publish(-100, isRevoked: false)
        #expect(try await !scene.isRevoked(0))
        try await scene.load(-50, true, false)
        #expect(try await scene.isRevoked(0))
        #expect(scene.server.count == 1)
    }

    @Test(arguments: Kind.allCases, [true, false])
    func anOlderSnapshotDoesNotReplaceALaterOne(_ kind: Kind, isUsedBetween: Bool) async throws {
        let scene = try await scene(kind, Setting(snapshot: (-500, false), hasNetwork: false))
        try await scene.load(-100, true, false)
        if isUsedBetween { #expect(try await scene.isRevoked(0)) }
        try await scene.load(-300, false, false)
        #expect(try await scene.isRevoked(0))
        try await scene.load(-200, false, false)
        #expect(try await scene.isRevoked(0))
        try await scene.load(-50, false, false)
        #expect(try await !scene.isRevoked(0))
    }

    @Test(arguments: Kind.allCases)
    func aForgedSnapshotDoesNotKeepALaterOneOut(_ kind: Kind) async throws {
        let scene = try await scene(kind, Setting(snapshot: (-500, false), hasNetwork: false))
        try await scene.load(1000, true, true)
        #expect(try await !scene.isRevoked(0))
        try await scene.load(-100, true, false)
        #expect(try await scene.isRevoked(0))
        try await scene.load(2000, false, true)
        try await scene.load(3000, false, true)
        // Two forged tokens: no answer, until the next genuine one.
        await expectRefusal(.notAvailable) { try await scene.isRevoked(0) }
        try await scene.load(-100, true, false)
        #expect(try await scene.isRevoked(0))
    }

    @Test(arguments: Kind.allCases)
    func aSnapshotStandsInAndTheServerIsAskedAgain(_ kind: Kind) async throws {
        let scene = try await scene(kind, Setting(snapshot: (-500, false)))
        for count in 1...3 {
            #expect(try await !scene.isRevoked(TimeInterval(count)))
            #expect(scene.server.count == count)
        }
        try await scene.publish(-100, isRevoked: true)
        #expect(try await scene.isRevoked(4))
    }

    @Test(arguments: Kind.allCases)
    func anExpiredSnapshotDoesNotHideTheOutage(_ kind: Kind) async throws {
        let scene = try await scene(kind, Setting(snapshot: (-500, false), expirationTime: 1000))
        #expect(try await !scene.isRevoked(1059))
        await expectRefusal(.notFetched) { try await scene.isRevoked(1060) }
    }

    @Test(arguments: Kind.allCases)
    func anOlderListFromTheServerDoesNotReplaceALaterOne(_ kind: Kind) async throws {
        let scene = try await scene(kind, Setting())
        try await scene.publish(-100, isRevoked: true)
        #expect(try await scene.isRevoked(0))
        try await scene.publish(-200, isRevoked: false)
        #expect(try await scene.isRevoked(100))
        #expect(scene.server.count == 2)
        try await scene.publish(150, isRevoked: false)
        #expect(try await !scene.isRevoked(200))
    }

    @Test(arguments: Kind.allCases)
    func aListPastItsExpiryIsFetchedAgain(_ kind: Kind) async throws {
        for stalePeriod in [0, TimeInterval.infinity] {
            let scene = try await scene(kind, Setting(stalePeriod: stalePeriod, expirationTime: 1000))
            try await scene.publish(-100, isRevoked: false)
            #expect(try await !scene.isRevoked(0))
            await expectRefusal(.refused) { try await scene.isRevoked(1060) }
            #expect(scene.server.count == 2)
            scene.fail()
            await expectRefusal(.notFetched) { try await scene.isRevoked(1070) }
            #expect(scene.server.count == 3)
        }
    }

    @Test(arguments: Kind.allCases)
    func aRefusedAnswerIsNoOutage(_ kind: Kind) async throws {
        let scene = try await scene(kind, Setting(snapshot: (-500, false), stalePeriod: .infinity))
        try await scene.publish(-100, isRevoked: false)
        #expect(try await !scene.isRevoked(0))
        // A list from the future.
        try await scene.publish(1000, isRevoked: false)
        await expectRefusal(.refused) { try await scene.isRevoked(100) }
    }

    @Test(arguments: Kind.allCases)
    func withoutANetworkTheSnapshotIsUsedUntilItExpires(_ kind: Kind) async throws {
        let scene = try await scene(kind, Setting(snapshot: (-500, true), hasNetwork: false))
        for offset: TimeInterval in [0, 100, 3659] { #expect(try await scene.isRevoked(offset), "\(offset)") }
        await expectRefusal(.notAvailable) { try await scene.isRevoked(3660) }
        let empty = try await self.scene(kind, Setting(hasNetwork: false))
        await expectRefusal(.notAvailable) { try await empty.isRevoked(0) }
    }
}
