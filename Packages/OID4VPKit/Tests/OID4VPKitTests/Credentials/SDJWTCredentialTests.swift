import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import TestSupport
import Testing

struct SDJWTCredentialTests {
    private static let claims: JSONObject = [
        "iss": "https://issuer.example", "given_name": "Ada", "family_name": "Lovelace",
        "address": ["street": "1 Main", "country": "GB", "geo": ["lat": 1, "lon": 2]], "age": 36,
        "degrees": [["type": "a", "year": 1], ["type": "b", "year": 2]],
    ]
    /// The claims that the holder can withhold.
    private static let concealed: [ClaimPath] = [
        ["given_name"], ["family_name"], ["address"], ["address", "street"], ["address", "country"],
        ["address", "geo", "lat"], ["address", "geo", "lon"], ["age"], ["degrees", nil, "type"],
        ["degrees", nil, "year"],
    ]

    private let issuer: SoftwareSigner
    private let holder: SoftwareSigner

    init() throws {
        issuer = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
        holder = try SoftwareSigner(PrivateKey.generate(.p256), algorithm: .ecdsaSHA256)
    }

    private func credential() async throws -> SDJWTCredential {
        var builder = SDJWTBuilder(credentialType: "urn:pid", claims: Self.claims)
        for path in Self.concealed { try builder.conceal(path) }
        builder.holderKey = try JWK(holder.publicKey)
        return try SDJWTCredential(name: "pid", try await builder.sign(with: issuer))
    }

    @Test func saysWhatQueriesNeed() async throws {
        let credential = try await credential()
        #expect(credential.format == .sdJWT)
        #expect(credential.types == ["urn:pid"])
        #expect(credential.isHolderBound)
        #expect(credential.issuerAlgorithms == ["ES256"])
        #expect(credential.claims["given_name"] == "Ada")
    }

    @Test func isNotHolderBoundWithoutTheKey() async throws {
        let keyless = try SDJWTCredential(name: "lost", try await credential().sdJWT, hasHolderKey: false)
        let kept = try await credential()
        let bound = try DCQLQuery(credentials: [CredentialQuery(id: "q", format: .sdJWT)])
        #expect(bound.evaluate(over: [keyless, kept])["q"]?.matches.map(\.credential) == ["pid"])
        #expect(!bound.evaluate(over: [keyless]).isSatisfied)
        let free = try DCQLQuery(credentials: [
            CredentialQuery(id: "q", format: .sdJWT, requiresHolderBinding: false)
        ])
        #expect(free.evaluate(over: [keyless]).isSatisfied)
    }

    @Test func refusesTheMatchOfAnotherCredential() async throws {
        let credential = try await credential()
        let other = try SDJWTCredential(name: "other", credential.sdJWT)
        let query = try DCQLQuery(credentials: [CredentialQuery(id: "q", format: .sdJWT)])
        let match = try #require(query.evaluate(over: [other])["q"]?.matches.first)
        #expect(throws: SDJWTError.self) { try credential.presentation(of: match) }
    }

    /// The paths of everything in a credential, so that random queries ask for anything.
    private static let paths: [ClaimPath] = [
        ["given_name"], ["family_name"], ["address"], ["address", "street"], ["address", "country"],
        ["address", "geo"],
        ["address", "geo", "lat"], ["address", "geo", "lon"], ["age"], ["degrees"], ["degrees", nil], ["degrees", 0],
        ["degrees", nil, "type"], ["degrees", 1, "year"], ["vct"], ["iss"],
    ]

    /// A disclosed claim is one that was asked for, one around it, or one inside it.
    private func isNeeded(_ claim: ClaimPath, _ asked: [ClaimPath]) -> Bool {
        asked.contains { path in
            zip(claim.components, path.components).allSatisfy { found, wanted in
                if case .all = wanted { true } else { found == wanted }
            }
        }
    }

