import COSEKit
import CryptoCore
import MdocKit
import MdocProximity
import MdocResults
import Synchronization
import TestSupport
import Testing

/// Reader and wallet as two tasks over a channel.
@Suite struct ProximitySessionTests {
    /// Both sides of a session, and the clock that both use.
    private struct Sides {
        let reader: ProximityReaderSession
        let holder: ProximityHolderSession
        let clock: ManualClock
        let ends: Ends
    }

    /// The ends of both sides.
    private final class Ends: Sendable {
        private let summaries = Mutex<[String]>([])

        func note(_ side: String) -> @Sendable (SessionTermination) -> Void {
            { termination in self.summaries.withLock { $0.append("\(side): \(termination.summary)") } }
        }

        var noted: [String] { summaries.withLock { $0.sorted() } }
    }

    private func sides(
        _ conditions: TransmissionConditions = .perfect,
        handover: Handover = .qr
    ) async throws -> Sides {
        let clock = ManualClock()
        let (readerEnd, holderEnd) = InMemoryMdocTransport.pair(conditions: conditions, clock: clock)
        return try await sides(readerEnd, holderEnd, clock, handover)
    }

    private func sides(
        _ readerEnd: some MdocTransport,
        _ holderEnd: some MdocTransport,
        _ clock: ManualClock = ManualClock(),
        _ handover: Handover = .qr
    ) async throws -> Sides {
        try await sides(clock, handover) { _ in (readerEnd, holderEnd) }
    }

