import JSONKit
import TestSupport
import Testing

extension VectorFile {
    /// The content as JSON.
    func json() throws -> JSONValue { try JSONValue(parsing: bytes()) }
}

extension JSONValue {
    /// The elements of a member, which must be there.
    func cases(_ name: String) throws -> [JSONValue] { try #require(self[name]?.arrayValue, "\(name)") }

    /// The text of a member, which must be there.
    func text(_ name: String) throws -> String { try #require(self[name]?.stringValue, "\(name)") }
}

/// The folder with the vectors of OpenID4VP.
let vectors = VectorSet("oid4vp")

/// The files of the folder that have one of some members at the top.
func vectorFiles(with members: String...) -> [VectorFile] {
    vectors.files(withExtension: "json").filter { file in
        guard let json = try? file.json() else { return false }
        return members.contains { json[$0] != nil }
    }
}
