import MdocKit
import MdocProximity
import TestSupport
import Testing

/// The tag and the reader against each other.
@Suite struct NFCEngagementTests {
    private static let lengths = [15, 16, 17, 60, 127, 254, 255, 256, 1000, 0x7fff]

    @Test(arguments: lengths, [false, true])
    func staticHandover(_ length: Int, _ extended: Bool) throws {
        let select = try NFCExamples.staticSelect()
        let container = try CapabilityContainer(maximumReadLength: length, isWritable: false)
        var tag = try NFCEngagementTag(showing: select, container: container)
        var reader = NFCEngagementReader(request: nil, supportsExtendedLength: extended)
        let run = try NFCExamples.run(&reader, &tag)
        for handover in [run.reader, run.wallet] {
            let handover = try #require(handover)
            #expect(handover.request == nil)
            #expect(handover.handover == .nfc(select: select.encodedBytes))
            #expect(try handover.retrievalMethods() == select.retrievalMethods())
        }
        let most = min(length, extended ? length : 255)
        #expect(run.commands.allSatisfy { ($0.ins != 0xb0) || $0.expectedLength ?? 0 <= max(most, 15) })
        #expect(run.waited == .zero)
    }

    @Test(arguments: lengths, [1, 2, 3, 50, 255, 0x7fff])
    func negotiatedHandover(_ readLength: Int, _ writeLength: Int) throws {
        let request = try NFCExamples.request()
        let container = try CapabilityContainer(
            maximumReadLength: readLength,
            maximumWriteLength: writeLength,
            ndefFileID: 0xe105,
            isWritable: true
        )
        var tag = try NFCEngagementTag(negotiating: TNEPServiceParameters(), container: container)
        var reader = NFCEngagementReader(request: request, supportsExtendedLength: writeLength == 0x7fff)
        guard writeLength >= 2 else {
            let error = #expect(throws: MdocError.self) { try NFCExamples.run(&reader, &tag) }
            #expect(error?.code == .limitExceeded)
            return
        }
        let run = try NFCExamples.run(&reader, &tag, answerAfter: 3)
        let select = try NFCExamples.select(answering: request)
        for handover in [run.reader, run.wallet] {
            let handover = try #require(handover)
            #expect(handover.handover == .nfc(select: select.encodedBytes, request: request.encodedBytes))
            #expect(
                try handover.retrievalMethods() == [
                    .ble(BLEOptions(peripheralServerUUID: nil, centralClientUUID: NFCExamples.uuid))
                ]
            )
        }
        // Once for the status, once for the answer, and as often as it was not ready.
        #expect(run.waited == .microseconds(500) * 5)
        #expect(run.failures.isEmpty)
        #expect(run.commands.allSatisfy { $0.data.count <= max(writeLength, 7) })
    }

    @Test func anAnswerThatNeverComes() throws {
        var tag = try NFCEngagementTag(negotiating: TNEPServiceParameters(maximumWaitingTimeExtensions: 4))
        var reader = NFCEngagementReader(request: try NFCExamples.request())
        let error = #expect(throws: MdocError.self) { try NFCExamples.run(&reader, &tag, answerAfter: .max) }
        #expect(error?.code == .limitExceeded)
        let again = #expect(throws: MdocError.self) { try reader.receive([0x90, 0]) }
        #expect(again?.code == .unexpectedMessage)
    }

    @Test func pollsAreLimitedForAStaticTagToo() throws {
        var limits = NFCLimits()
        limits.polls = 2
        var reader = NFCEngagementReader(request: nil, pollingInterval: .seconds(1), limits: limits)
        _ = try reader.start()
        let container = try CapabilityContainer(isWritable: false).encodedBytes
        for response in [[], [], container, []] { _ = try reader.receive(response + [0x90, 0]) }
        for _ in 0..<2 {
            guard case .wait(.seconds(1), let command) = try reader.receive([0, 0, 0x90, 0]) else {
                Issue.record("no wait")
                return
            }
            #expect(command.expectedLength == 2)
        }
        let error = #expect(throws: MdocError.self) { try reader.receive([0, 0, 0x90, 0]) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func aReaderThatCannotNegotiate() throws {
        var tag = try NFCEngagementTag(negotiating: TNEPServiceParameters())
        var reader = NFCEngagementReader(request: nil)
        let error = #expect(throws: MdocError.self) { try NFCExamples.run(&reader, &tag) }
        #expect(error?.code == .unexpectedMessage)
    }

    @Test func aTagThatTakesNoLongMessage() throws {
        var tag = try NFCEngagementTag(negotiating: TNEPServiceParameters(maximumMessageSize: 40))
        var reader = NFCEngagementReader(request: try NFCExamples.request())
        let error = #expect(throws: MdocError.self) { try NFCExamples.run(&reader, &tag) }
        #expect(error?.code == .limitExceeded)
    }

    /// The responses of a tag that go wrong, from the selection of the application on.
    private static let answers: [(name: String, responses: [String], code: MdocError.Code)] = [
        ("no application", ["6a82"], .unexpectedStatusWord),
        ("no container", ["9000", "6a82"], .unexpectedStatusWord),
        ("a container that is not read", ["9000", "9000", "6985"], .unexpectedStatusWord),
        ("a short container", ["9000", "9000", "000f207fff9000"], .invalidValue),
        ("an old container", ["9000", "9000", "000f107fff7fff0406e1047fff00009000"], .unsupportedVersion),
        (
            "a container that is too short to hold a file", ["9000", "9000", "000e207fff7fff0406e1047fff00009000"],
            .invalidValue
        ),
        ("another file", ["9000", "9000", "000f207fff7fff0506e1047fff00009000"], .invalidValue),
        ("a file that may not be read", ["9000", "9000", "000f207fff7fff0406e1047fffff009000"], .invalidValue),
        ("a file of four bytes", ["9000", "9000", "000f207fff7fff0406e104000400009000"], .invalidValue),
        ("a read length of 14", ["9000", "9000", "000f20000e7fff0406e1047fff00009000"], .invalidValue),
        ("a write length of 0", ["9000", "9000", "000f207fff00000406e1047fff00009000"], .invalidValue),
        ("a file with the container's name", ["9000", "9000", "000f207fff7fff0406e1037fff00009000"], .invalidValue),
        ("no file", ["9000", "9000", container, "6a82"], .unexpectedStatusWord),
        ("no length", ["9000", "9000", container, "9000", "9000"], .malformedAPDU),
        ("half a length", ["9000", "9000", container, "9000", "009000"], .malformedAPDU),
        ("more than a length", ["9000", "9000", container, "9000", "0001029000"], .malformedAPDU),
        ("more than the file holds", ["9000", "9000", container, "9000", "00ff9000"], .limitExceeded),
        ("no message", ["9000", "9000", container, "9000", "00049000", "9000"], .malformedAPDU),
        ("more than the message", ["9000", "9000", container, "9000", "00049000", "d1010054619000"], .malformedAPDU),
        ("a malformed message", ["9000", "9000", container, "9000", "00049000", "000000009000"], .malformedNDEF),
        ("another message", ["9000", "9000", container, "9000", "00049000", "d10100549000"], .malformedHandover),
        ("no response", [""], .malformedAPDU),
    ]

    /// A file of 256 bytes.
    private static let container = "000f207fff7fff0406e104010000009000"

    @Test(arguments: answers.indices)
    func tagsThatGoWrong(_ index: Int) throws {
        let (name, responses, code) = Self.answers[index]
        var reader = NFCEngagementReader(request: try NFCExamples.request())
        _ = try reader.start()
        for response in responses.dropLast() { _ = try reader.receive(try #require([UInt8](hex: response))) }
        let last = try #require([UInt8](hex: responses[responses.count - 1]))
        let error = #expect(throws: MdocError.self, "\(name)") { try reader.receive(last) }
        #expect(error?.code == code, "\(name): \(String(describing: error))")
    }

    /// Leads a reader to the choice of the service.
    private func negotiatingReader(_ first: NDEFMessage, isWritable: Bool = true) throws -> NFCEngagementReader {
        var reader = NFCEngagementReader(request: try NFCExamples.request())
        _ = try reader.start()
        let container = try CapabilityContainer(isWritable: isWritable).encodedBytes
        for response in [[], [], container, [], [0, UInt8(first.encodedBytes.count)]] {
            _ = try reader.receive(response + [0x90, 0])
        }
        _ = try reader.receive(first.encodedBytes + [0x90, 0])
        return reader
    }

    private func message(_ type: String, _ payload: [UInt8]) throws -> NDEFMessage {
        try NDEFMessage([NDEFRecord(.wellKnown, type: Array(type.utf8), payload: payload)])
    }

    private let service = [0x10, 0x13] + Array("urn:nfc:sn:handover".utf8) + [0, 0, 15, 0x7f, 0xfd]

    @Test func statusesOfTheService() throws {
        for (type, payload, code) in [
            ("Te", [1], .handoverRefused), ("Te", [], .malformedHandover), ("Te", [0, 0], .malformedHandover),
            ("Tx", [0], .malformedHandover),
        ] as [(String, [UInt8], MdocError.Code)] {
            var reader = try negotiatingReader(message("Tp", service))
            let status = try message(type, payload).encodedBytes
            _ = try reader.receive([0x90, 0])
            _ = try reader.receive([0, UInt8(status.count), 0x90, 0])
            let error = #expect(throws: MdocError.self) { try reader.receive(status + [0x90, 0]) }
            #expect(error?.code == code, "\(type) \(payload)")
        }
    }

    @Test func refusesMalformedServices() throws {
        let name = Array("urn:nfc:sn:handover".utf8)
        let changed: [([UInt8], MdocError.Code)] = [
            ([0x20, 0x13] + name + [0, 0, 15, 0x7f, 0xfd], .unsupportedVersion),
            ([0x10, 0x14] + name + [0, 0, 15, 0x7f, 0xfd], .malformedHandover),
            ([0x10, 0x13] + name + [0, 0, 15, 0x7f], .malformedHandover),
            ([0x10, 0x13] + name + [0, 0, 15, 0x7f, 0xfd, 0], .malformedHandover),
            ([], .malformedHandover), ([0x10, 0], .malformedHandover),
            // Another service: then the message must be a Handover Select message.
            ([0x10, 1, 0x78, 0, 0, 15, 0x7f, 0xfd], .malformedHandover),
        ]
        for (payload, code) in changed {
            let error = #expect(throws: MdocError.self) { try negotiatingReader(message("Tp", payload)) }
            #expect(error?.code == code, "\(payload.hex)")
        }
        let readOnly = #expect(throws: MdocError.self) {
            try negotiatingReader(message("Tp", service), isWritable: false)
        }
        #expect(readOnly?.code == .unexpectedMessage)
    }

    @Test func waitingTimes() throws {
        #expect(try TNEPServiceParameters(waitingTimeInteger: 0).waitingTime == .microseconds(500))
        #expect(try TNEPServiceParameters(waitingTimeInteger: 4).waitingTime == .milliseconds(1))
        #expect(try TNEPServiceParameters(waitingTimeInteger: 32).waitingTime == .milliseconds(128))
        let half = try TNEPServiceParameters(waitingTimeInteger: 34).waitingTime
        #expect(half > .milliseconds(181) && half < .milliseconds(182))
        #expect(try TNEPServiceParameters(waitingTimeInteger: 63).waitingTime < .seconds(28))
        for make in [
            { try TNEPServiceParameters(waitingTimeInteger: 64) }, { try TNEPServiceParameters(serviceName: "") },
            { try TNEPServiceParameters(maximumWaitingTimeExtensions: 16) },
            { try TNEPServiceParameters(serviceName: String(repeating: "x", count: 256)) },
        ] {
            let error = #expect(throws: MdocError.self) { try make() }
            #expect(error?.code == .invalidValue)
        }
    }

    @Test func aReaderStartsOnce() throws {
        var reader = NFCEngagementReader(request: nil)
        let early = #expect(throws: MdocError.self) { try reader.receive([0x90, 0]) }
        #expect(early?.code == .unexpectedMessage)
        var started = NFCEngagementReader(request: nil)
        guard case .send(let command) = try started.start() else {
            Issue.record("no command")
            return
        }
        #expect(command.encoded().hex == "00a4040007d276000085010100")
        let error = #expect(throws: MdocError.self) { try started.start() }
        #expect(error?.code == .unexpectedMessage)
    }
}
