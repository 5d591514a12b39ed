import COSEKit
import CredentialTransport
import CryptoCore
import Foundation
import MdocKit
import StatusListKit
import Synchronization
import Testing

/// Fetching and caching identifier lists.
@Suite struct IdentifierListClientTests {
    private func anchors(_ issuer: ListIssuer) -> [Certificate] { [issuer.utopia.iaca.certificate] }

    private func later(_ seconds: TimeInterval) -> Date { Utopia.now + seconds }

    @Test func aListIsKeptForItsTimeToLive() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(nil, try await issuer.identifierToken(timeToLive: 600))
        let client = IdentifierListClient(transport: transport)
        for (offset, count): (TimeInterval, Int) in [(0, 1), (599, 1), (600, 2), (601, 2), (-61, 3)] {
            let time = later(offset)
            _ = try? await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: time)
            #expect(transport.requests.count == count, "\(offset)")
        }
    }

    @Test(arguments: [(1, 59.0, 60.0), (1_000_000, 999.0, 1000.0), (nil, 99.0, 100.0)] as [(Int?, Double, Double)])
    func timesToLiveAreHeldWithinBounds(_ timeToLive: Int?, kept: Double, refreshed: Double) async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(nil, try await issuer.identifierToken(timeToLive: timeToLive))
        let options = StatusListClientOptions(
            caching: DocumentCacheOptions(maximumLifetime: 1000, defaultLifetime: 100)
        )
        let client = IdentifierListClient(transport: transport, options: options)
        for (offset, count) in [(0, 1), (kept, 1), (refreshed, 2)] {
            _ = try await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: later(offset))
            #expect(transport.requests.count == count, "\(offset)")
        }
    }

    @Test func aKeptListIsNotUsedPastItsExpiry() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(nil, try await issuer.identifierToken(timeToLive: 1_000_000))
        let options = StatusListClientOptions(caching: DocumentCacheOptions(maximumLifetime: 1_000_000))
        let client = IdentifierListClient(transport: transport, options: options)
        _ = try await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: Utopia.now)
        let error = await #expect(throws: StatusListError.self) {
            try await client.list(
                at: ListIssuer.identifierURI,
                anchors: anchors(issuer),
                at: Utopia.now + Utopia.day + 60
            )
        }
        #expect(error?.refusal?.reason == .expired)
    }

    @Test func whatCouldNotBeHadIsNotAskedForAtOnce() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport()
        let client = IdentifierListClient(transport: transport)
        for (offset, count): (TimeInterval, Int) in [(0, 1), (4.9, 1), (5, 2), (4.9, 3)] {
            let error = await #expect(throws: StatusListError.self) {
                try await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: later(offset))
            }
            #expect(error?.code == .notFetched)
            #expect(transport.requests.count == count, "\(offset)")
        }
    }

    @Test func manyTasksShareOneRequest() async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken()
        let (gate, opened) = AsyncStream<Void>.makeStream()
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            for await _ in gate {}
            return .ok(token.encodedBytes, type: .identifierListCWT)
        }
        let client = IdentifierListClient(transport: transport)
        let anchors = anchors(issuer)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await client.list(at: ListIssuer.identifierURI, anchors: anchors, at: Utopia.now).contains([9])
                }
            }
            while transport.requests.isEmpty { await Task.yield() }
            opened.finish()
            for try await isListed in group { #expect(isListed) }
        }
        #expect(transport.requests.count == 1)
    }

    @Test func whatOnePartySignedDoesNotAnswerForAnother() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(nil, try await issuer.identifierToken())
        let client = IdentifierListClient(transport: transport)
        _ = try await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: Utopia.now)
        let error = await #expect(throws: StatusListError.self) {
            try await client.list(
                at: ListIssuer.identifierURI,
                anchors: [issuer.utopia.readerAuthority.certificate],
                at: Utopia.now
            )
        }
        #expect(error?.refusal?.reason == .issuerNotTrusted)
    }

    @Test(arguments: [(1, 64 << 20), (64, 1)])
    func whatIsNotUsedForLongestIsDropped(_ count: Int, size: Int) async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(nil, try await issuer.identifierToken())
        let options = StatusListClientOptions(
            caching: DocumentCacheOptions(maximumCount: count, maximumSize: size)
        )
        let client = IdentifierListClient(transport: transport, options: options)
        let root = issuer.utopia.iaca.certificate
        let all = [[root], [root, issuer.utopia.readerAuthority.certificate]]
        for anchors in all + all {
            _ = try await client.list(at: ListIssuer.identifierURI, anchors: anchors, at: Utopia.now)
        }
        #expect(transport.requests.count == 4)
    }

    @Test(arguments: [true, false])
    func staleListsByOption(_ usesStaleLists: Bool) async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken(timeToLive: 600)
        let isUp = Mutex(true)
        let transport = InMemoryHTTPTransport { _ throws(TransportError) in
            isUp.withLock { $0 }
                ? .ok(token.encodedBytes, type: .identifierListCWT) : InMemoryHTTPAnswer(status: 503)
        }
        let options = StatusListClientOptions(
            caching: DocumentCacheOptions(stalePeriod: usesStaleLists ? .infinity : 0)
        )
        let client = IdentifierListClient(transport: transport, options: options)
        _ = try await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: Utopia.now)
        isUp.withLock { $0 = false }
        let list = try? await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: later(700))
        #expect((list != nil) == usesStaleLists)
    }

    @Test func keptListsMakeASnapshot() async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(nil, try await issuer.identifierToken())
        let client = IdentifierListClient(transport: transport)
        _ = try await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: Utopia.now)
        let offline = IdentifierListClient(transport: nil, snapshot: client.snapshot())
        let list = try await offline.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: Utopia.now)
        #expect(list.contains([9]))
        let error = await #expect(throws: StatusListError.self) {
            try await offline.list(at: "https://utopia.example/other", anchors: anchors(issuer), at: Utopia.now)
        }
        #expect(error?.code == .notAvailable)
    }

    @Test func answersThatAreTooLongOrOfAnotherType() async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.identifierToken()
        let answers: [InMemoryHTTPAnswer] = [
            .ok(token.encodedBytes, type: .statusListCWT), .ok(token.encodedBytes + [0], type: .identifierListCWT),
        ]
        for answer in answers {
            let policy = StatusListPolicy(
                jwtAlgorithms: [],
                cwtAlgorithms: [.es256],
                limits: StatusListLimits(tokenSize: token.encodedBytes.count)
            )
            let transport = InMemoryHTTPTransport([ListIssuer.identifierURI: answer])
            let client = IdentifierListClient(transport: transport, policy: policy)
            let error = await #expect(throws: StatusListError.self) {
                try await client.list(at: ListIssuer.identifierURI, anchors: anchors(issuer), at: Utopia.now)
            }
            #expect(error?.code == .notFetched)
        }
    }
}
