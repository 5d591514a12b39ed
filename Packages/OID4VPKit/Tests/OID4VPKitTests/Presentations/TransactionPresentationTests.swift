import CBORKit
import CryptoCore
import JOSEKit
import JSONKit
import MdocKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit
import Testing

struct TransactionPresentationTests {
    private static let types: TransactionDataTypes = ["pay": ["amount"]]
    private static let element = DataElementReference("org.example.payment", "transactions")
    private static let options = PresentationOptions(transactionElements: ["pay": .digests(element)])

    private static func entry(_ queries: [String], amount: Int = 1) -> JSONValue {
        let members: JSONValue = [
            "type": "pay", "amount": .integer(amount), "credential_ids": .array(queries.map { .string($0) }),
        ]
        return .string(Base64URL.encode(members.encoded()))
    }

    private static func query(_ id: String, _ format: String) -> JSONValue {
        ["id": .string(id), "format": .string(format), "meta": [:]]
    }

    private func request(
        _ entries: [JSONValue],
        _ queries: JSONValue...
    ) async throws -> (AuthenticatedRequest, PresentationRequest) {
        try await PresentationScene.request(
            ["dcql_query": ["credentials": .array(queries)]],
            others: ["transaction_data": .array(entries)],
            types: Self.types
        )
    }

    private func mdoc(_ scene: PresentationScene, isAuthorized: Bool = true) async throws -> PresentableCredential {
        let authorizations = try KeyAuthorizations(dataElements: [Self.element])
        return try await scene.mdoc(authorizations: isAuthorized ? authorizations : nil)
    }

