import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import OID4VPTesting
import OpenIDFederation
import TestSupport
import Testing
import VerificationCore

/// Trust marks that a verifier requires (OpenID Federation 1.0, section 7).
struct TrustMarkTests {
    private static let type = "https://marks.example/certified"
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let federation: TestFederation
    /// An issuer of marks below the anchor.
    private let issuer: TestFederation.Member
    /// The owner of the type of mark.
    private let owner: TestFederation.Member

    init() throws {
        federation = try TestFederation(at: now)
        issuer = try TestFederation.Member("https://issuer.example", keyID: "m1")
        owner = try TestFederation.Member("https://owner.example", keyID: "o1")
    }

    // MARK: Marks

    /// A mark or delegation.
    private func token(
        _ type: String = "trust-mark+jwt",
        by issuer: TestFederation.Member,
        about subject: TestFederation.Member,
        _ changes: JSONObject = [:],
        keyID: JSONValue? = nil,
        signer: TestFederation.Member? = nil
    ) async throws -> String {
        var claims: JSONObject = [
            "iss": .string(issuer.id.text.text), "sub": .string(subject.id.text.text), "iat": 1_799_999_000,
            "trust_mark_type": .string(Self.type),
        ]
        for (name, value) in changes { claims[name] = value.isNull ? .none : value }
        var header = JOSEHeader(type: type, keyID: issuer.keyID)
        if let keyID { header["kid"] = keyID.isNull ? .none : keyID }
        let signer = try SoftwareSigner((signer ?? issuer).key)
        return try await JWT.sign(JWTClaims(claims), header: header, with: signer).compactSerialization()
    }

    private static func marks(_ tokens: String...) -> JSONValue {
        .array(tokens.map { ["trust_mark_type": .string(type), "trust_mark": .string($0)] })
    }

    // MARK: Chains

    private func anchorConfiguration(_ claims: JSONObject) async throws -> EntityStatement {
        try await federation.statement(of: federation.anchor) { builder in
            builder.metadata = ["federation_entity": ["federation_fetch_endpoint": "https://anchor.example/fetch"]]
            builder.claims = claims
        }
    }

    /// The chain of the verifier with its marks, and the anchor's configuration with its rules; nil leaves that out.
    private func chain(_ marks: JSONValue?, _ rules: JSONObject?) async throws -> TrustChain {
        var statements = try await [
            federation.statement(of: federation.verifier) { builder in
                builder.authorityHints = [federation.anchor.id]
                if let marks { builder.claims["trust_marks"] = marks }
            },
            federation.statement(of: federation.anchor, about: federation.verifier),
        ]
        if let rules { statements.append(try await anchorConfiguration(rules)) }
        return try TrustChain(statements)
    }

    private func refusal(
        _ marks: JSONValue?,
        _ rules: JSONObject?,
        transport: (any HTTPTransport)? = nil,
        requires types: Set<ExactText> = [ExactText(type)]
    ) async throws -> Refusal? {
        var policy = try federation.policy
        policy.requiredTrustMarks = types
        let resolver = TrustChainResolver(policy: policy, transport: transport, clock: ManualClock())
        let verification = try await resolver.entity(
            federation.verifier.id,
            given: chain(marks, rules),
            at: now
        )
        if verification.refusal == nil, !types.isEmpty {
            #expect(verification.results(of: .trustMarks).map(\.outcome) == [.passed])
        }
        return verification.refusal
    }

    private func issuers(_ issuers: TestFederation.Member...) -> JSONObject {
        ["trust_mark_issuers": .object([Self.type: .array(issuers.map { .string($0.id.text.text) })])]
    }

    // MARK: Tests

    @Test func marksOfTheAnchor() async throws {
        let mark = try await token(by: federation.anchor, about: federation.verifier)
        #expect(try await refusal(Self.marks(mark), issuers(federation.anchor)) == nil)
        // With an empty list anyone may issue marks.
        #expect(try await refusal(Self.marks(mark), issuers()) == nil)
        let expiring = try await token(by: federation.anchor, about: federation.verifier, ["exp": 1_800_000_001])
        #expect(try await refusal(Self.marks(expiring), issuers(federation.anchor)) == nil)
        // One good mark among several is enough.
        let old = try await token(by: federation.anchor, about: federation.verifier, ["exp": 1_799_999_001])
        #expect(try await refusal(Self.marks(old, mark), issuers(federation.anchor)) == nil)
        let nameless = try await token(by: federation.anchor, about: federation.verifier, ["iss": nil])
        #expect(try await refusal(Self.marks(nameless, mark), issuers(federation.anchor)) == nil)
    }

    @Test func noneWithoutADemand() async throws {
        #expect(try await refusal(nil, nil, requires: []) == nil)
        #expect(try await refusal(nil, issuers(federation.anchor))?.reason == "missingTrustMark")
    }

