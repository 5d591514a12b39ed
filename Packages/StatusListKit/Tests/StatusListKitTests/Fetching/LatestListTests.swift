import CredentialTransport
import Foundation
import StatusListKit
import Testing

/// Of the lists that a client has, the one issued last counts, wherever it came from: otherwise a revocation gets lost.
@Suite struct LatestListTests {
    private let now = TokenMaker.now
    private let maker: TokenMaker

    init() throws {
        maker = try TokenMaker(.jwt)
    }

    /// A snapshot with a list that was issued at a time, and that revokes the credential or not.
    private func snapshot(
        _ issuedAt: TimeInterval,
        isRevoked: Bool,
        expirationTime: TimeInterval = 3600,
        by maker: TokenMaker? = nil
    ) async throws -> StatusListSnapshot {
        var snapshot = StatusListSnapshot()
        snapshot.insert(try await token(issuedAt, isRevoked, expirationTime, by: maker), for: TokenMaker.uri)
        return snapshot
    }

    private func token(
        _ issuedAt: TimeInterval,
        _ isRevoked: Bool,
        _ expirationTime: TimeInterval = 3600,
        by maker: TokenMaker? = nil
    ) async throws -> StatusListToken {
        var maker = maker ?? self.maker
        maker.issuedAt = issuedAt
        maker.expirationTime = expirationTime
        maker.list = StatusList(bytes: [isRevoked ? 1 : 0], bits: .one)
        return try await maker.token()
    }

    private func client(
        _ server: TokenServer? = nil,
        snapshot: StatusListSnapshot = StatusListSnapshot(),
        stalePeriod: TimeInterval = 0
    ) -> StatusListClient {
        var caching = DocumentCacheOptions(stalePeriod: stalePeriod)
        caching.retryInterval = 0
        caching.refetchInterval = 0
        return StatusListClient(
            transport: server?.transport,
            snapshot: snapshot,
            policy: TokenMaker.policy,
            options: StatusListClientOptions(caching: caching)
        )
    }

    private func isRevoked(
        _ client: StatusListClient,
        refreshingAfter maximumAge: TimeInterval? = nil,
        after offset: TimeInterval = 0
    ) async throws -> Bool {
        try await client.list(at: TokenMaker.uri, signedBy: maker.key, refreshingAfter: maximumAge, at: now + offset)
            .status(at: 0) == .revoked
    }

    @Test func withoutANetworkALoadedListReplacesAVerifiedOne() async throws {
        let client = client()
        #expect(client.load(try await snapshot(-500, isRevoked: false), signedBy: maker.key, at: now).isEmpty)
        #expect(try await !isRevoked(client))
        client.load(try await snapshot(-50, isRevoked: true))
        #expect(try await isRevoked(client))
        client.load(try await snapshot(-100, isRevoked: false))
        #expect(client.load(try await snapshot(-200, isRevoked: false), signedBy: maker.key, at: now).isEmpty)
        #expect(try await isRevoked(client))
    }

    @Test func aLoadedListReplacesAFetchedOneThatIsFresh() async throws {
        let server = TokenServer(try await token(-100, false))
        let client = client(server)
        #expect(try await !isRevoked(client))
        client.load(try await snapshot(-50, isRevoked: true))
        #expect(try await isRevoked(client))
        #expect(server.count == 1)
    }

    @Test func anOlderListFromTheServerDoesNotReplaceTheSnapshotAfterARestart() async throws {
        let server = TokenServer(try await token(-50, true))
        let first = client(server)
        #expect(try await isRevoked(first))
        server.set(TokenServer.answer(try await token(-500, false)))
        let second = client(server, snapshot: first.snapshot())
        for offset: TimeInterval in [0, 10] { #expect(try await isRevoked(second, after: offset)) }
        server.set(TokenServer.answer(try await token(4000, false, 8000)))
        #expect(try await !isRevoked(second, after: 4000))
    }

    @Test func aKeptListThatIsTooOldGivesWayToALaterSnapshotInAnOutage() async throws {
        let server = TokenServer(try await token(-100, false))
        let client = client(server, stalePeriod: .infinity)
        #expect(try await !isRevoked(client))
        server.set(nil)
        client.load(try await snapshot(-50, isRevoked: true))
        #expect(try await isRevoked(client, refreshingAfter: 60))
    }

    @Test func aSnapshotHoldsTheLatestOfFetchedAndLoadedLists() async throws {
        let server = TokenServer(try await token(-500, false))
        let client = client(server)
        #expect(try await !isRevoked(client))
        // The loaded list was never asked for.
        client.load(try await snapshot(-50, isRevoked: true))
        #expect(try await isRevoked(self.client(snapshot: client.snapshot())))
        // Once it was, the older list is not needed any more.
        #expect(try await isRevoked(client))
        #expect(client.snapshot().tokens.count == 1)
        let restarted = self.client(snapshot: try StatusListSnapshot(decoding: client.snapshot().encoded()))
        #expect(try await isRevoked(restarted))
    }

    @Test func aForgedListDoesNotKeepTheGenuineOneOutOfASnapshot() async throws {
        let client = client()
        client.load(try await snapshot(-50, isRevoked: true))
        client.load(try await snapshot(-10, isRevoked: false, by: TokenMaker(.jwt)))
        let stored = client.snapshot().encoded()
        #expect(try await isRevoked(self.client(snapshot: StatusListSnapshot(decoding: stored))))
        #expect(try await isRevoked(client))
        let again = client.snapshot()
        #expect(again.tokens.map(\.uri) == [TokenMaker.uri, TokenMaker.uri])
        #expect(try await isRevoked(self.client(snapshot: again)))
        let other = self.client()
        #expect(other.load(again, signedBy: maker.key, at: now).map(\.error.refusal?.reason) == ["invalidSignature"])
        #expect(try await isRevoked(other))
    }

    @Test func listsOfTwoSignersWithOneURIAreBothInASnapshot() async throws {
        let stranger = try TokenMaker(.jwt)
        for (first, second) in [(maker, stranger), (stranger, maker)] {
            let client = client()
            let firstList = try await snapshot(-500, isRevoked: false, by: first)
            #expect(client.load(firstList, signedBy: first.key, at: now).isEmpty)
            let secondList = try await snapshot(-50, isRevoked: true, by: second)
            #expect(client.load(secondList, signedBy: second.key, at: now).isEmpty)
            let stored = client.snapshot()
            #expect(stored[TokenMaker.uri]?.encodedBytes == secondList[TokenMaker.uri]?.encodedBytes)
            let restarted = self.client(snapshot: stored)
            for (maker, issuedAt) in [(first, now - 500), (second, now - 50)] {
                let list = try await restarted.list(at: TokenMaker.uri, signedBy: maker.key, at: now)
                #expect(list.issuedAt == issuedAt)
            }
        }
    }

    @Test func theListThatCountsIsNamedAmongTheKeptOnes() async throws {
        let server = TokenServer(try await token(-100, false))
        let client = client(server)
        #expect(try await !isRevoked(client))
        client.load(try await snapshot(-50, isRevoked: true))
        #expect(try await isRevoked(client))
        #expect(client.keptLists(at: now).map(\.issuedAt) == [now - 50])
    }
}