    private func sides(
        _ clock: ManualClock = ManualClock(),
        _ handover: Handover = .qr,
        connecting: (DeviceEngagement) async throws -> (reader: any MdocTransport, holder: any MdocTransport)
    ) async throws -> Sides {
        let device = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))])
        let engagement = try DeviceEngagement(uri: device.engagement.uri)
        let (readerEnd, holderEnd) = try await connecting(engagement)
        let ends = Ends()
        let holder = await ProximityHolderSession(
            device,
            handover: handover,
            over: holderEnd,
            clock: clock,
            onTermination: ends.note("holder")
        )
        let reader = try await ProximityReaderSession(
            engagement: engagement,
            handover: handover,
            readerKey: PrivateKey.generate(.p256),
            over: readerEnd,
            clock: clock,
            onTermination: ends.note("reader")
        )
        return Sides(reader: reader, holder: holder, clock: clock, ends: ends)
    }

    /// An answer that can be told from others.
    private func answer(_ docType: DocType) throws -> DeviceResponse {
        try DeviceResponse(documents: [], documentErrors: [(docType, .dataNotReturned)])
    }

    /// Answers each request with its document type until the session ends.
    private func serve(_ holder: ProximityHolderSession) async throws -> Int {
        var count = 0
        while let received = try await holder.nextRequest() {
            let docType = try #require(received.request.docRequests.first).itemsRequest.docType
            try await holder.respond(answer(docType))
            count += 1
        }
        return count
    }

    /// Asks several times, ends the session, and says how the sides fared.
    private func converse(_ sides: Sides) async throws {
        async let served = serve(sides.holder)
        for docType: DocType in ["org.example.1", "org.example.2", "org.example.3"] {
            let response = try await sides.reader.response(to: SessionFixture.request(docType))
            #expect(response.documentErrors.map(\.docType) == [docType])
        }
        await sides.reader.terminate()
        await sides.reader.terminate()
        #expect(try await served == 3)
        #expect(sides.ends.noted == ["holder: otherSide 20", "reader: thisSide 20"])
        let again = await #expect(throws: MdocError.self) {
            try await sides.reader.response(to: SessionFixture.request())
        }
        #expect(again?.code == .sessionEnded)
    }

    @Test(arguments: [.qr, .nfc(select: [1, 2]), .nfc(select: [1, 2], request: [3])] as [Handover])
    func inMemory(_ handover: Handover) async throws {
        try await converse(try await sides(handover: handover))
    }

    @Test(arguments: SocketMdocTransportTests.Kind.allCases)
    func overASocket(_ kind: SocketMdocTransportTests.Kind) async throws {
        let (readerEnd, holderEnd) = try await kind.connection()
        try await converse(try await sides(readerEnd, holderEnd))
    }

    @Test(arguments: BLEMode.allCases, [23, 515])
    func overGATT(_ mode: BLEMode, _ mtu: Int) async throws {
        try await converse(
            try await sides { engagement in
                let gatt = MemoryGATT(mtu: mtu, attributes: [.ident: try engagement.bleIdent()])
                async let server = BLEMdocTransport.accept(over: gatt.server, mode: mode)
                let client = try await BLEMdocTransport.connect(
                    over: gatt.client,
                    mode: mode,
                    engagement: engagement
                )
                return mode.isClient(.reader) ? (client, try await server) : (try await server, client)
            }
        )
    }

    /// With GATT, End in State ends a session without a status (12.2.4).
    @Test(arguments: [true, false])
    func eitherSideEndsTheSessionInGATT(isHolder: Bool) async throws {
        let gatt = MemoryGATT()
        async let accepted = BLEMdocTransport.accept(over: gatt.server, mode: .peripheralServer)
        let engaged = try EngagedDevice(retrievalMethods: []).engagement
        let client = try await BLEMdocTransport.connect(over: gatt.client, mode: .peripheralServer, engagement: engaged)
        let server = try await accepted
        let sides = try await sides(client, server)
        let asking = Task { try await sides.reader.response(to: SessionFixture.request()) }
        _ = try await sides.holder.nextRequest()
        await (isHolder ? server : client).close()
        let error = await #expect(throws: MdocError.self) { try await asking.value }
        #expect(error?.code == .sessionEnded)
        #expect(try await sides.holder.nextRequest() == nil)
        let ends = (await sides.reader.termination, await sides.holder.termination)
        let end = try #require(isHolder ? ends.0 : ends.1)
        #expect(end.initiator == .otherSide)
        #expect(end.status == nil)
        #expect(end.isRegular)
        #expect(PresentationSessionError(end).type == .sessionAborted)
        // The side that closed its own transport did not ask for the end of the session.
        let other = try #require(isHolder ? ends.1 : ends.0)
        #expect(other.initiator == .channel)
        #expect(!other.isRegular)
        #expect(PresentationSessionError(other).type == .walletUnavailable)
    }

    @Test(arguments: [1, 20, 4096])
    func overL2CAP(_ pieceLength: Int) async throws {
        let pipe = MemoryPipe(pieceLength: pieceLength)
        try await converse(
            try await sides(L2CAPMdocTransport(over: pipe.first), L2CAPMdocTransport(over: pipe.second))
        )
    }

    @Test(arguments: [(255, 256), (65535, 65536)])
    func overNFC(_ command: Int, _ response: Int) async throws {
        let (options, card) = (try NFCExamples.options(command, response), MemoryCard())
        async let holderEnd = NFCDeviceMdocTransport.accept(over: card, transfer: NFCTransferDevice(options: options))
        let readerEnd = try await NFCReaderMdocTransport.connect(
            over: card,
            transfer: NFCTransferReader(options: options)
        )
        try await converse(try await sides(readerEnd, try await holderEnd, ManualClock(), .nfc(select: [1])))
    }

    @Test func theRequestTellsWhatAnAnswerNeeds() async throws {
        let sides = try await sides()
        async let response = sides.reader.response(to: SessionFixture.request())
        let received = try #require(try await sides.holder.nextRequest())
        #expect(received.sessionTranscript == sides.reader.sessionTranscript)
        #expect(
            try SessionEstablishment.eReaderKeyBytes(for: received.eReaderKey)
                == received.sessionTranscript.eReaderKeyBytes
        )
        try await sides.holder.respond(answer("a"), terminating: true)
        #expect(try await response.documentErrors.map(\.docType) == ["a"])
        #expect(try await sides.holder.nextRequest() == nil)
    }

    @Test func anAnswerAndTheEndInOneMessage() async throws {
        let sides = try await sides()
        async let response = sides.reader.response(to: SessionFixture.request())
        _ = try await sides.holder.nextRequest()
        try await sides.holder.respond(answer("a"), terminating: true)
        #expect(try await response.documentErrors.map(\.docType) == ["a"])
        #expect(await sides.reader.termination?.summary == "otherSide 20")
        #expect(sides.ends.noted == ["holder: thisSide 20", "reader: otherSide 20"])
        let more = await #expect(throws: MdocError.self) { try await sides.holder.respond(answer("b")) }
        #expect(more?.code == .sessionEnded)
    }

    @Test func nothingCanBeAnsweredBeforeItIsAsked() async throws {
        let sides = try await sides()
        let error = await #expect(throws: MdocError.self) { try await sides.holder.respond(answer("a")) }
        #expect(error?.code == .noRequest)
    }

    @Test func aSecondRequestHasToWait() async throws {
        let sides = try await sides()
        async let first = sides.reader.response(to: SessionFixture.request("a"))
        _ = try await sides.holder.nextRequest()
        let error = await #expect(throws: MdocError.self) {
            try await sides.reader.response(to: SessionFixture.request("b"))
        }
        #expect(error?.code == .requestPending)
        try await sides.holder.respond(answer("a"))
        #expect(try await first.documentErrors.map(\.docType) == ["a"])
    }
}

