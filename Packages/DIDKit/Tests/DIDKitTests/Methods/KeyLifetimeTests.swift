import CryptoCore
import DIDKit
import Foundation
import JSONKit
import Testing

/// Keys that a document says to be expired or revoked (Controlled Identifiers 1.0, section 2.2).
struct KeyLifetimeTests {
    private let did = "did:web:a.example"

    /// A document with one key, which serves claims, and members of that key.
    private func document(_ members: JSONObject, isEmbedded: Bool = false) throws -> DIDDocument {
        let key = try Multikey(PrivateKey.generate(.ed25519).publicKey)
        var method: JSONObject = [
            "id": .string(did + "#k"), "type": "Multikey", "controller": .string(did),
            "publicKeyMultibase": .string(key.text),
        ]
        for (name, value) in members { method[name] = value }
        var document: JSONObject = ["id": .string(did), "assertionMethod": [.string(did + "#k")]]
        if isEmbedded {
            document["assertionMethod"] = [.object(method)]
        } else {
            document["verificationMethod"] = [.object(method)]
        }
        return try DIDDocument(json: document, of: DID(did))
    }

    private func codes(_ document: DIDDocument, at time: Date) throws -> [DIDError.Code?] {
        let url = try DIDURL(did + "#k")
        return [
            code { _ = try document.verificationMethod(url, for: .assertionMethod, at: time) },
            code { _ = try document.onlyVerificationMethod(for: .assertionMethod, at: time) },
        ]
    }

    private func code(_ find: () throws -> Void) -> DIDError.Code? {
        do {
            try find()
            return nil
        } catch {
            return (error as? DIDError)?.code
        }
    }

    @Test(arguments: [false, true])
    func refusesAKeyFromItsEndOn(_ isEmbedded: Bool) throws {
        let end = Date(timeIntervalSince1970: 1_767_225_600)
        let ends: [(String, DIDError.Code)] = [
            ("expires", .verificationMethodExpired), ("revoked", .verificationMethodRevoked),
        ]
        for (name, code) in ends {
            let document = try document([name: "2026-01-01T01:00:00+01:00"], isEmbedded: isEmbedded)
            #expect(try codes(document, at: end.addingTimeInterval(-1)) == [nil, nil])
            #expect(try codes(document, at: end) == [code, code])
            let before = document.verificationMethods(for: .assertionMethod, at: end.addingTimeInterval(-1))
            #expect(document.verificationMethods(for: .assertionMethod, at: end).isEmpty)
            let method = try #require(before.first)
            #expect(name == "expires" ? method.expires == end : method.revoked == end)
        }
    }

    @Test(arguments: ["2026-01-01", "2026-01-01T00:00:00", 1_767_225_600, nil] as [JSONValue])
    func leavesOutAKeyWhoseEndCannotBeRead(_ end: JSONValue) throws {
        for name in ["expires", "revoked"] {
            let document = try document([name: end])
            #expect(document.verificationMethods.isEmpty)
            #expect(document.ignored.first?.path.last == name)
            #expect(try codes(document, at: now) == [.verificationMethodNotFound, .verificationMethodNotFound])
        }
    }

    /// The list `verificationMethod` alone counts, whatever a key is for.
    @Test func findsAKeyWhateverItsPurposes() throws {
        let url = try DIDURL(did + "#k")
        let end = Date(timeIntervalSince1970: 1_767_225_600)
        var members = try document(["expires": "2026-01-01T00:00:00Z"]).members
        members["assertionMethod"] = nil
        let plain = try DIDDocument(json: members, of: DID(did))
        #expect(code { _ = try plain.verificationMethod(url, at: end.addingTimeInterval(-1)) } == nil)
        #expect(code { _ = try plain.verificationMethod(url, at: end) } == .verificationMethodExpired)
        #expect(
            code { _ = try plain.verificationMethod(DIDURL(did + "#l"), at: now) } == .verificationMethodNotFound
        )
        let embedded = try document([:], isEmbedded: true)
        #expect(code { _ = try embedded.verificationMethod(url, at: now) } == .verificationMethodNotFound)
    }

    @Test func aKeyWithoutAnEndIsInForce() throws {
        #expect(try codes(document([:]), at: .distantFuture) == [nil, nil])
    }
}
