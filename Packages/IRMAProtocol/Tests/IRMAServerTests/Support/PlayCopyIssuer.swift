import Foundation
import IRMAMessages
import JOSEKit
import JSONKit

@testable import IRMAServer

/// An issuer of copies that name their type, expiry and key, for the types that it knows.
struct PlayCopyIssuer: SDJWTCopyIssuer {
    /// The types of which copies are refused before the session.
    var refused: Set<CredentialTypeIdentifier> = []
    /// The types of which copies fail in the session.
    var failing: Set<CredentialTypeIdentifier> = []
    /// The number of characters behind each copy.
    var padding = 0

    func check(_ credential: CredentialRequest, at time: Date) throws(IRMAServerError) {
        guard !refused.contains(credential.credential) else { throw IRMAServerError(.copyRefused, "not of this type") }
    }

    func copies(
        of credential: CredentialRequest,
        boundTo keys: [JWK],
        at time: Date
    ) async throws(IRMAServerError) -> [String] {
        guard !failing.contains(credential.credential) else { throw IRMAServerError(.copyRefused, "no key at hand") }
        let end = String(repeating: "~", count: padding)
        return keys.map { Self.copy(of: credential.credential, validity: credential.validity, boundTo: $0) + end }
    }

    static func copy(of type: CredentialTypeIdentifier, validity: Int64?, boundTo key: JWK) -> String {
        "\(type) until \(validity ?? 0) for \(key.members["x"]?.stringValue ?? "")"
    }
}
