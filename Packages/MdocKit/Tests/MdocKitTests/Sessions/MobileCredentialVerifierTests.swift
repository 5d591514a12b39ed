import CBORKit
import COSEKit
import CredentialTesting
@_spi(Layers) import CredentialTransport
import CryptoCore
import JSONKit
import MdocKit
import MdocProximity
import MdocResults
import Synchronization
import TestSupport
import Testing

@Suite struct MobileCredentialVerifierTests {
    private struct FixedConnector: MdocTransportConnector {
        let transport: any MdocTransport

        func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport { transport }
    }

    /// Never gets anywhere.
    private struct StuckConnector: MdocTransportConnector {
        func connect(to engagement: DeviceEngagement) async throws(MdocError) -> any MdocTransport {
            do {
                try await ManualClock().sleep(for: .seconds(1))
            } catch {
                throw MdocError(.transportFailed, "cancelled")
            }
            throw MdocError(.transportFailed, "the time came")
        }
    }

    /// The events, in order.
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        private let changes = AsyncStream.makeStream(of: Void.self)

        func note(_ entry: String) {
            entries.withLock { $0.append(entry) }
            changes.continuation.yield()
        }

        var noted: [String] { entries.withLock { $0 } }

        /// Returns once so many entries are there.
        func wait(for count: Int) async {
            guard noted.count < count else { return }
            for await _ in changes.stream where noted.count >= count { return }
        }
    }

    private static let request = MobileCredentialRequest(
        docType: .mDL,
        namespaces: [.mDL: ["family_name": false, "portrait": false]]
    )

    private let clock = ManualClock()
    private let log = Log()

    /// A reader that is connected to a wallet.
    private func sides(
        curve: EllipticCurve = .p256,
        verifier: MdocVerifier? = nil,
        reader: ReaderIdentity? = nil,
        methods: [DeviceRetrievalMethod]? = nil,
        options: MdocReadingOptions = .strict
    ) async throws -> (ProximityPresentationSession, ProximityHolderSession, Utopia) {
        let utopia = try await Utopia(deviceCurve: curve)
        let usual = DeviceRetrievalMethod.nfc(try NFCExamples.options(255, 256))
        let device = try EngagedDevice(curve: curve, retrievalMethods: methods ?? [usual])
        let text = device.engagement.uri
        let (readerEnd, holderEnd) = InMemoryMdocTransport.pair()
        let holder = await ProximityHolderSession(device, over: holderEnd, clock: clock)
        let face = MobileCredentialVerifier(
            verifier: verifier ?? utopia.verifier(),
            connector: FixedConnector(transport: readerEnd),
            reader: reader,
            options: options,
            clock: clock
        )
        let session = try await face.createProximityPresentationSession(
            encodedDeviceEngagementString: text,
            onSessionTerminated: { [log] in log.note("ended: \($0.summary)") }
        )
        return (session, holder, utopia)
    }

    /// The answer of a wallet with the licence of these tests, by a signature or a MAC.
    private func answer(
        _ received: ReceivedDeviceRequest,
        _ utopia: Utopia,
        byMAC: Bool = false
    ) async throws -> DeviceResponse {
        let docRequest = try #require(received.request.docRequests.first)
        let disclosed = try await utopia.licence().limitDisclosures(docRequest: docRequest)
        let prepared = try PreparedMdocDocument(disclosed, sessionTranscript: received.sessionTranscript)
        let document =
            byMAC
            ? try await prepared.authenticated(with: utopia.deviceKey, readerKey: received.eReaderKey)
            : try await prepared.signed(with: SoftwareSigner(utopia.deviceKey))
        return try DeviceResponse(documents: [document])
    }

    /// The answer of a wallet whose credential has a tagged signature.
    private func deviatingAnswer(_ received: ReceivedDeviceRequest, _ utopia: Utopia) async throws -> DeviceResponse {
        var message = try CBOR(decoding: [UInt8](await answer(received, utopia).encodedBytes))
        message.change("documents") {
            $0.change(0) { $0.change("issuerSigned") { $0.change("issuerAuth") { $0 = .tagged(18, $0) } } }
        }
        return try DeviceResponse(decoding: message.encoded(), options: .deployed)
    }

    @Test func theResponseReportsTheDeviationsOfTheWholeSession() async throws {
        let (session, holder, utopia) = try await sides(methods: [], options: .deployed)
        async let asking = session.requestMobileCredentials(request: [Self.request])
        let received = try #require(try await holder.nextRequest())
        try await holder.respond(deviatingAnswer(received, utopia))
        let response = try await asking
        #expect(response.verifiedCredentials.count == 1)
        #expect(
            response.deviations.map(\.description) == [
                "missingRetrievalMethods in deviceEngagement", "taggedCOSE in documents[0].issuerSigned.issuerAuth",
            ]
        )
        await session.terminate()
    }

    @Test func deviationsAreRefusedUnlessTheyAreTolerated() async throws {
        let error = await #expect(throws: MdocError.self) { try await sides(methods: []) }
        #expect(error?.message == "not tolerated: missingRetrievalMethods")
        let (session, holder, utopia) = try await sides()
        async let asking = session.requestMobileCredentials(request: [Self.request])
        let received = try #require(try await holder.nextRequest())
        try await holder.respond(deviatingAnswer(received, utopia))
        let response = try await asking
        #expect(response.verifiedCredentials.isEmpty && response.deviations.isEmpty)
        #expect(response.credentials.count == 1)
        await session.terminate()
    }

    @Test(arguments: [false, true])
    func verifiedClaims(byMAC: Bool) async throws {
        let (session, holder, utopia) = try await sides()
        async let asking = session.requestMobileCredentials(request: [Self.request])
        let received = try #require(try await holder.nextRequest())
        try await holder.respond(answer(received, utopia, byMAC: byMAC))
        let response = try await asking
        let credential = try #require(response.verifiedCredentials.first)
        #expect(credential.claims[.mDL]?["family_name"]?.value == "Doe")
        #expect(credential.claimErrors[.mDL]?["portrait"] == .notReturned)
        await session.terminate()
        #expect(try await holder.nextRequest() == nil)
        await log.wait(for: 1)
        #expect(log.noted == ["ended: thisSide 20"])
    }

    @Test func theMACOfACurveWithoutSignatures() async throws {
        let (session, holder, utopia) = try await sides(curve: .x25519)
        async let asking = session.requestMobileCredentials(request: [Self.request])
        let received = try #require(try await holder.nextRequest())
        try await holder.respond(answer(received, utopia, byMAC: true))
        #expect(try await asking.verifiedCredentials.count == 1)
    }

    @Test func theReaderSigns() async throws {
        let pki = try await Utopia()
        let identity = ReaderIdentity(signer: try SoftwareSigner(pki.readerKey), x5chain: [pki.reader])
        let (session, holder, utopia) = try await sides(reader: identity)
        async let asking = session.requestMobileCredentials(request: [Self.request, Self.request])
        let received = try #require(try await holder.nextRequest())
        #expect(received.request.docRequests.count == 2)
        for docRequest in received.request.docRequests {
            let signature = try #require(docRequest.readerAuth)
            let authentication = ReaderAuthentication(
                sessionTranscript: received.sessionTranscript,
                itemsRequest: docRequest.itemsRequest
            )
            #expect(throws: Never.self) {
                try signature.verify(
                    with: pki.readerKey.publicKey,
                    policy: [.es256],
                    detachedPayload: authentication.taggedBytes
                )
            }
        }
        try await holder.respond(answer(received, utopia))
        #expect(try await asking.credentials.count == 1)
    }

    @MainActor
    @Test func theResponseComesBeforeTheEnd() async throws {
        let (session, holder, utopia) = try await sides()
        let wallet = Task {
            let received = try #require(try await holder.nextRequest())
            try await holder.respond(answer(received, utopia), terminating: true)
        }
        let response = try await session.requestMobileCredentials(request: [Self.request])
        log.note("response: \(response.credentials.count)")
        await log.wait(for: 2)
        #expect(log.noted == ["response: 1", "ended: otherSide 20"])
        try await wallet.value
        await session.terminate()
        #expect(log.noted.count == 2)
        let more = await #expect(throws: PresentationSessionError.self) {
            try await session.requestMobileCredentials(request: [Self.request])
        }
        #expect(more == .init(.sessionAborted, message: "The wallet ended the session"))
        #expect((more?.cause as? MdocError)?.code == .sessionEnded)
        #expect(log.noted.count == 2)
    }

    @Test func aTimeoutLeavesTheSessionUsable() async throws {
        let (session, holder, utopia) = try await sides()
        let first = Task { try await session.requestMobileCredentials(request: [Self.request]) }
        _ = try await holder.nextRequest()
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(300))
        let error = await #expect(throws: PresentationSessionError.self) { try await first.value }
        #expect(error?.type == .timeoutError)
        #expect((error?.cause as? MdocTimeoutError)?.wait == .response)
        #expect(log.noted.isEmpty)
        async let second = session.requestMobileCredentials(request: [Self.request])
        let received = try #require(try await holder.nextRequest())
        try await holder.respond(DeviceResponse(documents: []))
        try await holder.respond(answer(received, utopia))
        #expect(try await second.verifiedCredentials.count == 1)
    }

    @Test func theEndWithoutARequestIsToldAtOnce() async throws {
        let (session, holder, _) = try await sides()
        await holder.terminate()
        await log.wait(for: 1)
        #expect(log.noted == ["ended: otherSide 20"])
        #expect(await session.termination?.summary == "otherSide 20")
    }

    @Test func nothingReturned() async throws {
        let (session, holder, _) = try await sides()
        async let asking = session.requestMobileCredentials(request: [Self.request])
        _ = try await holder.nextRequest()
        try await holder.respond(DeviceResponse(documents: []))
        let response = try await asking
        #expect(response.credentialErrors.map(\.docType) == [.mDL])
    }

    @Test func theWalletReportsAnError() async throws {
        let (session, holder, _) = try await sides()
        let asking = Task { try await session.requestMobileCredentials(request: [Self.request]) }
        _ = try await holder.nextRequest()
        try await holder.respond(DeviceResponse(failure: .generalError))
        let error = await #expect(throws: PresentationSessionError.self) { try await asking.value }
        #expect(error?.type == .responseError)
        #expect(await session.termination == nil)
    }

    @Test func anEmptyRequestIsNotSent() async throws {
        let (session, _, _) = try await sides()
        let error = await #expect(throws: MdocError.self) { try await session.requestMobileCredentials(request: []) }
        #expect(error?.code == .invalidValue)
    }

    @Test func connectingTakesTooLong() async throws {
        let verifier = MobileCredentialVerifier(
            verifier: MdocVerifier(trustAnchors: []),
            connector: StuckConnector(),
            clock: clock
        )
        let text = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))]).engagement.uri
        let connecting = Task {
            try await verifier.createProximityPresentationSession(encodedDeviceEngagementString: text)
        }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(30))
        let error = await #expect(throws: PresentationSessionError.self) { _ = try await connecting.value }
        #expect(error?.type == .walletUnavailable)
        #expect((error?.cause as? MdocTimeoutError)?.wait == .establishment)
    }

    @Test func connectingHasAsMuchTimeAsAClockCounts() async throws {
        var timeouts = SessionTimeouts()
        timeouts.establishment = .seconds(Int64.max)
        let verifier = MobileCredentialVerifier(
            verifier: MdocVerifier(trustAnchors: []),
            connector: StuckConnector(),
            timeouts: timeouts,
            clock: clock
        )
        let text = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))]).engagement.uri
        let connecting = Task {
            try await verifier.createProximityPresentationSession(encodedDeviceEngagementString: text)
        }
        await clock.waitForSleepers(1)
        connecting.cancel()
        _ = await connecting.result
        #expect(clock.durations == [.longestWait])
    }

    @Test func textsThatAreNoEngagement() async throws {
        let verifier = MobileCredentialVerifier(
            verifier: MdocVerifier(trustAnchors: []),
            connector: SocketMdocConnector(),
            clock: ManualClock()
        )
        for (text, code) in [
            ("https://example.com", MdocError.Code.malformedURI), ("mdoc:AA", .unexpectedType),
        ] {
            let error = await #expect(throws: MdocError.self) {
                _ = try await verifier.createProximityPresentationSession(encodedDeviceEngagementString: text)
            }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: SocketMdocTransportTests.Kind.allCases)
    func theEngagementLeadsToASocket(_ kind: SocketMdocTransportTests.Kind) async throws {
        let utopia = try await Utopia()
        let listener = try SocketMdocListener(at: kind.endpoint)
        let device = try EngagedDevice(retrievalMethods: [.socket(listener.endpoint)])
        let engagement = try DeviceEngagement(uri: device.engagement.uri)
        #expect(engagement.retrievalMethods.first?.socketEndpoint == listener.endpoint)
        let verifier = MobileCredentialVerifier(
            verifier: utopia.verifier(),
            connector: SocketMdocConnector(),
            clock: ManualClock()
        )
        async let accepted = listener.accept()
        let session = try await verifier.createProximityPresentationSession(
            encodedDeviceEngagementString: engagement.uri
        )
        let holder = await ProximityHolderSession(device, over: try await accepted, clock: ManualClock())
        async let asking = session.requestMobileCredentials(request: [Self.request])
        let received = try #require(try await holder.nextRequest())
        try await holder.respond(answer(received, utopia), terminating: true)
        #expect(try await asking.verifiedCredentials.count == 1)
    }

    @Test(
        arguments: [
            .other(type: 0x6d64_6f63, version: 2, options: [0: "/tmp/x"]),
            .other(type: 0x6d64_6f63, version: 1, options: nil),
            .other(type: 0x6d64_6f63, version: 1, options: [1: "::1"]),
            .other(type: 0x6d64_6f63, version: 1, options: [1: "localhost", 2: 80]),
            .other(type: 0x6d64_6f63, version: 1, options: [1: "::1", 2: 65_536]), .website(uri: "https://example.com"),
        ] as [DeviceRetrievalMethod]
    )
    func methodsThatNameNoSocket(_ method: DeviceRetrievalMethod) {
        #expect(method.socketEndpoint == nil)
    }
}
