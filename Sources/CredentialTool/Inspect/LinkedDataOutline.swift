import CommandSupport
import DIDKit
import JSONKit
import LinkedDataKit

/// Outlines of linked-data documents, credentials and DID documents, of which nothing is verified.
enum LinkedDataOutline {
    /// Recognizes a JSON object by its context, types and proofs; nil for other JSON.
    static func inspection(of value: JSONValue) -> Inspection? {
        guard let members = value.objectValue else { return nil }
        let types = (members["type"].map { $0.arrayValue ?? [$0] } ?? []).compactMap(\.stringValue)
        if members["id"]?.stringValue?.hasPrefix("did:") == true, members.contains("verificationMethod") {
            return Inspection(kind: "DID document", content: .json(value))
        }
        guard members.contains("@context") else { return nil }
        let kinds = [
            "VerifiableCredential": "credential", "VerifiablePresentation": "presentation",
            "EnvelopedVerifiableCredential": "enveloped credential",
            "EnvelopedVerifiablePresentation": "enveloped presentation",
        ]
        let kind = types.compactMap { kinds[$0] }.first ?? "JSON-LD document"
        return Inspection(
            kind: members.contains("proof") ? "\(kind) with linked-data proofs" : kind,
            content: .fields([
                "proofs": proofs(of: members),
                "RDF": Outline.readable { .text("\(try JSONLDProcessor().toRDF(value).count) quads") },
                "document": .json(value),
            ])
        )
    }

    private static func proofs(of members: JSONObject) -> Outline? {
        guard members.contains("proof") else { return nil }
        return Outline.readable {
            .list(
                try SecuredDocument(json: members).proofs.map { proof in
                    .fields([
                        "suite": .text("\(proof.suite)"),
                        "purpose": proof.purpose.map { .verbatim($0.rawValue) },
                        "key": proof.verificationMethod.map { .verbatim($0) },
                        "created": proof.created.map { .text($0.utcText) },
                        "challenge": proof.challenge.map { .verbatim($0.text) },
                        "domain": proof.domains.isEmpty ? nil : .list(proof.domains.map { .verbatim($0.text) }),
                    ])
                }
            )
        }
    }
}