extension ProximitySessionTests {
    @Test func aTimeoutLeavesTheSessionUsable() async throws {
        let sides = try await sides()
        let first = Task { try await sides.reader.response(to: SessionFixture.request("late")) }
        _ = try await sides.holder.nextRequest()
        await sides.clock.waitForSleepers(1)
        sides.clock.advance(by: .seconds(300))
        let error = await #expect(throws: MdocTimeoutError.self) { try await first.value }
        #expect(error?.wait == .response)
        #expect(error?.duration == .seconds(300))
        #expect(await sides.reader.termination == nil)
        async let second = sides.reader.response(to: SessionFixture.request("b"))
        _ = try await sides.holder.nextRequest()
        try await sides.holder.respond(answer("late"))
        try await sides.holder.respond(answer("b"))
        #expect(try await second.documentErrors.map(\.docType) == ["b"])
    }

    @Test func notQuiteATimeout() async throws {
        let sides = try await sides()
        async let response = sides.reader.response(to: SessionFixture.request("a"))
        _ = try await sides.holder.nextRequest()
        await sides.clock.waitForSleepers(1)
        sides.clock.advance(by: .seconds(299))
        try await sides.holder.respond(answer("a"))
        #expect(try await response.documentErrors.map(\.docType) == ["a"])
    }

    @Test func aCancelledRequestLeavesTheSessionUsable() async throws {
        let sides = try await sides()
        let first = Task { try await sides.reader.response(to: SessionFixture.request("a")) }
        _ = try await sides.holder.nextRequest()
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        async let second = sides.reader.response(to: SessionFixture.request("b"))
        _ = try await sides.holder.nextRequest()
        try await sides.holder.respond(answer("a"))
        try await sides.holder.respond(answer("b"))
        #expect(try await second.documentErrors.map(\.docType) == ["b"])
    }

    @Test func endsWithoutAnEstablishedSession() async throws {
        let sides = try await sides()
        let waiting = Task { try await sides.holder.nextRequest() }
        await sides.clock.waitForSleepers(1)
        sides.clock.advance(by: .seconds(30))
        let error = await #expect(throws: MdocTimeoutError.self) { try await waiting.value }
        #expect(error?.wait == .establishment)
        #expect(error?.duration == .seconds(30))
        #expect(await sides.holder.termination?.summary == "thisSide 20")
        #expect(try await sides.holder.nextRequest() == nil)
    }

