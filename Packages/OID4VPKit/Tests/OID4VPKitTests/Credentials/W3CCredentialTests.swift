import CryptoCore
import JOSEKit
import JSONKit
import LinkedDataKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Testing

struct W3CCredentialTests {
    private static let members: JSONObject = [
        "@context": [
            "https://www.w3.org/2018/credentials/v1",
            ["Member": "https://club.example/Member", "level": "https://club.example/level"],
        ],
        "type": ["VerifiableCredential", "Member"], "issuer": "did:example:1", "issuanceDate": "2026-01-01T00:00:00Z",
        "credentialSubject": ["id": "did:example:2", "level": "gold"],
    ]

    private var document: JSONObject {
        var document = Self.members
        document["proof"] = [
            "type": "Ed25519Signature2020", "created": "2026-01-01T00:00:00Z", "proofPurpose": "assertionMethod",
            "verificationMethod": "did:example:1#1", "proofValue": "z1",
        ]
        return document
    }

    private func token(_ members: JSONObject = Self.members) async throws -> VerifiableCredential {
        try await token(claims: ["iss": "did:example:1", "vc": .object(members)])
    }

    private func token(claims: JWTClaims) async throws -> VerifiableCredential {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        return VerifiableCredential(.token(try await JWT.sign(claims, with: signer)))
    }

    private func query(_ format: CredentialFormat, _ types: [ExactText]) throws -> DCQLQuery {
        try DCQLQuery(credentials: [
            CredentialQuery(
                id: "q",
                format: format,
                type: .expandedTypes([types]),
                claims: [ClaimQuery(path: ["credentialSubject", "level"], values: ["gold"])]
            )
        ])
    }

    @Test func answersByExpandedTypes() async throws {
        let linked = try W3CCredential(name: "a", VerifiableCredential(json: document))
        let token = try W3CCredential(name: "b", await token())
        for (credential, format) in [(linked, CredentialFormat.linkedData), (token, .jwt)] {
            #expect(credential.format == format)
            #expect(credential.isHolderBound)
            let expanded = try query(format, ["https://club.example/Member"]).evaluate(over: [linked, token])
            #expect(expanded["q"]?.matches.map(\.credential) == [credential.credentialName])
            #expect(try !query(format, ["Member"]).evaluate(over: [credential]).isSatisfied)
        }
        #expect(linked.issuerAlgorithms == ["Ed25519Signature2020"])
        #expect(token.issuerAlgorithms == ["ES256"])
    }

