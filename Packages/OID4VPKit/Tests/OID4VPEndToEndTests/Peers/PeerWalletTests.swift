import CredentialServing
import JSONKit
import OID4VPMessages
import OID4VPTesting
import OID4VPVerifier
import Testing

/// The peer's wallet answers our verifier.
@Suite(.serialized, .enabled(PythonPeer.absence) { await PythonPeer.isAvailable })
struct PeerWalletTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let client: Combination.Client
        let form: TransactionRequest.Form
        let method: RequestReference.Method
        let isEncrypted: Bool
        let format: CredentialFormat

        var testDescription: String {
            let delivery = form == .reference ? method.rawValue : form.rawValue
            return "\(client) \(delivery) \(format.text) \(isEncrypted ? "encrypted" : "in the clear")"
        }
    }

    private static let formats: [CredentialFormat] = [.sdJWT, .mdoc, .linkedData]

    static let rows: [Row] = {
        let ways: [(Combination.Client, TransactionRequest.Form, RequestReference.Method)] = [
            (.redirectURI, .value, .get), (.x509Hash, .value, .get), (.x509Hash, .reference, .get),
            (.x509Hash, .reference, .post), (.x509SANDNS, .reference, .get), (.did, .reference, .post),
        ]
        return ways.flatMap { client, form, method in
            formats.flatMap { format in
                [true, false].map {
                    Row(client: client, form: form, method: method, isEncrypted: $0, format: format)
                }
            }
        }
    }()

    private let world: PeerWalletWorld

    init() async throws {
        world = try await PeerWalletWorld.shared.value
    }

    private func start(_ row: Row, _ query: DCQLQuery? = nil) async throws -> StartedTransaction {
        var wish = TransactionRequest(
            of: row.client.rawValue,
            for: try query ?? PeerWalletWorld.query([row.format])
        )
        wish.form = row.form
        wish.requestMethod = row.method
        wish.isEncrypted = row.isEncrypted
        return try await world.server.start(wish)
    }

    private static func statuses(_ answers: [JSONValue]) -> [Int64?] {
        answers.map { try? $0["status"]?.numberValue?.integer(as: Int64.self) }
    }

    @Test(arguments: rows) func ourVerifierAcceptsThePeersWallet(row: Row) async throws {
        let transaction = try await start(row)
        let answers = try await world.answer(transaction)
        #expect(Self.statuses(answers) == [200])
        let result = try await world.server.result(of: transaction.id)
        #expect(result.status == .verified, "\(result.json)")
        let name = try #require(PeerWalletWorld.query([row.format]).json["credentials"]?[0]?["id"]?.stringValue)
        let claims = try #require(result.credentials?[name]?[0]?["claims"]?.objectValue)
        let combination = Combination(client: row.client, mode: .directPost, delivery: .post, format: row.format)
        #expect(combination.isDisclosed(in: claims))
    }

    /// Three credentials in one response, one of them of the second option of a set.
    @Test func answersCredentialSets() async throws {
        let three = try PeerWalletWorld.query(Self.formats).json
        var credentials = three["credentials"]?.arrayValue ?? []
        credentials.append(["id": "other", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:other"]]])
        let query = try DCQLQuery(
            json: [
                "credentials": .array(credentials),
                "credential_sets": [
                    ["options": [["other"], ["dcsd-jwt", "mso_mdoc"]]], ["options": [["ldp_vc"]], "required": false],
                ],
            ]
        )
        let transaction = try await start(Self.row(.mdoc), query)
        #expect(Self.statuses(try await world.answer(transaction)) == [200])
        let result = try await world.server.result(of: transaction.id)
        #expect(result.status == .verified, "\(result.json)")
        #expect(Set(result.credentials?.objectValue?.names ?? []) == ["dcsd-jwt", "mso_mdoc", "ldp_vc"])
    }

    /// Nested claims and elements of arrays, as sd-jwt discloses them.
    @Test func disclosesNestedClaims() async throws {
        let claims: JSONValue = [
            ["path": ["address", "locality"]], ["path": ["nationalities", nil], "values": ["DE"]],
        ]
        let query = try DCQLQuery(
            json: [
                "credentials": [
                    ["id": "pid", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:pid"]], "claims": claims]
                ]
            ]
        )
        let transaction = try await start(Self.row(.sdJWT), query)
        #expect(Self.statuses(try await world.answer(transaction)) == [200])
        let disclosed = try await world.server.result(of: transaction.id).credentials?["pid"]?[0]?["claims"]
        #expect(disclosed?["address"] == ["locality": "London"])
        #expect(disclosed?["nationalities"] == ["GB", "DE"])
        #expect(disclosed?["family_name"] == nil)
    }

    // MARK: Beyond the happy path

    private static func row(_ format: CredentialFormat, isEncrypted: Bool = true) -> Row {
        Row(client: .x509Hash, form: .reference, method: .post, isEncrypted: isEncrypted, format: format)
    }

    /// Each fetch brings another `wallet_nonce`, and gets it back; the answer is to the last one.
    @Test(arguments: formats) func theRequestIsFetchedAgain(format: CredentialFormat) async throws {
        let transaction = try await start(Self.row(format))
        #expect(Self.statuses(try await world.answer(transaction, ["fetches": 3])) == [200])
        #expect(try await world.server.status(of: transaction.id) == .verified)
        let fetches = try await world.server.events(of: transaction.id).count { $0.name == .requestFetched }
        #expect(fetches == 3)
    }

    @Test(arguments: formats, [true, false])
    func wrongNonce(format: CredentialFormat, isEncrypted: Bool) async throws {
        let transaction = try await start(Self.row(format, isEncrypted: isEncrypted))
        let answers = try await world.answer(transaction, ["nonce": "that-of-another-request"])
        #expect(Self.statuses(answers) == [400])
        let result = try await world.server.result(of: transaction.id)
        #expect(result.status == .failed)
        #expect(result.credentials == nil)
    }

    /// A wallet that sends the very same answer again is answered like the first time, and takes nothing from anybody.
    @Test(arguments: formats) func theSameAnswerIsTakenOnce(format: CredentialFormat) async throws {
        let transaction = try await start(Self.row(format))
        #expect(Self.statuses(try await world.answer(transaction, ["posts": 2])) == [200, 200])
        #expect(try await world.server.status(of: transaction.id) == .verified)
        // The request is not given out again.
        await #expect(throws: PythonPeer.Refusal.self) { try await world.answer(transaction) }
    }
}
