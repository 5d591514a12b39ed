@_spi(Layers) import JOSEKit
import TestSupport
import Testing

/// Streams that are compressed and decompressed piece by piece.
@Suite struct DeflatePiecesTests {
    private static let formats: [Deflate.Format] = [.raw, .zlib, .gzip]

    /// Content that hardly compresses, so that its stream has many pieces.
    private func content(_ count: Int) -> [UInt8] {
        var generator = RepeatableRandomNumberGenerator(seed: 11)
        return (0..<count).map { _ in UInt8.random(in: 0...127, using: &generator) }
    }

    private func pieces(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    @Test(arguments: formats, [1, 1_000, 200_000])
    func contentComesBack(format: Deflate.Format, size: Int) throws {
        let content = content(size == 1 ? 2_000 : 300_000)
        let compressor = try PiecewiseCompressor(format: format)
        var compressed = try pieces(content, size).flatMap { try compressor.compress($0) }
        compressed += try compressor.finish()
        #expect(try Deflate.decompress(compressed, format: format, maximumSize: content.count) == content)
        let decompressor = try PiecewiseDecompressor(format: format)
        var output: [UInt8] = []
        for piece in pieces(compressed, size) {
            #expect(!decompressor.isAtEnd)
            output += try decompressor.decompress(piece)
        }
        #expect(output == content)
        #expect(decompressor.isAtEnd)
        #expect(try decompressor.decompress([]).isEmpty)
    }

    @Test(arguments: formats)
    func aPieceInflatesInProportion(format: Deflate.Format) throws {
        let bomb = try Deflate.compress([UInt8](repeating: 0, count: 50_000_000), format: format, level: .smallest)
        let decompressor = try PiecewiseDecompressor(format: format)
        #expect(try decompressor.decompress(Array(bomb.prefix(1_000))).count <= 1_032 * 1_000)
    }

    @Test(arguments: formats)
    func whatFollowsIsRefused(format: Deflate.Format) throws {
        let compressed = try Deflate.compress(content(300), format: format)
        let together = try PiecewiseDecompressor(format: format)
        expectRefusal(.invalidCompression) { try together.decompress(compressed + [0]) }
        let apart = try PiecewiseDecompressor(format: format)
        _ = try apart.decompress(compressed)
        expectRefusal(.invalidCompression) { try apart.decompress([0]) }
    }

    @Test func otherBytesAreRefused() throws {
        let decompressor = try PiecewiseDecompressor(format: .gzip)
        expectRefusal(.invalidCompression) { try decompressor.decompress(Array("{\"PProof\":".utf8)) }
        var damaged = try Deflate.compress(content(300), format: .gzip)
        damaged[damaged.count - 6] ^= 1
        let other = try PiecewiseDecompressor(format: .gzip)
        expectRefusal(.invalidCompression) { try other.decompress(damaged) }
    }
}
