import TestSupport

/// A file of the CBOR vectors: lists of cases under names that say what to do with them.
struct VectorModel: Decodable {
    /// The cases, each with the name of its list.
    let cases: [(list: String, test: VectorCase)]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        cases = try container.allKeys.sorted { $0.stringValue < $1.stringValue }.flatMap { key in
            guard (try? container.decode(String.self, forKey: key)) == nil else { return [(String, VectorCase)]() }
            return try container.decode([VectorCase].self, forKey: key).map { (key.stringValue, $0) }
        }
    }
}

/// One case; which members it has tells its form.
struct VectorCase: Decodable {
    let members: [String: VectorJSON]

    init(from decoder: any Decoder) throws {
        members = try [String: VectorJSON](from: decoder)
    }

    /// A member that is text, or nil.
    func text(_ name: String) -> String? { members[name]?.string }

    /// A member that is hexadecimal text, as bytes, or nil.
    func bytes(_ name: String) -> [UInt8]? { members[name]?.hex }
}
