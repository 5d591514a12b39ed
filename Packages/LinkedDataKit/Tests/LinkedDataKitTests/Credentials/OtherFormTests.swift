import CryptoCore
import DIDKit
import JSONKit
import LinkedDataKit
import Testing
import VerificationCore

/// A credential that its holder writes down in another form, where the signed graph stays the same.
struct OtherFormTests {
    private static let vocabulary = "https://example.org/vocabulary#"
    private static let schema = "http://www.w3.org/2001/XMLSchema#"
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

    /// The terms that the issuer uses.
    private static let terms: JSONValue = [
        "ex": .string(vocabulary), "Restricted": "ex:Restricted", "Blocked": "ex:Blocked", "status": "ex:status",
        "flag": "ex:flag", "ratio": "ex:ratio",
        "isRevoked": ["@id": "ex:isRevoked", "@type": .string(schema + "boolean")],
        "limit": ["@id": "ex:limit", "@type": .string(schema + "integer")],
        "year": ["@id": "ex:year", "@type": .string(schema + "gYear")],
        "price": ["@id": "ex:price", "@type": .string(schema + "decimal")],
        "weight": ["@id": "ex:weight", "@type": "ex:kilogram"],
        "count": ["@id": "ex:count", "@type": .string(schema + "integer")],
        "knows": ["@id": "ex:knows", "@type": "@id"],
        "level": ["@id": "ex:level", "@type": "@vocab"], "labels": ["@id": "ex:label", "@container": "@language"],
        "details": "@nest", "hidden": ["@id": "ex:hidden", "@nest": "details"], "grades": "ex:grade",
        "steps": ["@id": "ex:step", "@container": "@list"], "people": ["@id": "ex:person", "@container": "@id"],
        "raw": ["@id": "ex:raw", "@type": "@json"], "place": "ex:place",
    ]

    /// The statements of the issuer about the subject.
    private static let claims: JSONObject = [
        "type": "Restricted", "status": "revoked", "flag": true,
        "ratio": (try? JSONNumber(text: "5.5")).map { .number($0) } ?? .null, "isRevoked": true, "limit": 5,
        "year": "2026", "weight": "70", "count": "true",
        "knows": ["id": "https://example.org/vocabulary#bob", "status": "revoked"], "level": "Blocked",
        "labels": ["en": "revoked"], "details": ["hidden": "yes"], "grades": ["A", "B"], "steps": ["first", "second"],
        "people": ["urn:carol": ["status": "revoked"]], "raw": ["a": 1], "place": ["status": "closed"],
    ]

