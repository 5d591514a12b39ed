import MdocKit
import MdocProximity
import TestSupport
import Testing

@Suite struct BLEMessageTests {
    @Test(arguments: [5, 6, 23, 185, 247, 514, 515, 516, 517, 1024, 65535])
    func partsOfEveryMTU(_ mtu: Int) throws {
        let longest = min(mtu - 3, 512)
        #expect(BLEMessageParts.partLength(maximumTransmissionUnit: mtu) == longest)
        for count in [0, 1, longest - 2, longest - 1, longest, 2 * (longest - 1), 2 * (longest - 1) + 1, 3000] {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let parts = Array(try BLEMessageParts(message, maximumTransmissionUnit: mtu))
            #expect(parts.count == max(1, (count + longest - 2) / (longest - 1)))
            #expect(parts.dropLast().allSatisfy { $0.count == longest && $0[0] == 1 })
            #expect(parts.last?.first == 0)
            #expect(parts.allSatisfy { $0.count <= longest })
            var assembler = BLEMessageAssembler(maximumMessageSize: count)
            for part in parts.dropLast() { #expect(try assembler.append(part) == nil) }
            #expect(try assembler.append(parts[parts.count - 1]) == message)
            // It is ready for the next message.
            #expect(try assembler.append([0]) == [])
        }
    }

    @Test(arguments: [Int.min, -1, 0, 3, 4])
    func mtusThatHoldNothing(_ mtu: Int) {
        let error = #expect(throws: MdocError.self) { try BLEMessageParts([1], maximumTransmissionUnit: mtu) }
        #expect(error?.code == .invalidValue)
    }

    @Test func refusesUnknownParts() throws {
        let long = [UInt8](repeating: 0, count: 513)
        for part in [[], [1], [2], [2, 3], [0xff, 1], long, [1] + long] as [[UInt8]] {
            var assembler = BLEMessageAssembler()
            #expect(try assembler.append([1, 9]) == nil)
            let error = #expect(throws: MdocError.self) { try assembler.append(part) }
            #expect(error?.code == .malformedBLEData)
            // Earlier parts are dropped.
            #expect(try assembler.append([0, 8]) == [8])
        }
    }

    @Test func aMessageOverTheLimit() throws {
        var assembler = BLEMessageAssembler(maximumMessageSize: 4)
        #expect(try assembler.append([1, 1, 2]) == nil)
        #expect(try assembler.append([0, 3, 4]) == [1, 2, 3, 4])
        #expect(try assembler.append([1, 1, 2]) == nil)
        let error = #expect(throws: MdocError.self) { try assembler.append([0, 3, 4, 5]) }
        #expect(error?.code == .limitExceeded)
        #expect(try assembler.append([0, 1]) == [1])
    }

    @Test func anEndlessMessageTakesNoMemory() throws {
        var assembler = BLEMessageAssembler(maximumMessageSize: 1000)
        let part: [UInt8] = [1] + [UInt8](repeating: 0, count: 511)
        #expect(try assembler.append(part) == nil)
        for _ in 0..<10 {
            let error = #expect(throws: MdocError.self) { try assembler.append(part) }
            #expect(error?.code == .limitExceeded)
            #expect(try assembler.append(part) == nil)
        }
    }
}
