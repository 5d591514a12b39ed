import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Testing

/// The summary shown to a holder, compared with what then leaves.
struct PresentationSummaryTests {
    private static let claims: JSONValue = [["path": ["given_name"]], ["path": ["address", "country"]]]

    private static func query(
        _ id: String = "a",
        _ format: String = "dc+sd-jwt",
        claims: JSONValue? = nil
    ) -> JSONValue {
        var members: JSONObject = ["id": .string(id), "format": .string(format), "meta": [:]]
        members["claims"] = claims
        return .object(members)
    }

    /// The summary of the preferred answer.
    private func summary(
        _ request: (AuthenticatedRequest, PresentationRequest),
        _ credentials: [PresentableCredential],
        registrations: [VerifierInfoFinding] = []
    ) throws -> PresentationSummary {
        let plan = try request.1.evaluate(over: credentials.queryable, at: PresentationScene.now).preferredPlan()
        return try request.0.summary(of: plan, for: request.1, from: credentials, registrations: registrations)
    }

    private func paths(
        _ summary: PresentationSummary,
        _ isIncluded: (PresentationSummary.Element) -> Bool
    ) -> [ClaimPath] {
        summary.credentials.flatMap(\.elements).filter(isIncluded).map(\.path)
    }

    // MARK: What leaves