    /// Other forms of single claims.
    static let forms: [OtherFormOfClaims] = [
        OtherFormOfClaims("IRI as name") { $0.rename("status", vocabulary + "status") },
        OtherFormOfClaims("compact IRI as name") { $0.rename("status", "ex:status") },
        OtherFormOfClaims("name below @nest") { $0.nest("status", below: "@nest") },
        OtherFormOfClaims("name below the term of another") { $0.nest("status", below: "details2") },
        OtherFormOfClaims("name beside its nest") { claims in
            claims["hidden"] = claims["details"]?["hidden"]
            claims["details"] = nil
        },
        OtherFormOfClaims("needless value object") { $0["status"] = ["@value": "revoked"] },
        OtherFormOfClaims("type of plain text") {
            $0["status"] = ["@value": "revoked", "@type": .string(schema + "string")]
        },
        OtherFormOfClaims("truth value as value object") {
            $0["flag"] = ["@value": "true", "@type": .string(schema + "boolean")]
        },
        OtherFormOfClaims("truth value as text") { $0["isRevoked"] = "true" },
        OtherFormOfClaims("integer as text") { $0["limit"] = "5" },
        OtherFormOfClaims("number as value object") {
            $0["ratio"] = ["@value": "5.5E0", "@type": .string(schema + "double")]
        },
        OtherFormOfClaims("text as number") { $0["year"] = 2026 },
        OtherFormOfClaims("needless @set") { $0["status"] = ["@set": ["revoked"]] },
        OtherFormOfClaims("array in an array") { $0["status"] = [["revoked"]] },
        OtherFormOfClaims("IRI as type") { $0["type"] = .string(vocabulary + "Restricted") },
        OtherFormOfClaims("keyword for a type") { $0.rename("type", "@type") },
        OtherFormOfClaims("type as property") { claims in
            claims["type"] = nil
            claims[rdf + "type"] = ["id": .string(vocabulary + "Restricted")]
        },
        OtherFormOfClaims("keyword for an identifier") {
            $0["knows"] = ["@id": .string(vocabulary + "bob"), "status": "revoked"]
        },
        OtherFormOfClaims("compact identifier") { $0["knows"] = ["id": "ex:bob", "status": "revoked"] },
        OtherFormOfClaims("IRI as a value of a vocabulary") { $0["level"] = .string(vocabulary + "Blocked") },
        OtherFormOfClaims("value object in place of a language map") {
            $0["labels"] = [["@value": "revoked", "@language": "en"]]
        },
        OtherFormOfClaims("duplicate value") { $0["grades"] = ["A", "B", "A"] },
        OtherFormOfClaims("list object of a list") { $0["steps"] = ["@list": ["first", "second"]] },
        OtherFormOfClaims("cells of a list") { claims in
            claims["steps"] = nil
            let rest = cell("second", ["id": .string(rdf + "nil")])
            claims["ex:step"] = cell("first", rest)
        },
        OtherFormOfClaims("array in place of a map") { $0["people"] = [["id": "urn:carol", "status": "revoked"]] },
        OtherFormOfClaims("value without a place in its map") {
            $0["people"] = ["@none": ["id": "urn:carol", "status": "revoked"]]
        },
        OtherFormOfClaims("text of a JSON value") {
            $0["raw"] = nil
            $0["ex:raw"] = ["@value": "{\"a\":1}", "@type": .string(rdf + "JSON")]
        },
        OtherFormOfClaims("label of a blank node") { $0["place"] = ["id": "_:place", "status": "closed"] },
        OtherFormOfClaims("node in two objects") {
            $0["knows"] = [
                ["id": .string(vocabulary + "bob")], ["id": .string(vocabulary + "bob"), "status": "revoked"],
            ]
        },
    ]

    private static func cell(_ first: JSONValue, _ rest: JSONValue) -> JSONValue {
        .object(JSONObject([(rdf + "first", first), (rdf + "rest", rest)]))
    }

    private let scene: CredentialScene

    init() throws {
        scene = try CredentialScene(.dataIntegrity)
    }

    private func signed(type: JSONValue = "Restricted") async throws -> SecuredDocument {
        var subject: JSONObject = ["id": .string(try scene.holderDID.text)]
        for (name, value) in Self.claims { subject[name] = value }
        subject["type"] = type
        let members = try scene.members { members in
            members["@context"] = ["https://www.w3.org/ns/credentials/v2", Self.terms, ["details2": "@nest"]]
            members["credentialSubject"] = .object(subject)
        }
        return try await scene.sign(members, scene.issuer)
    }

    private func verification(
        of document: SecuredDocument,
        tolerating tolerances: Set<W3CCredentialTolerance> = []
    ) async throws -> Verification<VerifiedW3CCredential> {
        try await scene.verifier { $0.tolerances = tolerances }.verify(VerifiableCredential(.linkedData(document)))
    }

    /// The statements about the subject that readers of the graph find.
    private func readings(of credential: VerifiedW3CCredential) throws -> [[JSONValue]] {
        let names = [
            "status", "flag", "ratio", "isRevoked", "limit", "year", "label", "hidden", "grade", "step", "raw",
        ]
        let subject: ExactText = "https://www.w3.org/2018/credentials#credentialSubject"
        let paths =
            names.map { [ExactText(Self.vocabulary + $0)] } + [
                [ExactText(Self.vocabulary + "knows"), ExactText(Self.vocabulary + "status")],
                [ExactText(Self.vocabulary + "person"), ExactText(Self.vocabulary + "status")],
                [ExactText(Self.vocabulary + "place"), ExactText(Self.vocabulary + "status")],
            ]
        return try paths.map { try credential.values(ofProperties: [subject] + $0) }
    }

