public import Foundation

/// The test data that is part of this repository, below `Tests/Vectors`.
public enum OwnVectors {
    /// A file by its path below `Tests/Vectors`.
    public static func url(_ path: String) -> URL {
        VectorSet.checkout.appendingPathComponent("Tests/Vectors").appendingPathComponent(path)
    }

    /// The bytes of a file that holds hexadecimal text; white space is skipped.
    public static func bytes(hex path: String) throws -> [UInt8] {
        let text = try String(contentsOf: url(path), encoding: .utf8)
        guard let bytes = [UInt8](hex: text) else { throw CocoaError(.fileReadCorruptFile) }
        return bytes
    }
}
