import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import OID4VPVerifier
import TestSupport
import Testing

private let vectors = VectorSet("oid4vp")

/// The keys of vectors as the document of their DID.
private struct VectorDocument: DIDResolver {
    let document: DIDDocument

    init(_ keys: [JSONValue]) throws {
        let did = try DID("did:example:123")
        let methods = try keys.map { key -> VerificationMethod in
            var members = try #require(key.objectValue)
            members["privateKeyJwk"] = nil
            return try VerificationMethod(json: members, of: did)
        }
        document = DIDDocument(
            id: did,
            verificationMethods: methods,
            relationships: [.assertionMethod: methods.map(\.id), .authentication: methods.map(\.id)]
        )
    }

    func document(of did: DID, at _: Date) throws(DIDError) -> DIDDocument {
        guard did == document.id else { throw DIDError(.retrievalFailed, "the DID is not one of the vectors") }
        return document
    }
}

/// W3C presentations and credentials of other implementations, through the verifier of presentations.
@Suite(.enabled(if: vectors.isAvailable, VectorSet.absence))
struct PresentationVectorTests {
    private func verifier(_ keys: [JSONValue]) throws -> PresentationVerifier {
        let options = JSONLDOptions(safeMode: SafeMode(acceptedVocabularies: ["https://example.com/#"]))
        var policy = W3CCredentialPolicy(
            proofs: LinkedDataProofPolicy(linkedData: options),
            tokens: [.edDSA, .es256, .es384, .es256K, .ps256],
            holder: .anyone
        )
        // Linked-data credentials in the tokens have context objects of their own.
        policy.tolerances = [.ownContext]
        let w3c = W3CCredentialVerifier(
            policy: policy,
            trust: .issuers(["did:example:123"]),
            resolver: try VectorDocument(keys),
            clock: { Date(timeIntervalSince1970: 1_700_000_000) }
        )
        return PresentationVerifier(FormatVerifiers(w3c: w3c), clock: { Date(timeIntervalSince1970: 1_700_000_000) })
    }

    @Test(arguments: vectors.files(withExtension: "json").filter { $0.path.hasPrefix("jwt-vc") })
    func verifiesTokensWithoutAnAudience(_ file: VectorFile) async throws {
        let json = try JSONValue(parsing: file.bytes())
        let verifier = try verifier(try #require(json["keys"]?.objectValue).values)
        let entries = try #require(json["vectors"]?.arrayValue)
        let asked = HolderProofExpectation(audience: "x509_san_dns:verifier.example", nonce: "n")
        for entry in entries {
            let name = entry["id"]?.stringValue ?? "?"
            let token = try #require(entry["jwt"], "\(name)")
            let verification = await verifier.verify(token, as: .jwt, expecting: nil)
            #expect(verification.refusal == nil, "\(name)")
            // None of them was made for this verifier.
            let replayed = await verifier.verify(token, as: .jwt, expecting: asked)
            let isCredential = entry["payload"]?["vp"] == nil
            #expect(replayed.refusal?.check == (isCredential ? .structure : .nonce), "\(name)")
            var parts = try #require(token.stringValue).split(separator: ".").map(String.init)
            parts[2] = String(parts[2].reversed())
            let damaged = await verifier.verify(.string(parts.joined(separator: ".")), as: .jwt, expecting: nil)
            #expect(damaged.refusal != nil, "\(name)")
        }
        file.report(ran: entries.count)
        #expect(!entries.isEmpty)
    }

    /// Encrypted responses, read for a transaction with the vector's key.
    @Test(arguments: vectors.files(withExtension: "json").filter { $0.path.hasPrefix("jwe-response") })
    func readsEncryptedResponses(_ file: VectorFile) async throws {
        let scene = try await Scene()
        let entries = try #require(try JSONValue(parsing: file.bytes())["vectors"]?.arrayValue)
        for entry in entries {
            let name = entry["id"]?.stringValue ?? "?"
            let query = entry["payload"]?["vp_token"]?.objectValue?.names.first ?? "pid"
            let request = try scene.request(Scene.query([.sdJWT]) { $0.id = QueryID(query) })
            var stored = try #require(try JSONValue(parsing: request.expectation.encodedBytes).objectValue)
            stored["key"] = entry["privateJwk"]
            stored["algorithm"] = entry["header"]?["alg"] ?? "ECDH-ES"
            stored["encryptions"] = [entry["header"]?["enc"] ?? "A256GCM"]
            stored["state"] = entry["payload"]?["state"]
            let expectation = try ResponseExpectation(decoding: JSONValue.object(stored).encoded())
            let text = try #require(entry["jwe"]?.stringValue)
            let received = try ReceivedResponse(form: FormParameters.form(["response": text]))
            guard entry["expected"] == "decrypts" else {
                await #expect(throws: OID4VPVerifierError.self, "\(name)") {
                    _ = try await ResponseReader().read(received, for: expectation, at: Scene.now)
                }
                continue
            }
            let read = try await ResponseReader().read(received, for: expectation, at: Scene.now)
            guard case .presentations(let response) = read else { throw NoPresentations() }
            #expect(response.token.parameters["vp_token"] == entry["payload"]?["vp_token"], "\(name)")
            let nonce = try entry["header"]?["apu"]?.stringValue.map { try Base64URL.decode($0) }
            let walletNonce = nonce.map { String(validating: $0, as: UTF8.self) ?? Base64URL.encode($0) }
            #expect(response.mdocGeneratedNonce == walletNonce, "\(name)")
        }
        file.report(ran: entries.count)
        #expect(!entries.isEmpty)
    }

    /// Linked-data presentations without an audience: they verify without one, and for no verifier.
    @Test(arguments: vectors.files(withExtension: "json").filter { $0.path.hasPrefix("ldp-") })
    func refusesReplayedDocuments(_ file: VectorFile) async throws {
        let json = try JSONValue(parsing: file.bytes())
        let verifier = try verifier(try #require(json["keys"]?.arrayValue))
        let entries = try #require(json["vectors"]?.arrayValue)
        let asked = HolderProofExpectation(audience: "x509_san_dns:verifier.example", nonce: "n")
        for entry in entries {
            let name = entry["id"]?.stringValue ?? "?"
            let document = try #require(entry["document"], "\(name)")
            let replayed = await verifier.verify(document, as: .linkedData, expecting: asked)
            #expect(replayed.refusal != nil, "\(name)")
        }
        file.report(ran: entries.count)
        #expect(!entries.isEmpty)
    }
}
