import CredentialTransport
import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import TestSupport
import Testing

/// DIDs of the method specifications, and some that must be refused.
@Suite(.enabled(if: VectorSet("oid4vp").isAvailable, VectorSet.absence))
struct DIDVectorTests {
    @Test(
        arguments: VectorSet("oid4vp").files(withExtension: "json").filter { $0.testDescription.hasSuffix("did.json") }
    )
    func file(_ file: VectorFile) async throws {
        let content = try JSONValue(parsing: try file.bytes())
        var count = 0
        var passedOver: [(name: String, reason: String)] = []
        for (name, list) in try #require(content.objectValue) {
            guard let entries = list.arrayValue, let check = Self.checks[name] else { continue }
            for entry in entries {
                do {
                    try await check(entry)
                    count += 1
                } catch  where EngineCoverage.excuses(error) {
                    passedOver.append((entry["did"]?.stringValue ?? name, "this build has no libcrypto"))
                }
            }
        }
        file.report(ran: count, passedOver: passedOver)
        #expect(count + passedOver.count > 0)
    }

    private typealias EntryCheck = @Sendable (JSONValue) async throws -> Void

    private static let checks: [String: EntryCheck] = [
        "did_key": { try await expectKey($0) },
        "did_jwk": { try await expectKey($0) },
        "did_key_invalid": { await expectRefusal(try did(of: $0), [.malformed, .invalidKey, .unsupportedKey]) },
        "did_key_unsupported": { await expectRefusal(try did(of: $0), [.unsupportedKey]) },
        "did_jwk_invalid": { await expectRefusal(try did(of: $0), [.malformed, .invalidKey]) },
        "did_jwk_fragment": { try await expectFragment($0) },
        "did_web": { try await expectLocation($0) },
        "did_web_invalid": { try await expectNoLocation($0) },
        "did_syntax": { try expectSyntax($0) },
        "verification_method_types": { try await expectType($0) },
    ]

    private static func did(of entry: JSONValue) throws -> String { try #require(entry["did"]?.stringValue) }

    private static func expectRefusal(_ did: String, _ codes: Set<DIDError.Code>) async {
        let error = await #expect(throws: DIDError.self, "\(did)") {
            try await DIDMethods.local.document(of: DID(did), at: now)
        }
        if let error { #expect(codes.contains(error.code), "\(did): \(error)") }
    }

    /// The key is the one that is printed, serves what is printed, and gives the same DID again.
    private static func expectKey(_ entry: JSONValue) async throws {
        let did = try DID(did(of: entry))
        let document = try await DIDMethods.local.document(of: did, at: now)
        let name = try DIDURL(#require(entry["verification_method"]?.stringValue))
        let jwk = try JWK(json: #require(entry["jwk"]))
        let isForAgreement = jwk.use == .encryption || jwk.curve == "X25519"
        let relationship: VerificationRelationship = isForAgreement ? .keyAgreement : .assertionMethod
        let method = try document.verificationMethod(name, for: relationship, at: now)
        #expect(try method.publicKey() == jwk.publicKey(), "\(did)")
        if did.method == "key" { #expect(try DID.key(jwk.publicKey()) == did) }
        if let relationships = entry["relationships"]?.arrayValue?.compactMap(\.stringValue) {
            let served = VerificationRelationship.all.filter { !document.verificationMethods(for: $0, at: now).isEmpty }
            #expect(Set(served.map(\.rawValue)) == Set(relationships), "\(did)")
        }
        if let derived = entry["derived_x25519"]?["multibase"]?.stringValue, EllipticCurve.x25519.isSupported {
            let name = try DIDURL("#" + derived, relativeTo: did)
            let method = try document.verificationMethod(name, for: .keyAgreement, at: now)
            #expect(try Multikey(method.publicKey()).text == derived, "\(did)")
        }
    }

    private static func expectFragment(_ entry: JSONValue) async throws {
        let url = try DIDURL(#require(entry["did_url"]?.stringValue))
        let document = try await DIDMethods.local.document(of: url.did, at: now)
        let isFound = (try? document.verificationMethod(url, for: .assertionMethod, at: now)) != nil
        #expect(isFound == (entry["found"] == true), "\(url)")
    }

    private static func expectLocation(_ entry: JSONValue) async throws {
        let did = try DID(did(of: entry))
        let transport = InMemoryHTTPTransport([:])
        await #expect(throws: DIDError.self) { try await DIDWebMethod(transport: transport).document(of: did, at: now) }
        #expect(transport.requests.map(\.url.description) == [entry["url"]?.stringValue], "\(did)")
    }

    private static func expectNoLocation(_ entry: JSONValue) async throws {
        let did = try did(of: entry)
        let transport = InMemoryHTTPTransport([:])
        let error = await #expect(throws: DIDError.self, "\(did)") {
            try await DIDWebMethod(transport: transport).document(of: DID(did), at: now)
        }
        #expect(error?.code == .malformed, "\(did)")
        #expect(transport.requests.isEmpty, "\(did)")
    }

    private static func expectSyntax(_ entry: JSONValue) throws {
        let value = try #require(entry["value"]?.stringValue)
        #expect(((try? DIDURL(value)) != nil) == (entry["valid"] == true), "\(value)")
    }

    /// A method of each type is read with a key in each of its forms.
    private static func expectType(_ entry: JSONValue) async throws {
        let type = try #require(entry["type"]?.stringValue)
        let forms = try #require(entry["key_member"]?.stringValue)
        let key = try publicKey(for: type)
        let did = try DID("did:example:1")
        let all: [String: JSONValue] = [
            "publicKeyJwk": .object(try JWK(key).members),
            "publicKeyMultibase": .string((try? Multikey(key).text) ?? ""),
            "publicKeyBase58": .string(base58(key.rawRepresentation ?? key.compressedRepresentation ?? [])),
            "publicKeyPem": .string(key.pem),
        ]
        for (form, value) in all where forms.contains(form) {
            let members: JSONObject = [
                "id": "#1", "type": .string(type), "controller": .string(did.text), form: value,
            ]
            #expect(try VerificationMethod(json: members, of: did).publicKey() == key, "\(type), \(form)")
        }
    }

    private static func publicKey(for type: String) throws -> PublicKey {
        if type.hasPrefix("Rsa") { return try PrivateKey.generateRSA(bits: 2048).publicKey }
        if type.hasPrefix("X25519") { return try PrivateKey.generate(.x25519).publicKey }
        return try PrivateKey.generate(type.contains("Secp256k1") ? .secp256k1 : .ed25519).publicKey
    }
}
