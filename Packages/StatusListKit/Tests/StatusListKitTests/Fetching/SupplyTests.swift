import CredentialTransport
import Foundation
import StatusListKit
import TestSupport
import Testing

@Suite struct SupplyTests {
    private let aggregationURI = "https://issuer.example/lists"
    private let now = TokenMaker.now

    @Test func fetchesAheadWhatAnIssuerEnumerates() async throws {
        let maker = try TokenMaker(.cwt)
        let missing = "https://issuer.example/lists/2"
        let aggregation = StatusListAggregation(uris: [missing, TokenMaker.uri])
        let server = TokenServer([
            aggregationURI: .ok(aggregation.encoded(), type: .json),
            TokenMaker.uri: TokenServer.answer(try await maker.token()),
        ])
        let client = StatusListClient(transport: server.transport, policy: TokenMaker.policy)
        let found = try await client.aggregation(at: aggregationURI)
        #expect(found.uris == [missing, TokenMaker.uri])
        let failures = await client.prefetch(found.uris, signedBy: maker.key, at: now)
        #expect(failures.map(\.uri) == [missing])
        #expect(failures.map(\.error.code) == [.notFetched])
        let count = server.count
        let reference = try StatusReference(index: 1, uri: TokenMaker.uri)
        #expect(await client.status(for: reference, signedBy: maker.key, at: now).status == .revoked)
        #expect(server.count == count)
        await expectRefusal(.notFetched) { try await client.aggregation(at: missing) }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"status_lists":{}}"#, #"{"status_lists":[1]}"#, #"{"status_lists":["a",null]}"#,
        #"{"status_lists":["a"],"status_lists":["b"]}"#,
    ])
    func refusesOtherAggregations(text: String) {
        expectRefusal(.malformed) { try StatusListAggregation(json: Array(text.utf8)) }
    }

    @Test func boundsAggregations() throws {
        let two = StatusListAggregation(uris: ["a", "b"]).encoded()
        #expect(try StatusListAggregation(json: two, limits: StatusListLimits(aggregatedLists: 2)).uris == ["a", "b"])
        expectRefusal(.limitExceeded) {
            try StatusListAggregation(json: two, limits: StatusListLimits(aggregatedLists: 1))
        }
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func worksOfflineFromASnapshot(form: StatusListToken.Form) async throws {
        var maker = try TokenMaker(form)
        maker.timeToLive = 60
        let server = TokenServer(try await maker.token())
        let online = StatusListClient(transport: server.transport, policy: TokenMaker.policy)
        let reference = try StatusReference(index: 1, uri: TokenMaker.uri)
        #expect(await online.status(for: reference, signedBy: maker.key, at: now).status == .revoked)

        let stored = online.snapshot().encoded()
        let offline = StatusListClient(transport: nil, policy: TokenMaker.policy)
        #expect(await offline.status(for: reference, signedBy: maker.key, at: now).status.reason == "notAvailable")
        let failures = offline.load(try StatusListSnapshot(decoding: stored), signedBy: maker.key, at: now)
        #expect(failures.isEmpty)
        // Past its time to live there is nothing fresher; past its expiration nothing is known.
        for offset: TimeInterval in [6, 3000] {
            let time = now.addingTimeInterval(offset)
            #expect(await offline.status(for: reference, signedBy: maker.key, at: time).status == .revoked)
        }
        let late = now.addingTimeInterval(3660)
        #expect(await offline.status(for: reference, signedBy: maker.key, at: late).status.reason == "expired")
    }

    /// Otherwise a list that is a day old could stand for another day after each start of the process.
    @Test(arguments: [(-500, 600, 100), (-700, 600, -100), (-500, nil, 3100), (-100_000, 200_000, -13_600)])
    func aListOfASnapshotIsKeptFromItsIssue(
        issuedAt: Double,
        timeToLive: Int?,
        nextUpdate: TimeInterval
    ) async throws {
        let remaining = max(0, nextUpdate)
        var maker = try TokenMaker(.jwt)
        (maker.issuedAt, maker.timeToLive, maker.expirationTime) = (issuedAt, timeToLive, 100_000)
        var snapshot = StatusListSnapshot()
        snapshot.insert(try await maker.token(), for: TokenMaker.uri)
        let server = TokenServer(try await maker.token())
        // The process starts three times.
        for start: TimeInterval in [0, remaining / 2, remaining] {
            let client = StatusListClient(transport: server.transport, policy: TokenMaker.policy)
            #expect(client.load(snapshot, signedBy: maker.key, at: now + start).isEmpty)
            #expect(client.keptLists(at: now + start).map(\.nextUpdate) == [now + nextUpdate])
            for forms: Set<StatusListToken.Form>? in [nil, [.jwt]] {
                let count = server.count
                if remaining > start {
                    let time = now + remaining - 1
                    _ = try await client.list(at: TokenMaker.uri, signedBy: maker.key, forms: forms, at: time)
                    #expect(server.count == count)
                }
                let time = now + remaining
                _ = try await client.list(at: TokenMaker.uri, signedBy: maker.key, forms: forms, at: time)
                #expect(server.count == count + 1)
            }
        }
    }

    /// A list that was fetched stays as fresh as it was.
    @Test func aSnapshotOfTheSameListReplacesNone() async throws {
        var maker = try TokenMaker(.jwt)
        maker.timeToLive = 600
        let server = TokenServer(try await maker.token())
        let client = StatusListClient(transport: server.transport, policy: TokenMaker.policy)
        _ = try await client.list(at: TokenMaker.uri, signedBy: maker.key, at: now)
        #expect(client.load(client.snapshot(), signedBy: maker.key, at: now + 100).isEmpty)
        _ = try await client.list(at: TokenMaker.uri, signedBy: maker.key, at: now + 599)
        #expect(server.count == 1)
    }

    /// A list is fetched ahead for demands of one form, too, and lives no longer for them.
    @Test func aListThatIsFetchedAheadTwiceIsKeptFromItsFetch() async throws {
        var maker = try TokenMaker(.jwt)
        maker.timeToLive = 600
        let server = TokenServer(try await maker.token())
        let client = StatusListClient(transport: server.transport, policy: TokenMaker.policy)
        for offset: TimeInterval in [0, 500] {
            #expect(await client.prefetch([TokenMaker.uri], signedBy: maker.key, at: now + offset).isEmpty)
        }
        for (offset, count) in [(599, 1), (600, 2)] {
            let time = now.addingTimeInterval(TimeInterval(offset))
            _ = try await client.list(at: TokenMaker.uri, signedBy: maker.key, forms: [.jwt], at: time)
            #expect(server.count == count)
        }
    }

    @Test func verifiesEveryTokenOfASnapshot() async throws {
        let maker = try TokenMaker(.jwt)
        let stranger = try TokenMaker(.cwt)
        var snapshot = StatusListSnapshot()
        snapshot.insert(try await stranger.token(), for: TokenMaker.uri)
        snapshot.insert(try await maker.token(), for: TokenMaker.uri)
        snapshot.insert(try await maker.token(), for: "https://issuer.example/lists/2")
        #expect(snapshot.tokens.map(\.uri) == [TokenMaker.uri, "https://issuer.example/lists/2"])
        let client = StatusListClient(transport: nil, policy: TokenMaker.policy)
        let failures = client.load(snapshot, signedBy: maker.key, at: now)
        #expect(failures.map(\.error.refusal?.reason) == [.claimMismatch])
        #expect(
            client.load(snapshot, signedBy: stranger.key, at: now).map(\.error.refusal?.reason) == [
                "invalidSignature", "invalidSignature",
            ]
        )
    }

    @Test(arguments: ["", "00", "a0", "8100", "818363786163786103", "8183617861784100", "81826178617a"])
    func refusesOtherSnapshots(hex: String) throws {
        let bytes = try #require([UInt8](hex: hex))
        expectRefusal(.malformed) { try StatusListSnapshot(decoding: bytes) }
    }
}