    private func hashes(_ presentation: JSONValue) throws -> [String]? {
        let sdJWT = try SDJWT(compact: try #require(presentation.stringValue))
        let payload = try JSONValue(parsing: try #require(sdJWT.keyBindingJWT?.unverifiedPayload))
        return payload["transaction_data_hashes"]?.arrayValue?.compactMap(\.stringValue)
    }

    private func digest(_ entry: JSONValue) -> [UInt8] {
        HashAlgorithm.sha256.digest(of: Array((entry.stringValue ?? "").utf8))
    }

    @Test func bindsEachTransactionInTheFirstPresentationThatItNames() async throws {
        let scene = try await PresentationScene.make()
        let entries = [Self.entry(["a"]), Self.entry(["b", "a"], amount: 2), Self.entry(["a"], amount: 3)]
        let request = try await request(entries, Self.query("a", "dc+sd-jwt"), Self.query("b", "dc+sd-jwt"))
        guard case .queries(let answers) = try await scene.answer([scene.sdJWT()], for: request) else {
            Issue.record("another form")
            return
        }
        #expect(try hashes(answers[0].presentations[0]) == [0, 2].map { Base64URL.encode(digest(entries[$0])) })
        #expect(try hashes(answers[1].presentations[0]) == [Base64URL.encode(digest(entries[1]))])
    }

    @Test func signsTransactionsWithTheDeviceKey() async throws {
        let scene = try await PresentationScene.make()
        let entries = [Self.entry(["a"]), Self.entry(["a"], amount: 2)]
        let request = try await request(entries, Self.query("a", "mso_mdoc"))
        let token = try await scene.answer([mdoc(scene)], for: request, options: Self.options)
        guard case .queries(let answers) = token else {
            Issue.record("another form")
            return
        }
        let handover = try #require(try PresentationBinding(request.0, request.1, mdocGeneratedNonce: "w").handover)
        let document = try await scene.documents(answers[0].presentations[0], handover)[0]
        let element = try #require(document[Self.element.nameSpace, Self.element.identifier])
        #expect(element.source == .device)
        #expect(element.value == .array(entries.map { .bytes(digest($0)) }))
    }

    @Test func refusesTransactionsThatNoPresentationCanAuthorize() async throws {
        let scene = try await PresentationScene.make()
        let request = try await request([Self.entry(["a"])], Self.query("a", "mso_mdoc"))
        // Neither without an element for the type, nor without the issuer's permission.
        await expect(.invalidTransactionData) { _ = try await scene.prepare([mdoc(scene)], for: request) }
        await expect(.invalidTransactionData) {
            _ = try await scene.prepare([mdoc(scene, isAuthorized: false)], for: request, options: Self.options)
        }
        let w3c = try await self.request([Self.entry(["a"])], Self.query("a", "ldp_vc"))
        await expect(.invalidTransactionData) { _ = try await scene.prepare([scene.linkedData()], for: w3c) }
    }

    @Test func passesOverPresentationsThatCannotAuthorize() async throws {
        let scene = try await PresentationScene.make()
        let entries = [Self.entry(["w", "s"])]
        let request = try await request(entries, Self.query("w", "ldp_vc"), Self.query("s", "dc+sd-jwt"))
        let token = try await scene.answer([scene.linkedData(), scene.sdJWT()], for: request)
        guard case .queries(let answers) = token else {
            Issue.record("another form")
            return
        }
        #expect(try hashes(answers[1].presentations[0]) == [Base64URL.encode(digest(entries[0]))])
    }

    /// The preferred plan answers the alternative that authorizes the transaction.
    @Test func prefersAlternativesThatAuthorizeTheTransaction() async throws {
        let scene = try await PresentationScene.make()
        func plan(_ entries: [JSONValue], sets: JSONValue) async throws -> [String] {
            let request = try await PresentationScene.request(
                [
                    "dcql_query": [
                        "credentials": .array(["pid", "card", "club"].map { Self.query($0, "dc+sd-jwt") }),
                        "credential_sets": sets,
                    ]
                ],
                others: ["transaction_data": entries.isEmpty ? .null : .array(entries)],
                types: Self.types
            )
            guard case .queries(let answers) = try await scene.answer([scene.sdJWT()], for: request) else { return [] }
            return answers.map(\.query.text)
        }
        let either: JSONValue = [["options": [["pid"], ["card"]]]]
        #expect(try await plan([], sets: either) == ["pid"])
        #expect(try await plan([Self.entry(["card"])], sets: either) == ["card"])
        // The verifier's order holds where it authorizes all of them.
        #expect(try await plan([Self.entry(["card", "pid"])], sets: either) == ["pid"])
        #expect(try await plan([Self.entry(["card", "pid"]), Self.entry(["card"])], sets: either) == ["card"])
        let optional: JSONValue = [["options": [["pid"]]], ["options": [["club"], ["card"]], "required": false]]
        #expect(try await plan([], sets: optional) == ["pid"])
        #expect(try await plan([Self.entry(["card"])], sets: optional) == ["pid", "card"])
        let nothing: JSONValue = [
            ["options": [["pid"]], "required": false], ["options": [["card"]], "required": false],
        ]
        #expect(try await plan([Self.entry(["card"])], sets: nothing) == ["card"])
    }

    @Test func refusesTransactionsForQueriesWithoutHolderBinding() async throws {
        var query = try #require(Self.query("a", "dc+sd-jwt").objectValue)
        query["require_cryptographic_holder_binding"] = false
        await expect(.invalidTransactionData) { _ = try await request([Self.entry(["a"])], .object(query)) }
    }

    @Test func refusesElementsThatCannotBeMade() async throws {
        let scene = try await PresentationScene.make()
        let request = try await request([Self.entry(["a"])], Self.query("a", "mso_mdoc"))
        let failing = MdocTransactionElements.Element(Self.element) { _ throws in
            throw OID4VPError(.invalidTransactionData, "the amount is too large")
        }
        await expect(.invalidTransactionData) {
            _ = try await scene.prepare(
                [mdoc(scene)],
                for: request,
                options: PresentationOptions(transactionElements: ["pay": failing])
            )
        }
    }
}
