import JSONKit

extension FuzzTarget {
    /// The parsers of JSONKit.
    package static let json = [
        FuzzTarget(name: "json") { bytes in
            let document = try JSONDocument(bytes)
            let value = try document.root.value()
            require(try JSONValue(parsing: value.encoded()) == value, "what is written reads back")
            require(try JSONValue(parsing: value.encoded(.pretty)) == value, "what is written for people reads back")
            let canonical = try value.canonicalized()
            require(try JSONValue(parsing: canonical).canonicalized() == canonical, "the canonical form is its own")
        },
        FuzzTarget(name: "json-codable") { bytes in
            let value = try StrictJSONDecoder(unknownMembers: .refuse).decode(JSONModel.self, from: bytes)
            let again = try StrictJSONDecoder().decode(JSONModel.self, from: try StrictJSONEncoder().encode(value))
            require(again == value, "what is encoded decodes to the same")
        },
    ]
}

/// A type with every kind of member.
private struct JSONModel: Codable, Equatable {
    var text: String?
    var flag: Bool?
    var integer: Int?
    var byte: UInt8?
    var double: Double?
    var float: Float?
    var bytes: [UInt8]?
    var number: JSONNumber?
    var value: JSONValue?
    var list: [JSONModel]?
    var map: [String: JSONModel]?
}
