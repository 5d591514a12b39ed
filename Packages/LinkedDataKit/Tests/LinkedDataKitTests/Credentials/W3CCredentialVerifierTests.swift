import CryptoCore
import DIDKit
import Foundation
import JOSEKit
import JSONKit
import LinkedDataKit
import StatusListKit
import Testing

/// Credentials in each form, and each check of them with a credential that breaks only it.
@Suite
struct W3CCredentialVerifierTests {
    typealias Form = CredentialScene.Form

    private func expect(
        _ verification: Verification<VerifiedW3CCredential>,
        isRefusedBy check: Check,
        _ reason: Reason,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let refusal = verification.refusal
        #expect(refusal?.check == check, "\(String(describing: refusal))", sourceLocation: sourceLocation)
        #expect(refusal?.reason == reason, "\(String(describing: refusal))", sourceLocation: sourceLocation)
        let failed = verification.checks.filter { $0.hasFailed }.map { $0.check }
        #expect(Set(failed).subtracting([check]).isEmpty, "\(failed)", sourceLocation: sourceLocation)
    }

    @Test(arguments: Form.allCases)
    func verifiesCredentials(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let verification = try await scene.verifier().verify(scene.credential())
        let credential = try #require(verification.verified, "\(String(describing: verification.refusal))")
        #expect(credential.content.version == form.version)
        #expect(credential.controller == (try scene.issuerDID))
        #expect(try credential.expandedTypes() == ["https://www.w3.org/2018/credentials#VerifiableCredential"])
        let path = try W3CCredentialPath([.member("credentialSubject"), .member("degree")])
        #expect(credential.values(at: path) == ["Bachelor"])
        let properties: [ExactText] = [
            "https://www.w3.org/2018/credentials#credentialSubject", "https://example.org/vocabulary#degree",
        ]
        #expect(try credential.values(ofProperties: properties) == [["@value": "Bachelor"]])
        #expect(verification.checks.map { $0.check } == W3CCredentialVerifier.credentialChecks)
    }

    @Test(arguments: Form.allCases)
    func readsAndWritesCredentialsAsText(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential()
        let text: [UInt8] =
            switch credential.form {
            case .linkedData(let document): Array(document.encodedBytes)
            case .token(let token): Array(try token.compactSerialization().utf8)
            }
        let read = try VerifiableCredential(decoding: text)
        #expect(try await scene.verifier().verify(read).verified != nil)
    }

    @Test(arguments: Form.allCases)
    func refusesDocumentsThatBreakTheDataModel(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let begin = form.version == .v1 ? "issuanceDate" : "validFrom"
        let changes: [(String, JSONValue?)] = [
            ("type", "Person"), ("issuer", nil), ("issuer", ["name": "University"]), ("issuer", "university"),
            ("credentialSubject", nil), ("credentialSubject", []), (begin, "2026-01-01"),
            ("credentialStatus", ["id": "urn:uuid:7"]), ("credentialSchema", ["id": "urn:uuid:7"]),
            ("credentialSchema", ["type": "JsonSchema"]), ("termsOfUse", ["id": "urn:uuid:7"]), ("evidence", [[:]]),
            ("evidence", [["type": "E"], ["id": "urn:uuid:7"]]), ("refreshService", ["id": "urn:uuid:7"]),
        ]
        for (name, value) in changes {
            var members = try scene.members()
            members[name] = value
            #expect(throws: LinkedDataError.self, "\(name)") { try W3CCredentialContent(json: members) }
        }
        // Safe mode has its own words for some of them; here the document passes it.
        let credential = try await scene.credential { $0["credentialSubject"] = nil }
        expect(try await scene.verifier().verify(credential), isRefusedBy: .structure, "invalidCredential")
    }

