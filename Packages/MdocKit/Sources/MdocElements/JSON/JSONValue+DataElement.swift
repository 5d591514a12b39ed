public import CBORKit
public import JSONKit
public import MdocKit

extension JSONValue {
    /// The value of a data element in JSON, for people and for results.
    ///
    /// Dates and times become their text, byte strings base64url (or base64, or base16 where tags 21 to 23 ask for it),
    /// and maps objects; other tags fall away, and what JSON has no form for becomes null, as RFC 8949, 6.1, advises.
    /// Keys that are not text stand as decimal numbers or in diagnostic notation.
    ///
    /// - Parameters:
    ///   - value: The value, of any depth.
    ///   - base64: The alphabet for byte strings that do not name one themselves.
    public init(dataElement value: CBOR, bytesAs base64: JSONBase64 = .base64url) {
        var conversion = DataElementJSON(base64)
        self = conversion.convert(value)
    }

    /// The value of a received data element in JSON.
    public init(dataElement view: CBORView, bytesAs base64: JSONBase64 = .base64url) {
        self.init(dataElement: view.value(), bytesAs: base64)
    }
}

extension DataElements where Value == CBOR {
    /// The elements as an object of objects: by namespace, then by identifier.
    public var json: JSONObject { json { JSONValue(dataElement: $0) } }
}

extension DataElements where Value == VerifiedElement {
    /// The elements as an object of objects: by namespace, then by identifier.
    public var json: JSONObject { json { JSONValue(dataElement: $0.view) } }
}

extension DataElements {
    /// The elements as an object of objects, each value as a closure has it.
    public func json(_ value: (Value) -> JSONValue) -> JSONObject {
        JSONObject(
            groups.map { group in
                let members = group.elements.map { (name: $0.identifier.text, value: value($0.value)) }
                return (name: group.nameSpace.text, value: .object(JSONObject(members)))
            }
        )
    }
}
