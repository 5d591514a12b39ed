import MdocKit

/// Values by namespace and identifier as an object of objects; written with the names in order, so that equal values
/// have equal texts.
struct ElementObject<Value> {
    /// A name in either object.
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    let elements: [NameSpace: [DataElementIdentifier: Value]]

    init(_ elements: [NameSpace: [DataElementIdentifier: Value]]) {
        self.elements = elements
    }
}

extension ElementObject: Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Name.self)
        for (nameSpace, values) in elements.sorted(by: { $0.key < $1.key }) {
            var members = object.nestedContainer(keyedBy: Name.self, forKey: Name(stringValue: nameSpace.text))
            for (identifier, value) in values.sorted(by: { $0.key < $1.key }) {
                try members.encode(value, forKey: Name(stringValue: identifier.text))
            }
        }
    }
}

extension ElementObject: Decodable where Value: Decodable {
    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Name.self)
        var elements: [NameSpace: [DataElementIdentifier: Value]] = [:]
        for nameSpace in object.allKeys {
            let members = try object.nestedContainer(keyedBy: Name.self, forKey: nameSpace)
            var values: [DataElementIdentifier: Value] = [:]
            for identifier in members.allKeys {
                values[DataElementIdentifier(identifier.stringValue)] = try members.decode(
                    Value.self,
                    forKey: identifier
                )
            }
            elements[NameSpace(nameSpace.stringValue)] = values
        }
        self.init(elements)
    }
}

extension KeyedEncodingContainer {
    /// Writes values by namespace and identifier; nothing if there are none.
    mutating func encodeUnlessEmpty<Value: Encodable>(
        _ elements: [NameSpace: [DataElementIdentifier: Value]],
        forKey key: Key
    ) throws {
        if !elements.isEmpty { try encode(ElementObject(elements), forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Reads values by namespace and identifier; none if the member is absent.
    func decodeElements<Value: Decodable>(
        of type: Value.Type,
        forKey key: Key
    ) throws -> [NameSpace: [DataElementIdentifier: Value]] {
        try decodeIfPresent(ElementObject<Value>.self, forKey: key)?.elements ?? [:]
    }
}