    @Test func demandsWhatTheVersionsDemand() throws {
        let v1 = try CredentialScene(.signature2020)
        var members = try v1.members()
        members["issuanceDate"] = nil
        #expect { try W3CCredentialContent(json: members) } throws: {
            ($0 as? LinkedDataError)?.path == ["issuanceDate"]
        }
        members = try v1.members()
        members["credentialStatus"] = ["type": "StatusList2021Entry"]
        #expect { try W3CCredentialContent(json: members) } throws: {
            ($0 as? LinkedDataError)?.path == ["credentialStatus", "id"]
        }
        let v2 = try CredentialScene(.dataIntegrity)
        members = try v2.members()
        members["validFrom"] = nil
        #expect(try W3CCredentialContent(json: members).validFrom == nil)
        members["@context"] = ["https://example.org/v1", "https://www.w3.org/ns/credentials/v2"]
        #expect { try W3CCredentialContent(json: members) } throws: { ($0 as? LinkedDataError)?.path == ["@context"] }
        members = try v2.members()
        members["validUntil"] = "2020-01-01T00:00:00Z"
        #expect { try W3CCredentialContent(json: members) } throws: { ($0 as? LinkedDataError)?.path == ["validUntil"] }
    }

    @Test func demandsDigestsAndLanguagesOfVersion2() throws {
        let resource: JSONValue = ["id": "https://example.org/r", "digestSRI": "sha256-AA"]
        let multibase: JSONValue = ["id": "https://example.org/s", "digestMultibase": "uEiAA"]
        let name: JSONValue = ["@value": "Name", "@language": "en", "@direction": "ltr"]
        let refused: [(String, JSONValue)] = [
            ("relatedResource", "https://example.org/r"), ("relatedResource", ["id": "https://example.org/r"]),
            ("relatedResource", ["digestSRI": "sha256-AA"]),
            ("relatedResource", ["id": "r", "digestSRI": "sha256-AA"]),
            ("relatedResource", [resource, resource]), ("relatedResource", ["id": "urn:r", "digestSRI": 1]),
            ("relatedResource", ["id": "urn:r", "digestSRI": []]),
            ("relatedResource", ["id": "urn:r", "digestMultibase": ["uEiAA", 1]]),
            ("relatedResource", ["id": "urn:r", "digestSRI": .array(Array(repeating: "sha256-AA", count: 17))]),
            ("name", 5), ("name", ["@language": "en"]), ("description", ["@value": 5]),
            ("description", ["@value": "a", "@type": "b"]), ("description", ["@value": "a", "@language": 1]),
        ]
        let issuer: (JSONValue) -> JSONValue = { ["id": "did:example:a", "name": $0, "description": "A"] }
        let taken: [(String, JSONValue)] = [
            ("relatedResource", resource), ("relatedResource", [resource, multibase]), ("name", "Name"), ("name", name),
            ("relatedResource", ["id": "urn:r", "digestSRI": ["sha256-AA"], "digestMultibase": ["uEiAA", "uEiAB"]]),
            ("description", [name, "Name"]), ("issuer", issuer("Name")), ("issuer", issuer(name)),
            ("renderMethod", ["type": "SvgRenderingTemplate"]), ("confidenceMethod", [["type": "A"], ["type": "B"]]),
        ]
        var members = try CredentialScene(.dataIntegrity).members()
        for (name, value) in refused {
            var members = members
            members[name] = value
            #expect { try W3CCredentialContent(json: members) } throws: { ($0 as? LinkedDataError)?.path == [name] }
        }
        let inside: [(String, JSONValue, String)] = [
            ("issuer", issuer(["@value": "a", "@type": "b"]), "name"), ("issuer", issuer(5), "name"),
            ("issuer", ["id": "did:example:a", "description": ["@value": "a", "url": "b"]], "description"),
            ("renderMethod", ["id": "urn:r"], "type"), ("confidenceMethod", [["type": "A"], ["id": "urn:b"]], "type"),
        ]
        for (name, value, member) in inside {
            var members = members
            members[name] = value
            #expect { try W3CCredentialContent(json: members) } throws: {
                ($0 as? LinkedDataError)?.path == [name, member]
            }
        }
        for (name, value) in taken {
            members[name] = value
            #expect(throws: Never.self) { try W3CCredentialContent(json: members) }
        }
    }

    /// Verifiable Credentials Data Model 2.0, section 4.3; nobody expands the context of a token.
    @Test(arguments: [Form.token1, .token2])
    func refusesContextsThatAreNeitherURLsNorObjects(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        func verification(_ others: JSONValue...) async throws -> Verification<VerifiedW3CCredential> {
            let credential = try await scene.credential { members in
                members["@context"] = .array([.string(form.version.contextURL)] + others)
            }
            return try await scene.verifier().verify(credential)
        }
        for other in [7, nil, true, "context", ["https://example.org/v1"], ""] as [JSONValue] {
            expect(try await verification(other), isRefusedBy: .structure, "invalidCredential")
        }
        #expect(try await verification("https://example.org/v1", ["a": "urn:a"], "urn:v1").verified != nil)
    }

    @Test func takesAnIssuersProofThatNamesADomain() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let signed = try await scene.sign(scene.members(), scene.issuer) { proof in
            proof.domains = ["https://university.example"]
            proof.challenge = "c"
        }
        let verification = try await scene.verifier().verify(VerifiableCredential(.linkedData(signed)))
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
    }

    @Test func takesTextsWithADirection() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let credential = try await scene.credential { members in
            members["name"] = ["@value": "HTML و CSS", "@language": "ar", "@direction": "rtl"]
        }
        let verified = try #require(try await scene.verifier().verify(credential).verified)
        let name = try verified.values(ofProperties: ["https://schema.org/name"]).first
        #expect(name?["@direction"] == "rtl")
        let token = try await CredentialScene(.token2).credential { members in
            members["name"] = ["@value": "HTML و CSS", "@language": "ar", "@direction": "rtl"]
        }
        let second = try #require(try await CredentialScene(.token2).verifier().verify(token).verified)
        #expect(try second.values(ofProperties: ["https://schema.org/name"]).first == name)
    }

    @Test(arguments: Form.allCases)
    func readsSeveralSubjectsAndPassesSchemasThrough(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential { members in
            members["credentialSubject"] = [["id": "did:example:a", "degree": "x"], ["degree": "y"]]
            members["credentialSchema"] = ["id": "https://example.org/schema", "type": "JsonSchema"]
            if form == .signature2020 {
                members["@context"] = .array(
                    (members["@context"]?.arrayValue ?? []) + [["JsonSchema": "https://example.org/JsonSchema"]]
                )
            }
        }
        let verification = try await scene.verifier().verify(credential)
        let content = try #require(verification.verified?.content, "\(String(describing: verification.refusal))")
        #expect(content.subjects.map(\.id) == ["did:example:a", nil])
        #expect(content.schemas.first?["id"] == "https://example.org/schema")
    }

    @Test(arguments: Form.allCases)
    func refusesAnotherKeysSignature(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        switch try await scene.credential().form {
        case .linkedData(let document):
            let changed = try document.changed { $0["id"] = "urn:uuid:0b1e8a3c-1b5a-4c9e-9d7e-1f0a6a4d0002" }
            let verification = try await scene.verifier().verify(VerifiableCredential(.linkedData(changed)))
            expect(verification, isRefusedBy: .issuerSignature, .invalidSignature)
        case .token(let token):
            let other = try await JWT.sign(
                JWTClaims(decoding: try #require(token.jws.unverifiedPayload)),
                header: token.unverifiedHeader(),
                with: scene.holder
            )
            let verification = try await scene.verifier().verify(VerifiableCredential(.token(other)))
            expect(verification, isRefusedBy: .issuerSignature, .invalidSignature)
        }
    }

    @Test(arguments: Form.allCases)
    func refusesASignatureThatIsNotTheIssuers(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential(with: scene.holder)
        expect(try await scene.verifier().verify(credential), isRefusedBy: .controller, .controllerMismatch)
    }

    @Test(arguments: Form.allCases)
    func refusesIssuersThatAreNotTrusted(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let holder = try scene.holderDID.text
        let credential = try await scene.credential(with: scene.holder) { $0["issuer"] = .string(holder) }
        expect(try await scene.verifier().verify(credential), isRefusedBy: .issuerTrust, .issuerNotTrusted)
    }

    @Test(arguments: Form.allCases)
    func acceptsTheControllersOfAnIssuerThatIsNoDID(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential { $0["issuer"] = "https://university.example" }
        var policy = W3CCredentialPolicy(tokens: [.edDSA])
        policy.controllers = ["https://university.example": [try scene.issuerDID]]
        for (policy, isVerified) in [(policy, true), (W3CCredentialPolicy(tokens: [.edDSA]), false)] {
            let verifier = W3CCredentialVerifier(
                policy: policy,
                trust: .issuers(["https://university.example"]),
                clock: { CredentialScene.now }
            )
            #expect((await verifier.verify(credential).verified != nil) == isVerified)
        }
    }

    @Test(arguments: Form.allCases)
    func refusesExpiredCredentialsAndThoseOfTheFuture(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let (from, until) =
            form.version == .v1 ? ("issuanceDate", "expirationDate") : ("validFrom", "validUntil")
        let verifier = try scene.verifier()
        let expired = try await scene.credential { members in
            members[from] = "2020-01-01T00:00:00Z"
            members[until] = "2021-01-01T00:00:00Z"
        }
        expect(await verifier.verify(expired), isRefusedBy: .validity, .expired)
        let early = try await scene.credential { members in
            members[from] = "2090-01-01T00:00:00Z"
            members[until] = nil
        }
        expect(await verifier.verify(early), isRefusedBy: .validity, .notYetValid)
    }

    /// `now` is 2026-05-28T20:26:40Z (Verifiable Credentials Data Model 2.0, section 5.8).
    @Test(arguments: Form.allCases)
    func readsTimesWithoutAZoneAsUTC(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let (from, until) =
            form.version == .v1 ? ("issuanceDate", "expirationDate") : ("validFrom", "validUntil")
        func verification(
            from begin: JSONValue,
            until end: JSONValue
        ) async throws -> Verification<VerifiedW3CCredential> {
            let credential = try await scene.credential { members in
                members[from] = begin
                members[until] = end
            }
            return try await scene.verifier().verify(credential)
        }
        let current = try await verification(from: "2026-05-28T20:26:40", until: "2026-05-28T20:26:41")
        let content = try #require(current.verified?.content, "\(String(describing: current.refusal))")
        #expect(content.validFrom == CredentialScene.now)
        let deviations = current.deviations.filter { $0.tolerance == "missingTimeZone" }
        #expect(deviations.map(\.path) == [[from], [until]])
        let expired = try await verification(from: "2026-01-01T00:00:00Z", until: "2026-05-28T20:25:39")
        expect(expired, isRefusedBy: .validity, .expired)
        let early = try await verification(from: "2026-05-28T20:27:41", until: "2027-01-01T00:00:00Z")
        expect(early, isRefusedBy: .validity, .notYetValid)
    }

    @Test(arguments: Form.allCases)
    func refusesTypesAndVersionsThatAreNotAccepted(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential()
        let typed = try scene.verifier { $0.credentialTypes = ["AlumniCredential"] }
        expect(await typed.verify(credential), isRefusedBy: .credentialType, .unexpectedType)
        let versioned = try scene.verifier { $0.versions = [form.version == .v1 ? .v2 : .v1] }
        expect(await versioned.verify(credential), isRefusedBy: .structure, .unexpectedType)
        let formed = try scene.verifier { policy in
            if form.isToken { policy.tokens = nil } else { policy.proofs = nil }
        }
        expect(await formed.verify(credential), isRefusedBy: .structure, .unexpectedType)
    }

    @Test(arguments: Form.allCases)
    func asksForTheStatusWhereTheCredentialNamesOne(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential { members in
            members["credentialStatus"] = ["id": "urn:uuid:7", "type": "https://example.org/Status"]
        }
        let statuses: [(CredentialStatus, Reason?)] = [
            (.valid(asOf: scene.nowIsh), nil), (.revoked, .revoked), (.suspended, .suspended),
            (.unknown("x"), .statusUnknown), (.application(1), .statusUnknown), (.application(7), nil),
        ]
        for (status, reason) in statuses {
            let verifier = try scene.verifier(status: FixedStatus(status: status)) { policy in
                policy.acceptedStatuses = [.message: [7], .refresh: [1]]
            }
            let verification = await verifier.verify(credential)
            #expect(verification.refusal?.reason == reason, "\(status)")
            #expect(verification.refusal?.check ?? .status == .status)
        }
        let none = try await scene.verifier().verify(credential)
        #expect(none.refusal?.reason == .statusUnknown)
        #expect(none.refusal?.isUnavailable == true)
        let waived = try scene.verifier { $0.status = .waived }
        #expect(await waived.verify(credential).verified != nil)
        let required = try scene.verifier { $0.status = .required }
        expect(try await required.verify(scene.credential()), isRefusedBy: .status, .statusUnknown)
    }

    @Test func countsTheWorstOfSeveralStatuses() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let credential = try await scene.credential { members in
            members["credentialStatus"] = [
                ["type": "https://example.org/A"], ["type": "https://example.org/Revoked"],
                ["type": "https://example.org/B"],
            ]
        }
        let verification = try await scene.verifier(status: FixedStatus(status: .valid(asOf: scene.nowIsh)))
            .verify(credential)
        expect(verification, isRefusedBy: .status, .revoked)
    }

    @Test func refusesAGraphThatSaysSomethingElseThanTheJSON() async throws {
        let scene = try CredentialScene(.dataIntegrity)
        let changes: [(String, JSONValue)] = [
            ("https://www.w3.org/2018/credentials#issuer", ["@id": "did:example:other"]),
            ("https://www.w3.org/2018/credentials#credentialSubject", ["@id": "did:example:other"]),
            ("https://www.w3.org/2018/credentials#credentialStatus", ["@type": "https://example.org/Status"]),
            ("https://www.w3.org/2018/credentials#expirationDate", "2020-01-01T00:00:00Z"),
            ("https://www.w3.org/2018/credentials#validUntil", "2020-01-01T00:00:00Z"),
            ("https://www.w3.org/2018/credentials#relatedResource", ["@id": "https://example.org/image"]),
            ("https://www.w3.org/2018/credentials#termsOfUse", ["@type": "https://example.org/Terms"]),
        ]
        for (name, value) in changes {
            let credential = try await scene.credential { $0[name] = value }
            expect(try await scene.verifier().verify(credential), isRefusedBy: .claims, "claimMismatch")
        }
    }

    @Test func refusesTokensOfAnotherType() async throws {
        let scene = try CredentialScene(.token1)
        for (type, form) in [("vp+jwt", Form.token2), ("vc+jwt", .token1), ("dc+sd-jwt", .token2)] {
            let members = try CredentialScene(form).members()
            let claims: JWTClaims = form == .token1 ? ["vc": .object(members)] : JWTClaims(members)
            let token = try await scene.token(claims, type, scene.issuer)
            let verification = try await scene.verifier().verify(VerifiableCredential(.token(token)))
            #expect(verification.refusal?.check == .structure, "\(type)")
        }
    }

    /// `typ` should name the media type, and need not.
    @Test(arguments: [nil, "JWT"])
    func takesADocumentOf2InATokenThatDoesNotSaySo(_ type: String?) async throws {
        let scene = try CredentialScene(.token2)
        let members = try scene.members()
        var header = JOSEHeader(type: "JWT", keyID: try ProofScene.name(of: scene.issuer.publicKey).text)
        if type == nil { header["typ"] = nil }
        let token = try await JWT.sign(JWTClaims(members), header: header, with: scene.issuer)
        let verification = try await scene.verifier().verify(VerifiableCredential(.token(token)))
        let content = try #require(verification.verified?.content, "\(String(describing: verification.refusal))")
        #expect(content.version == .v2)
        var earlier = members
        earlier["@context"] = ["https://www.w3.org/2018/credentials/v1"]
        let other = try await JWT.sign(JWTClaims(earlier), header: header, with: scene.issuer)
        let refused = try await scene.verifier().verify(VerifiableCredential(.token(other)))
        #expect(refused.refusal?.check == .structure)
    }

    @Test func refusesATokenOfAnotherVersionThanItsDocument() async throws {
        let scene = try CredentialScene(.token1)
        let members = try CredentialScene(.token2).members()
        let token = try await scene.token(["vc": .object(members)], "JWT", scene.issuer)
        let verification = try await scene.verifier().verify(VerifiableCredential(.token(token)))
        expect(verification, isRefusedBy: .structure, .unexpectedType)
    }

    @Test func completesACredentialFromClaims() async throws {
        let scene = try CredentialScene(.token1)
        let complete = try W3CCredentialContent(json: scene.members())
        var claims = complete.tokenClaims
        var members = complete.members
        for name in ["issuer", "id", "issuanceDate", "expirationDate"] { members[name] = nil }
        members["credentialSubject"] = ["degree": "Bachelor"]
        claims["vc"] = .object(members)
        let token = try await scene.token(claims, "JWT", scene.issuer)
        let verification = try await scene.verifier().verify(VerifiableCredential(.token(token)))
        let content = try #require(verification.verified?.content, "\(String(describing: verification.refusal))")
        #expect(content.members == complete.members)
    }

    @Test func refusesTokensWithoutAKeyName() async throws {
        let scene = try CredentialScene(.token2)
        let claims = JWTClaims(try scene.members())
        // The issuer's DID has one key for claims, so that none needs a name.
        let unnamed = try await JWT.sign(claims, header: JOSEHeader(type: "vc+jwt"), with: scene.issuer)
        #expect(try await scene.verifier().verify(VerifiableCredential(.token(unnamed))).verified != nil)
        var other = claims
        other["issuer"] = "https://university.example"
        let nameless = try await JWT.sign(other, header: JOSEHeader(type: "vc+jwt"), with: scene.issuer)
        let verification = try await scene.verifier().verify(VerifiableCredential(.token(nameless)))
        expect(verification, isRefusedBy: .issuerSignature, .issuerKeyNotFound)
    }

    @Test(arguments: [Form.token1, .token2])
    func refusesTokensOutOfTheirTime(_ form: Form) async throws {
        let scene = try CredentialScene(form)
        let claims = try W3CCredentialContent(
            json: scene.members { $0[form == .token1 ? "expirationDate" : "validUntil"] = nil }
        )
        .tokenClaims
        let changes: [(String, Int, Reason)] = [
            ("exp", -61, .expired), ("iat", 61, .issuedInFuture),
        ]
        for (name, offset, reason) in changes {
            var claims = claims
            claims[name] = .integer(Int(CredentialScene.now.timeIntervalSince1970) + offset)
            let token = try await scene.token(claims, form == .token1 ? "JWT" : "vc+jwt", scene.issuer)
            let verification = try await scene.verifier().verify(VerifiableCredential(.token(token)))
            expect(verification, isRefusedBy: .validity, reason)
        }
    }

    @Test(arguments: ["", "e", "eyJ.eyJ", "5", "[]"])
    func refusesMalformedText(_ text: String) {
        #expect { try VerifiableCredential(decoding: Array(text.utf8)) } throws: {
            ($0 as? LinkedDataError)?.code == .malformedDocument
        }
    }

    @Test func refusesMACsAndUnacceptedAlgorithms() async throws {
        let scene = try CredentialScene(.token2)
        let credential = try await scene.credential()
        let verifier = try scene.verifier { $0.tokens = [.es256, .hs256] }
        expect(await verifier.verify(credential), isRefusedBy: .issuerSignature, .algorithmNotAllowed)
    }
}

/// One status for all statements but those of the type `Revoked`.
struct FixedStatus: CredentialStatusSource {
    let status: CredentialStatus

    func status(of statement: JSONObject, issuer: ExactText, at time: Date) -> StatusFinding {
        statement["type"] == "https://example.org/Revoked" ? .revoked : StatusFinding(status)
    }
}

extension CredentialScene {
    var nowIsh: Date { Self.now }
}
