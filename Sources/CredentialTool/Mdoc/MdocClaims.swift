import CBORKit
import CommandSupport
import JSONKit
import MdocElements
import MdocKit

/// The claims of a document to issue, read from JSON.
struct MdocClaims {
    let docType: DocType
    let elements: DataElements<CBOR>

    /// Reads `{ "docType": …, "nameSpaces": { nameSpace: { identifier: value } } }`.
    ///
    /// - Throws: ``ToolError`` for another form, and for an empty document type.
    init(json: [UInt8]) throws {
        let document: JSONValue
        do {
            document = try JSONValue(parsing: json)
        } catch {
            throw ToolError("the claims are not JSON: \(error)")
        }
        guard case .string(let docType)? = document["docType"], case .object(let nameSpaces)? = document["nameSpaces"]
        else { throw ToolError("the claims must have docType and nameSpaces") }
        guard !docType.isEmpty else { throw ToolError("the docType is empty") }
        self.docType = DocType(docType)
        do {
            elements = try DataElements(json: nameSpaces, schema: .schema(for: self.docType))
        } catch {
            throw ToolError("the claims cannot be written as data elements: \(error)")
        }
    }

    /// The deviations of the elements from the tables of their document type.
    var deviations: [DataElementDeviation] {
        DataElementSchema.schema(for: docType)?.deviations(of: elements) ?? []
    }
}