    @Test func takesTheFormOfTheIssuer() async throws {
        let verification = try await verification(of: signed())
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        #expect(verification.deviations.map(\.tolerance) == ["ownContext"])
    }

    @Test(arguments: forms)
    func refusesAnotherForm(form: OtherFormOfClaims) async throws {
        let signed = try await signed()
        let changed = try signed.changed { members in
            var claims = try #require(members["credentialSubject"]?.objectValue)
            form.change(&claims)
            members["credentialSubject"] = .object(claims)
        }
        let refused = try await verification(of: changed)
        #expect(refused.results(of: .issuerSignature).map(\.outcome) == [.passed])
        #expect(refused.refusal?.check == .claims)
        #expect(refused.refusal?.reason == "claimMismatch")

        let tolerated = try await verification(of: changed, tolerating: [.otherForms, .sharedNodes])
        let credential = try #require(tolerated.verified, "\(String(describing: tolerated.refusal))")
        #expect(tolerated.deviations.contains { ["otherForms", "sharedNodes"].contains($0.tolerance) })
        // Cells of a list are nodes like any other in expanded form.
        guard form.testDescription != "cells of a list" else { return }
        let honest = try #require(try await verification(of: signed).verified)
        #expect(try readings(of: credential) == readings(of: honest))
    }

    private static let otherLiterals: [OtherFormOfClaims] = [
        OtherFormOfClaims("truth value as text") { $0["isRevoked"] = "true" },
        OtherFormOfClaims("truth value as typed text") {
            $0["flag"] = ["@value": "true", "type": .string(schema + "boolean")]
        },
        OtherFormOfClaims("integer as text") { $0["limit"] = "5" },
        OtherFormOfClaims("number as text") { $0["ratio"] = ["@value": "5.5E0", "type": .string(schema + "double")] },
        OtherFormOfClaims("text as number") { $0["year"] = 2026 },
        OtherFormOfClaims("text of another datatype as number") { $0["weight"] = 70 },
        OtherFormOfClaims("text as truth value of a number") { $0["count"] = true },
    ]

    /// Of a number and the text that stands for the same literal, one is taken: the other needs a tolerance, and is not signed.
    @Test(arguments: otherLiterals)
    func takesOneFormOfALiteral(form: OtherFormOfClaims) async throws {
        let signed = try await signed()
        let changed = try signed.changed { members in
            var claims = try #require(members["credentialSubject"]?.objectValue)
            form.change(&claims)
            members["credentialSubject"] = .object(claims)
        }
        let refused = try await verification(of: changed)
        #expect(refused.results(of: .issuerSignature).map(\.outcome) == [.passed])
        #expect(refused.refusal?.reason == "claimMismatch")
        #expect(refused.refusal?.message.contains("literalForms") == true)
        let tolerated = try await verification(of: changed, tolerating: [.literalForms])
        #expect(tolerated.verified != nil, "\(String(describing: tolerated.refusal))")
        #expect(Set(tolerated.deviations.map(\.tolerance)) == ["ownContext", "literalForms"])

        let options = try ProofScene.options(for: scene.issuer.publicKey)
        let sign = { (prover: LinkedDataProver) async throws in
            try await prover.sign(
                changed.unverifiedDocument,
                suite: .eddsaRDFC2022,
                options: options,
                with: scene.issuer
            )
        }
        let error = await #expect(throws: LinkedDataError.self) { try await sign(LinkedDataProver()) }
        #expect(error?.code == .claimMismatch && error?.path.first == "credentialSubject")
        _ = try await sign(LinkedDataProver(tolerances: [.literalForms]))
        _ = try await sign(LinkedDataProver(tolerances: [.otherForms]))
    }

