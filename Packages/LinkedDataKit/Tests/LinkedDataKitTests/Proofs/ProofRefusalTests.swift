import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import Testing

/// Each check of a proof, with a document that breaks only it.
struct ProofRefusalTests {
    /// Expects a proof to be refused by one check, and every check before it to be passed.
    private func expect(
        _ document: SecuredDocument,
        isRefusedBy check: Check,
        _ reason: Reason,
        _ policy: LinkedDataProofPolicy = LinkedDataProofPolicy(),
        expecting expectation: LinkedDataExpectation = LinkedDataExpectation(),
        resolver: any DIDResolver = DIDMethods.local,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let verification = await ProofScene.verifier(policy, resolver: resolver).verify(
            document,
            expecting: expectation
        )
        #expect(verification.verified == nil, sourceLocation: sourceLocation)
        let part = verification.parts.first { $0.verification.refusal != nil }?.verification
        #expect(part?.refusal?.check == check, "\(String(describing: part?.refusal))", sourceLocation: sourceLocation)
        #expect(part?.refusal?.reason == reason, "\(String(describing: part?.refusal))", sourceLocation: sourceLocation)
        let failed = part?.checks.filter(\.hasFailed).map(\.check) ?? []
        #expect(failed.count <= 1, "\(failed)", sourceLocation: sourceLocation)
        let before = part?.checks.prefix { $0.check != check } ?? []
        #expect(before.allSatisfy { $0.permitsSuccess }, sourceLocation: sourceLocation)
        #expect(verification.refusal?.check == .proofs, sourceLocation: sourceLocation)
    }

    @Test func refusesMalformedMembers() async throws {
        let signed = try await ProofScene.signed()
        let changes: [(String, JSONValue)] = [
            ("created", "2026-02-30T00:00:00Z"), ("created", "2026-01-01T00:00"), ("created", 5),
            ("expires", "tomorrow"), ("proofPurpose", ["assertionMethod"]), ("verificationMethod", ["id": "did:a:b#c"]),
            ("challenge", 1), ("domain", [1]), ("domain", []), ("previousProof", 7), ("cryptosuite", 1), ("id", [:]),
        ]
        for (name, value) in changes {
            await expect(try signed.changedProof { $0[name] = value }, isRefusedBy: .structure, "invalidProof")
        }
        await expect(try signed.changed { $0["proof"] = "none" }, isRefusedBy: .structure, "invalidProof")
    }

