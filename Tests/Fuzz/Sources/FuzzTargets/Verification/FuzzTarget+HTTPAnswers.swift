import CredentialTransport
import CryptoCore
import DIDKit
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import MdocKit
import MdocTrust
import SDJWTKit
import TestSupport

extension FuzzTarget {
    /// The processing of answers from untrusted servers.
    package static let httpAnswers = [
        FuzzTarget(name: "http-answer") { bytes in
            var script = FuzzScript(bytes)
            let kind = script.byte() % 4
            let answer = answer(kind, by: &script)
            let transport = InMemoryHTTPTransport { request throws(TransportError) in
                require(request.url.scheme == .https, "a request goes out unprotected")
                return answer
            }
            try InlineTask.run { try await use(transport, kind, answer) }
        }
    ]

    private static let document: JSONValue = [
        "id": "did:web:a.example",
        "verificationMethod": [
            [
                "id": "#1", "type": "JsonWebKey", "controller": "did:web:a.example",
                "publicKeyJwk": [
                    "kty": "EC", "crv": "P-256", "x": "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
                    "y": "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
                ],
            ]
        ], "assertionMethod": ["#1"], "issuer": "https://a.example",
        "jwks": ["keys": [["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"]]],
        "vct": "https://a.example/type",
    ]

    /// An answer whose status, fields and body the script makes.
    private static func answer(_ kind: UInt8, by script: inout FuzzScript) -> InMemoryHTTPAnswer {
        let types = [
            "application/json", "application/did+json; charset=utf-8", "application/vical+cose", "text/html", "a",
        ]
        var answer = InMemoryHTTPAnswer(status: script.choice(of: [200, 200, 200, 204, 302, 404, 500, 999]))
        answer.headerFields[.contentType] = script.choice(of: types)
        let field = String(decoding: script.bytes(), as: UTF8.self)
        if HTTPField.isValidValue(field) {
            let name: HTTPField.Name = script.choice(of: [
                .contentLength, .contentEncoding, .location, .contentType, .age,
            ])
            if !field.isEmpty { answer.headerFields[name] = field }
        }
        answer.body = kind == 3 ? MdocFuzzScene.trustList.changed(by: &script) : document.edited(by: &script).encoded()
        if script.byte() == 255 { answer.body += [UInt8](repeating: 0x20, count: 300_000) }
        return answer
    }

    private static func use(
        _ transport: InMemoryHTTPTransport,
        _ kind: UInt8,
        _ answer: InMemoryHTTPAnswer
    ) async throws {
        switch kind {
        case 0:
            let method = DIDWebMethod(transport: transport)
            _ = try await method.document(of: DID("did:web:a.example"), at: FuzzKeys.time)
        case 1:
            let keys = IssuerMetadataKeys(transport: transport, issuers: ["https://a.example"])
            _ = try await keys.key(for: ["alg": "EdDSA"], issuer: "https://a.example", at: FuzzKeys.time)
        case 2: _ = try await TypeMetadata.load("https://a.example/type", from: HTTPTypeMetadata(transport: transport))
        default: _ = try await TrustListClient(transport: transport).vical(at: "https://a.example/vical")
        }
        require(answer.status == 200, "an answer with status \(answer.status) is used")
        let encoding = answer.headerFields[.contentEncoding]?.lowercased()
        require(encoding == nil || encoding == "identity", "an encoded body is used")
        let length = answer.headerFields[.contentLength].flatMap { Int($0) }
        require(length == nil || length == answer.body.count, "a body of another length is used")
        require(!transport.requests.isEmpty, "what nobody answered is used")
    }
}

extension MdocFuzzScene {
    /// A list of authorities of the scene's issuer.
    fileprivate static let trustList: [UInt8] = {
        do {
            return try InlineTask.run {
                let pki = shared.pki
                var builder = VICALBuilder(provider: "Utopia", date: FuzzKeys.time)
                try builder.add(pki.authority.certificate, docTypes: [.mDL])
                let signer = try SoftwareSigner(pki.listSignerKey)
                return Array(try await builder.sign(with: signer, x5chain: [pki.vicalSigner]).encodedBytes)
            }
        } catch { fatalError("\(error)") }
    }()
}
