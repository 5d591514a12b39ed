public import CBORKit
public import JSONKit
public import MdocKit

extension DataElements where Value == CBOR {
    /// Makes data elements out of JSON: `{ nameSpace: { identifier: value } }`.
    ///
    /// An element that a table describes is written as the table has it: `1990-05-15` as a `full-date`, an RFC 3339
    /// time as a `tdate`, a portrait from base64 or base64url. Others are mapped plainly: in members whose name ends
    /// with `_date`, dates and times get their tags, and `{ "base64url": "…" }` or `{ "base64": "…" }` is a byte
    /// string.
    ///
    /// - Parameters:
    ///   - json: The elements by namespace and identifier.
    ///   - schema: The tables; nil to map everything plainly. See ``DataElementSchema/schema(for:)``.
    /// - Throws: `MdocError` with code `unexpectedType`, `missingMember` or `invalidValue` and the place in the JSON.
    public init(json: JSONObject, schema: DataElementSchema? = nil) throws(MdocError) {
        self.init()
        for (nameSpace, members) in json {
            let path = CBORPath([.key(nameSpace)])
            guard case .object(let members) = members else {
                throw MdocError(.unexpectedType, "a namespace must be an object", path: path)
            }
            for (name, value) in members {
                let element = DataElementReference(NameSpace(nameSpace), DataElementIdentifier(name))
                let path = path + CBORPath([.key(name)])
                let type = schema?[element]?.type ?? .any
                self[element.nameSpace, element.identifier] = try type.value(of: value, named: name, path)
            }
        }
    }
}

extension CBOR {
    /// Maps a JSON value plainly.
    ///
    /// Types that JSON lacks are recognized by the form of the value.
    ///
    /// - Parameters:
    ///   - json: The value.
    ///   - name: The name of the value's member. In one that ends with `_date`, `YYYY-MM-DD` becomes a `full-date` and
    ///     an RFC 3339 time a `tdate`.
    /// - Throws: `MdocError` with code `invalidValue` for base64 that cannot be decoded, and for numbers that CBOR
    ///   cannot represent.
    public init(dataElementJSON json: JSONValue, named name: String = "") throws(MdocError) {
        self = try DataElementType.any.value(of: json, named: name, CBORPath())
    }
}
