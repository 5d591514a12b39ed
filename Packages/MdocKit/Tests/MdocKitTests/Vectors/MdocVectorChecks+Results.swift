import JSONKit
import MdocKit
import MdocResults
import TestSupport
import Testing

extension MdocVectorChecks {
    /// The results of a file that holds one under each name; nil where it has another form.
    static func results(in file: VectorFile) throws -> [(name: String, value: JSONValue)]? {
        guard let members = try JSONValue(parsing: file.bytes()).objectValue else { return nil }
        let results = members.filter { $0.value.kind == .object }
        guard !results.isEmpty, results.count + (members.contains("description") ? 1 : 0) == members.count else {
            return nil
        }
        return results
    }

    /// A result, which is read, written to the same members, and read again.
    static func result(_ name: String, _ value: JSONValue) throws {
        let result = try StrictJSONDecoder(unknownMembers: .refuse).decode(
            OnlinePresentationSessionResult.self,
            from: value
        )
        let written = try StrictJSONEncoder().encode(result)
        #expect(try JSONValue(parsing: written) == value, "\(name)")
        #expect(
            try StrictJSONDecoder().decode(OnlinePresentationSessionResult.self, from: written) == result,
            "\(name)"
        )
    }
}
