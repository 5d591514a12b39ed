import CredentialTransport
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

    @Test func fixedResolversKnowTheirHostsOnly() async throws {
        let resolver = FixedHostResolver(["a.example": [.v4(1)]])
        #expect(try await resolver.addresses(of: "a.example") == [.v4(1)])
        await refusal(.resolutionFailed) { try await resolver.addresses(of: "b.example") }
    }
}