    /// Proofs of JCS suites cover the JSON itself, so that its contexts need not be known.
    @Test func takesAnUnknownContextUnderProofsOfTheJSON() throws {
        var members = Self.members
        members["@context"] = ["https://www.w3.org/2018/credentials/v1", "https://club.example/unknown"]
        members["type"] = ["VerifiableCredential", "https://club.example/Member"]
        func credential(_ cryptosuite: JSONValue) throws -> W3CCredential {
            members["proof"] = [
                "type": "DataIntegrityProof", "cryptosuite": cryptosuite, "created": "2026-01-01T00:00:00Z",
                "verificationMethod": "did:example:1#key", "proofPurpose": "assertionMethod", "proofValue": "z1",
            ]
            return try W3CCredential(name: "a", VerifiableCredential(json: members))
        }
        #expect(try credential("eddsa-jcs-2022").types.contains("https://club.example/Member"))
        #expect {
            try credential("eddsa-rdfc-2022")
        } throws: {
            ($0 as? LinkedDataError)?.code == .loadingRemoteContextFailed
        }
    }

    /// The members that a token of the data model 1.1 may leave to its claims (section 6.3.1).
    @Test func readsMembersFromTheClaimsOfTokens() async throws {
        var members = Self.members
        for name in ["issuer", "issuanceDate"] { members[name] = nil }
        members["credentialSubject"] = ["level": "gold"]
        let claims: JWTClaims = [
            "iss": "did:example:1", "sub": "did:example:2", "jti": "urn:uuid:1", "nbf": 1_767_225_600,
            "vc": .object(members),
        ]
        let credential = try W3CCredential(name: "a", await token(claims: claims))
        #expect(credential.isHolderBound)
        let paths: [ClaimPath] = [["issuer"], ["id"], ["issuanceDate"], ["credentialSubject", "id"]]
        let query = try DCQLQuery(credentials: [
            CredentialQuery(id: "q", format: .jwt, claims: paths.map { ClaimQuery(path: $0) })
        ])
        #expect(query.evaluate(over: [credential]).isSatisfied)
        #expect(credential.claims["issuanceDate"] == "2026-01-01T00:00:00Z")
        var other = claims
        other["sub"] = "did:example:3"
        members["credentialSubject"] = ["id": "did:example:2"]
        other["vc"] = .object(members)
        let mismatched = try await token(claims: other)
        #expect { try W3CCredential(name: "b", mismatched) } throws: {
            ($0 as? LinkedDataError)?.code == .claimMismatch
        }
    }

    @Test func answersPresentationExchangeInTheTokenAndInTheCredential() async throws {
        let token = try W3CCredential(name: "b", await token())
        let definition = try PresentationDefinition(json: [
            "id": "p",
            "input_descriptors": [
                [
                    "id": "d", "format": ["jwt_vc_json": ["alg": ["ES256"]]],
                    "constraints": [
                        "fields": [["path": ["$.vc.credentialSubject.level"]], ["path": ["$.credentialSubject.level"]]]
                    ],
                ]
            ],
        ])
        let match = try #require(definition.evaluate(over: [token]).queries[0].matches.first)
        #expect(match.claims == [["credentialSubject", "level"]])
    }

    /// A token need not be JSON-LD: types that no context defines stay as they are (OpenID4VP 1.0, appendix B.1).
    @Test func takesTokensWhoseTermsNoContextDefines() async throws {
        var members = Self.members
        members["@context"] = ["https://www.w3.org/2018/credentials/v1"]
        let credential = try W3CCredential(name: "a", await token(members))
        #expect(credential.types == ["https://www.w3.org/2018/credentials#VerifiableCredential", "Member"])
        #expect(try query(.jwt, ["Member"]).evaluate(over: [credential]).isSatisfied)
        members["@context"] = ["https://www.w3.org/2018/credentials/v1", "https://unknown.example/context"]
        members["type"] = ["VerifiableCredential", "https://club.example/Member"]
        let other = try W3CCredential(name: "b", await token(members))
        #expect(other.types == ["https://club.example/Member"])
        #expect(other.claims["credentialSubject"]?["level"] == "gold")
    }

    @Test(arguments: [("jwt_vc", "b"), ("jwt_vp", "b"), ("jwt_vp_json", "b"), ("ldp_vp", "a")])
    func answersDefinitionsThatNameTheEnvelope(format: String, name: CredentialName) async throws {
        let store = [
            try W3CCredential(name: "a", VerifiableCredential(json: document)),
            try W3CCredential(name: "b", await token()),
        ]
        let fields: JSONValue = [["path": ["$.credentialSubject.level"]]]
        let definition = try PresentationDefinition(json: [
            "id": "p", "format": .object([format: [:]]),
            "input_descriptors": [["id": "d", "constraints": ["fields": fields]]],
        ])
        #expect(definition.evaluate(over: store).queries[0].matches.map(\.credential) == [name])
    }

    @Test func takesTheWalletsWordForTheKeyOfTheSubject() throws {
        let credential = try VerifiableCredential(json: document)
        #expect(try !W3CCredential(name: "a", credential, isHolderBound: false).isHolderBound)
        var unnamed = document
        unnamed["credentialSubject"] = ["level": "gold"]
        #expect(try !W3CCredential(name: "a", VerifiableCredential(json: unnamed)).isHolderBound)
    }

    /// The vocabulary of a context gives meaning to its terms only where the credential was verified with it.
    @Test func readsWithTheOptionsOfItsVerification() throws {
        let vocabulary = "https://vocabulary.example/"
        var loose = document
        loose["@context"] = ["https://www.w3.org/2018/credentials/v1", ["@vocab": .string(vocabulary)]]
        let credential = try VerifiableCredential(json: loose)
        #expect { try W3CCredential(name: "a", credential) } throws: {
            ($0 as? LinkedDataError)?.code == .undefinedTerm
        }
        var options = JSONLDOptions.proofs
        options.safeMode = SafeMode(acceptedVocabularies: [ExactText(vocabulary)])
        let read = try W3CCredential(name: "a", credential, options: options)
        #expect(read.types.contains(ExactText(vocabulary + "Member")))
    }

    /// As verifiers of proofs do by default.
    @Test func readsBaseDirections() throws {
        var directed = document
        directed["@context"] = [
            "https://www.w3.org/2018/credentials/v1",
            [
                "Member": "https://club.example/Member",
                "level": ["@id": "https://club.example/level", "@language": "ar", "@direction": "rtl"],
            ],
        ]
        let read = try W3CCredential(name: "a", VerifiableCredential(json: directed))
        #expect(read.types.contains("https://club.example/Member"))
    }

    @Test func refusesUnknownContexts() throws {
        var unknown = document
        unknown["@context"] = ["https://www.w3.org/2018/credentials/v1", "https://unknown.example/context"]
        let credential = try VerifiableCredential(json: unknown)
        #expect(throws: LinkedDataError.self) { try W3CCredential(name: "a", credential) }
    }
}
