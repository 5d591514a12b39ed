import CredentialTransport
import DIDKit
import TestSupport

extension FuzzTarget {
    /// DIDs, their documents and their keys.
    package static let dids = [
        FuzzTarget(name: "did-url") { bytes in
            let url = try DIDURL(String(decoding: bytes, as: UTF8.self))
            require(try DIDURL(url.text) == url, "a DID URL is not read as written")
            let web = DIDWebMethod(transport: InMemoryHTTPTransport([:]))
            let methods = DIDMethods(["key": DIDKeyMethod(), "jwk": DIDJWKMethod(), "web": web])
            try InlineTask.run {
                let method = try await methods.verificationMethod(url, for: .authentication, at: FuzzKeys.time)
                require(method.id == url, "the method of another name is found")
                _ = try method.jwk()
            }
        },
        FuzzTarget(name: "did-document") { bytes in
            let did = try DID("did:web:a.example")
            let document = try DIDDocument(decoding: bytes, of: did)
            for relationship in VerificationRelationship.all {
                for method in document.verificationMethods(for: relationship, at: FuzzKeys.time) {
                    let found = try document.verificationMethod(method.id, for: relationship, at: FuzzKeys.time)
                    require(found.id == method.id, "a method is found by its name")
                    _ = try? method.jwk()
                }
            }
            let again = try DIDDocument(decoding: document.encoded(), of: did)
            require(again.members == document.members, "a document is not read as written")
        },
        FuzzTarget(name: "multikey") { bytes in
            let key = try Multikey(String(decoding: bytes, as: UTF8.self))
            let again = try Multikey(Multikey(key.publicKey).text)
            require(again.publicKey == key.publicKey, "a key is not read as written")
        },
    ]
}
