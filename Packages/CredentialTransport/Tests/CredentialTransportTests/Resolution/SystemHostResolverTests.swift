import CredentialTransport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct SystemHostResolverTests {
    @Test func resolvesThisMachine() async throws {
        let addresses = try await SystemHostResolver.shared.addresses(of: "localhost")
        #expect(!addresses.isEmpty)
        #expect(addresses.allSatisfy { $0.kind == .loopback })
        #expect(Set(addresses).count == addresses.count)
    }

    @Test func refusesNamesThatDoNotExist() async {
        let error = await refusal(.resolutionFailed) {
            try await SystemHostResolver.shared.addresses(of: "no-such-host.invalid")
        }
        #expect(error?.path == ["no-such-host.invalid"])
    }

    @Test func endsWhenItsTaskIsCancelled() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await SystemHostResolver.shared.addresses(of: "localhost")
        }
        await refusal(.cancelled) { try await task.value }
    }

    @Test func boundsTheNumberOfLookups() async throws {
        await refusal(.resolverBusy) { try await SystemHostResolver(maximumLookups: 0).addresses(of: "localhost") }
        let one = SystemHostResolver(maximumLookups: 1)
        _ = try await one.addresses(of: "localhost")
    }

    @Test(.timeLimit(.minutes(1))) func callersOfOneNameShareALookup() async throws {
        let lookups = BlockedLookups()
        let resolver = SystemHostResolver(maximumLookups: 1, lookup: lookups.lookup)
        let callers = (0..<4).map { _ in Task { try await resolver.addresses(of: "a.example") } }
        await lookups.waitForStart(of: 1)
        while resolver.callerCount < 4 { await Task.yield() }
        await refusal(.resolverBusy) { try await resolver.addresses(of: "b.example") }
        // A caller that gives up takes the lookup from no one.
        callers[0].cancel()
        await refusal(.cancelled) { try await callers[0].value }
        lookups.release(1)
        for caller in callers.dropFirst() { #expect(try await caller.value == [.v4(1)]) }
        lookups.release(1)
        #expect(try await resolver.addresses(of: "b.example") == [.v4(1)])
        #expect(resolver.callerCount == 0)
    }

    /// Lookups without an answer leave the threads of Swift's concurrency alone, of which there is one for each core.
    @Test(.timeLimit(.minutes(1))) func blockedLookupsKeepNothingElseWaiting() async throws {
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let lookups = BlockedLookups()
        let resolver = SystemHostResolver(maximumLookups: count, lookup: lookups.lookup)
        let tasks = (0..<count).map { number in Task { try await resolver.addresses(of: "\(number).example") } }
        await lookups.waitForStart(of: count)
        lookups.release(count)
        for task in tasks { #expect(try await task.value == [.v4(1)]) }
    }

    @Test func fileOfHostsIsReadForNamesWithDots() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "hosts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let text = """
            # 192.0.2.9 a.example
            192.0.2.1\tother.example A.Example # b.example
            not-an-address a.example
              2001:db8::1   a.example
            192.0.2.1 a.example
            a.example
            192.0.2.2 aa.example a.example.org\r
            192.0.2.3 c.example
            """
        try Data(text.utf8).write(to: url)
        let v6 = try #require(IPAddress("2001:db8::1"))
        #expect(HostsFile.addresses(of: "a.example", at: url.path) == [.v4(0xc000_0201), v6])
        #expect(HostsFile.addresses(of: "a.example.org", at: url.path) == [.v4(0xc000_0202)])
        #expect(HostsFile.addresses(of: "c.example", at: url.path) == [.v4(0xc000_0203)])
        #expect(HostsFile.addresses(of: "b.example", at: url.path).isEmpty)
        #expect(HostsFile.addresses(of: "a.example", at: url.path + "-none").isEmpty)
    }

    @Test func fixedResolversKnowTheirHostsOnly() async throws {
        let resolver = FixedHostResolver(["a.example": [.v4(1)]])
        #expect(try await resolver.addresses(of: "a.example") == [.v4(1)])
        await refusal(.resolutionFailed) { try await resolver.addresses(of: "b.example") }
    }
}

/// Lookups that block their threads until a test releases them.
private final class BlockedLookups: Sendable {
    private let starts = AsyncStream.makeStream(of: Void.self)
    private let releases = DispatchSemaphore(value: 0)

    var lookup: @Sendable (String) -> Result<[IPAddress], TransportError> {
        { _ in
            self.starts.continuation.yield()
            self.releases.wait()
            return .success([.v4(1)])
        }
    }

    /// Waits until a number of lookups have begun since the last call.
    func waitForStart(of count: Int) async {
        var rest = count
        for await _ in starts.stream {
            rest -= 1
            if rest == 0 { return }
        }
    }

    func release(_ count: Int) {
        for _ in 0..<count { releases.signal() }
    }
}
