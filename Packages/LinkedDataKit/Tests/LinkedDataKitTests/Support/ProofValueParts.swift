import CBORKit
import DIDKit
import JSONKit
import LinkedDataKit

/// The elements of a proof value of `ecdsa-sd-2023`, to be changed and put together again.
struct ProofValueParts {
    var header: [UInt8]
    var elements: [CBOR]

    /// Reads the only proof of a document.
    init(_ document: SecuredDocument) throws {
        let text = document.proofs.first?.members["proofValue"]?.stringValue ?? ""
        let bytes = try Multibase.decode(text, accepting: [.base64url])
        header = Array(bytes.prefix(3))
        elements = try CBORDocument(bytes[3...]).root.value().arrayValue ?? []
    }

    var encodedBytes: [UInt8] { header + CBOR.array(elements).encoded() }

    /// The elements of an element that is an array.
    func array(_ index: Int) -> [CBOR] { elements[index].arrayValue ?? [] }

    mutating func change(_ index: Int, _ change: (inout [CBOR]) -> Void) {
        var array = array(index)
        change(&array)
        elements[index] = .array(array)
    }
}

extension SecuredDocument {
    /// The document with other bytes as the value of its only proof.
    func withProofValue(_ bytes: [UInt8]) throws -> SecuredDocument {
        try changedProof { $0["proofValue"] = .string(Multibase.encode(bytes, as: .base64url)) }
    }

    /// The document with a change of its only proof's value.
    func changedProofValue(_ change: (inout ProofValueParts) -> Void) throws -> SecuredDocument {
        var parts = try ProofValueParts(self)
        change(&parts)
        return try withProofValue(parts.encodedBytes)
    }
}
