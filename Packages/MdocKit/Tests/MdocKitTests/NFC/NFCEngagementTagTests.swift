import MdocKit
import MdocProximity
import TestSupport
import Testing

/// A tag's responses to commands, byte for byte.
@Suite struct NFCEngagementTagTests {
    private func staticTag() throws -> NFCEngagementTag {
        try NFCEngagementTag(
            showing: NFCExamples.staticSelect(),
            container: CapabilityContainer(maximumReadLength: 64, maximumWriteLength: 32, isWritable: false)
        )
    }

    private func negotiatingTag() throws -> NFCEngagementTag {
        try NFCEngagementTag(
            negotiating: TNEPServiceParameters(),
            container: CapabilityContainer(
                maximumReadLength: 64,
                maximumWriteLength: 32,
                maximumFileSize: 400,
                isWritable: true
            )
        )
    }

    private static let selectApplication = "00a4040007d276000085010100"
    private static let selectContainer = "00a4000c02e103"
    private static let selectFile = "00a4000c02e104"

    /// Commands in their order; of all but the last 9000 is expected.
    private static let dialogues: [(name: String, commands: [String], response: String)] = [
        ("select the application", [selectApplication], "9000"),
        ("select it without Le", ["00a4040007d2760000850101"], "9000"),
        ("select it without control information", ["00a4040c07d2760000850101"], "9000"),
        ("another application", ["00a4040007d276000085010200"], "6a82"),
        ("no application's name", ["00a40400"], "6700"),
        ("another P2", ["00a4040407d2760000850101"], "6a86"),
        ("another P1", ["00a4080007d2760000850101"], "6a86"),
        ("a file before the application", [selectContainer], "6985"),
        ("the container", [selectApplication, selectContainer], "9000"),
        ("the file", [selectApplication, selectFile], "9000"),
        ("the file with P2 00", [selectApplication, "00a4000002e104"], "9000"),
        ("another file", [selectApplication, "00a4000c02e105"], "6a82"),
        ("half a file", [selectApplication, "00a4000c01e1"], "6700"),
        ("no file", [selectApplication, "00a4000c"], "6700"),
        ("read without a file", [selectApplication, "00b000000f"], "6985"),
        ("read before the application", ["00b000000f"], "6985"),
        ("a file no longer selected", [selectApplication, selectFile, selectApplication, "00b0000002"], "6985"),
        ("read without Le", [selectApplication, selectContainer, "00b00000"], "6700"),
        ("read with data", [selectApplication, selectContainer, "00b00000010001"], "6700"),
        ("read too much", [selectApplication, selectFile, "00b0000041"], "6700"),
        ("read with Le 00", [selectApplication, selectFile, "00b0000000"], "6700"),
        ("read at the end", [selectApplication, selectContainer, "00b0000f01"], "6b00"),
        ("read beyond the end", [selectApplication, selectFile, "00b07fff01"], "6b00"),
        ("read by a short identifier", [selectApplication, selectFile, "00b0800001"], "6a86"),
        ("another class", ["80b000000f"], "6e00"),
        ("a chained class", ["10a4040007d276000085010100"], "6e00"),
        ("another instruction", ["00b1000000"], "6d00"),
        ("no command", ["00b0"], "6700"),
        ("a command with the wrong length", ["00a4040007d2760000"], "6700"),
    ]

    @Test(arguments: dialogues.indices, [false, true])
    func statusWords(_ index: Int, _ negotiates: Bool) throws {
        let (name, commands, expected) = Self.dialogues[index]
        var tag = negotiates ? try negotiatingTag() : try staticTag()
        for command in commands.dropLast() {
            #expect(try respond(&tag, command) == "9000", "\(name)")
        }
        #expect(try respond(&tag, commands.last ?? "") == expected, "\(name)")
    }