    /// Data Integrity 1.0, section 2.4.3: there is no base URL, so that a relative reference means nothing.
    @Test func refusesRelativeReferencesWhateverTheBase() async throws {
        var options = JSONLDOptions.proofs
        options.base = "https://example.org/"
        var document = ProofScene.document
        document["id"] = "credential"
        let signer = try ProofScene.signer()
        await #expect {
            try await LinkedDataProver(options: options).sign(
                document,
                suite: .eddsaRDFC2022,
                options: ProofScene.options(for: signer.publicKey),
                with: signer
            )
        } throws: {
            ($0 as? LinkedDataError)?.code == .relativeIRI
        }
        let signed = try await ProofScene.signed()
        let relative = try signed.changed { $0["id"] = "credential" }
        let verification = await ProofScene.verifier(LinkedDataProofPolicy(linkedData: options))
            .verify(relative, expecting: LinkedDataExpectation())
        #expect(verification.refusal?.reason == "relativeIRI")
    }

    @Test func refusesUnknownSuites() async throws {
        let signed = try await ProofScene.signed()
        let unknown = try signed.changedProof { $0["cryptosuite"] = "bbs-2023" }
        await expect(unknown, isRefusedBy: .proofSuite, "unsupportedSuite")
        await expect(try signed.changedProof { $0["cryptosuite"] = nil }, isRefusedBy: .proofSuite, "unsupportedSuite")
    }

    @Test func refusesSuitesThatThePolicyDoesNotAccept() async throws {
        let policy = LinkedDataProofPolicy(suites: [.ecdsaRDFC2019])
        await expect(try await ProofScene.signed(), isRefusedBy: .proofSuite, "unsupportedSuite", policy)
    }

    @Test func refusesProofValuesOfAnotherForm() async throws {
        let signed = try await ProofScene.signed()
        let value = try #require(signed.proofs.first?.members["proofValue"]?.stringValue)
        let bytes = try Multibase.decode(value)
        let changes: [JSONValue] = [
            .string(String(value.dropFirst())), .string("u" + Base64URL.encode(bytes)), .string(value + "0"),
            .string(Multibase.encode(bytes.dropLast())), .string(Multibase.encode(bytes + [0])),
            .string(Multibase.encode([0] + bytes)), "", 5,
        ]
        for change in changes {
            let damaged = try signed.changedProof { $0["proofValue"] = change }
            await expect(damaged, isRefusedBy: .proofValue, "invalidProofValue")
        }
        await expect(try signed.changedProof { $0["proofValue"] = nil }, isRefusedBy: .proofValue, "invalidProofValue")
        let two = try signed.changedProof { $0["jws"] = "a..b" }
        await expect(two, isRefusedBy: .proofValue, "invalidProofValue")
        let other = try signed.changedProof { proof in
            proof["proofValue"] = nil
            proof["jws"] = "eyJhbGciOiJFZERTQSIsImI2NCI6ZmFsc2UsImNyaXQiOlsiYjY0Il19..AAAA"
        }
        await expect(other, isRefusedBy: .proofValue, "invalidProofValue")
    }

    @Test(arguments: [
        #"{"alg":"EdDSA"}"#, #"{"alg":"EdDSA","b64":true,"crit":["b64"]}"#, #"{"alg":"EdDSA","b64":false}"#,
        #"{"alg":"EdDSA","b64":false,"crit":["b64","x"],"x":1}"#, #"{"b64":false,"crit":["b64"]}"#,
        #"{"alg":"none","b64":false,"crit":["b64"]}"#, #"{"alg":"HS256","b64":false,"crit":["b64"]}"#,
    ])
    func refusesHeadersWithoutCriticalB64(_ header: String) async throws {
        let signed = try await ProofScene.signed(suite: .ed25519Signature2018)
        let jws = try #require(signed.proofs.first?.members["jws"]?.stringValue)
        let signature = try #require(jws.split(separator: ".").last)
        let damaged = try signed.changedProof { proof in
            proof["jws"] = .string(Base64URL.encode(Array(header.utf8)) + ".." + signature)
        }
        let verification = await ProofScene.verifier().verify(damaged, expecting: LinkedDataExpectation())
        let check: Check = header.contains("\"x\"") ? .signature : .proofValue
        #expect(verification.refusal(ofPart: "proof")?.check == check)
    }

    @Test func takesTheHeaderOfAJWSAsWritten() async throws {
        let signer = try ProofScene.signer()
        let unsigned = try LinkedDataProver().prepare(
            ProofScene.document,
            suite: .ed25519Signature2018,
            options: ProofScene.options(for: signer.publicKey),
            for: signer.publicKey
        )
        let header = Base64URL.encode(Array(#"{ "crit": ["b64"], "b64": false, "alg": "EdDSA" }"#.utf8))
        let signature = try signer.signature(for: Array(header.utf8) + [UInt8(ascii: ".")] + unsigned.input.hashData)
        let placeholder = try unsigned.completed(with: signature)
        let signed = try placeholder.changedProof { $0["jws"] = .string(header + ".." + Base64URL.encode(signature)) }
        #expect(await ProofScene.verifier().verify(signed, expecting: LinkedDataExpectation()).verified != nil)
        await expect(placeholder, isRefusedBy: .signature, .invalidSignature)
    }

    @Test func refusesAPayloadInAJWS() async throws {
        let signed = try await ProofScene.signed(suite: .ed25519Signature2018)
        let jws = try #require(signed.proofs.first?.members["jws"]?.stringValue).replacingOccurrences(
            of: "..",
            with: ".AA."
        )
        await expect(
            try signed.changedProof { $0["jws"] = .string(jws) },
            isRefusedBy: .proofValue,
            "invalidProofValue"
        )
    }

    @Test func refusesAnotherPurpose() async throws {
        let signed = try await ProofScene.signed { $0.purpose = .authentication }
        await expect(signed, isRefusedBy: .proofPurpose, .unexpectedPurpose)
        let none = try await ProofScene.signed().changedProof { $0["proofPurpose"] = nil }
        await expect(none, isRefusedBy: .proofPurpose, .unexpectedPurpose)
    }

    @Test func refusesAnotherChallenge() async throws {
        let expectation = LinkedDataExpectation(challenge: "n-0S6_WzA2Mj")
        let signed = try await ProofScene.signed { $0.challenge = "another" }
        await expect(signed, isRefusedBy: .nonce, .claimMismatch, expecting: expectation)
        await expect(signed, isRefusedBy: .nonce, .claimMismatch)
        await expect(try await ProofScene.signed(), isRefusedBy: .nonce, .missingClaim, expecting: expectation)
    }

    @Test func refusesAnotherDomain() async throws {
        let expectation = LinkedDataExpectation(domain: "https://verifier.example")
        for domain: ExactText in ["https://verifier.example/", "https://verifier.example.org", "verifier.example"] {
            let signed = try await ProofScene.signed { $0.domains = [domain] }
            await expect(signed, isRefusedBy: .audience, .claimMismatch, expecting: expectation)
            await expect(signed, isRefusedBy: .audience, .claimMismatch)
        }
        await expect(try await ProofScene.signed(), isRefusedBy: .audience, .missingClaim, expecting: expectation)
    }

    @Test func acceptsTheExpectedChallengeAndDomain() async throws {
        let expectation = LinkedDataExpectation(challenge: "n-0S6_WzA2Mj", domain: "https://verifier.example")
        let domains: [[ExactText]] = [
            ["https://verifier.example"], ["https://verifier.example", "https://verifier.example"],
        ]
        for domains in domains {
            let signed = try await ProofScene.signed { options in
                options.challenge = "n-0S6_WzA2Mj"
                options.domains = domains
            }
            #expect(await ProofScene.verifier().verify(signed, expecting: expectation).verified != nil)
        }
    }

    @Test func refusesAProofThatIsForOthersToo() async throws {
        let signed = try await ProofScene.signed { $0.domains = ["https://other.example", "https://verifier.example"] }
        let expectation = LinkedDataExpectation(domain: "https://verifier.example")
        await expect(signed, isRefusedBy: .audience, .claimMismatch, expecting: expectation)
    }

    @Test func refusesProofsOfTheFutureAndTooOldOnes() async throws {
        let early = try await ProofScene.signed { $0.created = ProofScene.now.addingTimeInterval(61) }
        await expect(early, isRefusedBy: .issuedAt, .issuedInFuture)
        let old = try await ProofScene.signed { $0.created = ProofScene.now.addingTimeInterval(-361) }
        await expect(old, isRefusedBy: .issuedAt, .tooOld, expecting: LinkedDataExpectation(maximumAge: 300))
        let undated = try await ProofScene.signed { $0.created = nil }
        await expect(undated, isRefusedBy: .issuedAt, .missingClaim, expecting: LinkedDataExpectation(maximumAge: 300))
        #expect(await ProofScene.verifier().verify(undated, expecting: LinkedDataExpectation()).verified != nil)
    }

    @Test func refusesExpiredProofs() async throws {
        let signed = try await ProofScene.signed { $0.expires = ProofScene.now.addingTimeInterval(-60) }
        await expect(signed, isRefusedBy: .validity, .expired)
    }

    /// `now` is 2026-05-28T20:26:40Z (Data Integrity 1.0, section 2.1).
    @Test(arguments: [LinkedDataProofSuite.eddsaRDFC2022, .eddsaJCS2022])
    func readsTimesWithoutAZoneAsUTC(_ suite: LinkedDataProofSuite) async throws {
        func signed(created: JSONValue, expires: JSONValue) async throws -> SecuredDocument {
            try await ProofScene.signed(suite: suite).signedAgain { proof in
                proof["created"] = created
                proof["expires"] = expires
            }
        }
        let current = try await signed(created: "2026-05-28T20:26:40", expires: "2026-05-28T20:26:41")
        let verification = await ProofScene.verifier().verify(current, expecting: LinkedDataExpectation())
        #expect(verification.verified?.proofs.first?.proof.created == ProofScene.now)
        #expect(verification.allDeviations.map(\.path) == [["proof", "created"], ["proof", "expires"]])
        #expect(Set(verification.allDeviations.map(\.tolerance)) == ["missingTimeZone"])
        let expired = try await signed(created: "2026-05-28T19:00:00Z", expires: "2026-05-28T20:25:39")
        await expect(expired, isRefusedBy: .validity, .expired)
        let early = try await signed(created: "2026-05-28T20:27:41", expires: "2026-05-28T20:29:00Z")
        await expect(early, isRefusedBy: .issuedAt, .issuedInFuture)
    }

    /// The signature covers the statement, and not its name and place.
    @Test(arguments: ["IRI", "@nest", "@included"])
    func refusesAnEndThatIsWrittenInAnotherWay(form: String) async throws {
        let signed = try await ProofScene.signed {
            $0.expires = ProofScene.now.addingTimeInterval(-3600)
            $0.id = "urn:uuid:1"
        }
        let changed = try signed.changedProof { proof in
            let end = proof.removeValue(forName: "expires") ?? .null
            let type = "http://www.w3.org/2001/XMLSchema#dateTime"
            let value: JSONValue = ["@value": end, "@type": .string(type)]
            switch form {
            case "@nest": proof["@nest"] = ["expires": end]
            case "@included":
                proof["@included"] = ["id": "urn:uuid:1", "https://w3id.org/security#expiration": value]
            default: proof["https://w3id.org/security#expiration"] = value
            }
        }
        let verification = await ProofScene.verifier().verify(changed, expecting: LinkedDataExpectation())
        let refusal = try #require(verification.refusal(ofPart: "proof"))
        #expect(refusal.check == .signature)
        #expect(refusal.reason == "invalidProof")
        #expect(refusal.path.last == (form == "@included" ? "@included" : "expires"))
    }

    @Test func refusesKeysThatCannotBeFound() async throws {
        let key = try ProofScene.key().publicKey
        let unknown = try await ProofScene.signed { $0.verificationMethod = try DIDURL("did:example:a#key") }
        await expect(unknown, isRefusedBy: .verificationMethod, "unsupportedMethod")
        let away = try await ProofScene.signed { $0.verificationMethod = try DIDURL("did:example:a#key") }
        await expect(away, isRefusedBy: .verificationMethod, .issuerKeyNotFound, resolver: FixedDocuments())
        let fragment = try await ProofScene.signed { options in
            options.verificationMethod = try DIDURL(DID.key(key).text + "#other")
        }
        await expect(fragment, isRefusedBy: .verificationMethod, "verificationMethodNotFound")
        let none = try await ProofScene.signed().changedProof { $0["verificationMethod"] = nil }
        await expect(none, isRefusedBy: .verificationMethod, .missingClaim)
        let other = try await ProofScene.signed().changedProof { $0["verificationMethod"] = "https://a.example/key" }
        await expect(other, isRefusedBy: .verificationMethod, "malformed")
    }

    /// A document of `did:example:a` with one method for a relationship.
    private func document(
        _ key: PublicKey,
        for relationship: VerificationRelationship,
        _ change: (inout JSONObject) -> Void = { _ in }
    ) throws -> FixedDocuments {
        let did = try DID("did:example:a")
        var members = try VerificationMethod(id: DIDURL("did:example:a#key"), key: key).members
        change(&members)
        let method = try VerificationMethod(json: members, of: did)
        let relationships = [relationship: [method.id]]
        return FixedDocuments(DIDDocument(id: did, verificationMethods: [method], relationships: relationships))
    }

    @Test func refusesKeysThatTheControllerDoesNotListForThePurpose() async throws {
        let key = try ProofScene.key().publicKey
        let signed = try await ProofScene.signed { $0.verificationMethod = try DIDURL("did:example:a#key") }
        let listed = try document(key, for: .assertionMethod)
        let verifier = ProofScene.verifier(resolver: listed)
        #expect(await verifier.verify(signed, expecting: LinkedDataExpectation()).verified != nil)
        let unlisted = try document(key, for: .authentication)
        await expect(signed, isRefusedBy: .verificationMethod, "verificationMethodNotFound", resolver: unlisted)
    }

    @Test func refusesKeysOfAnotherController() async throws {
        let key = try ProofScene.key().publicKey
        let signed = try await ProofScene.signed { $0.verificationMethod = try DIDURL("did:example:a#key") }
        let foreign = try document(key, for: .assertionMethod) { $0["controller"] = "did:example:b" }
        await expect(signed, isRefusedBy: .controller, .controllerMismatch, resolver: foreign)
        let expectation = LinkedDataExpectation(controllers: [try DID("did:example:b")])
        let own = try document(key, for: .assertionMethod)
        await expect(signed, isRefusedBy: .controller, .controllerMismatch, expecting: expectation, resolver: own)
    }

    @Test func refusesKeysThatDoNotFit() async throws {
        let signed = try await ProofScene.signed { $0.verificationMethod = try DIDURL("did:example:a#key") }
        for curve: EllipticCurve in [.p256, .p384] {
            let other = try document(ProofScene.key(curve).publicKey, for: .assertionMethod)
            await expect(signed, isRefusedBy: .algorithm, "keyMismatch", resolver: other)
        }
        let restricted = try document(ProofScene.key().publicKey, for: .assertionMethod) { members in
            var jwk = members["publicKeyJwk"]?.objectValue ?? [:]
            jwk["use"] = "enc"
            members["publicKeyJwk"] = .object(jwk)
        }
        await expect(signed, isRefusedBy: .algorithm, "keyMismatch", resolver: restricted)
    }

    @Test func refusesAP384SignatureUnderAP256Key() async throws {
        let signer = try ProofScene.signer(.p384)
        let signed = try await ProofScene.signed(suite: .ecdsaRDFC2019, with: signer) { options in
            options.verificationMethod = try DIDURL("did:example:a#key")
        }
        let other = try document(ProofScene.key(.p256).publicKey, for: .assertionMethod)
        await expect(signed, isRefusedBy: .algorithm, "keyMismatch", resolver: other)
    }

    @Test func refusesAlgorithmsThatThePolicyDoesNotAccept() async throws {
        let signed = try await ProofScene.signed(suite: .jsonWebSignature2020)
        let policy = LinkedDataProofPolicy(algorithms: [.es256])
        await expect(signed, isRefusedBy: .algorithm, .algorithmNotAllowed, policy)
    }

    @Test func refusesAnotherKeysSignature() async throws {
        let signed = try await ProofScene.signed { options in
            options.verificationMethod = try ProofScene.name(of: ProofScene.key(number: 2).publicKey)
        }
        await expect(signed, isRefusedBy: .signature, .invalidSignature)
    }

    @Test(arguments: [LinkedDataProofSuite.eddsaRDFC2022, .eddsaJCS2022, .ed25519Signature2018])
    func refusesChangesOfContentContextAndOptions(_ suite: LinkedDataProofSuite) async throws {
        let signed = try await ProofScene.signed(suite: suite) { $0.id = "urn:uuid:1" }
        let changes: [(inout JSONObject) -> Void] = [
            { $0["issuer"] = "did:example:other" },
            { $0["credentialSubject"] = ["id": "did:example:alice", "name": "alice"] },
            { $0["name"] = "A name" },
            { $0["id"] = nil },
        ]
        for change in changes {
            await expect(try signed.changed { change(&$0) }, isRefusedBy: .signature, .invalidSignature)
        }
        let options: [(inout JSONObject) -> Void] = [
            { $0["created"] = "2026-01-01T00:00:00Z" }, { $0["id"] = "urn:uuid:2" }, { $0["created"] = nil },
            { $0["expires"] = "2099-01-01T00:00:00Z" },
        ]
        for change in options {
            await expect(try signed.changedProof { change(&$0) }, isRefusedBy: .signature, .invalidSignature)
        }
    }

    @Test func refusesAContextOfTheProofThatTheDocumentDoesNotBeginWith() async throws {
        let signed = try await ProofScene.signed(suite: .eddsaJCS2022)
        let own = ProofScene.document["@context"]?.arrayValue ?? []
        let others: [JSONValue] = [
            "https://www.w3.org/ns/did/v1", .array(own.reversed()), .array(own + ["https://www.w3.org/ns/did/v1"]),
        ]
        for context in others {
            let damaged = try signed.changedProof { $0["@context"] = context }
            await expect(damaged, isRefusedBy: .signature, "invalidProof")
        }
    }

    @Test func refusesTermsInAProofThatNoSignatureCovers() async throws {
        let signed = try await ProofScene.signed().changedProof { $0["note"] = "for you" }
        await expect(signed, isRefusedBy: .signature, "droppedTerm")
    }
}