    @Test func refusedMarks() async throws {
        let (anchor, verifier) = (federation.anchor, federation.verifier)
        let cases: [(String, Reason)] = try await [
            (token(by: anchor, about: federation.intermediate), .claimMismatch),
            (token(by: anchor, about: verifier, ["exp": 1_799_999_001]), .expired),
            (token(by: anchor, about: verifier, ["iat": nil]), .missingClaim),
            (token(by: anchor, about: verifier, ["iss": nil]), "invalidIdentifier"),
            (token(by: anchor, about: verifier, signer: verifier), .invalidSignature),
            (token(by: anchor, about: verifier, keyID: .null), .malformed),
            (token(by: anchor, about: verifier, keyID: ""), .malformed),
            (token(by: anchor, about: verifier, keyID: 5), .malformed),
            (token(by: anchor, about: verifier, keyID: "m1"), .issuerKeyNotFound),
            (token("JWT", by: anchor, about: verifier), .unexpectedType),
            (token(by: federation.intermediate, about: verifier), .issuerNotTrusted),
            (token(by: anchor, about: verifier, ["delegation": "a.b.c"]), "invalidTrustMark"),
        ]
        for (mark, reason) in cases {
            let refusal = try await refusal(Self.marks(mark), issuers(anchor))
            #expect(refusal?.check == .trustMarks)
            #expect(refusal?.reason == reason, "\(String(describing: refusal))")
            #expect(refusal?.path.first == Self.type)
        }
        let mark = try await token(by: anchor, about: verifier)
        #expect(try await refusal(Self.marks(mark), [:])?.reason == "invalidTrustMark")
        #expect(try await refusal(Self.marks(mark, mark, mark, mark), issuers(anchor)) == nil)
        let many = Self.marks(mark, mark, mark, mark, mark)
        #expect(try await refusal(many, issuers(anchor))?.reason == .limitExceeded)
    }

    @Test func delegations() async throws {
        let (anchor, verifier) = (federation.anchor, federation.verifier)
        var rules = issuers(anchor)
        rules["trust_mark_owners"] = .object([
            Self.type: [
                "sub": .string(owner.id.text.text),
                "jwks": ["keys": .array(try owner.keys.keys.map { .object($0.members) })],
            ]
        ])
        let delegationType = "trust-mark-delegation+jwt"
        let delegation = try await token(delegationType, by: owner, about: anchor)
        let mark = try await token(by: anchor, about: verifier, ["delegation": .string(delegation)])
        #expect(try await refusal(Self.marks(mark), rules) == nil)
        let undelegated = try await token(by: anchor, about: verifier)
        #expect(try await refusal(Self.marks(undelegated), rules)?.reason == "invalidTrustMark")
        let cases: [(String, Reason)] = try await [
            (token(delegationType, by: owner, about: verifier), .claimMismatch),
            (token(delegationType, by: owner, about: anchor, signer: anchor), .invalidSignature),
            (token(delegationType, by: owner, about: anchor, keyID: .null), .malformed),
            (token(delegationType, by: owner, about: anchor, keyID: ""), .malformed),
            (token(delegationType, by: owner, about: anchor, keyID: 5), .malformed),
            (token(delegationType, by: owner, about: anchor, keyID: "o2"), .issuerKeyNotFound),
            (token(delegationType, by: owner, about: anchor, ["trust_mark_type": "https://x.example"]), .claimMismatch),
            (token(delegationType, by: owner, about: anchor, ["exp": 1_799_999_001]), .expired),
            (token(by: owner, about: anchor), .unexpectedType),
        ]
        for (delegation, reason) in cases {
            let mark = try await token(by: anchor, about: verifier, ["delegation": .string(delegation)])
            let refusal = try await refusal(Self.marks(mark), rules)
            #expect(refusal?.reason == reason, "\(String(describing: refusal))")
            #expect(refusal?.path.prefix(2) == [Self.type, "delegation"])
        }
    }

    /// The issuer's own chain leads to the same anchor.
    @Test func marksOfAnIssuerInTheFederation() async throws {
        let rules = issuers(issuer)
        let mark = try await token(by: issuer, about: federation.verifier)
        func answer(_ statement: EntityStatement) throws -> InMemoryHTTPAnswer {
            let text = try statement.compactSerialization()
            return .ok(Array(text.utf8), type: try MediaType("application/entity-statement+jwt"))
        }
        let own = try await federation.statement(of: issuer) { $0.authorityHints = [federation.anchor.id] }
        let answers = try await [
            "https://issuer.example/.well-known/openid-federation": answer(own),
            "https://anchor.example/.well-known/openid-federation": answer(anchorConfiguration(rules)),
            "https://anchor.example/fetch?sub=https%3A%2F%2Fissuer.example": answer(
                federation.statement(of: federation.anchor, about: issuer)
            ),
        ]
        let transport = InMemoryHTTPTransport(answers)
        #expect(try await refusal(Self.marks(mark), rules, transport: transport) == nil)
        #expect(transport.requests.count == 3)
        // The anchor's rules are fetched where the chain lacks them.
        #expect(try await refusal(Self.marks(mark), nil, transport: InMemoryHTTPTransport(answers)) == nil)
        // Nothing is fetched for an issuer that the anchor does not name.
        let silent = InMemoryHTTPTransport(answers)
        let other = try await refusal(Self.marks(mark), issuers(federation.anchor), transport: silent)
        #expect(other?.reason == .issuerNotTrusted)
        #expect(silent.requests.isEmpty)
        // Without a network the issuer's keys are unknown.
        #expect(try await refusal(Self.marks(mark), rules)?.reason == "noTrustChain")
        let outage = InMemoryHTTPTransport { _ in InMemoryHTTPAnswer(status: 503) }
        #expect(try await refusal(Self.marks(mark), rules, transport: outage)?.isUnavailable == true)
    }
}
