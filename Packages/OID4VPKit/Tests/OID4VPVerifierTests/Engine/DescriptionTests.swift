import CredentialServing
import Foundation
import HTTPTypes
import JSONKit
import SDJWTKit
import TestSupport
import Testing

@testable import OID4VPVerifier

/// Descriptions of transactions, which may come into logs.
struct DescriptionTests {
    /// Expects that no way to print a value shows any of some texts.
    private func expectSilence(
        _ value: some Any,
        about secrets: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var dumped = ""
        dump(value, to: &dumped)
        dump([value], to: &dumped)
        for text in ["\(value)", String(reflecting: value), "\([value])", dumped] {
            for secret in secrets { #expect(!text.contains(secret), "\(text)", sourceLocation: sourceLocation) }
        }
    }

    @Test func noTransactionShowsItsNameOrItsClaims() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        let link = try #require(transaction.link)
        expectSilence(transaction, about: [transaction.id, link, transaction.statusURL])
        #expect("\(transaction)" == "transaction until \(transaction.expiresAt)")

        let wallet = try await SceneWallet(scene, link: link)
        #expect(try await wallet.send(wallet.presentation()).status == .ok)
        let result = try await scene.server.result(of: transaction.id)
        #expect(result.credentials?["pid"]?[0]?["claims"]?["given_name"] == "Erika")
        expectSilence(result, about: [transaction.id, "Erika"])
        #expect("\(result)" == "result verified")
    }

    @Test func aFailureShowsItsCode() async throws {
        let scene = try await WalletScene()
        let transaction = try await scene.start()
        try await scene.server.cancel(transaction.id)
        let result = try await scene.server.result(of: transaction.id)
        expectSilence(result, about: [transaction.id])
        #expect("\(result)" == "result cancelled, cancelled")
    }

    @Test(arguments: [CredentialFormat.sdJWT, .mdoc]) func noPresentedCredentialShowsClaims(
        format: CredentialFormat
    ) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([format]))
        let id = request.expectation.queryIDs[0]
        let response = try await scene.verify([id: await scene.presented(format, request)], request).get()
        let credential = try #require(response[id].first)
        let claims = JSONValue.object(credential.claims).text(.compact)
        #expect(claims.contains("Mustermann"))
        expectSilence(response, about: ["Mustermann"])
        expectSilence(credential, about: ["Mustermann"])
        expectSilence(credential.credential, about: ["Mustermann"])
    }
}
