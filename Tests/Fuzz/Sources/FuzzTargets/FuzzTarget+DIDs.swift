import CredentialTransport
import SDJWTKit
import TestSupport

extension FuzzTarget {
    /// The DID methods of SDJWTKit.
    package static let dids = [
        FuzzTarget(name: "did-url") { bytes in
            let url = String(decoding: bytes, as: UTF8.self)
            let web = DIDWebMethod(transport: InMemoryHTTPTransport([:]))
            let methods = DIDMethods(["key": DIDKeyMethod(), "jwk": DIDJWKMethod(), "web": web])
            try InlineTask.run { _ = try await methods.key(for: url, relationship: .authentication) }
        },
        FuzzTarget(name: "did-web-document") { bytes in
            let answer = InMemoryHTTPAnswer.ok(bytes, type: .json)
            let transport = InMemoryHTTPTransport(["https://a.example/.well-known/did.json": answer])
            try InlineTask.run {
                _ = try await DIDWebMethod(transport: transport).key(
                    for: "did:web:a.example#1",
                    relationship: .assertionMethod
                )
            }
        },
    ]
}
