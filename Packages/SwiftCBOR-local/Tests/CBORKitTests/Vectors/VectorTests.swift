import CBORKit
import TestSupport
import Testing

/// Every file of the set, every case by the form it has.
@Suite(.enabled(if: VectorSet("cbor").isAvailable, VectorSet.absence))
struct VectorTests {
    @Test(arguments: VectorSet("cbor").files(withExtension: "json"))
    func everyCaseHolds(file: VectorFile) throws {
        let cases = try file.decode(VectorModel.self).cases
        #expect(!cases.isEmpty, "\(file.path) has no cases")
        var elsewhere: [(name: String, reason: String)] = []
        for (list, test) in cases {
            if test.text("edn") != nil, test.bytes("hex") != nil {
                elsewhere.append((test.text("hex") ?? "", "diagnostic notation: run by the suite of that"))
            } else {
                try run(test, in: list)
            }
        }
        file.report(ran: cases.count - elsewhere.count, passedOver: elsewhere)
    }

    private func run(_ test: VectorCase, in list: String) throws {
        let names = Set(test.members.keys)
        if names.isSuperset(of: ["hex", "roundtrip"]) { return try readAndWrite(test) }
        if names.isSuperset(of: ["hex", "category"]) { return try refuseMalformed(test) }
        if names.isSuperset(of: ["double_bits", "shortest"]) { return try shorten(test) }
        if names.contains("input_unsorted_preferred") { return try sort(test) }
        if names.isSuperset(of: ["hex", "items"]) { return try readSequence(test) }
        if list == "encode" { return try reduce(test) }
        if list == "reject" { return try refuse(test, .dCBOR) }
        if list.contains("not_deterministic") { return try refuseNotDeterministic(test) }
        if names.isSuperset(of: ["hex", "why"]) { return try judgeValidity(test) }
        Issue.record("a case of unknown form in \(list): \(names.sorted())")
    }

