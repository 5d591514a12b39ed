import CryptoCore
import JOSEKit
import JSONKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The issuer's claims.
extension SDJWTChecks {
    /// The checks of the payload.
    mutating func checkPayload() {
        check(.digests) { checks throws(SDJWTError) in try checks.process() }
        guard let payload else { return }
        let claims = JWTClaims(payload.claims)
        check(.openClaims) { checks throws(SDJWTError) in try checks.checkOpenClaims(payload) }
        check(.requiredClaims) { checks throws(SDJWTError) in try checks.checkRequiredClaims(payload) }
        check(claims)
        check(.credentialType) { checks throws(SDJWTError) in try checks.checkCredentialType(payload) }
    }

    private mutating func process() throws(SDJWTError) {
        let algorithm = try sdJWT.unverifiedHashAlgorithm()
        guard policy.hashAlgorithms.contains(algorithm) else {
            throw SDJWTError(.unsupportedHashAlgorithm, "the hash function \"\(algorithm)\" is not accepted")
        }
        let hash = try algorithm.requireHash()
        self.hash = hash
        payload = try sdJWT.processed(hash: hash)
    }

    private func checkOpenClaims(_ payload: SDJWTPayload) throws(SDJWTError) {
        var hidden: [String] = []
        for name in policy.openClaims where payload.isConcealable(name) { hidden.append(name) }
        guard hidden.isEmpty else {
            hidden.sort()
            throw SDJWTError(
                .claimNotConcealable,
                "claims \(hidden.joined(separator: ", ")) are selectively disclosable",
                path: hidden
            )
        }
    }

    private func checkRequiredClaims(_ payload: SDJWTPayload) throws(SDJWTError) {
        var missing: [String] = []
        for name in policy.requiredClaims where !payload.claims.contains(name) { missing.append(name) }
        guard missing.isEmpty else {
            missing.sort()
            throw SDJWTError(.missingClaim, "claims \(missing.joined(separator: ", ")) are not there")
        }
    }

    private func checkCredentialType(_ payload: SDJWTPayload) throws(SDJWTError) {
        let types = try CredentialTypes(payload.claims)
        guard let accepted = policy.credentialTypes else { return }
        guard types.contains(where: { accepted.contains(ExactText($0)) }) else {
            let message = "the type \"\((types.type ?? "").prefix(128))\" is not accepted"
            throw SDJWTError(.claimMismatch, message, path: ["vct"])
        }
    }
}

// The issuer's right to the type (SD-JWT VC, issuer authorization).
extension SDJWTChecks {
    /// The check of the types that the issuer is trusted for: `vct`, and those of `aka_vcts` that are accepted.
    mutating func checkIssuerTrust() {
        guard let payload else { return }
        guard let trustedTypes else {
            record(.issuerTrust, .notApplicable("the issuer is trusted for all types"))
            return
        }
        check(.issuerTrust) { checks throws(SDJWTError) in
            let types = try CredentialTypes(payload.claims)
            guard let type = types.type else {
                throw SDJWTError(.issuerNotTrusted, "the issuer is trusted for certain types alone", path: ["vct"])
            }
            let accepted = checks.policy.credentialTypes
            let others = types.others.filter { accepted?.contains(ExactText($0)) ?? true }
            for (name, type) in [("vct", type)] + others.map({ ("aka_vcts", $0) })
            where !trustedTypes.contains(ExactText(type)) {
                throw SDJWTError(.issuerNotTrusted, "the issuer is not trusted for the type \"\(type)\"", path: [name])
            }
        }
    }
}

/// The types of a credential: `vct` and `aka_vcts` (SD-JWT VC).
struct CredentialTypes {
    /// The type; nil for a payload without one.
    let type: String?
    /// Further types of the same credential.
    let others: [String]

    /// - Throws: ``SDJWTError/Code/invalidClaim`` if one is not a string, `aka_vcts` is empty or it repeats `vct`.
    init(_ claims: JSONObject) throws(SDJWTError) {
        guard let vct = claims["vct"] else {
            (type, others) = (nil, [])
            return
        }
        guard let type = vct.stringValue, !type.isEmpty else {
            throw SDJWTError(.invalidClaim, "the claim is no string", path: ["vct"])
        }
        self.type = type
        guard let value = claims["aka_vcts"] else {
            others = []
            return
        }
        guard let elements = value.arrayValue, !elements.isEmpty else {
            throw SDJWTError(.invalidClaim, "the claim is no list of types", path: ["aka_vcts"])
        }
        others = try elements.map { element throws(SDJWTError) in
            guard let other = element.stringValue, !other.hasSameBytes(as: type) else {
                throw SDJWTError(.invalidClaim, "the claim is no list of further types", path: ["aka_vcts"])
            }
            return other
        }
    }

    /// Returns `true` if one of the types is as expected.
    func contains(where isExpected: (String) -> Bool) -> Bool {
        type.map(isExpected) == true || others.contains(where: isExpected)
    }
}
