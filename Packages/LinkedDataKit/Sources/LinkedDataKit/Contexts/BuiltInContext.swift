import JSONKit
import VerificationCore

/// A context that is part of this module.
struct BuiltInContext: Sendable {
    /// The URL that documents name.
    let url: String
    private let tables: [Part]

    private enum Part: Sendable {
        case table(@Sendable () -> ContextTable)
        case version
        case url(String)
    }

    private init(_ url: String, _ tables: Part...) {
        self.url = url
        self.tables = tables
    }

    /// The context in the form that context processing takes.
    var document: ContextDocument {
        let entries = tables.map { part in
            switch part {
            case .table(let table): table().context
            case .version: ContextTable(hasVersion: true, []).context
            case .url(let url): JSONValue.string(url)
            }
        }
        return ContextDocument(
            url: url,
            context: entries.count == 1 ? entries[0] : .array(entries),
            digests: digests
        )
    }

    /// The digests of the published file.
    var digests: ResourceDigests { Self.publishedDigests[ExactText(url)] ?? .unknown }

    static let all: [BuiltInContext] = [
        BuiltInContext("https://www.w3.org/2018/credentials/v1", .table { .credentialsV1 }),
        BuiltInContext("https://www.w3.org/ns/credentials/v2", .table { .credentialsV2 }),
        BuiltInContext("https://w3id.org/security/data-integrity/v1", .table { .dataIntegrityV1 }),
        BuiltInContext("https://w3id.org/security/data-integrity/v2", .table { .dataIntegrityV2 }),
        BuiltInContext("https://w3id.org/security/multikey/v1", .table { .multikeyV1 }),
        BuiltInContext("https://w3id.org/security/jwk/v1", .table { .jwkV1 }),
        BuiltInContext("https://w3id.org/security/suites/ed25519-2018/v1", .table { .ed25519Suite2018 }),
        BuiltInContext("https://w3id.org/security/suites/ed25519-2020/v1", .table { .ed25519Suite2020 }),
        BuiltInContext("https://w3id.org/security/suites/jws-2020/v1", .table { .jwsSuite2020 }),
        BuiltInContext("https://w3id.org/security/v1", .table { .securityV1 }),
        BuiltInContext(
            "https://w3id.org/security/v2",
            .version,
            .url("https://w3id.org/security/v1"),
            .table { .securityV2Additions }
        ),
        BuiltInContext("https://www.w3.org/ns/did/v1", .table { .didV1 }),
        BuiltInContext("https://www.w3.org/ns/credentials/status/v1", .table { .bitstringStatusListV1 }),
        BuiltInContext("https://w3id.org/vc/status-list/2021/v1", .table { .statusList2021 }),
    ]
}
