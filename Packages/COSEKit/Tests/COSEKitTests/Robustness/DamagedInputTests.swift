import CBORKit
import COSEKit
import CryptoCore
import TestSupport
import Testing

@Suite(.serialized) struct DamagedInputTests {
    private static let set = VectorSet("cose")
    private static let memoryLimit = 64 << 20

    /// The number of damaged variants of every file of the external set; scripts/check-mutations makes 100,000.
    private static let mutationsOfAFile = 250

    /// Reads the bytes; any error but those of the layers is a failure, and so is a crash.
    private func explore(_ bytes: [UInt8], _ name: String) {
        do {
            try AnyStructure.explore(bytes)
        } catch is COSEError {
        } catch is CBORError {
        } catch {
            Issue.record("\(name): \(bytes.hex): \(error)")
        }
    }

    @Test(arguments: OwnInputs.all)
    func everyTruncationIsRefused(name: String, hex: String) throws {
        let whole = try bytes(hex)
        for count in whole.indices {
            let cut = Array(whole.prefix(count))
            #expect(throws: CBORError.self, "\(name) cut to \(count) bytes") { try AnyStructure.explore(cut) }
            expectRefusal(.malformed) { try COSETaggedMessage(decoding: cut) }
            expectRefusal(.malformed) { try COSEKeySet(decoding: cut) }
        }
    }

    @Test func damagedFiguresAreReadOrRefused() throws {
        let inputs = try OwnInputs.all.map { (name: $0.name, bytes: try bytes($0.hex)) }
        var mutator = Mutator(seed: 0xc05e)
        let before = PeakMemory.bytes
        for round in 0..<10_000 {
            let input = inputs[round % inputs.count]
            explore(mutator.mutate(input.bytes), input.name)
        }
        try expectSmallGrowth(since: before)
    }

    @Test(.enabled(if: set.isAvailable, VectorSet.absence))
    func damagedVectorsAreReadOrRefused() throws {
        let before = PeakMemory.bytes
        var count = 0
        for file in Self.set.files(withExtension: "json") {
            var mutator = Mutator(seed: 0xc05e)
            let inputs = try VectorInputs(file).inputs
            for input in inputs {
                for length in input.indices { explore(Array(input.prefix(length)), file.path) }
            }
            for round in 0..<Self.mutationsOfAFile {
                explore(mutator.mutate(inputs[round % inputs.count]), file.path)
                count += 1
            }
        }
        print("vectors: cose: \(count) damaged variants read or refused")
        try expectSmallGrowth(since: before)
    }

    private func expectSmallGrowth(since before: Int?) throws {
        guard let before, let after = PeakMemory.bytes else { return }
        #expect(after - before < Self.memoryLimit)
    }

    @Test func claimedLengthsCostNothing() throws {
        for length in ["1a7fffffff", "1b7fffffffffffffff", "1b8000000000000000", "1bffffffffffffffff"] {
            let digits = length.dropFirst(2)
            for head in ["5", "7", "9", "b"] {
                let claim = (length.hasPrefix("1a") ? "\(head)a" : "\(head)b") + digits
                expectRefusal(.malformed) { try COSESign1(decoding: bytes("84 40 a0 \(claim)")) }
                expectRefusal(.malformed) {
                    try COSESign1(decoding: bytes("84 49 \(claim)".padded) + bytes("a0 40 40"))
                }
                expectRefusal(.malformed) { try COSEKeySet(decoding: bytes(claim)) }
            }
        }
    }

    @Test(arguments: [10, 200, 10_000, 1_000_000])
    func nestingIsBounded(depth: Int) throws {
        // Recipients in recipients: [h'', {}, null, [[h'', {}, null, [ … ]]]].
        let layer: [UInt8] = [0x84, 0x40, 0xa0, 0xf6, 0x81]
        var message: [UInt8] = [0x84, 0x40, 0xa0, 0xf6, 0x81]
        for _ in 0..<depth { message += layer }
        message += [0x83, 0x40, 0xa0, 0xf6]
        expectRefusal(.limitExceeded) { try COSEEncrypt(decoding: message) }
        // Tags in tags, arrays in arrays.
        expectRefusal(depth == 10 ? .wrongTag : .limitExceeded) {
            try COSESign1(decoding: [UInt8](repeating: 0xd2, count: depth) + [0x00])
        }
        expectRefusal(depth == 10 ? .wrongElementCount : .limitExceeded) {
            try COSESign1(decoding: [UInt8](repeating: 0x81, count: depth) + [0x00])
        }
    }

    @Test func recipientsAtTheLimitOfDepthAreRead() throws {
        func message(_ depth: Int) -> [UInt8] {
            var bytes: [UInt8] = [0x84, 0x40, 0xa0, 0xf6, 0x81]
            for _ in 1..<depth { bytes += [0x84, 0x40, 0xa0, 0xf6, 0x81] }
            return bytes + [0x83, 0x40, 0xa0, 0xf6]
        }
        let limit = COSEReadingOptions.default.recipientDepth
        _ = try COSEEncrypt(decoding: message(limit))
        expectRefusal(.limitExceeded) { try COSEEncrypt(decoding: message(limit + 1)) }
    }
}

extension String {
    /// The hexadecimal text with zeros at its end, for nine bytes.
    fileprivate var padded: String {
        let digits = filter { !$0.isWhitespace }
        return digits + String(repeating: "0", count: max(0, 22 - digits.count))
    }
}
