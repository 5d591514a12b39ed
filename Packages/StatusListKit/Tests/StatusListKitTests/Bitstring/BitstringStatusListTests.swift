@_spi(Layers) import JOSEKit
import JSONKit
import StatusListKit
import Testing

struct BitstringStatusListTests {
    private func code(_ body: () throws -> Void) -> StatusListError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StatusListError)?.code
        }
    }

    @Test func countsFromTheHighestBitOfTheFirstByte() throws {
        var list = try BitstringStatusList()
        #expect(list.count == 131_072)
        try list.set(1, at: 0)
        try list.set(1, at: 10)
        #expect(list.bytes.prefix(2) == [0x80, 0x20])
        #expect(try list.status(at: 0) == 1)
        #expect(try list.status(at: 1) == 0)
        #expect(try list.status(at: 131_071) == 0)
        try list.set(0, at: 0)
        #expect(list.bytes.first == 0)
        #expect(code { _ = try list.status(at: 131_072) } == .indexOutOfRange)
        #expect(code { _ = try list.status(at: -1) } == .indexOutOfRange)
    }

    @Test(arguments: [1, 2, 3, 8, 32])
    func readsBackEntriesOfEachSize(_ size: Int) throws {
        var list = try BitstringStatusList(entrySize: size)
        let largest = UInt64(1) << UInt64(size) - 1
        for (index, value) in [(0, largest), (1, 0), (2, largest / 2), (131_071, largest)] {
            try list.set(value, at: index)
        }
        let read = try BitstringStatusList(decoding: list.encodedList(), form: .bitstring, entrySize: size)
        #expect(read == list)
        #expect(try read.status(at: 0) == largest)
        #expect(try read.status(at: 1) == 0)
        #expect(try read.status(at: 2) == largest / 2)
        #expect(try read.status(at: 131_071) == largest)
        #expect(code { try list.set(largest + 1, at: 0) } == .statusTooLarge)
    }

    @Test func refusesSizesAndCountsOutOfRange() {
        for size in [0, -1, 33] {
            #expect(code { _ = try BitstringStatusList(entrySize: size) } == .unsupportedBits)
        }
        #expect(code { _ = try BitstringStatusList(count: 131_071) } == .malformed)
        #expect(code { _ = try BitstringStatusList(count: .max, entrySize: 2) } == .limitExceeded)
    }

    @Test func readsTheTextOfTheSpecifications() throws {
        // Of Status List 2021, section 3.2, and Bitstring Status List 1.0, section 2.2: 16 KiB of zeros.
        let text = "H4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA"
        let earlier = try BitstringStatusList(decoding: text, form: .statusList2021)
        #expect(earlier == (try BitstringStatusList(decoding: "u" + text, form: .bitstring)))
        #expect(earlier == (try BitstringStatusList()))
        #expect(try earlier.encodedList(form: .statusList2021).hasPrefix("H4sI"))
        #expect(try earlier.encodedList().hasPrefix("uH4sI"))
    }

    @Test func readsStandardBase64Of2021() throws {
        var list = try BitstringStatusList()
        for index in 0..<400 { try list.set(1, at: index * 7) }
        let text = JSONBase64.base64.encode(try Deflate.compress(list.bytes, format: .gzip))
        #expect(try BitstringStatusList(decoding: text, form: .statusList2021) == list)
        #expect(code { _ = try BitstringStatusList(decoding: "u" + text, form: .bitstring) } == .malformed)
    }

    @Test func refusesOtherText() throws {
        let text = try BitstringStatusList().encodedList()
        let short = "u" + Base64URL.encode(try Deflate.compress([UInt8](repeating: 0, count: 16_383), format: .gzip))
        let zlib = "u" + Base64URL.encode(try Deflate.compress([UInt8](repeating: 0, count: 16_384), format: .zlib))
        let cases: [(String, StatusListError.Code)] = [
            (String(text.dropFirst()), .malformed), ("z" + text.dropFirst(), .malformed), ("", .malformed),
            ("u", .invalidCompression), ("u*", .malformed), (short, .malformed), (zlib, .invalidCompression),
            (String(text.dropLast(4)), .invalidCompression),
        ]
        for (text, expected) in cases {
            #expect(code { _ = try BitstringStatusList(decoding: text, form: .bitstring) } == expected, "\(text)")
        }
    }

    @Test func boundsTheTextAndWhatItInflatesTo() throws {
        let text = try BitstringStatusList().encodedList()
        let exact = StatusListLimits(tokenSize: text.utf8.count, inflatedSize: 16_384)
        #expect(try BitstringStatusList(decoding: text, form: .bitstring, limits: exact).count == 131_072)
        for limits in [
            StatusListLimits(tokenSize: text.utf8.count - 1), StatusListLimits(inflatedSize: 16_383),
        ] {
            #expect(
                code { _ = try BitstringStatusList(decoding: text, form: .bitstring, limits: limits) } == .limitExceeded
            )
        }
    }

    @Test func readsAndWritesEntries() throws {
        let entry = try BitstringStatusListEntry(
            purpose: .message,
            index: 94_567,
            listURL: "https://issuer.example/lists/3",
            size: 2,
            messages: [0: "pending", 1: "undefined", 2: "shipped", 3: "undefined"]
        )
        #expect(try BitstringStatusListEntry(json: entry.json(id: "urn:uuid:1")) == entry)
        let earlier = try BitstringStatusListEntry(
            form: .statusList2021,
            purpose: .revocation,
            index: 0,
            listURL: "https://issuer.example/lists/1"
        )
        #expect(try BitstringStatusListEntry(json: earlier.json()) == earlier)
        #expect(try BitstringStatusListEntry(json: ["type": "TokenStatusEntry"]) == nil)
    }

    private func messages(_ statuses: [String]) -> JSONValue {
        .array(statuses.map { ["status": .string($0), "message": "m"] })
    }

    /// Each possible status has a message, and a status of several bits has messages (Bitstring Status List 1.0, section 2.1).
    @Test func demandsAMessageForEachPossibleStatus() throws {
        let taken: [(Int, JSONValue?)] = [
            (1, nil), (1, messages(["0x0", "0x1"])), (2, messages(["0x3", "0x2", "0x1", "0x0"])),
            (10, messages((0..<1024).map { "0x" + String($0, radix: 16) })),
        ]
        let refused: [(Int, JSONValue?)] = [
            (1, []), (1, messages(["0x1"])), (1, messages(["0x0", "0x2"])), (1, messages(["0x0", "0x1", "0x2"])),
            (1, messages(["0x0", "0x0"])), (2, nil), (2, []), (2, messages(["0x0", "0x1"])), (32, nil),
            (2, messages(["0x0", "0x1", "0x2", "0x4"])),
            (11, messages((0..<2048).map { "0x" + String($0, radix: 16) })),
        ]
        var members = try BitstringStatusListEntry(purpose: .message, index: 7, listURL: "https://issuer.example/1")
            .json()
        for (size, messages) in taken {
            members["statusSize"] = .integer(size)
            members["statusMessage"] = messages
            let entry = try BitstringStatusListEntry(json: members)
            #expect(entry?.messages.count == messages?.arrayValue?.count ?? 0, "\(size)")
        }
        for (size, messages) in refused {
            members["statusSize"] = .integer(size)
            members["statusMessage"] = messages
            #expect(code { _ = try BitstringStatusListEntry(json: members) } == .invalidReference, "\(size)")
        }
        #expect(
            code { _ = try BitstringStatusListEntry(purpose: .message, index: 7, listURL: "a:b", size: 2) }
                == .invalidReference
        )
        // Status List 2021 has neither sizes nor messages.
        members["type"] = "StatusList2021Entry"
        members["statusSize"] = nil
        members["statusMessage"] = nil
        #expect(try BitstringStatusListEntry(json: members)?.messages.isEmpty == true)
    }

    /// An entry at the limit survives a round trip.
    @Test(arguments: [BitstringStatusList.Form.bitstring, .statusList2021])
    func makesNoEntryWithMoreMessagesThanAreRead(_ form: BitstringStatusList.Form) throws {
        func entry(_ size: Int, messages count: UInt64) throws -> BitstringStatusListEntry {
            try BitstringStatusListEntry(
                form: form,
                purpose: .message,
                index: 7,
                listURL: "https://issuer.example/1",
                size: size,
                messages: Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, "m") })
            )
        }
        let largest = try entry(10, messages: 1024)
        #expect(try BitstringStatusListEntry(json: largest.json()) == largest)
        #expect(code { _ = try entry(11, messages: 1025) } == .invalidReference)
        #expect(code { _ = try entry(11, messages: 2048) } == .invalidReference)
    }

    @Test func refusesMalformedEntries() throws {
        let entry = try BitstringStatusListEntry(purpose: .revocation, index: 7, listURL: "https://issuer.example/1")
        let changes: [(String, JSONValue?)] = [
            ("statusPurpose", nil), ("statusPurpose", 1), ("statusListIndex", 7), ("statusListIndex", "-7"),
            ("statusListIndex", "0x7"), ("statusListIndex", ""), ("statusListIndex", "99999999999999999999"),
            ("statusListCredential", nil), ("statusListCredential", ""), ("statusSize", "1"),
            ("statusMessage", [["status": "1", "message": "x"]]), ("statusMessage", "x"),
            ("statusMessage", [["status": "0x+1", "message": "x"]]),
            ("statusMessage", [["status": "0x\u{301}1", "message": "x"]]),
            ("statusMessage", [["status": "0x", "message": "x"]]),
        ]
        for (name, value) in changes {
            var members = entry.json()
            members[name] = value
            #expect(code { _ = try BitstringStatusListEntry(json: members) } == .invalidReference, "\(name)")
        }
        var members = entry.json()
        members["statusSize"] = 0
        #expect(code { _ = try BitstringStatusListEntry(json: members) } == .unsupportedBits)
        #expect(
            code { _ = try BitstringStatusListEntry(purpose: .revocation, index: -1, listURL: "a:b") }
                == .invalidReference
        )
    }
}
