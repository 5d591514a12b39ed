import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct L2CAPTests {
    private let messages: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 7, count: 300), [9]]

    @Test func splitsAtEveryByte() throws {
        let stream = try messages.flatMap { try L2CAPMessage.encoded($0) }
        for split in 0...stream.count {
            var decoder = L2CAPMessageDecoder(maximumMessageSize: 300)
            let first = try decoder.append(stream[..<split])
            let isComplete = [0, 7, 11, 315, 320].contains(split)
            #expect(decoder.isWithinMessage == !isComplete, "\(split)")
            #expect(try first + decoder.append(stream[split...]) == messages, "\(split)")
            #expect(!decoder.isWithinMessage)
        }
    }

    @Test func piecesOfEveryLength() throws {
        let stream = try messages.flatMap { try L2CAPMessage.encoded($0) }
        var generator = RepeatableRandomNumberGenerator(seed: 4)
        for _ in 0..<200 {
            var decoder = L2CAPMessageDecoder()
            var found: [[UInt8]] = []
            var rest = stream[...]
            while !rest.isEmpty {
                let count = Int.random(in: 0...40, using: &generator)
                found += try decoder.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(found == messages)
        }
    }

    @Test func lengthsOverTheLimit() throws {
        var exact = L2CAPMessageDecoder(maximumMessageSize: 3)
        #expect(try exact.append([0, 0, 0, 3, 1, 2, 3]) == [[1, 2, 3]])
        for head in [[0, 0, 0, 4], [0xff, 0xff, 0xff, 0xff], [0x80, 0, 0, 0]] as [[UInt8]] {
            var decoder = L2CAPMessageDecoder(maximumMessageSize: 3)
            #expect(try decoder.append(head.prefix(3)).isEmpty)
            for bytes in [[head[3]], [], [0, 0, 0, 1, 1]] as [[UInt8]] {
                let error = #expect(throws: MdocError.self) { try decoder.append(bytes) }
                #expect(error?.code == .limitExceeded)
            }
        }
    }

    @Test func thePSMCharacteristic() throws {
        for psm in [1, 0x80, 0xc0, 0xff, 0x1234_5678, UInt32.max] as [UInt32] {
            #expect(try BLEPSM.decode(BLEPSM.encoded(psm)) == psm)
        }
        #expect(BLEPSM.encoded(192) == [0, 0, 0, 192])
        for value in [[], [192], [0, 192], [0, 0, 0, 0], [0, 0, 0, 0, 192]] as [[UInt8]] {
            let error = #expect(throws: MdocError.self) { try BLEPSM.decode(value) }
            #expect(error?.code == .malformedBLEData)
        }
    }
}
