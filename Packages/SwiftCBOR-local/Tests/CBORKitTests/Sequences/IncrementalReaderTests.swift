import CBORKit
import TestSupport
import Testing

/// Reading from pieces: the same as reading the whole.
@Suite struct IncrementalReaderTests {
    /// The result of a stream: the bytes of its items, and the error that ended it.
    private func read(_ pieces: [[UInt8]], _ options: CBORReadingOptions = .default) -> ([[UInt8]], CBORError?) {
        var reader = CBORIncrementalReader(options: options)
        var items: [[UInt8]] = []
        do throws(CBORError) {
            for piece in pieces {
                reader.feed(piece)
                while case .item(let document) = try reader.next() { items.append(Array(document.encodedBytes)) }
            }
            try reader.finish()
            return (items, nil)
        } catch {
            return (items, error)
        }
    }

    @Test func anyPiecesGiveTheSameItems() {
        var generator = CBORGenerator(seed: 3)
        for _ in 0..<200 {
            let items = (0..<generator.number(1...4)).map { _ in generator.encoding(of: generator.value()) }
            let stream = Array(items.joined())
            #expect(read([stream]).0 == items)
            #expect(read([stream]).1 == nil)
            let bytewise = read(stream.map { [$0] })
            #expect(bytewise.0 == items)
            #expect(bytewise.1 == nil, "\(stream.hex)")
            #expect(read(pieces(of: stream, &generator)).0 == items)
        }
    }

    private func pieces(of stream: [UInt8], _ generator: inout CBORGenerator) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let count = generator.number(0...9)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return pieces
    }

    /// A whole that is refused is refused byte by byte too, and the other way round.
    @Test func damagedStreamsAreRefusedAlike() {
        var generator = CBORGenerator(seed: 4)
        var mutator = Mutator(seed: 4)
        for _ in 0..<2000 {
            let bytes = mutator.mutate(generator.encoding(of: generator.value(depth: 2)))
            let whole = Result { try CBORDocument.sequence(bytes).map { Array($0.encodedBytes) } }
            let (items, error) = read(bytes.map { [$0] })
            switch whole {
            case .success(let expected):
                #expect(error == nil, "\(bytes.hex)")
                #expect(items == expected, "\(bytes.hex)")
            case .failure: #expect(error != nil, "\(bytes.hex)")
            }
        }
    }

    @Test func saysHowManyBytesAreMissingAtLeast() throws {
        for (hex, missing) in [
            ("", 1), ("18", 1), ("19", 2), ("1b00", 7), ("43", 3), ("4301", 2), ("83", 3), ("8301", 2), ("a2", 4),
            ("9f", 1), ("bf00", 2), ("5f", 1), ("5f42", 3), ("c1", 1), ("8243", 4), ("d818", 1), ("7f6161", 1),
        ] {
            var reader = CBORIncrementalReader()
            reader.feed(try [UInt8](figure: hex))
            guard case .needs(let count) = try reader.next() else {
                Issue.record("\(hex) is no item")
                continue
            }
            #expect(count == missing, "\(hex)")
        }
    }

    @Test func neverAsksForMoreThanIsMissing() throws {
        var generator = CBORGenerator(seed: 5)
        for _ in 0..<300 {
            let bytes = generator.encoding(of: generator.value())
            var reader = CBORIncrementalReader()
            var position = 0
            while case .needs(let count) = try reader.next() {
                #expect(count >= 1)
                try #require(position + count <= bytes.count, "\(bytes.hex)")
                reader.feed(bytes[position..<position + count])
                position += count
            }
            #expect(position == bytes.count)
        }
    }

    @Test func refusesAsSoonAsItShows() {
        let cases: [([UInt8], CBORError.Code)] = [
            ([0x1c], .reserved), ([0x82, 0x01, 0xff], .unexpectedBreak), ([0x5f, 0x61], .invalidChunk),
            ([0xf8, 0x00], .invalidSimpleValue),
            ([0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], .limitExceeded),
            ([0x9b, 0x80, 0, 0, 0, 0, 0, 0, 0], .limitExceeded), ([0xbb, 0x80, 0, 0, 0, 0, 0, 0, 0], .limitExceeded),
        ]
        for (bytes, code) in cases {
            var reader = CBORIncrementalReader()
            reader.feed(bytes)
            for _ in 0..<2 {
                let error = #expect(throws: CBORError.self, "\(bytes.hex)") { try reader.next() }
                #expect(error?.code == code, "\(bytes.hex)")
            }
            #expect(throws: CBORError.self) { try reader.finish() }
        }
    }

    @Test func errorsCountFromTheStartOfTheStream() {
        let (items, error) = read([[0x01, 0x82], [0x02, 0x62, 0xff, 0xff]])
        #expect(items == [[1]])
        #expect(error?.code == .invalidUTF8)
        #expect(error?.offset == 4)
        #expect(error?.path.description == "[1][1]")
        let unfinished = read([[0x01, 0x82, 0x00]]).1
        #expect(unfinished?.code == .truncated)
        #expect(unfinished?.offset == 3)
    }

    @Test func optionsHoldForEachItem() {
        #expect(read([[1, 0x18, 1]], .deterministic).1?.code == .notDeterministic)
        #expect(read([[0xa2, 1, 1, 1, 1]]).1?.code == .duplicateKey)
    }
}