    /// The reader's first message establishes the session, even if its request cannot be read.
    @Test(arguments: [true, false])
    func waitsLongerOnceTheSessionIsEstablished(isRequestRepeated: Bool) async throws {
        let device = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))])
        let readerKey = try PrivateKey.generate(.p256)
        let keyBytes = try SessionEstablishment.eReaderKeyBytes(for: readerKey.publicKey)
        var cipher = try await SessionEncryption(
            role: .reader,
            keyAgreement: readerKey,
            peerKey: device.engagement.eDeviceKey.publicKey(),
            sessionTranscript: SessionTranscript(
                deviceEngagementBytes: device.engagement.taggedBytes,
                eReaderKeyBytes: keyBytes,
                handover: .qr
            )
        )
        let (readerEnd, holderEnd) = InMemoryMdocTransport.pair()
        let clock = ManualClock()
        let holder = await ProximityHolderSession(device, over: holderEnd, clock: clock)
        let waiting = Task { try await holder.nextRequest() }
        await clock.waitForSleeper(.seconds(30))
        let first = try SessionEstablishment(eReaderKeyBytes: keyBytes, data: cipher.encrypt([0xa0]))
        try await readerEnd.send([UInt8](first.encodedBytes))
        let reply = try #require(try await readerEnd.receive())
        let data = try #require(SessionData(decoding: reply).data)
        #expect(try DeviceResponse(decoding: cipher.decrypt(data)).status == .cborValidationError)
        await clock.waitForSleeper(.seconds(300))
        clock.advance(by: .seconds(299))
        guard isRequestRepeated else {
            clock.advance(by: .seconds(1))
            let error = await #expect(throws: MdocTimeoutError.self) { try await waiting.value }
            #expect(error?.wait == .request)
            #expect(error?.duration == .seconds(300))
            return
        }
        let good = [UInt8](try SessionFixture.request().encodedBytes)
        try await readerEnd.send(SessionData(data: cipher.encrypt(good)).encoded())
        #expect(try await waiting.value != nil)
        await holder.terminate()
    }

    @Test func theReaderFallsSilent() async throws {
        let sides = try await sides()
        async let response = sides.reader.response(to: SessionFixture.request("a"))
        _ = try await sides.holder.nextRequest()
        try await sides.holder.respond(answer("a"))
        _ = try await response
        let waiting = Task { try await sides.holder.nextRequest() }
        await sides.clock.waitForSleepers(1)
        sides.clock.advance(by: .seconds(300))
        let error = await #expect(throws: MdocTimeoutError.self) { try await waiting.value }
        #expect(error?.wait == .request)
        #expect(await sides.holder.termination?.summary == "thisSide 20")
    }

    @Test func twoTasksCannotWaitForTheSameRequest() async throws {
        let sides = try await sides()
        let waiting = Task { try await sides.holder.nextRequest() }
        await sides.clock.waitForSleepers(1)
        let error = await #expect(throws: MdocError.self) { try await sides.holder.nextRequest() }
        #expect(error?.code == .concurrentUse)
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(await sides.holder.termination == nil)
    }

    @Test func theWalletEndsItWhileItIsAsked() async throws {
        let sides = try await sides()
        let asking = Task { try await sides.reader.response(to: SessionFixture.request()) }
        _ = try await sides.holder.nextRequest()
        await sides.holder.terminate()
        let error = await #expect(throws: MdocError.self) { try await asking.value }
        #expect(error?.code == .sessionEnded)
        #expect(sides.ends.noted == ["holder: thisSide 20", "reader: otherSide 20"])
    }

    @Test func aWalletThatIsReleasedClosesTheChannel() async throws {
        let (readerEnd, holderEnd) = InMemoryMdocTransport.pair()
        do {
            let device = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))])
            let holder = await ProximityHolderSession(device, over: holderEnd, clock: ManualClock())
            #expect(await holder.termination == nil)
        }
        #expect(try await readerEnd.receive() == nil)
    }

    /// The standard's channels are reliable; a message that is lost, late or early makes the next one undecipherable.
    @Test func aLostRequestEndsTheSessionAtTheNext() async throws {
        let conditions = TransmissionConditions { direction, index in
            direction == .forward && index == 1 ? .lost : .delivered
        }
        let sides = try await sides(conditions)
        async let served = serve(sides.holder)
        _ = try await sides.reader.response(to: SessionFixture.request("a"))
        let lost = Task { try await sides.reader.response(to: SessionFixture.request("b")) }
        await sides.clock.waitForSleepers(2)
        lost.cancel()
        await #expect(throws: CancellationError.self) { try await lost.value }
        let error = await #expect(throws: MdocError.self) {
            try await sides.reader.response(to: SessionFixture.request("c"))
        }
        #expect(error?.code == .sessionEnded)
        #expect(try await served == 1)
        #expect(sides.ends.noted == ["holder: thisSide 10", "reader: otherSide 10"])
    }

    @Test func aRequestThatCannotBeReadIsAnsweredInItsTurn() async throws {
        let device = try EngagedDevice(retrievalMethods: [.nfc(NFCExamples.options(255, 256))])
        let readerKey = try PrivateKey.generate(.p256)
        let engagement = device.engagement
        let (readerEnd, holderEnd) = InMemoryMdocTransport.pair()
        let holder = await ProximityHolderSession(device, over: holderEnd, clock: ManualClock())
        let keyBytes = try SessionEstablishment.eReaderKeyBytes(for: readerKey.publicKey)
        var cipher = try await SessionEncryption(
            role: .reader,
            keyAgreement: readerKey,
            peerKey: engagement.eDeviceKey.publicKey(),
            sessionTranscript: SessionTranscript(
                deviceEngagementBytes: engagement.taggedBytes,
                eReaderKeyBytes: keyBytes,
                handover: .qr
            )
        )
        let good = [UInt8](try SessionFixture.request().encodedBytes)
        let first = try SessionEstablishment(eReaderKeyBytes: keyBytes, data: cipher.encrypt(good))
        try await readerEnd.send([UInt8](first.encodedBytes))
        _ = try await holder.nextRequest()
        for bad in [[0xff], [0xa0]] as [[UInt8]] {
            try await readerEnd.send(SessionData(data: cipher.encrypt(bad)).encoded())
        }
        try await readerEnd.send(SessionData(data: cipher.encrypt(good)).encoded())
        _ = try await holder.nextRequest()
        try await holder.respond(answer("a"))
        try await holder.respond(answer("b"), terminating: true)
        var statuses: [UInt64] = []
        for _ in 0..<4 {
            let message = try #require(try await readerEnd.receive())
            let data = try #require(SessionData(decoding: message).data)
            statuses.append(try DeviceResponse(decoding: cipher.decrypt(data)).status.rawValue)
        }
        #expect(statuses == [0, 11, 12, 0])
        #expect(try await readerEnd.receive() == nil)
    }
}