    /// RFC 8949 appendix A.
    private func readAndWrite(_ test: VectorCase) throws {
        let bytes = try #require(test.bytes("hex"))
        guard case .bool(let isPreferred)? = test.members["roundtrip"] else {
            Issue.record("roundtrip is no Boolean: \(bytes.hex)")
            return
        }
        let value = try CBOR(decoding: bytes)
        #expect((value.encoded() == bytes) == isPreferred, "\(bytes.hex)")
        #expect(try FormedCBOR(decoding: bytes).encoded() == bytes)
        #expect(try CBOR(decoding: value.encoded()) == value, "\(bytes.hex)")
        if let decoded = test.members["decoded"] { #expect(decoded.matches(value), "\(bytes.hex)") }
    }

    /// RFC 8949 appendix F.
    private func refuseMalformed(_ test: VectorCase) throws {
        let bytes = try #require(test.bytes("hex"))
        let category = try #require(test.text("category"))
        let error = try #require(CBORError.reading(bytes), "\(bytes.hex): \(category)")
        #expect(error.code == Self.code(of: category) || error.code == .truncated, "\(bytes.hex): \(error)")
        #expect((0...bytes.count).contains(try #require(error.offset)))
    }

    /// The code for a category.
    ///
    /// An input that is also too short for what it claims may be refused for that instead.
    private static func code(of category: String) -> CBORError.Code? {
        if category.contains("chunk") { return .invalidChunk }
        if category.contains("reserved two-byte") { return .invalidSimpleValue }
        if category.contains("reserved") || category.contains("additional information 31") { return .reserved }
        return category.hasPrefix("break") ? .unexpectedBreak : nil
    }

    private func shorten(_ test: VectorCase) throws {
        let bits = try #require(test.text("double_bits").flatMap { UInt64($0, radix: 16) })
        let shortest = try #require(test.bytes("shortest"))
        let number = Double(bitPattern: bits)
        #expect(CBOR.double(number).encoded() == shortest)
        #expect(CBOR.float(CBORFloat(doubleBitPattern: bits)).encoded(.deterministic) == shortest)
        let read = try CBORDocument(shortest, options: .deterministic).root.double()
        #expect(read.bitPattern == bits || read.isNaN && number.isNaN)
    }

    private func sort(_ test: VectorCase) throws {
        let value = try CBOR(decoding: try #require(test.bytes("input_unsorted_preferred")))
        let core = try #require(test.bytes("core_deterministic_4_2_1"))
        let lengthFirst = try #require(test.bytes("length_first_4_2_3"))
        #expect(value.encoded(.deterministic) == core)
        #expect(value.encoded(.lengthFirst) == lengthFirst)
        #expect(try CBOR(decoding: core, options: .deterministic) == value)
        #expect(try CBOR(decoding: lengthFirst, options: .lengthFirst) == value)
        guard core != lengthFirst else { return }
        #expect(CBORError.reading(lengthFirst, .deterministic)?.code == .notDeterministic)
        #expect(CBORError.reading(core, .lengthFirst)?.code == .notDeterministic)
    }

    /// RFC 8742.
    private func readSequence(_ test: VectorCase) throws {
        let bytes = try #require(test.bytes("hex"))
        guard case .integer(let count)? = test.members["items"] else {
            #expect(throws: CBORError.self, "\(bytes.hex)") { try CBORDocument.sequence(bytes) }
            return
        }
        let documents = try CBORDocument.sequence(bytes)
        #expect(Int128(documents.count) == count, "\(bytes.hex)")
        #expect(documents.flatMap { Array($0.encodedBytes) } == bytes)
    }

    private func reduce(_ test: VectorCase) throws {
        let number = try #require(test.text("value").flatMap(Double.init))
        let bytes = try #require(test.bytes("hex"))
        guard number >= -0x1p63 || bytes.first != 0x3b else {
            // The case follows drafts that reduced down to −2^64; Appendix A now refuses its expected encoding.
            #expect(CBORError.reading(bytes, .dCBOR)?.code == .notDeterministic)
            #expect(try CBOR.double(number).dCBOREncoded() == CBOR.double(number).encoded())
            return
        }
        #expect(try CBOR.double(number).dCBOREncoded() == bytes, "\(number)")
        #expect(CBORError.reading(bytes, .dCBOR) == nil)
    }

    private func refuse(_ test: VectorCase, _ options: CBORReadingOptions) throws {
        let bytes = try #require(test.bytes("hex"))
        let error = try #require(CBORError.reading(bytes, options), "\(bytes.hex): \(test.text("why") ?? "")")
        #expect([.notDeterministic, .duplicateKey].contains(error.code), "\(bytes.hex): \(error)")
        #expect((0..<bytes.count).contains(try #require(error.offset)))
    }

    private func refuseNotDeterministic(_ test: VectorCase) throws {
        try refuse(test, .deterministic)
        let bytes = try #require(test.bytes("hex"))
        guard CBORError.reading(bytes)?.code != .duplicateKey else { return }
        let value = try CBOR(decoding: bytes)
        #expect(CBORError.reading(value.encoded(.deterministic), .deterministic) == nil, "\(bytes.hex)")
    }

    /// Well-formed inputs are refused by a reader that checks tags, unless the case says that they are valid.
    private func judgeValidity(_ test: VectorCase) throws {
        let bytes = try #require(test.bytes("hex"))
        let why = try #require(test.text("why"))
        let error = CBORError.reading(bytes, .with { $0.checksTagContent = true })
        if why.contains("distinct") {
            #expect(error == nil, "\(bytes.hex): \(why)")
        } else {
            let code = try #require(error, "\(bytes.hex): \(why)").code
            let expected: CBORError.Code =
                why.hasPrefix("tag ") ? .invalidTagContent : why.contains("duplicate") ? .duplicateKey : .invalidUTF8
            #expect(code == expected, "\(bytes.hex): \(why)")
        }
    }
}