    @Test func namesTheClaimsThatLeaveWithTheirValues() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.dcql(Self.query(claims: Self.claims))
        )
        let summary = try await summary(request, [scene.sdJWT(claims: ["exp": 1_900_000_000, "sub": "u1"])])
        let credential = try #require(summary.credentials.first)
        #expect(summary.credentials.count == 1 && credential.query == "a" && credential.credential == "pid")
        #expect(credential.format == .sdJWT && credential.types == ["urn:pid"])
        #expect(Set(paths(summary) { $0.isRequested }) == [["given_name"], ["address", "country"]])
        // The issuer has not made them selectively disclosable.
        #expect(Set(paths(summary) { !$0.isRequested }) == [["sub"], ["degrees", 0], ["degrees", 1]])
        #expect(credential.elements.first { $0.path == ["given_name"] }?.value == "Ada")
        #expect(Set(credential.technical.names) == ["iss", "vct", "cnf", "exp"])
        let expected: Set = [
            #"  "given_name": "Ada""#, #"  "address"/"country": "GB""#, #"  "sub": "u1", which cannot be withheld"#,
            #"  "degrees"/0: "{}", which cannot be withheld"#, #"  "degrees"/1: "{}", which cannot be withheld"#,
        ]
        #expect(expected.isSubset(of: summary.lines), "\(summary.lines)")
        #expect(summary.lines.first?.hasSuffix(#" gets of "urn:pid":"#) == true)
        #expect(summary.lines.contains { $0.hasPrefix("  and of the credential itself: \"") })
    }

    @Test(arguments: ["mso_mdoc", "dc+sd-jwt", "ldp_vc", "jwt_vc_json"])
    func namesWhatThePresentationHas(_ format: String) async throws {
        let scene = try await PresentationScene.make()
        let credential =
            switch format {
            case "mso_mdoc": try await scene.mdoc()
            case "ldp_vc": try await scene.linkedData()
            case "jwt_vc_json": try await scene.token()
            default: try await scene.sdJWT()
            }
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query("a", format)))
        let result = try request.1.evaluate(over: [credential.queryable], at: PresentationScene.now)
        let plan = try result.preferredPlan()
        let summary = try request.0.summary(of: plan, for: request.1, from: [credential])
        let shown = try #require(summary.credentials.first)
        let disclosed = try credential.disclosedClaims(of: plan.entries[0].match)
        for element in shown.elements {
            #expect(try element.path.values(in: .object(disclosed)) == [element.value], "\(element)")
        }
        let names = Set(shown.elements.map { $0.path.components[0] })
        let all = Set(disclosed.names.map { ClaimPath.Component.name($0) })
        #expect(names.union(shown.technical.names.map { .name($0) }) == all)
        #expect(names.isDisjoint(with: shown.technical.names.map { .name($0) }))
    }

    @Test func aCredentialWithoutClaimsHasALine() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.dcql(
                Self.query(
                    "a",
                    "mso_mdoc",
                    claims: [
                        ["path": ["org.iso.18013.5.1", "age_over_18"], "intent_to_retain": true],
                        ["path": ["org.iso.18013.5.1", "family_name"], "intent_to_retain": false],
                    ]
                )
            )
        )
        let summary = try await summary(request, [scene.mdoc()])
        #expect(paths(summary) { $0.isRetained } == [["org.iso.18013.5.1", "age_over_18"]])
        #expect(summary.lines.contains(#"  "org.iso.18013.5.1"/"age_over_18": true, to be kept"#))
        #expect(summary.lines.contains(#"  "org.iso.18013.5.1"/"family_name": "Doe""#))
        let none = try await PresentationScene.request(PresentationScene.dcql(Self.query("a", "mso_mdoc")))
        #expect(try await self.summary(none, [scene.mdoc()]).lines[1] == "  no claim")
    }

    @Test func aDefinitionStatesPurposesAndWhatIsRetained() async throws {
        let scene = try await PresentationScene.make()
        var definition = try #require(
            PresentationScene.definition([
                "id": "d", "purpose": "To open the door", "format": ["vc+sd-jwt": ["sd-jwt_alg_values": ["EdDSA"]]],
                "constraints": [
                    "limit_disclosure": "required",
                    "fields": [
                        ["path": ["$.family_name"], "purpose": "The list of members", "intent_to_retain": true]
                    ],
                ],
            ])["presentation_definition"]?.objectValue
        )
        definition["purpose"] = "Membership"
        let request = try await PresentationScene.request(["presentation_definition": .object(definition)])
        let summary = try await summary(request, [scene.sdJWT()])
        #expect(summary.credentials[0].purposes == ["Membership", "To open the door", "The list of members"])
        #expect(paths(summary) { $0.isRetained } == [["family_name"]])
        #expect(summary.lines.contains(#"  for this purpose, as the verifier says: "To open the door""#))
    }

    /// A credential that answers several descriptors is presented once.
    @Test func aSharedW3CCredentialIsShownWithAllOfItsClaims() async throws {
        let scene = try await PresentationScene.make()
        func descriptor(_ id: String) -> JSONValue {
            [
                "id": .string(id), "format": ["ldp_vc": ["proof_type": ["Ed25519Signature2020"]]],
                "constraints": ["fields": [["path": ["$.credentialSubject.level"]]]],
            ]
        }
        let request = try await PresentationScene.request(
            PresentationScene.definition(descriptor("d1"), descriptor("d2"))
        )
        let summary = try await summary(request, [scene.linkedData()])
        #expect(summary.credentials.map(\.query) == ["d1", "d2"])
        #expect(summary.credentials[0].elements == summary.credentials[1].elements)
        #expect(summary.credentials[0].elements.contains { $0.path.components.last == "level" && $0.isRequested })
    }

    @Test func namesUnansweredQueries() async throws {
        let scene = try await PresentationScene.make()
        let queries = (0..<20).map { Self.query("m\($0)", "mso_mdoc") }
        let sets: JSONValue = [
            ["options": [["a"]]], ["options": .array((0..<20).map { [.string("m\($0)")] }), "required": false],
        ]
        let request = try await PresentationScene.request([
            "dcql_query": ["credentials": .array([Self.query()] + queries), "credential_sets": sets]
        ])
        let summary = try await summary(request, [scene.sdJWT()])
        #expect(summary.unanswered == (0..<20).map { QueryID("m\($0)") })
        let lines = summary.lines.filter { $0.hasSuffix(": nothing is sent") }
        #expect(lines.count == 8 && summary.lines.contains("  12 more queries to which nothing is sent"))
        #expect(lines.first?.contains(#" asks for "m0": nothing"#) == true)
    }

    @Test func anUnknownCredentialHasNoSummary() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query()))
        let credential = try await scene.sdJWT()
        let plan = try request.1.evaluate(over: [credential.queryable], at: PresentationScene.now).preferredPlan()
        let error = #expect(throws: OID4VPError.self) { try request.0.summary(of: plan, for: request.1, from: []) }
        #expect(error?.code == .invalidSelection)
    }

    @Test func aTransactionIsShownWhole() async throws {
        let scene = try await PresentationScene.make()
        let payee = String(repeating: "p", count: 500)
        let members: JSONValue = [
            "type": "pay", "amount": 10, "payee": .string(payee), "credential_ids": ["a"],
            "transaction_data_hashes_alg": ["sha-256"],
        ]
        let request = try await PresentationScene.request(
            PresentationScene.dcql(Self.query()),
            others: ["transaction_data": [.string(Base64URL.encode(members.encoded()))]],
            types: ["pay": ["amount", "payee"]]
        )
        let summary = try await summary(request, [scene.sdJWT()])
        let transaction = try #require(summary.transactions.first)
        #expect(summary.transactions.count == 1 && transaction.type == "pay" && transaction.queries == ["a"])
        #expect(transaction.members == ["amount": 10, "payee": .string(payee)])
        let place = try #require(summary.lines.firstIndex(of: #"The answer authorizes "pay":"#))
        #expect(summary.lines[place + 1] == #"  "amount": 10"#)
        #expect(summary.lines[place + 2] == "  \"payee\": \"\(payee)\"")
    }

    @Test func aRequestBeyondARegistrationIsShown() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(
            PresentationScene.dcql(Self.query(claims: Self.claims)),
            others: ["verifier_info": [["format": "registration_cert", "data": "x"]]]
        )
        struct Registrar: VerifierInfoVerifier {
            func verify(
                _ info: VerifierInfo,
                of request: AuthenticatedRequest,
                asking query: PresentationRequest.Query,
                at time: Date
            ) async -> Verification<VerifierRegistration>? {
                var checklist = Checklist([.structure], at: time)
                checklist.record(.structure, .passed)
                return checklist.verification(
                    of: VerifierRegistration(claims: [:], excess: ["a": [["given_name"], ["address", nil]]])
                )
            }
        }
        let findings = await request.0.verifierInfo(of: request.1, verifiedBy: Registrar(), at: PresentationScene.now)
        let summary = try await summary(request, [scene.sdJWT()], registrations: findings)
        #expect(summary.excess == ["a": [["given_name"], ["address", nil]]])
        #expect(summary.lines.contains(#"The verifier is not registered for "given_name" of "a""#))
        #expect(summary.lines.contains(#"The verifier is not registered for "address"/* of "a""#))
        #expect(try await self.summary(request, [scene.sdJWT()]).excess.isEmpty)
    }

    // MARK: Texts of others

    private static let tricks = [
        "x\n\u{1b}[2JThe verifier \"Bank\" gets nothing", "\u{202e}adA", "a\u{2028}b", "\u{85}", "\u{7f}\u{0}",
        "\", to be kept by \"Bank", "\u{200b}\u{2066}\u{feff}", "\\u{41}",
    ]

    @Test(arguments: tricks) func textsOfOthersAreEscaped(_ trick: String) async throws {
        let scene = try await PresentationScene.make()
        let sets: JSONValue = [
            ["options": [["a"]], "purpose": .string(trick)], ["options": [["b"]], "required": false],
        ]
        let members: JSONValue = ["type": "pay", "amount": .string(trick), "credential_ids": ["a"]]
        let request = try await PresentationScene.request(
            ["dcql_query": ["credentials": [Self.query(), Self.query("b", "mso_mdoc")], "credential_sets": sets]],
            others: ["transaction_data": [.string(Base64URL.encode(members.encoded()))]],
            types: ["pay": ["amount"]],
            options: RequestReadingOptions(tolerances: .deployed)
        )
        let summary = try await summary(
            request,
            [scene.sdJWT(claims: [trick: .string(trick), "o": .object([trick: [:]])])]
        )
        #expect(summary.lines.count == 11, "\(summary.lines)")
        for line in summary.lines {
            for scalar in line.unicodeScalars {
                let category = scalar.properties.generalCategory
                let isShown = ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
                #expect(isShown, "U+\(String(scalar.value, radix: 16)) in \(line.debugDescription)")
            }
            // Every quotation mark is the summary's own, or escaped.
            let marks = line.replacing(#"\\"#, with: "").replacing(#"\""#, with: "").count { $0 == "\"" }
            #expect(marks % 2 == 0, "\(line)")
            #expect(!line.replacing(#"\""#, with: "").contains(#"", to be kept by "Bank"#), "\(line)")
        }
    }

    @Test func longValuesAreCutShort() async throws {
        let scene = try await PresentationScene.make()
        let long = String(repeating: "x", count: 9999)
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query()))
        let summary = try await summary(request, [scene.sdJWT(claims: ["portrait": .string(long)])])
        #expect(summary.credentials[0].elements.contains { $0.value == .string(long) })
        let shown = "  \"portrait\": \"" + String(repeating: "x", count: 64) + "\"…, which cannot be withheld"
        #expect(summary.lines.contains(shown))
    }

    @Test func neitherDescriptionNorDumpShowsAClaim() async throws {
        let scene = try await PresentationScene.make()
        let request = try await PresentationScene.request(PresentationScene.dcql(Self.query(claims: Self.claims)))
        let summary = try await summary(request, [scene.sdJWT()])
        var dumped = ""
        dump(summary, to: &dumped)
        dump(summary.credentials, to: &dumped)
        dump(summary.credentials[0].elements, to: &dumped)
        #expect(!"\(summary) \(String(reflecting: summary)) \(dumped)".contains("Ada"))
    }
}
