import CBORKit
import CommandSupport
import CryptoCore
import Foundation
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

// The rules of verifiers that compare a document with the certificate of its signer.
extension MdocClaims {
    /// The contradictions to the certificate of the document signer, for which every verifier refuses the document.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of the document signer.
    ///   - time: The time of signing.
    func contradictions(to certificate: Certificate, signedAt time: Date) -> [String] {
        var contradictions: [String] = []
        // Country and jurisdiction are compared for driving licences (ISO/IEC 18013-5, 13.4.2).
        if docType == .mDL {
            let country = certificate.subject.countryName?.uppercased()
            contradictions += contradiction("issuing_country", country.map { [$0] } ?? [], "country")
            if let state = certificate.subject.stateOrProvinceName {
                let spellings = [state, "\(country ?? "")-\(state)"]
                contradictions += contradiction("issuing_jurisdiction", spellings, "state")
            }
        }
        // The last second belongs to the validity.
        if time < certificate.notValidBefore || time.timeIntervalSince(certificate.notValidAfter) >= 1 {
            contradictions.append("signed: the certificate of the signer is not valid at this time")
        }
        return contradictions
    }

    /// The contradiction of an element to the spellings that the certificate allows; empty for a missing element.
    private func contradiction(
        _ identifier: DataElementIdentifier,
        _ spellings: [String],
        _ attribute: String
    ) -> [String] {
        guard let value = elements[.mDL, identifier] else { return [] }
        let text = value.textValue ?? ""
        guard !spellings.contains(where: text.hasSameBytes) else { return [] }
        let expected = spellings.isEmpty ? "which has none" : spellings.joined(separator: " or ")
        return ["\(NameSpace.mDL)/\(identifier): not the \(attribute) of the signer's certificate, \(expected)"]
    }
}
