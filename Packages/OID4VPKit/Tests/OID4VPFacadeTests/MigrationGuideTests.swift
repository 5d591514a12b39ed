import CryptoCore
import Foundation
import JSONKit
import OID4VPFacade
import OID4VPMessages
import Testing

/// The code of the migration guide, which compiles and works.
struct MigrationGuideTests {
    /// The guide's "One presentation".
    private func present(
        _ url: String,
        _ sdJWT: String,
        _ openID4VP: OpenID4VP,
        sign: (String) throws -> String
    ) async throws -> VerifierResponse {
        let request = try await openID4VP.authenticateVerifier(
            urlEncodedAuthorizationRequest: url,
            trustedVerifiers: [Verifier(clientId: "mock", responseUris: ["https://v.example/response"])]
        )
        let descriptor = try #require(request.presentationDefinition?.descriptors.first)
        let unsigned = try await openID4VP.constructUnsignedVPTokenV2(
            credentialValues: [descriptor.id.description: [.vc_sd_jwt: [.text(sdJWT)]]]
        )
        let signed = try unsigned.map { VPTokenSigningResultV2(signedData: try sign($0.dataToSign)) }
        _ = try openID4VP.constructVPResponseV2(vpTokenSigningResults: signed)
        let byFormat = try await openID4VP.constructUnsignedVPToken(
            credentialValues: [descriptor.id.description: [.vc_sd_jwt: [.text(sdJWT)]]]
        )
        guard let tokens = byFormat[.vc_sd_jwt] as? UnsignedSdJwtVPToken else { throw CancellationError() }
        let results: [FormatType: any VPTokenSigningResult] = [
            .vc_sd_jwt: SdJwtVpTokenSigningResult(uuidToKbJWTSignature: try tokens.uuidToUnsignedKBT.mapValues(sign))
        ]
        return try await openID4VP.sendVPResponseToVerifier(vpTokenSigningResults: results)
    }

    @Test func presentsOnce() async throws {
        let scene = try await FacadeScene()
        let answer = try await present(
            FacadeScene.url(try scene.parameters()),
            try await scene.sdJWT(),
            scene.wallet(),
            sign: scene.signature
        )
        #expect(answer.statusCode == 200)
    }

    /// The guide's "As before".
    @Test func behavesAsBefore() async throws {
        let scene = try await FacadeScene()
        var settings = OpenID4VPSettings(transport: scene.transport)
        settings.notifyUnauthenticatedVerifier = true
        settings.detailedErrors = true
        settings.toleratesMethodCase = true
        settings.ldpDataToSign = .presentationJSON
        settings.mdocDisclosure = .all
        settings.legacyErrorMap = true
        settings.presentationSubmission = .text
        let openID4VP = OpenID4VP(traceabilityId: "t", settings: settings)
        #expect(try openID4VP.constructVPResponse(vpTokenSigningResults: [:])["error"] != nil)
    }

    /// The guide's "When the user declines".
    @Test func declines() async throws {
        let scene = try await FacadeScene()
        let openID4VP = try await scene.authenticated()
        let declined = AccessDenied(message: "The user declined", className: "ConsentScreen")
        _ = try await openID4VP.sendErrorInfoToVerifier(error: declined)
        #expect(try scene.posts.first?["error"] == "access_denied")
    }
}