    /// Texts of numbers in a form that no JSON number stands for are like any other text.
    @Test(arguments: [
        ("limit", "01"), ("limit", "+5"), ("limit", "five"), ("limit", "12345678901234567890123"), ("isRevoked", "1"),
        ("isRevoked", "TRUE"), ("price", "5.50"), ("price", "5.5"),
    ])
    func takesTextsThatNoNumberStandsFor(_ name: String, _ text: String) async throws {
        let members = try scene.members { members in
            members["@context"] = ["https://www.w3.org/ns/credentials/v2", Self.terms]
            var claims: JSONObject = ["id": members["credentialSubject"]?["id"] ?? .null]
            claims[name] = .string(text)
            claims["grades"] = ["@value": .string("0" + text), "type": .string(Self.schema + "integer")]
            members["credentialSubject"] = .object(claims)
        }
        let signed = try await LinkedDataProver().sign(
            members,
            suite: .eddsaRDFC2022,
            options: ProofScene.options(for: scene.issuer.publicKey),
            with: scene.issuer
        )
        let verification = try await verification(of: signed)
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
    }

    /// Signing refuses the forms that verifying refuses.
    @Test(arguments: forms)
    func signsNoOtherForm(form: OtherFormOfClaims) async throws {
        var claims = Self.claims
        claims["id"] = .string(try scene.holderDID.text)
        form.change(&claims)
        let members = try scene.members { members in
            members["@context"] = ["https://www.w3.org/ns/credentials/v2", Self.terms, ["details2": "@nest"]]
            members["credentialSubject"] = .object(claims)
        }
        let options = try ProofScene.options(for: scene.issuer.publicKey)
        for suite in [LinkedDataProofSuite.eddsaRDFC2022, .eddsaJCS2022] {
            let isSigned = suite == .eddsaJCS2022
            do throws(LinkedDataError) {
                _ = try await LinkedDataProver().sign(members, suite: suite, options: options, with: scene.issuer)
                #expect(isSigned)
            } catch {
                #expect(!isSigned && error.code == .claimMismatch, "\(error)")
            }
        }
    }

    /// Signing refuses nodes that verifying refuses, and takes an issuer that is described anywhere.
    @Test(
        arguments: [
            (["@included": [["id": "urn:b", "status": "open"]]], "@included", nil),
            (["knows": ["id": "urn:b", "status": "open"], "ex:refers": ["id": "urn:b"]], "@id", .sharedNodes),
            (["ex:refers": ["id": "did:example:issuer"]], nil, nil),
        ] as [(JSONObject, String?, W3CCredentialTolerance?)]
    )
    func signsNoNodeOfTwoPlaces(_ added: JSONObject, _ path: String?, _ tolerance: W3CCredentialTolerance?) async throws
    {
        let members = try scene.members { members in
            members["@context"] = ["https://www.w3.org/ns/credentials/v2", Self.terms]
            members["issuer"] = ["id": "did:example:issuer", "name": "Example"]
            members["credentialSubject"] = ["id": "did:example:subject", "status": "open"]
            for (name, value) in added { members[name] = value }
        }
        let options = try ProofScene.options(for: scene.issuer.publicKey)
        let sign = { (prover: LinkedDataProver) async throws(LinkedDataError) in
            _ = try await prover.sign(members, suite: .eddsaRDFC2022, options: options, with: scene.issuer)
        }
        guard let path else { return try await sign(LinkedDataProver()) }
        let error = await #expect(throws: LinkedDataError.self) { try await sign(LinkedDataProver()) }
        #expect(error?.code == .claimMismatch && error?.path == [path], "\(String(describing: error))")
        if let tolerance { return try await sign(LinkedDataProver(tolerances: [tolerance])) }
        let tolerant = LinkedDataProver(tolerances: [.otherForms, .sharedNodes])
        await #expect(throws: LinkedDataError.self) { try await sign(tolerant) }
    }

    @Test func signsOtherDocumentsInAnyForm() async throws {
        let document: JSONObject = [
            "@context": ["https://www.w3.org/ns/credentials/v2", Self.terms], "type": "VerifiablePresentation",
            "ex:status": ["@value": "open"], "limit": "5",
        ]
        _ = try await LinkedDataProver().sign(
            document,
            suite: .eddsaRDFC2022,
            options: ProofScene.options(for: scene.issuer.publicKey),
            with: scene.issuer
        )
    }

