public import JSONKit
public import OID4VPMessages
public import SDJWTKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies the attestations that come with a request, such as registration certificates (OpenID4VP 1.0, section 5.11).
///
/// An implementation verifies the signature of the attestation and its trust, and that it belongs to the client of the
/// request: anyone can copy it into a request of their own. It compares the query with the registration.
public protocol VerifierInfoVerifier: Sendable {
    /// Verifies one attestation.
    ///
    /// - Parameters:
    ///   - info: The attestation as received.
    ///   - request: The authenticated request that it came with.
    ///   - query: The query.
    ///   - time: The time.
    /// - Returns: The verification; nil for a format that the implementation does not know.
    func verify(
        _ info: VerifierInfo,
        of request: AuthenticatedRequest,
        asking query: PresentationRequest.Query,
        at time: Date
    ) async -> Verification<VerifierRegistration>?
}

/// The registration of a verifier for a use, as a verified attestation states it.
public struct VerifierRegistration: Sendable {
    /// The content of the attestation.
    public let claims: JSONObject
    /// The claims that the request asks for beyond its registration, by query; empty for none.
    public let excess: [QueryID: [ClaimPath]]

    /// Indicates that the request asks for more than was registered: the user should know.
    public var isExceeded: Bool { !excess.isEmpty }

    /// Describes a registration.
    public init(claims: JSONObject, excess: [QueryID: [ClaimPath]] = [:]) {
        self.claims = claims
        self.excess = excess
    }
}

/// An attestation about the verifier, and the outcome of its verification.
public struct VerifierInfoFinding: Sendable {
    /// The attestation as received.
    public let info: VerifierInfo
    /// The verification; nil for a format that no verifier knows.
    public let verification: Verification<VerifierRegistration>?
}

extension AuthenticatedRequest {
    /// Verifies the attestations that came with the request, in their order.
    ///
    /// One that is refused says nothing for the verifier; the request stands without it.
    ///
    /// - Parameters:
    ///   - content: The request as it was read.
    ///   - verifier: Verifies each attestation.
    ///   - time: The time.
    public func verifierInfo(
        of content: PresentationRequest,
        verifiedBy verifier: any VerifierInfoVerifier,
        at time: Date
    ) async -> [VerifierInfoFinding] {
        var findings: [VerifierInfoFinding] = []
        for info in content.verifierInfo {
            let verification = await verifier.verify(info, of: self, asking: content.query, at: time)
            findings.append(VerifierInfoFinding(info: info, verification: verification))
        }
        return findings
    }
}
