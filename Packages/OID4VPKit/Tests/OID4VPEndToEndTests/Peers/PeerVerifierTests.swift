import Foundation
import JSONKit
import OID4VPKit
import OID4VPMessages
import OID4VPTesting
import Testing

/// Our wallet answers the peer's verifier.
@Suite(.serialized, .enabled(PythonPeer.absence) { await PythonPeer.isAvailable })
struct PeerVerifierTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let delivery: String
        let isEncrypted: Bool
        let format: CredentialFormat

        var testDescription: String { "\(delivery) \(format.text) \(isEncrypted ? "encrypted" : "in the clear")" }
    }

    private static let formats: [CredentialFormat] = [.sdJWT, .mdoc, .linkedData]

    static let rows = ["value", "get", "post"].flatMap { delivery in
        formats.flatMap { format in
            [true, false].map { Row(delivery: delivery, isEncrypted: $0, format: format) }
        }
    }

    private let world: PeerVerifierWorld

    init() async throws {
        world = try await PeerVerifierWorld.shared.value
    }

    @Test(arguments: rows) func thePeersVerifierAcceptsOurWallet(row: Row) async throws {
        let session = try await world.start([row.format], isEncrypted: row.isEncrypted, delivery: row.delivery)
        let answer = try await world.send(try await world.response(to: session))
        #expect(answer.redirectURI == "https://verifier.example/done")
        let result = try await world.result(of: session)
        let name = row.format.text.filter { $0 != "+" }
        let claims = try #require(result["claims"]?[name]?.objectValue, "\(result)")
        let combination = Combination(client: .did, mode: .directPost, delivery: .post, format: row.format)
        #expect(combination.isDisclosed(in: claims))
    }

    @Test func severalCredentials() async throws {
        let session = try await world.start(Self.formats, isEncrypted: true, delivery: "post")
        try await world.send(try await world.response(to: session))
        let names = try await world.result(of: session)["claims"]?.objectValue?.names ?? []
        #expect(Set(names) == ["dcsd-jwt", "mso_mdoc", "ldp_vc"])
    }

    // MARK: Beyond the happy path

    @Test func theRequestIsFetchedAgain() async throws {
        let session = try await world.start([.mdoc], isEncrypted: true, delivery: "post")
        _ = try await world.authenticate(session).get()
        try await world.send(try await world.response(to: session))
        let result = try await world.result(of: session)
        #expect(result["fetched"] == 2)
        #expect(result["claims"] != nil)
    }

    /// The request object repeats another `wallet_nonce` than the wallet sent.
    @Test func wrongWalletNonce() async throws {
        let session = try await world.start(
            [.sdJWT],
            isEncrypted: true,
            delivery: "post",
            ["wallet_nonce": "that-of-another-wallet"]
        )
        let verification = try await world.authenticate(session)
        #expect(verification.refusal?.check == .walletNonce)
    }

    /// The presentation is bound to the nonce of one request, and goes to another with that one's state.
    @Test(arguments: formats) func wrongNonce(format: CredentialFormat) async throws {
        let session = try await world.start([format], isEncrypted: false, delivery: "get")
        let other = try await world.start([format], isEncrypted: false, delivery: "get")
        let response = try await world.response(to: other)
        guard case .post(_, let form) = response.delivery, let token = form["vp_token"] else {
            Issue.record("the response is not posted")
            return
        }
        let status = try await world.post(token: token, to: session)
        #expect(status == 400)
        let refusal = try await world.result(of: session)["refusal"]?.stringValue
        let reasons: [CredentialFormat: String] = [
            .sdJWT: "SD-JWT: Invalid nonce in KB-JWT", .mdoc: "mdoc: the device signature",
            .linkedData: "ldp_vc: ['No applicable proof']",
        ]
        #expect(refusal == reasons[format])
    }

    @Test(arguments: formats) func theSecondAnswerIsRefused(format: CredentialFormat) async throws {
        let session = try await world.start([format], isEncrypted: true, delivery: "get")
        let response = try await world.response(to: session)
        try await world.send(response)
        let error = await #expect(throws: OID4VPError.self) { try await world.send(response) }
        #expect(error?.code == .responseRefused)
        #expect(error?.verifierAnswer?.status == 400)
        #expect(try await world.result(of: session)["claims"] != nil)
    }

    /// An error of the wallet ends the session, with status 200 (section 8.2).
    @Test(arguments: [true, false]) func walletError(isEncrypted: Bool) async throws {
        let session = try await world.start([.sdJWT], isEncrypted: isEncrypted, delivery: "post")
        let authenticated = try await world.authenticate(session).get()
        try await world.send(try await AuthorizationResponder(authenticated).errorResponse(.accessDenied, at: Date()))
        let result = try await world.result(of: session)
        #expect(result["error"] == "access_denied")
        #expect(result["claims"] == nil)
    }
}
