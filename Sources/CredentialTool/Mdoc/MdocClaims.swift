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

    /// The unknown, missing and malformed elements of a known document type, or the word that the type is unknown.
    var warnings: [String] {
        guard DataElementSchema.schema(for: docType) != nil else {
            return ["the document type \(docType) has no table here: its elements are not checked"]
        }
        return deviations.map { "\($0)" }
    }

    /// The deviations of the elements from the tables of their document type.
    var deviations: [DataElementDeviation] {
        DataElementSchema.schema(for: docType)?.deviations(of: elements) ?? []
    }
}
