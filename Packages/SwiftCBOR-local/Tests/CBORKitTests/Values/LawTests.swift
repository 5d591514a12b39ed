import CBORKit
import TestSupport
import Testing

/// Laws for all values and all well-formed inputs, checked on generated ones.
@Suite struct LawTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func whatIsWrittenReadsBackAndIsWrittenAlike(seed: UInt64) throws {
        var generator = CBORGenerator(seed: seed)
        for _ in 0..<400 {
            let value = generator.value()
            for options in [CBOREncodingOptions.preferred, .deterministic, .lengthFirst] {
                let bytes = value.encoded(options)
                let read = try CBOR(decoding: bytes)
                #expect(read.encoded(options) == bytes)
            }
            #expect(try CBOR(decoding: FormedCBOR(building: value).encoded()) == value)
            #expect(CBORError.reading(value.encoded(.deterministic), .deterministic) == nil)
            #expect(CBORError.reading(value.encoded(.lengthFirst), .lengthFirst) == nil)
        }
    }

    @Test(arguments: [5, 6, 7, 8] as [UInt64])
    func anyEncodingIsTheSameValueAndKeepsItsForm(seed: UInt64) throws {
        var generator = CBORGenerator(seed: seed)
        for _ in 0..<400 {
            let value = generator.value()
            let bytes = generator.encoding(of: value)
            let read = try CBOR(decoding: bytes)
            let formed = try FormedCBOR(decoding: bytes)
            #expect(read == value, "\(bytes.hex)")
            #expect(formed.value == value, "\(bytes.hex)")
            #expect(read.hashValue == formed.value.hashValue)
            #expect(formed.encoded() == bytes)
            #expect(try FormedCBOR(building: formed.value).encoded() == bytes)
            #expect(formed.value.encoded(.deterministic) == value.encoded(.deterministic))
        }
    }

    @Test func theOrderOfPairsDoesNotCount() {
        var generator = CBORGenerator(seed: 9)
        for _ in 0..<400 {
            guard case .map(let map) = generator.value(depth: 3) else { continue }
            let shuffled = CBOR.map(CBORMap(map.pairs.shuffled(using: &generator.random)))
            #expect(shuffled == .map(map))
            #expect(shuffled.hashValue == CBOR.map(map).hashValue)
            #expect(shuffled.encoded(.deterministic) == CBOR.map(map).encoded(.deterministic))
            #expect(shuffled.encoded(.lengthFirst) == CBOR.map(map).encoded(.lengthFirst))
        }
    }

    @Test func damagedInputThatIsReadIsReadFaithfully() throws {
        var generator = CBORGenerator(seed: 10)
        var mutator = Mutator(seed: 10)
        var accepted = 0
        for _ in 0..<5000 {
            let bytes = mutator.mutate(generator.encoding(of: generator.value(depth: 2)))
            guard let value = try? FormedCBOR(decoding: bytes) else { continue }
            #expect(value.encoded() == bytes, "\(bytes.hex)")
            accepted += 1
        }
        #expect(accepted > 500)
    }
}
