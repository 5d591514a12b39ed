public import MdocKit

extension ExactName where Self: Codable {
    /// Reads the name from a string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension DocType: Codable {}
extension NameSpace: Codable {}
extension DataElementIdentifier: Codable {}
