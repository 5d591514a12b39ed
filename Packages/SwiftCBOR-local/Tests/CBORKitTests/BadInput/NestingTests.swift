import CBORKit
import TestSupport
import Testing

/// Nesting without end, on a small stack.
@Suite struct NestingTests {
    static let heads: [[UInt8]] = [
        [0x81], [0x9f], [0xa1, 0x00], [0xbf, 0x00], [0xa1], [0xbf], [0xc1], [0xdb, 1, 1, 1, 1, 1, 1, 1, 1],
        [0x82, 0x00],
    ]

    @Test(arguments: heads)
    func aHundredThousandLevelsAreRefused(head: [UInt8]) async {
        let bytes = Array(repeatElement(head, count: 100_000).joined()) + [0x00]
        let codes = await SmallStack.run {
            var reader = CBORIncrementalReader()
            reader.feed(bytes)
            var streamed: CBORError?
            do throws(CBORError) { _ = try reader.next() } catch { streamed = error }
            let unlimited = CBORReadingOptions.with { $0.limits.depth = .max }
            return [streamed, CBORError.reading(bytes), CBORError.reading(bytes, unlimited)].map { $0?.code }
        }
        #expect(codes[0] == .limitExceeded)
        // A container that claims more than is left is refused for that, where it stands.
        #expect(codes[1] == .limitExceeded)
        #expect(codes[2] == .limitExceeded)
    }

    @Test(arguments: [[UInt8(0x81)], [0xa1, 0x00], [0xc1], [0xa1]])
    func theDeepestByDefaultFitsASmallStack(head: [UInt8]) async {
        let bytes = nested(head, CBORLimits.default.depth)
        let isKept = await SmallStack.run {
            var options = CBORReadingOptions.default
            options.checksTagContent = head != [0xc1]
            guard let formed = try? FormedCBOR(decoding: bytes, options: options) else { return false }
            let value = formed.value
            let isSame = formed.encoded() == bytes && value.encoded(.deterministic) == bytes
            return isSame && value == value && value.hashValue == value.unformed.hashValue
        }
        #expect(isKept)
    }

    @Test(arguments: [[UInt8(0x81)], [0xa1, 0x00], [0xc1], [0xa1]])
    func theDeepestOfAllIsReadOnASmallStack(head: [UInt8]) async {
        let bytes = nested(head, CBORLimits.maximumDepth)
        let depth = await SmallStack.run {
            let options = CBORReadingOptions.with { $0.limits.depth = .max }
            guard let document = try? CBORDocument(bytes, options: options) else { return -1 }
            let formed = FormedCBOR(document.root)
            let value = formed.value
            guard value == document.root.value(), value.hashValue == document.root.value().hashValue else { return -2 }
            guard formed.encoded() == bytes, value.encoded(.deterministic) == bytes else { return -3 }
            guard (try? value.dCBOREncoded()) == bytes else { return -4 }
            guard (try? FormedCBOR(building: value))?.encoded() == bytes else { return -5 }
            return document.encodedBytes.count
        }
        #expect(depth == bytes.count)
    }

    /// So many levels of arrays, maps or tags; a map whose head stands alone is nested in its key.
    private func nested(_ head: [UInt8], _ depth: Int) -> [UInt8] {
        let values = head == [0xa1] ? depth : 0
        return Array(repeatElement(head, count: depth).joined()) + [UInt8](repeating: 0, count: values + 1)
    }

    /// Items in byte strings in byte strings: only what is asked for is read.
    @Test func embeddedItemsAreNotFollowedUnasked() throws {
        var bytes: [UInt8] = [0x00]
        for _ in 0..<2000 { bytes = CBOR.tagged(24, .bytes(bytes)).encoded() }
        let document = try CBORDocument(bytes, options: .with { $0.checksTagContent = true })
        #expect(try document.root.embedded().root.tag == 24)
    }
}
