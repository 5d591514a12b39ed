public import Foundation
public import OID4VPKit
import OID4VPMessages

extension EndToEndScene {
    /// The wallet's response to a request, with the credentials and claims that the query prefers.
    ///
    /// - Parameters:
    ///   - authenticated: The request.
    ///   - time: The time of the response; nil for that of the scene.
    /// - Throws: `OID4VPError` as evaluation, signing and protection of the response do.
    public func response(
        to authenticated: AuthenticatedRequest,
        at time: Date? = nil
    ) async throws -> AuthorizationResponse {
        let time = time ?? self.time
        let asked = try authenticated.presentationRequest()
        let wallet = Array(credentials.values)
        let result = try asked.evaluate(over: wallet.queryable, at: time)
        let responder = AuthorizationResponder(authenticated)
        let binding = try PresentationBinding(
            authenticated,
            asked,
            mdocGeneratedNonce: responder.mdocGeneratedNonce
        )
        let unsigned = try await PresentationBuilder(asked, binding).prepare(
            try result.preferredPlan(),
            of: wallet,
            keys: try holderKeys(),
            at: time
        )
        return try await responder.response(
            with: try await unsigned.signed(with: signers),
            to: asked,
            at: time
        )
    }
}
