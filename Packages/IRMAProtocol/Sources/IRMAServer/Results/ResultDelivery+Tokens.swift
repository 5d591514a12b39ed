import CredentialServing
import CryptoCore
import IRMAMessages
import JOSEKit
import JSONKit

extension ResultDelivery {
    /// The signed form of a result.
    func token(_ result: SessionResult, wishes: RequestorOptions) async throws(RemoteError) -> String {
        try await sign(
            SessionResultClaims(
                result,
                issuer: issuer,
                issuedAt: clock.milliseconds / 1000,
                validity: wishes.resultValidity ?? RequestorOptions.defaultResultValidity
            )
        )
    }

    func sign(_ claims: some IRMAMessage) async throws(RemoteError) -> String {
        do {
            guard let signer, let members = try claims.json().objectValue else {
                throw RemoteError(.exception, message: "JWT signing not supported")
            }
            return try await JWT.sign(JWTClaims(members), with: signer).compactSerialization()
        } catch let error as RemoteError {
            throw error
        } catch {
            throw RemoteError(.exception, message: "the result could not be signed")
        }
    }
}
