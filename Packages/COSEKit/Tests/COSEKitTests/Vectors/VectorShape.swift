/// The kind of a file of the set, recognized by its members.
enum VectorShape: Decodable {
    /// A message with its input and intermediate values, in the form of cose-wg/Examples.
    case example
    /// COSE_Sign1 messages with their keys.
    case sign1
    /// COSE_Mac0 and COSE_Encrypt0 messages with their keys.
    case symmetric
    /// Countersigned messages with the countersigner's key.
    case countersignatures
    /// Keys with their thumbprints.
    case thumbprints

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(Key(stringValue: "input")) {
            self = .example
            return
        }
        var tests = try container.nestedUnkeyedContainer(forKey: Key(stringValue: "tests"))
        let members = Set(try tests.nestedContainer(keyedBy: Key.self).allKeys.map(\.stringValue))
        if members.contains("thumbprint_input_hex") {
            self = .thumbprints
        } else if members.contains("countersigner_cose_key_hex") {
            self = .countersignatures
        } else if members.contains("public_cose_key_hex") {
            self = .sign1
        } else if members.contains("key_hex") {
            self = .symmetric
        } else {
            let description = "tests of an unknown form"
            throw DecodingError.dataCorrupted(.init(codingPath: container.codingPath, debugDescription: description))
        }
    }
}
