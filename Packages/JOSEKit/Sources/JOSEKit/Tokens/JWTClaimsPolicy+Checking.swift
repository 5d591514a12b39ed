public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JWTClaimsPolicy {
    /// The checks of type and claims, in their order.
    public static let checks: [Check] = [.type, .requiredClaims] + ClaimsRules.checks + [.nonce]

    /// Verifies type and claims of a token whose signature is verified.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - header: The header that was verified with them.
    ///   - time: The time.
    public func verify(_ claims: JWTClaims, header: JOSEHeader, at time: Date) -> Verification<JWTClaims> {
        var checklist = Checklist(Self.checks, at: time)
        check(claims, header: header, in: &checklist)
        return checklist.verification(of: claims)
    }

    /// Makes the checks of type and claims.
    func check(_ claims: JWTClaims, header: JOSEHeader, in checklist: inout Checklist) {
        checklist.check(.type) { () throws(CheckFault) in try checkType(header) }
        checklist.check(.requiredClaims) { () throws(CheckFault) in try checkRequiredClaims(claims) }
        rules.check(RegisteredJWTClaims(claims), in: &checklist)
        checklist.check(.nonce) { () throws(CheckFault) in try checkNonce(claims) }
    }

    private func checkType(_ header: JOSEHeader) throws(CheckFault) {
        let found = try CheckFault.converting { () throws(JOSEError) in try header.type() }.map { MediaType($0) }
        switch type {
        case .any: return
        case .plain:
            guard let found, found != MediaType("JWT") else { return }
            throw .failed(.unexpectedType, "the token is of an explicit type, not a plain one", path: ["typ"])
        case .oneOf(let types):
            guard let found, types.contains(where: { MediaType($0) == found }) else {
                throw .failed(.unexpectedType, "the token is not of an expected type", path: ["typ"])
            }
        }
    }

    private func checkRequiredClaims(_ claims: JWTClaims) throws(CheckFault) {
        let missing = requiredClaims.filter { !claims.contains($0) }.sorted()
        guard missing.isEmpty else {
            throw .failed(.missingClaim, "claims \(missing.joined(separator: ", ")) are not there")
        }
    }

    private func checkNonce(_ claims: JWTClaims) throws(CheckFault) {
        guard let nonce else { return }
        guard let found = try CheckFault.converting({ () throws(JOSEError) in try claims.nonce() }) else {
            throw .missingClaim("nonce")
        }
        guard nonce == ExactText(found) else {
            throw .failed(.claimMismatch, "the token carries another nonce", path: ["nonce"])
        }
    }
}

/// A value of `typ` or `cty`, comparable as RFC 7515, sections 4.1.9 and 4.1.10 say: letter case does not matter, and
/// `application/` may be left out where no other slash follows.
struct MediaType: Equatable {
    private let normalized: [UInt8]

    init(_ text: String) {
        var bytes = text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        let slash = UInt8(ascii: "/")
        if bytes.starts(with: "application/".utf8), bytes.count(where: { $0 == slash }) == 1 {
            bytes.removeFirst("application/".utf8.count)
        }
        normalized = bytes
    }
}
