@_spi(Layers) import JOSEKit
import TestSupport
import Testing

@Suite struct DeflateTests {
    private static let formats: [Deflate.Format] = [.raw, .zlib, .gzip]

    private func text(_ count: Int) -> [UInt8] {
        Array(repeatElement(Array("a status list of many zeros ".utf8), count: count / 28 + 1).joined().prefix(count))
    }

    @Test(arguments: formats, [0, 1, 511, 512, 513, 100_000])
    func contentComesBack(format: Deflate.Format, count: Int) throws {
        for level in [Deflate.Level.stored, .fastest, .balanced, .smallest] {
            let content = text(count)
            let compressed = try Deflate.compress(content, format: format, level: level)
            #expect(try Deflate.decompress(compressed, format: format, maximumSize: count) == content)
        }
    }

    @Test(arguments: formats, [1, 512, 513, 2048, 100_000])
    func limitHoldsExactly(format: Deflate.Format, count: Int) throws {
        let compressed = try Deflate.compress(text(count), format: format)
        expectRefusal(.limitExceeded) {
            try Deflate.decompress(compressed, format: format, maximumSize: count - 1)
        }
        #expect(try Deflate.decompress(compressed, format: format, maximumSize: count).count == count)
        #expect(try Deflate.decompress(compressed, format: format, maximumSize: .max).count == count)
    }

    @Test func bombIsRefusedWithoutInflatingIt() throws {
        let bomb = try Deflate.compress([UInt8](repeating: 0, count: 200_000_000), format: .raw, level: .smallest)
        #expect(bomb.count < 250_000)
        let before = PeakMemory.bytes
        expectRefusal(.limitExceeded) { try Deflate.decompress(bomb, format: .raw, maximumSize: 1_000_000) }
        if let before, let after = PeakMemory.bytes { #expect(after - before < 20_000_000) }
    }

    @Test(arguments: formats)
    func truncationIsRefusedAtEveryByte(format: Deflate.Format) throws {
        let compressed = try Deflate.compress(text(300), format: format)
        for count in 0..<compressed.count {
            expectRefusal(.invalidCompression) {
                try Deflate.decompress(compressed[..<count], format: format, maximumSize: 1000)
            }
        }
    }

    @Test(arguments: formats)
    func trailingBytesAreRefused(format: Deflate.Format) throws {
        let compressed = try Deflate.compress(text(300), format: format)
        expectRefusal(.invalidCompression) {
            try Deflate.decompress(compressed + [0], format: format, maximumSize: 1000)
        }
    }

    @Test func formatsAreNotMixed() throws {
        let raw = try Deflate.compress(text(300), format: .raw)
        let zlib = try Deflate.compress(text(300), format: .zlib)
        expectRefusal(.invalidCompression) { try Deflate.decompress(raw, format: .zlib, maximumSize: 1000) }
        expectRefusal(.invalidCompression) { try Deflate.decompress(zlib, format: .raw, maximumSize: 1000) }
    }

    @Test func wrongChecksumIsRefused() throws {
        var zlib = try Deflate.compress(text(300), format: .zlib)
        zlib[zlib.count - 1] ^= 1
        expectRefusal(.invalidCompression) { try Deflate.decompress(zlib, format: .zlib, maximumSize: 1000) }
    }
}
