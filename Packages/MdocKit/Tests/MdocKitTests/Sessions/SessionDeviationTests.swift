import CBORKit
import CryptoCore
import JSONKit
import MdocKit
import MdocProximity
import TestSupport
import Testing

/// Deviations of the messages around requests and responses: refused, or tolerated by name and reported by the session.
@Suite struct SessionDeviationTests {
    /// A message whose head takes two bytes more than needed.
    private static func inLongForm(_ message: [UInt8]) throws -> [UInt8] {
        try #require(message.first.map { 0xa1...0xb7 ~= $0 } == true)
        return [0xb9, 0x00, message[0] & 0x1f] + message.dropFirst()
    }

    @Test func aReaderReportsTheFirstOfEachTolerance() async throws {
        let fixture = try SessionFixture()
        for options in [MdocReadingOptions.strict, MdocReadingOptions(tolerances: [.nonPreferredEncoding])] {
            var wallet = try fixture.cipher(.device)
            var reader = try await ReaderSessionMachine(
                engagement: fixture.engagement,
                readerKey: fixture.readerKey,
                options: options
            )
            for round in 0..<2 {
                guard reader.termination == nil else { continue }
                let (id, _) = try reader.request(SessionFixture.request())
                let message = try Self.inLongForm(SessionData(data: wallet.encrypt([1])).encoded())
                let effects = reader.receive(message)
                let (termination, deviations) = (reader.termination, reader.deviations)
                if options.tolerances.isEmpty {
                    #expect(termination?.status == .cborDecodingError)
                    #expect(termination?.message.contains("not tolerated: nonPreferredEncoding") == true)
                    #expect(deviations.isEmpty)
                } else {
                    #expect(effects == [.response([1], to: id)], "round \(round)")
                    #expect(deviations.map(\.description) == ["nonPreferredEncoding in sessionData"])
                }
            }
        }
    }

    @Test func aWalletReportsTheFirstMessageToo() async throws {
        let fixture = try SessionFixture()
        for options in [
            MdocReadingOptions.strict, MdocReadingOptions(tolerances: [.nonPreferredEncoding, .textKeyID]),
        ] {
            var cipher = try fixture.cipher(.reader)
            let message = try Self.inLongForm(fixture.establishment([1], &cipher))
            let device = try EngagedDevice(engagement: fixture.engagement, key: fixture.deviceKey, options: options)
            switch await device.receive(message) {
            case .ended(let termination, let reply):
                #expect(options.tolerances.isEmpty)
                #expect(termination.message.contains("not tolerated: nonPreferredEncoding"))
                #expect(reply == SessionData(status: .cborDecodingError).encoded())
            case .established(var machine, let request):
                #expect(!options.tolerances.isEmpty)
                #expect(request == [1])
                let next = try Self.inLongForm(SessionData(data: cipher.encrypt([2])).encoded())
                #expect(machine.receive(next) == [.request([2])])
                let deviations = machine.deviations
                #expect(deviations.map(\.description) == ["nonPreferredEncoding in sessionEstablishment"])
            }
        }
    }

    @Test func bothProximitySessionsReport() async throws {
        let device = try EngagedDevice(retrievalMethods: [], options: .deployed)
        let engagement = try DeviceEngagement(uri: device.engagement.uri, options: .deployed)
        let (readerEnd, holderEnd) = InMemoryMdocTransport.pair()
        let holder = await ProximityHolderSession(
            device,
            over: LongFormTransport(holderEnd),
            clock: ManualClock(),
            options: .deployed
        )
        let reader = try await ProximityReaderSession(
            engagement: engagement,
            readerKey: PrivateKey.generate(.p256),
            over: readerEnd,
            clock: ManualClock(),
            options: .deployed
        )
        async let asking = reader.response(to: SessionFixture.request())
        _ = try #require(try await holder.nextRequest())
        #expect(await holder.deviations.map(\.description) == ["nonPreferredEncoding in sessionEstablishment"])
        try await holder.respond(DeviceResponse(documents: []))
        let deviations = try await asking.deviations
        #expect(deviations.map(\.description) == ["missingRetrievalMethods in deviceEngagement"])
        #expect(await reader.deviations == deviations)
        await reader.terminate()
    }

    /// Receives every message with a head in long form.
    private struct LongFormTransport: MdocTransport {
        let transport: InMemoryMdocTransport

        init(_ transport: InMemoryMdocTransport) {
            self.transport = transport
        }

        var maximumMessageSize: Int { transport.maximumMessageSize }

        func send(_ message: [UInt8]) async throws(MdocError) {
            try await transport.send(message)
        }

        func receive() async throws(MdocError) -> [UInt8]? {
            guard let message = try await transport.receive(), let first = message.first else { return nil }
            return [0xb9, 0x00, first & 0x1f] + message.dropFirst()
        }

        func close() async {
            await transport.close()
        }
    }

    @Test func websitesAndVisitorsReport() async throws {
        let website = try EngagedWebsite(uri: "https://a.example/1", domain: "a.example", options: .deployed)
        let link = website.engagement.link
        let padding = String(repeating: "=", count: (4 - (link.utf8.count - 7) % 4) % 4)
        try #require(!padding.isEmpty)
        var refusal: MdocError?
        do throws(MdocError) {
            _ = try WebsiteVisitor(link: link + padding, domain: "a.example")
        } catch {
            refusal = error
        }
        #expect(refusal?.message == "not tolerated: paddedURI")
        let visitor = try WebsiteVisitor(link: link + padding, domain: "a.example", options: .deployed)
        let session = try await website.receive(Self.inLongForm(visitor.message))
        var reader = session.takeMachine()
        let ofTheReader = reader.deviations
        #expect(ofTheReader.map(\.description) == ["nonPreferredEncoding"])
        let (_, request) = try reader.request(SessionFixture.request())
        switch try await visitor.receive(Self.inLongForm(request)) {
        case .ended(let termination, _): Issue.record("\(termination)")
        case .established(let machine, _):
            let deviations = machine.deviations
            let expected = ["paddedURI in readerEngagement", "nonPreferredEncoding in sessionData"]
            #expect(deviations.map(\.description) == expected)
        }
    }
}
