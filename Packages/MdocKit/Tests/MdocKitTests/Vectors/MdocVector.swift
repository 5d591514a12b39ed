import TestSupport
import Testing

/// One vector of a file of the set `mdoc`.
struct MdocVector: Sendable, CustomTestStringConvertible {
    let id: String
    let fields: VectorJSON

    var testDescription: String { id }

    /// The vectors of a file; nil where it holds none in the set's form.
    static func all(in file: VectorFile) throws -> [MdocVector]? {
        try file.decode(VectorJSON.self)["vectors"]?.array?.enumerated().map { index, fields in
            MdocVector(id: fields["id"]?.string ?? "vector \(index)", fields: fields)
        }
    }

    subscript(name: String) -> VectorJSON? { fields[name] }

    /// The bytes of a member in hexadecimal.
    func bytes(_ name: String) throws -> [UInt8] {
        try #require(fields[name]?.hex, "\(id): \(name) is missing")
    }

    /// The text of a member.
    func text(_ name: String) throws -> String {
        try #require(fields[name]?.string, "\(id): \(name) is missing")
    }

    /// Returns `true` if all these members are there.
    func has(_ names: String...) -> Bool {
        names.allSatisfy { fields[$0] != nil }
    }
}
