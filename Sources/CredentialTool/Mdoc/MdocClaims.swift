import CBORKit
import Foundation
import JSONKit
import MdocKit

/// The claims of a document to issue, read from JSON.
struct MdocClaims {
    let docType: DocType
    let elements: [(nameSpace: NameSpace, identifier: DataElementIdentifier, value: CBOR)]

    /// Reads `{ "docType": …, "nameSpaces": { nameSpace: { identifier: value } } }`.
    init(json: [UInt8]) throws {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: json)
        } catch {
            throw ToolError("the claims are not JSON: \(error)")
        }
        guard case .string(let docType)? = document["docType"], case .object(let nameSpaces)? = document["nameSpaces"]
        else { throw ToolError("the claims must have docType and nameSpaces") }
        self.docType = DocType(docType)
        var elements: [(NameSpace, DataElementIdentifier, CBOR)] = []
        for (nameSpace, members) in nameSpaces {
            guard case .object(let members) = members else { throw ToolError("\(nameSpace) must be an object") }
            for (identifier, value) in members {
                elements.append(
                    (NameSpace(nameSpace), DataElementIdentifier(identifier), try Self.cbor(value, named: identifier))
                )
            }
        }
        self.elements = elements
    }

    /// The CBOR of a JSON value; the name decides whether a text is a date.
    private static func cbor(_ value: JSONValue, named name: String) throws -> CBOR {
        switch value {
        case .null: return .null
        case .bool(let flag): return .bool(flag)
        case .string(let text): return name.hasSuffix("_date") ? date(text) : .text(text)
        case .number(let number):
            if let integer = try? number.integer(as: Int64.self) { return .integer(integer) }
            return .double(try number.double())
        case .array(let elements): return .array(try elements.map { try cbor($0, named: name) })
        case .object(let members):
            if members.count == 1, case .string(let text)? = members["base64url"] {
                guard let bytes = DecodedInput.bytes(base64url: text) else {
                    throw ToolError("\(name): not base64url")
                }
                return .bytes(bytes)
            }
            return .map(
                CBORMap(try members.map { .init(key: .text($0.name), value: try cbor($0.value, named: $0.name)) })
            )
        }
    }

    private static func date(_ text: String) -> CBOR {
        if let date = CBORDate(text), let fullDate = CBOR.fullDate(date) { return fullDate }
        return CBORDateTime(text).map { .dateTime($0) } ?? .text(text)
    }
}
