import DIDKit
import JSONKit
import LinkedDataKit
import StatusListKit

extension FuzzTarget {
    private static let processor = JSONLDProcessor()
    private static let limits = CanonicalizationLimits(
        quads: 2000,
        hashCalls: 4000,
        hashNDegreeCalls: 64,
        permutations: 256
    )

    /// The parsers of LinkedDataKit, and what they share with DIDKit and StatusListKit.
    package static let linkedData = [
        FuzzTarget(name: "ld-context") { bytes in
            let context = try JSONValue(parsing: bytes)
            let isStrict = (try? processor.activeContext(of: context)) != nil
            let isLenient = (try? processor.activeContext(of: context, options: JSONLDOptions(safeMode: nil))) != nil
            require(isLenient || !isStrict, "safe mode only refuses")
        },
        FuzzTarget(name: "ld-expansion") { bytes in
            let document = try JSONValue(parsing: bytes)
            let expanded = try processor.expand(document, options: JSONLDOptions(safeMode: nil))
            let dataset = try expanded.toRDF()
            if let strict = try? processor.toRDF(document) {
                require(strict.nQuads() == dataset.nQuads(), "safe mode changes nothing")
            }
            let canonical = try dataset.canonicalNQuads(limits: limits)
            let again = try RDFDataset(parsing: canonical).canonicalNQuads(limits: limits)
            require(again == canonical, "a canonical form is its own")
        },
        FuzzTarget(name: "n-quads") { bytes in
            let dataset = try RDFDataset(parsing: bytes)
            let written = dataset.nQuads()
            require(try RDFDataset(parsing: written).nQuads() == written, "what is written reads back")
            let canonical = try dataset.canonicalNQuads(limits: limits)
            require(try RDFDataset(parsing: canonical).canonicalNQuads(limits: limits) == canonical, "canonical form")
        },
        FuzzTarget(name: "ld-document") { bytes in
            let document = try SecuredDocument(decoding: bytes)
            require(document.encodedBytes.elementsEqual(bytes), "what was received is kept")
            let again = try SecuredDocument(json: document.unverifiedMembers)
            require(again.proofs.count == document.proofs.count, "its members are the same document")
            if let credential = try? VerifiableCredential(decoding: bytes),
                case .linkedData(let inner) = credential.form
            {
                _ = try? W3CCredentialContent(json: inner.unverifiedDocument)
            }
            guard let presentation = try? W3CPresentationContent(json: document.unverifiedDocument) else { return }
            require(presentation.unverifiedCredentials.count <= DocumentLimits.default.credentials, "the limit holds")
        },
        FuzzTarget(name: "ld-token") { bytes in
            _ = try? VerifiablePresentation(decoding: bytes)
            _ = try VerifiableCredential(decoding: bytes)
        },
        FuzzTarget(name: "ld-proof-value") { bytes in
            let document = try DisclosureFuzzScene.document(withProofValue: bytes)
            let prover = LinkedDataProver(processor: processor, canonicalization: limits)
            if let derived = try? prover.derive(from: document, revealing: [.document]) {
                require(derived.proofs.count == 1, "a derived document has its proof")
            }
            let policy = LinkedDataProofPolicy(canonicalization: limits)
            let verifier = LinkedDataVerifier(policy: policy, processor: processor)
            let input = try verifier.input(ofProofAt: 0, in: document)
            require(input.hashData.count == 32 + 35 + 32, "two digests and a key")
            require(input.statements.count <= SelectiveDisclosureLimits.default.statements, "the limit holds")
        },
        FuzzTarget(name: "json-pointer") { bytes in
            let pointer = try JSONPointer(String(decoding: bytes, as: UTF8.self))
            require(pointer.tokens.count <= JSONPointer.maximumDepth, "the limit holds")
        },
        FuzzTarget(name: "multibase") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let decoded = try Multibase.decode(text)
            let encoding: Multibase.Encoding = text.utf8.first == UInt8(ascii: "z") ? .base58btc : .base64url
            require(Multibase.encode(decoded, as: encoding) == text, "one text stands for each sequence of bytes")
        },
        FuzzTarget(name: "bitstring-status-list") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let list = try BitstringStatusList(decoding: text, form: .bitstring)
            let again = try BitstringStatusList(decoding: list.encodedList(), form: .bitstring)
            require(again == list, "what is written reads back")
        },
        FuzzTarget(name: "bitstring-status-list-entry") { bytes in
            guard let members = try JSONValue(parsing: bytes).objectValue,
                let entry = try BitstringStatusListEntry(json: members)
            else { return }
            require(try BitstringStatusListEntry(json: entry.json()) == entry, "what is written reads back")
        },
    ]
}

/// A document whose proof of `ecdsa-sd-2023` has the value that is tried.
private enum DisclosureFuzzScene {
    static func document(withProofValue bytes: [UInt8]) throws -> SecuredDocument {
        try SecuredDocument(json: [
            "@context": "https://www.w3.org/ns/credentials/v2",
            "type": "VerifiableCredential",
            "issuer": "did:example:university",
            "credentialSubject": ["name": "Alice"],
            "proof": [
                "type": "DataIntegrityProof", "cryptosuite": "ecdsa-sd-2023", "created": "2026-01-01T00:00:00Z",
                "verificationMethod": "did:example:university#key", "proofPurpose": "assertionMethod",
                "proofValue": .string(Multibase.encode(bytes, as: .base64url)),
            ],
        ])
    }
}
