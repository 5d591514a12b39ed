@_spi(Layers) import CredentialTransport
import Testing

/// Durations that timers and integers cannot hold.
struct DurationBoundsTests {
    private static let longest: Duration = .seconds(4_294_967_295)

    @Test(
        arguments: [
            (.zero, .zero), (.seconds(10), .seconds(10)), (.seconds(-1), .seconds(-1)), (longest, longest),
            (longest + .nanoseconds(1), longest), (.seconds(Int64.max), longest), (.seconds(Int64.max) * 10, longest),
        ] as [(Duration, Duration)]
    )
    func boundsWhatATimerWaitsFor(_ duration: Duration, bound: Duration) {
        #expect(duration.boundedForTimers == bound)
        #expect(Duration.longestWait == Self.longest)
    }

    @Test(
        arguments: [
            (.zero, 0), (.milliseconds(1), 1), (.microseconds(1999), 1), (.seconds(-5), 0), (.milliseconds(-1), 0),
            (.seconds(Int64.max), 4_294_967_295_000), (.seconds(Int64.min), 0),
            (.seconds(Int64.max) * 10, 4_294_967_295_000),
        ] as [(Duration, Int64)]
    )
    func countsWholeMilliseconds(_ duration: Duration, milliseconds: Int64) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }

    /// A limit beyond the clock's range never expires, and does not end the process.
    @Test(arguments: [Duration.seconds(1_000_000_000_000_000_000), .seconds(Int64.max), .seconds(Int64.max) * 10])
    func takesAnyTimeLimit(_ timeout: Duration) async throws {
        let transport = InMemoryHTTPTransport(["https://a.example/": .ok([7], type: .json)])
        let limits = HTTPLimits(timeout: timeout, maximumSilence: timeout)
        let request = HTTPTransportRequest.get(try HTTPURL("https://a.example/"), accepting: [.json], limits: limits)
        #expect(try await transport.response(to: request).body == [7])
    }
}
