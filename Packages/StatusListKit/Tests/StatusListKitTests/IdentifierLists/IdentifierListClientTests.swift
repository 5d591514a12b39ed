import COSEKit
import CredentialTransport
import CryptoCore
import Foundation
import StatusListKit
import Synchronization
import Testing

/// Fetching and caching identifier lists.
@Suite struct IdentifierListClientTests {
    private func later(_ seconds: TimeInterval) -> Date { IdentifierListIssuer.now + seconds }

    @Test func aListIsKeptForItsTimeToLive() async throws {
        let issuer = try await IdentifierListIssuer()
        let transport = IdentifierListIssuer.server(try await issuer.token(timeToLive: 600)).transport
        let client = IdentifierListClient(transport: transport)
        for (offset, count): (TimeInterval, Int) in [(0, 1), (599, 1), (600, 2), (601, 2), (-61, 3)] {
            let time = later(offset)
            _ = try? await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: time)
            #expect(transport.requests.count == count, "\(offset)")
        }
    }

    @Test(arguments: [(1, 59.0, 60.0), (1_000_000, 999.0, 1000.0), (nil, 99.0, 100.0)] as [(Int?, Double, Double)])
    func timesToLiveAreHeldWithinBounds(_ timeToLive: Int?, kept: Double, refreshed: Double) async throws {
        let issuer = try await IdentifierListIssuer()
        let transport = IdentifierListIssuer.server(try await issuer.token(timeToLive: timeToLive)).transport
        let options = StatusListClientOptions(
            caching: DocumentCacheOptions(maximumLifetime: 1000, defaultLifetime: 100)
        )
        let client = IdentifierListClient(transport: transport, options: options)
        for (offset, count) in [(0, 1), (kept, 1), (refreshed, 2)] {
            _ = try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: later(offset))
            #expect(transport.requests.count == count, "\(offset)")
        }
    }

    /// A kept list whose token, or whose signer's certificate, has ended.
    @Test(arguments: [(3600.0, 3660.0, Reason.expired), (2 * IdentifierListIssuer.day, 86_401, .issuerNotTrusted)])
    func aKeptListIsNotUsedPastItsEnd(_ expirationTime: Double, _ end: Double, _ reason: Reason) async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token(expirationTime: expirationTime, timeToLive: 1_000_000)
        let server = IdentifierListIssuer.server(token)
        let options = StatusListClientOptions(caching: DocumentCacheOptions(maximumLifetime: 1_000_000))
        let client = IdentifierListClient(transport: server.transport, options: options)
        _ = try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: later(0))
        _ = try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: later(end - 1))
        #expect(server.count == 1)
        let error = await #expect(throws: StatusListError.self) {
            try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: later(end))
        }
        #expect(error?.refusal?.reason == reason)
        #expect(server.count == 2)
    }

    @Test func whatCouldNotBeHadIsNotAskedForAtOnce() async throws {
        let issuer = try await IdentifierListIssuer()
        let transport = TokenServer([:]).transport
        let client = IdentifierListClient(transport: transport)
        for (offset, count): (TimeInterval, Int) in [(0, 1), (4.9, 1), (5, 2), (4.9, 3)] {
            let error = await #expect(throws: StatusListError.self) {
                try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: later(offset))
            }
            #expect(error?.code == .notFetched)
            #expect(transport.requests.count == count, "\(offset)")
        }
    }

    @Test func manyTasksShareOneRequest() async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token()
        let (gate, opened) = AsyncStream<Void>.makeStream()
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            for await _ in gate {}
            return .ok(token.encodedBytes, type: .identifierListCWT)
        }
        let client = IdentifierListClient(transport: transport)
        let anchors = issuer.anchors
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await client.list(at: IdentifierListIssuer.uri, anchors: anchors, at: IdentifierListIssuer.now)
                        .contains([9])
                }
            }
            while transport.requests.isEmpty { await Task.yield() }
            opened.finish()
            for try await isListed in group { #expect(isListed) }
        }
        #expect(transport.requests.count == 1)
    }

    @Test func whatOnePartySignedDoesNotAnswerForAnother() async throws {
        let issuer = try await IdentifierListIssuer()
        let transport = IdentifierListIssuer.server(try await issuer.token()).transport
        let client = IdentifierListClient(transport: transport)
        _ = try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: IdentifierListIssuer.now)
        let error = await #expect(throws: StatusListError.self) {
            try await client.list(
                at: IdentifierListIssuer.uri,
                anchors: [try await SignerPKI.make().authority.certificate],
                at: IdentifierListIssuer.now
            )
        }
        #expect(error?.refusal?.reason == .issuerNotTrusted)
    }

    @Test(arguments: [(1, 64 << 20), (64, 1)])
    func whatIsNotUsedForLongestIsDropped(_ count: Int, size: Int) async throws {
        let issuer = try await IdentifierListIssuer()
        let transport = IdentifierListIssuer.server(try await issuer.token()).transport
        let options = StatusListClientOptions(
            caching: DocumentCacheOptions(maximumCount: count, maximumSize: size)
        )
        let client = IdentifierListClient(transport: transport, options: options)
        let root = issuer.pki.authority.certificate
        let all = [[root], [root, try await SignerPKI.make().authority.certificate]]
        for anchors in all + all {
            _ = try await client.list(at: IdentifierListIssuer.uri, anchors: anchors, at: IdentifierListIssuer.now)
        }
        #expect(transport.requests.count == 4)
    }

    @Test(arguments: [true, false])
    func staleListsByOption(_ usesStaleLists: Bool) async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token(timeToLive: 600)
        let isUp = Mutex(true)
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            isUp.withLock { $0 }
                ? .ok(token.encodedBytes, type: .identifierListCWT) : InMemoryHTTPAnswer(status: 503)
        }
        let options = StatusListClientOptions(
            caching: DocumentCacheOptions(stalePeriod: usesStaleLists ? .infinity : 0)
        )
        let client = IdentifierListClient(transport: transport, options: options)
        _ = try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: IdentifierListIssuer.now)
        isUp.withLock { $0 = false }
        let list = try? await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: later(700))
        #expect((list != nil) == usesStaleLists)
    }

    @Test func keptListsMakeASnapshot() async throws {
        let issuer = try await IdentifierListIssuer()
        let transport = IdentifierListIssuer.server(try await issuer.token()).transport
        let client = IdentifierListClient(transport: transport)
        _ = try await client.list(at: IdentifierListIssuer.uri, anchors: issuer.anchors, at: IdentifierListIssuer.now)
        let offline = IdentifierListClient(transport: nil, snapshot: client.snapshot())
        let list = try await offline.list(
            at: IdentifierListIssuer.uri,
            anchors: issuer.anchors,
            at: IdentifierListIssuer.now
        )
        #expect(list.contains([9]))
        let error = await #expect(throws: StatusListError.self) {
            try await offline.list(
                at: "https://issuer.example/other",
                anchors: issuer.anchors,
                at: IdentifierListIssuer.now
            )
        }
        #expect(error?.code == .notAvailable)
    }

    @Test func answersThatAreTooLongOrOfAnotherType() async throws {
        let issuer = try await IdentifierListIssuer()
        let token = try await issuer.token()
        let answers: [InMemoryHTTPAnswer] = [
            .ok(token.encodedBytes, type: .statusListCWT), .ok(token.encodedBytes + [0], type: .identifierListCWT),
        ]
        for answer in answers {
            let policy = StatusListPolicy(
                jwtAlgorithms: [],
                cwtAlgorithms: [.es256],
                limits: StatusListLimits(tokenSize: token.encodedBytes.count)
            )
            let transport = InMemoryHTTPTransport([IdentifierListIssuer.uri: answer])
            let client = IdentifierListClient(transport: transport, policy: policy)
            let error = await #expect(throws: StatusListError.self) {
                try await client.list(
                    at: IdentifierListIssuer.uri,
                    anchors: issuer.anchors,
                    at: IdentifierListIssuer.now
                )
            }
            #expect(error?.code == .notFetched)
        }
    }
}
