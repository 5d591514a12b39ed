import CryptoCore
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

/// Credentials as tests use them.
enum Credentials {
    /// The vocabulary of the examples in the W3C specifications.
    static let exampleVocabulary: ExactText = "https://www.w3.org/ns/credentials/examples#"

    /// A credential of the data model 2.0 without a proof.
    static let university: JSONValue = [
        "@context": [
            "https://www.w3.org/ns/credentials/v2",
            ["degree": "https://example.org/vocabulary#degree", "level": "https://example.org/vocabulary#level"],
        ],
        "id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
        "type": ["VerifiableCredential"],
        "issuer": "did:example:university",
        "validFrom": "2026-01-01T00:00:00Z",
        "credentialSubject": ["id": "did:example:alice", "degree": ["name": "Bachelor", "level": 6]],
    ]

    /// The contexts of this module and those of the vector set.
    static func registry() throws -> ContextRegistry {
        var registry = ContextRegistry.builtIn
        for file in VectorSet("json-ld/contexts").files(withExtension: "jsonld") {
            let bytes = try file.bytes()
            let json = try JSONValue(parsing: #require(VectorSet("json-ld/contexts").file("index.json")).bytes())
            let entry = json.arrayValue?.first { $0["file"]?.stringValue == file.path }
            guard let url = entry?["url"]?.stringValue, !registry.urls.contains(ExactText(url)) else { continue }
            try registry.add(bytes, at: url, sha256: HashAlgorithm.sha256.digest(of: bytes))
        }
        return registry
    }
}
