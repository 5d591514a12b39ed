import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import JOSEKit
import JSONKit
import MdocKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Every format over every way to the wallet and back, through the server.
struct FormatMatrixTests {
    /// A way through the server.
    struct Row: Sendable, CustomTestStringConvertible {
        let format: CredentialFormat
        let form: TransactionRequest.Form
        let isEncrypted: Bool

        var testDescription: String {
            "\(format.text), \(form.rawValue), \(isEncrypted ? "encrypted" : "in the clear")"
        }
    }

    private static let rows: [Row] = {
        let formats: [CredentialFormat] = [.mdoc, .sdJWT, .linkedData, .jwt]
        return formats.flatMap { format in
            TransactionRequest.Form.allCases.flatMap { form in
                [true, false].map { Row(format: format, form: form, isEncrypted: $0) }
            }
        }
    }()

    /// The members of the disclosed claims.
    private static let claims: [CredentialFormat: [String]] = [
        .mdoc: ["org.iso.18013.5.1"], .sdJWT: ["family_name"], .linkedData: ["credentialSubject"],
        .jwt: ["credentialSubject"],
    ]

    private let scene: Scene
    private let server: TransactionServer
    private let http: InMemoryServer

    init() async throws {
        scene = try await Scene()
        let clock = EngineWorld.sessionClock(ManualClock())
        server = try TransactionServer(
            url: "https://verifier.example/oid4vp",
            relyingParties: ["shop": ServedRelyingParty(scene.party)],
            services: TransactionServices(clock: clock)
        )
        http = InMemoryServer(try server.engine())
    }

    @Test func theMatrixHasEveryRow() {
        #expect(Self.rows.count == 24)
    }

    @Test(arguments: Self.rows)
    func aRowIsVerified(row: Row) async throws {
        let (id, request) = try await start(row)
        try await answer(id, request, with: presentation(row.format, request))
        let result = try await server.result(of: id)
        #expect(result.status == .verified, "\(result.json)")
        let name = try Scene.credentialQuery(row.format).id.text
        let credential = try #require(result.credentials?[name]?[0])
        #expect(credential["format"] == .string(row.format.text))
        #expect(credential["holder_bound"] == true)
        #expect(credential["claims"]?.objectValue?.isEmpty == false)
        let disclosed = try #require(result[QueryID(name)].first)
        #expect(result.disclosed == [disclosed] && disclosed.format == row.format)
        #expect(disclosed.claims.names == Self.claims[row.format])
        #expect(disclosed.validity.contains(Scene.now) && !disclosed.issuer.name.isEmpty)
        // The claims have left the store, and the typed ones with them.
        let error = await #expect(throws: TransactionError.self) { try await server.result(of: id) }
        #expect(error?.code == .alreadyFetched)
    }

    @Test(arguments: Self.rows)
    func thePresentationForAnotherTransactionIsRefused(row: Row) async throws {
        let (_, other) = try await start(row)
        let (id, request) = try await start(row)
        try await answer(id, request, with: presentation(row.format, other))
        let result = try await server.result(of: id)
        #expect(result.status == .failed)
        #expect(result.credentials == nil && result.disclosed.isEmpty)
        #expect(result.verification?["verdict"] == "refused")
    }

    @Test func invalidSessionTranscript() async throws {
        let (id, request) = try await start(Row(format: .mdoc, form: .reference, isEncrypted: true))
        // That of a request without encryption.
        let transcript = Self.transcript(request, thumbprint: nil)
        try await answer(id, request, with: scene.presentedMdoc(transcript))
        let result = try await server.result(of: id)
        #expect(result.status == .failed)
        #expect(result.failure?.code == "invalidHolderBinding")
        #expect(result.failure?.message.hasPrefix("holderBinding") == true, "\(result.failure?.message ?? "")")
    }

    private func start(_ row: Row) async throws -> (String, CreatedRequest) {
        var wish = TransactionRequest(of: "shop", for: try Scene.query([row.format]))
        wish.form = row.form
        wish.isEncrypted = row.isEncrypted
        let id = try await server.start(wish).id
        let record = try await server.record(.requestor(id))
        return (id, try server.request(of: record))
    }

    private static func transcript(_ request: CreatedRequest, thumbprint: [UInt8]?) -> SessionTranscript {
        let expectation = request.expectation
        guard let address = expectation.channel.address else { return Scene.transcript(request) }
        return SessionTranscript(
            handover: .openID4VP(
                clientID: expectation.clientID ?? "",
                nonce: expectation.nonce,
                jwkThumbprint: thumbprint,
                responseURI: address
            )
        )
    }

    private func presentation(_ format: CredentialFormat, _ request: CreatedRequest) async throws -> JSONValue {
        guard format == .mdoc else { return try await scene.presented(format, request) }
        let thumbprint = request.expectation.decryption?.key.thumbprint()
        return try await scene.presentedMdoc(Self.transcript(request, thumbprint: thumbprint))
    }

    /// Sends a response as a wallet or a page does.
    private func answer(_ id: String, _ request: CreatedRequest, with presentation: JSONValue) async throws {
        let name = try #require(request.expectation.queryIDs.first).text
        var token = JSONObject()
        token[name] = [presentation]
        let content: JSONObject = ["vp_token": .object(token)]
        let parameters = try Wallet.send(content, request).parameters
        guard let address = request.expectation.channel.address else {
            try await server.answer(id, digitalCredential: parameters.members, from: Scene.origin)
            return
        }
        let path = "/" + address.split(separator: "/").dropFirst(2).joined(separator: "/")
        let response = try await http.response(
            to: .post(
                path,
                headerFields: [.contentType: "application/x-www-form-urlencoded"],
                body: Array(parameters.form.text.utf8)
            )
        )
        let status = try await server.status(of: id)
        #expect(response.status == (status == .verified ? .ok : .badRequest))
    }
}