    @Test func namesTheToleranceAndThePlace() async throws {
        let changed = try await signed().changed { members in
            var claims = try #require(members["credentialSubject"]?.objectValue)
            claims.rename("status", Self.vocabulary + "status")
            members["credentialSubject"] = .object(claims)
        }
        let refusal = try await verification(of: changed).refusal
        #expect(refusal?.path == ["credentialSubject", Self.vocabulary + "status"])
        #expect(refusal?.message.contains("otherForms") == true)
    }

    /// Many names that the context lacks make no difference.
    @Test func findsAnotherFormBehindManyNames() async throws {
        let others = (0..<20).map { JSONValue.string("https://example.org/T\($0)") }
        let signed = try await signed(type: .array(others + ["Restricted"]))
        #expect(try await verification(of: signed).verified != nil)
        let changed = try signed.changed { members in
            var claims = try #require(members["credentialSubject"]?.objectValue)
            claims["type"] = .array(others + [.string(Self.vocabulary + "Restricted")])
            members["credentialSubject"] = .object(claims)
        }
        let refusal = try await verification(of: changed).refusal
        #expect(refusal?.reason == "claimMismatch")
        #expect(refusal?.message.contains("Restricted") == true)
    }

    /// A type that stands as a property of RDF's own counts for readers of the graph.
    @Test func findsTypesThatStandAsProperties() async throws {
        let members = try scene.members { $0["type"] = ["VerifiableCredential", "https://example.org/Restricted"] }
        let changed = try await scene.sign(members, scene.issuer).changed { members in
            members["type"] = ["VerifiableCredential"]
            members[Self.rdf + "type"] = ["id": "https://example.org/Restricted"]
        }
        #expect(try await verification(of: changed).refusal?.check == .claims)
        let credential = try #require(try await verification(of: changed, tolerating: [.otherForms]).verified)
        #expect(try credential.expandedTypes().contains("https://example.org/Restricted"))
    }

    /// The signature of a JCS suite covers the JSON, so that its form is the issuer's.
    @Test func takesAnyFormThatTheSignatureCovers() async throws {
        let members = try scene.members { members in
            members["credentialSubject"] = [
                "id": members["credentialSubject"]?["id"] ?? .null, "@nest": ["degree": "Master"],
            ]
        }
        let signed = try await ProofScene.signed(members, suite: .eddsaJCS2022, with: scene.issuer)
        let verification = try await verification(of: signed)
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        let graph = try await scene.sign(members, scene.issuer)
        #expect(try await self.verification(of: graph).refusal?.check == .claims)
    }

    /// The name inside a node counts, so that anyone could change the key.
    @Test func refusesAKeyThatNamesAnotherNode() async throws {
        let document: JSONValue = [
            "@context": ["people": ["@id": "urn:person", "@container": "@id"]], "@id": "urn:a",
            "people": ["urn:b": ["@id": "urn:c", "urn:p": 1]],
        ]
        #expect(throws: LinkedDataError.self) { try JSONLDProcessor().expand(document) }
        let error = #expect(throws: LinkedDataError.self) { try JSONLDProcessor().expand(document) }
        #expect(error?.code == .droppedTerm)
        #expect(error?.path == ["people"])
    }

    @Test func reportsIRIsAsNames() async throws {
        let members = try scene.members { members in
            members["@context"] = "https://www.w3.org/ns/credentials/v2"
            members["credentialSubject"] = [
                "id": members["credentialSubject"]?["id"] ?? .null, "https://example.org/degree": "Bachelor",
            ]
        }
        let verification = try await verification(of: scene.sign(members, scene.issuer))
        #expect(verification.deviations.map(\.tolerance) == ["ownContext"])
    }
}

/// A way to write claims down that leaves the graph as it is.
struct OtherFormOfClaims: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: @Sendable (inout JSONObject) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout JSONObject) -> Void) {
        testDescription = name
        self.change = change
    }
}

extension JSONObject {
    fileprivate mutating func rename(_ name: String, _ other: String) {
        self[other] = removeValue(forName: name)
    }

    fileprivate mutating func nest(_ name: String, below nest: String) {
        let value = removeValue(forName: name)
        self[nest] = .object(JSONObject([(name, value ?? .null)]))
    }
}