    @Test(arguments: 0..<100)
    func disclosesOnlyWhatWasAskedFor(_ seed: Int) async throws {
        var generator = RepeatableRandomNumberGenerator(seed: UInt64(seed))
        let credential = try await credential()
        let asked = Self.paths.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator))
        let query = try DCQLQuery(credentials: [
            CredentialQuery(
                id: "q",
                format: .sdJWT,
                type: .vct(["urn:pid"]),
                claims: asked.map { ClaimQuery(path: $0) }
            )
        ])
        let plan = try query.evaluate(over: [credential]).preferredPlan()
        let presentation = try credential.presentation(of: plan.entries[0].match)
        let payload = try presentation.unverifiedPayload()
        for claim in payload.disclosedClaims { #expect(isNeeded(claim, Array(asked)), "\(claim) for \(asked)") }
        for path in asked {
            #expect(try payload.values(at: path) == path.values(in: .object(credential.claims)), "\(path)")
        }
    }

    @Test func disclosesElementsWithTheRequestedValuesAlone() async throws {
        var builder = SDJWTBuilder(
            credentialType: "urn:pid",
            claims: ["nationalities": ["FR", "DE", "US"], "degrees": [["type": "a"], ["type": "b", "year": 2]]]
        )
        for path in [["nationalities", nil], ["degrees", nil], ["degrees", nil, "type"]] as [ClaimPath] {
            try builder.conceal(path)
        }
        let credential = try SDJWTCredential(name: "pid", try await builder.sign(with: issuer))
        let query = try DCQLQuery(credentials: [
            CredentialQuery(
                id: "q",
                format: .sdJWT,
                requiresHolderBinding: false,
                claims: [
                    ClaimQuery(path: ["nationalities", nil], values: ["DE", "IT"]),
                    ClaimQuery(path: ["degrees", nil, "type"], values: ["b"]),
                ]
            )
        ])
        let plan = try query.evaluate(over: [credential]).preferredPlan()
        #expect(plan.entries[0].match.claims == [["nationalities", nil], ["degrees", nil, "type"]])
        #expect(plan.entries[0].match.disclosedPaths == [["nationalities", 1], ["degrees", 1, "type"]])
        let presentation = try credential.presentation(of: plan.entries[0].match)
        let received = try SDJWTCredential(name: "pid", presentation)
        #expect(received.claims["nationalities"] == ["DE"])
        #expect(received.claims["degrees"] == [["type": "b", "year": 2]])
        // The verifier asks what it receives the same.
        #expect(query.evaluate(over: [received]).isSatisfied)
    }

    @Test func bindsTransactionsOfTheQueryAlone() async throws {
        func entry(_ query: String) -> JSONValue {
            let members: JSONValue = ["type": "pay", "credential_ids": [.string(query)]]
            return .string(Base64URL.encode(members.encoded()))
        }
        func query(_ id: String) -> JSONValue { ["id": .string(id), "format": "dc+sd-jwt", "meta": [:]] }
        let parameters = AuthorizationParameters([
            "response_type": "vp_token", "response_mode": "direct_post", "response_uri": "https://v.example/",
            "nonce": "n1", "dcql_query": ["credentials": [query("a"), query("b")]],
            "transaction_data": [entry("a"), entry("b")],
        ])
        let request = try PresentationRequest(
            parameters,
            version: .v1,
            target: try ResponseTarget(parameters, version: .v1, client: nil),
            support: PresentationRequest.Support(transactionData: ["pay": []])
        )
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let binding = try request.keyBinding(for: "b", audience: "x509_san_dns:v.example", at: now)
        #expect(binding.transactionData?.entries == [try #require(entry("b").stringValue)])
        #expect(try request.keyBinding(for: "c", audience: "", at: now).transactionData == nil)
        let presentation = try await credential().sdJWT.presentation(disclosing: []).bound(by: holder, binding)
        let jwt = try #require(presentation.keyBindingJWT?.unverifiedPayload)
        let claims = try JSONValue(parsing: jwt)
        #expect(claims["aud"] == "x509_san_dns:v.example" && claims["nonce"] == "n1")
        #expect(claims["transaction_data_hashes"]?.arrayValue?.count == 1)
    }

    /// The content of a key binding for transactions with these lists of hash functions.
    private func binding(_ lists: [JSONValue?]) throws -> KeyBinding {
        let entries = lists.map { list -> JSONValue in
            var members: JSONObject = ["type": "pay", "credential_ids": ["a"]]
            members["transaction_data_hashes_alg"] = list
            return .string(Base64URL.encode(JSONValue.object(members).encoded()))
        }
        let parameters = AuthorizationParameters([
            "response_type": "vp_token", "response_mode": "direct_post", "response_uri": "https://v.example/",
            "nonce": "n1", "dcql_query": ["credentials": [["id": "a", "format": "dc+sd-jwt", "meta": [:]]]],
            "transaction_data": .array(entries),
        ])
        let request = try PresentationRequest(
            parameters,
            version: .v1,
            target: try ResponseTarget(parameters, version: .v1, client: nil),
            support: PresentationRequest.Support(transactionData: ["pay": []])
        )
        return try request.keyBinding(for: "a", audience: "x", at: Date(timeIntervalSince1970: 0))
    }

    @Test func takesTheFirstHashThatEveryTransactionPermits() throws {
        #expect(
            try binding([["sha-512", "sha-384"], ["sha-256", "sha-384"]]).transactionData?.hashAlgorithm == .sha384
        )
        #expect(try binding([["sha-512", "sha-256"], nil]).transactionData?.hashAlgorithm == .sha256)
        #expect(try binding([nil, ["sha-512", "sha-256"]]).transactionData?.hashAlgorithm == .sha256)
        #expect(try binding([nil, nil]).transactionData?.hashAlgorithm == nil)
    }

    @Test(arguments: [[["sha-256"], ["sha-384"]], [["sha-512"], nil]] as [[JSONValue?]])
    func refusesTransactionsWithoutACommonHash(lists: [JSONValue?]) {
        #expect {
            try binding(lists)
        } throws: {
            ($0 as? OID4VPError)?.code == .invalidTransactionData
        }
    }
}
