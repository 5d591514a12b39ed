package import CommandSupport
import CryptoCore
import Foundation
package import IdemixKeyProofs
@_spi(Layers) import JOSEKit

/// A file with the proof of a key: JSON in gzip, hundreds of megabytes of it, which is read and written in pieces.
package struct KeyProofFile {
    package let path: String

    private static let pieceSize = 1 << 16

    /// Names a file.
    package init(path: String) {
        self.path = path
    }

    private var name: String { path.escapedForDisplay(backslash: true) }

    /// Reads the proof of a statement.
    ///
    /// - Throws: ``ToolError`` for a file that has none.
    package func read(for statement: KeyStatement) throws(ToolError) -> KeyProof {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ToolError("cannot open \(name): there is no such file, or it may not be read")
        }
        defer { try? file.close() }
        do {
            let decompressor = try PiecewiseDecompressor(format: .gzip)
            return try KeyProof(for: statement) { try Self.nextPiece(of: file, decompressor) }
        } catch {
            throw ToolError("\(name) is no readable proof of this key: \(error)")
        }
    }

    /// The next piece of the content that is not empty, or an empty one at its end.
    private static func nextPiece(of file: FileHandle, _ decompressor: PiecewiseDecompressor) throws -> [UInt8] {
        while true {
            let compressed = Array(try file.read(upToCount: pieceSize) ?? Data())
            let piece = try decompressor.decompress(compressed)
            if !piece.isEmpty { return piece }
            guard compressed.isEmpty else { continue }
            guard decompressor.isAtEnd else { throw ToolError("the compressed content ends early") }
            return []
        }
    }

    /// Writes a proof; an existing file is replaced as a whole, at the end.
    package func write(_ proof: KeyProof) throws(ToolError) {
        let temporary = "\(path).\(UUID().uuidString)"
        do {
            guard FileManager.default.createFile(atPath: temporary, contents: nil),
                let file = FileHandle(forWritingAtPath: temporary)
            else { throw ToolError("the folder is missing, or may not be written to") }
            let compressor = try PiecewiseCompressor(format: .gzip)
            try proof.write { piece in try file.write(contentsOf: Data(try compressor.compress(piece))) }
            try file.write(contentsOf: Data(try compressor.finish()))
            try file.close()
            guard rename(temporary, path) == 0 else { throw ToolError(String(cString: strerror(errno))) }
        } catch {
            unlink(temporary)
            throw ToolError("cannot write \(name): \(error)")
        }
    }
}