    private func respond(_ tag: inout NFCEngagementTag, _ command: String) throws -> String {
        tag.respond(to: try #require([UInt8](hex: command))).response.hex
    }

    private func opened(_ tag: NFCEngagementTag) throws -> NFCEngagementTag {
        var tag = tag
        for command in [Self.selectApplication, Self.selectFile] {
            #expect(try respond(&tag, command) == "9000")
        }
        return tag
    }

    @Test func theContainer() throws {
        var tag = try staticTag()
        for command in [Self.selectApplication, Self.selectContainer] { _ = try respond(&tag, command) }
        #expect(try respond(&tag, "00b000000f") == "000f20004000200406e1047fff00ff9000")
        #expect(try respond(&tag, "00b0000d10") == "00ff9000")
        let read = try CapabilityContainer(decoding: tag.container.encodedBytes)
        #expect(read == tag.container)
    }

    @Test func aStaticTagCannotBeWritten() throws {
        var tag = try opened(staticTag())
        #expect(try respond(&tag, "00d60000020000") == "6985")
        #expect(try respond(&tag, Self.selectContainer) == "9000")
        #expect(try respond(&tag, "00d60000020000") == "6985")
        let error = #expect(throws: MdocError.self) { try tag.answer(with: NFCExamples.staticSelect()) }
        #expect(error?.code == .unexpectedMessage)
    }

    @Test func completionIsToldOnce() throws {
        var tag = try opened(staticTag())
        let size = try NFCExamples.staticSelect().encodedBytes.count + 2
        var events = 0
        for _ in 0..<2 {
            for offset in stride(from: 0, to: size, by: 64) {
                let command = try CommandAPDU(
                    ins: 0xb0,
                    p1: UInt8(offset >> 8),
                    p2: UInt8(offset & 255),
                    expectedLength: 64
                )
                let (response, event) = tag.respond(to: command)
                #expect(response.status == .success)
                if case .completed = event {
                    events += 1
                    #expect(offset + response.data.count == size)
                }
            }
        }
        #expect(events == 1)
    }

    /// Writes into the open file of a tag, and what it answers.
    private static let writes: [(name: String, commands: [String], response: String)] = [
        ("nothing", ["00d60000"], "6700"),
        ("too much", ["00d6000021" + String(repeating: "00", count: 33)], "6700"),
        ("by a short identifier", ["00d68000020000"], "6a86"),
        ("beyond the file", ["00d60000020000", "00d6018f0200 00"], "6b00"),
        ("up to the file's end", ["00d60000020000", "00d6018e0200 00"], "9000"),
        ("one byte of the length", ["00d600000100"], "6a80"),
        ("the other byte of the length", ["00d600010100"], "6a80"),
        ("before the length", ["00d600020100"], "6985"),
        ("a length without a message", ["00d60000020005"], "6a80"),
        ("a length of more than was written", ["00d60000020000", "00d6000203d10100", "00d60000020004"], "6a80"),
        ("a message all at once", ["00d600000600 04 d1010054"], "9000"),
        ("a message in pieces", ["00d60000020000", "00d6000402 0054", "00d6000202 d101", "00d60000020004"], "9000"),
    ]

    @Test(arguments: writes.indices)
    func statusWordsOfWrites(_ index: Int) throws {
        let (name, commands, expected) = Self.writes[index]
        var tag = try opened(negotiatingTag())
        for command in commands.dropLast() { #expect(try respond(&tag, command) == "9000", "\(name)") }
        #expect(try respond(&tag, commands.last ?? "") == expected, "\(name)")
    }

    @Test func theLengthIsZeroWhileAMessageIsWritten() throws {
        var tag = try opened(negotiatingTag())
        #expect(try respond(&tag, "00b0000002") != "00009000")
        #expect(try respond(&tag, "00d60000020000") == "9000")
        #expect(try respond(&tag, "00b0000002") == "00009000")
        #expect(try respond(&tag, "00b0000201") == "6b00")
    }

    private func write(_ message: NDEFMessage, to tag: inout NFCEngagementTag) throws -> NFCEngagementTag.Event? {
        _ = try respond(&tag, "00d60000020000")
        for (index, byte) in message.encodedBytes.enumerated() {
            let offset = index + 2
            let command = try CommandAPDU(ins: 0xd6, p1: UInt8(offset >> 8), p2: UInt8(offset & 255), data: [byte])
            #expect(tag.respond(to: command).response.status == .success)
        }
        let count = message.encodedBytes.count
        let length = try CommandAPDU(ins: 0xd6, data: [UInt8(count >> 8), UInt8(count & 255)])
        return tag.respond(to: length).event
    }

    private func visible(_ tag: inout NFCEngagementTag) throws -> String {
        String(try respond(&tag, "00b0000040").dropLast(4))
    }

    private func service(_ name: String) throws -> NDEFMessage {
        let payload = [UInt8(name.utf8.count)] + Array(name.utf8)
        return try NDEFMessage([NDEFRecord(.wellKnown, type: Array("Ts".utf8), payload: payload)])
    }

    @Test func aRequestWithoutTheServiceFails() throws {
        for message in [
            try NFCExamples.request().message, try service("urn:nfc:sn:other"),
            try NDEFMessage([NDEFRecord(.wellKnown, type: Array("Ts".utf8), payload: [9])]),
        ] {
            var tag = try opened(negotiatingTag())
            guard case .failed = try write(message, to: &tag) else {
                Issue.record("not failed")
                continue
            }
            // Te with protocol error.
            #expect(try visible(&tag) == "0006d10201546501")
            // The service may be selected after all.
            #expect(try write(service("urn:nfc:sn:handover"), to: &tag) == nil)
            #expect(try visible(&tag) == "0006d10201546500")
        }
    }

    @Test func refusesAMalformedRequest() throws {
        var tag = try opened(negotiatingTag())
        _ = try write(service("urn:nfc:sn:handover"), to: &tag)
        guard case .failed(let error) = try write(NFCExamples.staticSelect().message, to: &tag) else {
            Issue.record("not failed")
            return
        }
        #expect(error.code == .malformedHandover)
    }

    @Test func theServiceCanBeDeselected() throws {
        var tag = try opened(negotiatingTag())
        let first = try visible(&tag)
        _ = try write(service("urn:nfc:sn:handover"), to: &tag)
        #expect(try visible(&tag) != first)
        _ = try write(service(""), to: &tag)
        #expect(try visible(&tag) == first)
    }

    @Test func answersThatAreRefused() throws {
        var tag = try opened(negotiatingTag())
        let early = #expect(throws: MdocError.self) { try tag.answer(with: NFCExamples.staticSelect()) }
        #expect(early?.code == .unexpectedMessage)
        _ = try write(service("urn:nfc:sn:handover"), to: &tag)
        guard case .requested(let request) = try write(NFCExamples.request().message, to: &tag) else {
            Issue.record("no request")
            return
        }
        #expect(request.encodedBytes == (try NFCExamples.request().encodedBytes))
        #expect(try visible(&tag) == "0000")
        #expect(try respond(&tag, "00d60000020000") == "6985")
        let two = #expect(throws: MdocError.self) { try tag.answer(with: NFCExamples.staticSelect()) }
        #expect(two?.code == .handoverRefused)
        try tag.answer(with: NFCExamples.select(answering: request))
        #expect(try visible(&tag) != "0000")
        let late = #expect(throws: MdocError.self) { try tag.answer(with: NFCExamples.select(answering: request)) }
        #expect(late?.code == .unexpectedMessage)
        // Selecting the application starts over.
        _ = try respond(&tag, Self.selectApplication)
        _ = try respond(&tag, Self.selectFile)
        #expect(try visible(&tag).contains("5470"))
    }

    @Test func tagsThatCannotBe() throws {
        let small = try CapabilityContainer(maximumFileSize: 20, isWritable: true)
        let cases: [(MdocError.Code, () throws -> NFCEngagementTag)] = [
            (.limitExceeded, { try NFCEngagementTag(showing: NFCExamples.staticSelect(), container: small) }),
            (.limitExceeded, { try NFCEngagementTag(negotiating: TNEPServiceParameters(), container: small) }),
            (
                .invalidValue,
                {
                    let container = try CapabilityContainer(isWritable: false)
                    return try NFCEngagementTag(negotiating: TNEPServiceParameters(), container: container)
                }
            ),
            (.invalidValue, { try NFCEngagementTag(negotiating: TNEPServiceParameters(serviceName: "x")) }),
        ]
        for (code, make) in cases {
            let error = #expect(throws: MdocError.self) { try make() }
            #expect(error?.code == code)
        }
    }
}
