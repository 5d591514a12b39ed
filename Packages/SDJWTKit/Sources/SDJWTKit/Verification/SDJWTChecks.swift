import CryptoCore
import JOSEKit
import JSONKit
import StatusListKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The checks of one SD-JWT, in their order and without I/O: what must be fetched in between is handed in.
struct SDJWTChecks: ~Copyable {
    let sdJWT: SDJWT
    let policy: SDJWTVerificationPolicy
    let expectation: SDJWTExpectation
    let now: Date

    /// The index of the signature that is verified: the first with an accepted algorithm.
    ///
    /// Its header alone decides, so that a sender cannot make a recipient try one signature after the other.
    let signatureIndex: Int
    /// The header of that signature, as far as it is signed.
    let issuerHeader: JOSEHeader

    /// The wallet's own key, for a credential that it is about to store; nil for any other, and to take any key.
    var ownKey: PublicKey?

    private var checklist: Checklist

    // The results of the checks, for later checks.
    var issuerJWS: VerifiedJWS?
    var issuerKeySet: JWKSet?
    var certificateChain: ValidatedCertificateChain?
    var trustedTypes: Set<ExactText>?
    var hash: HashAlgorithm?
    var payload: SDJWTPayload?
    var keyBindingJWS: VerifiedJWS?
    var keyBinding: VerifiedKeyBinding?
    var typeMetadata: TypeMetadata?
    var status: CredentialStatus?

    init(_ sdJWT: SDJWT, policy: SDJWTVerificationPolicy, expectation: SDJWTExpectation, at now: Date) {
        self.sdJWT = sdJWT
        self.policy = policy
        self.expectation = expectation
        self.now = now
        let signatures = sdJWT.issuerSignedJWT.signatures
        signatureIndex = policy.issuerAlgorithms.firstAccepted(signatures)
        issuerHeader = signatures.isEmpty ? JOSEHeader() : signatures[signatureIndex].protectedHeader
        checklist = Checklist(SDJWTVerifier.checks, at: now)
    }

    /// The time for which claims are checked.
    var time: VerificationTime { VerificationTime(now, clockSkew: policy.rules.clockSkew) }

    /// Indicates that a check has failed.
    var isRefused: Bool { checklist.isRefused }

    /// Records the result of a check.
    mutating func record(_ check: Check, _ outcome: CheckResult.Outcome, at path: [String] = []) {
        checklist.record(check, outcome, at: path)
    }

    /// Adds a deviation that a tolerance let pass.
    mutating func add(_ deviation: Deviation) { checklist.add(deviation) }

    /// Makes the check of the status under a policy.
    mutating func checkStatus(
        _ policy: StatusPolicy,
        named reference: StatusReference?,
        _ ask: (StatusReference) async -> StatusFinding
    ) async -> CredentialStatus? {
        await checklist.checkStatus(policy, named: reference, ask)
    }

    /// Makes the check of the status without a checker.
    mutating func checkStatusOffline() {
        checklist.checkStatus(policy.status, named: payload?["status"]) { _ in
            .unknown("the credential's status is not checked offline")
        }
    }

    /// Makes the checks of the issuer's claims that tokens of all formats share.
    mutating func check(_ claims: JWTClaims) { policy.rules.check(RegisteredJWTClaims(claims), in: &checklist) }

    /// Makes a check, and records its result.
    mutating func check(_ check: Check, _ body: () throws(CheckFault) -> Void) { checklist.check(check, body) }

    /// Makes a user's checks.
    mutating func make(_ checks: [AdditionalCheck<VerifiedSDJWT>]) async {
        guard !checks.isEmpty else { return }
        await checklist.make(checks, of: verified)
    }

    /// Records that a check failed, or that it could not be made.
    mutating func record(_ check: Check, _ error: SDJWTError) {
        let fault = error.fault(of: check)
        record(check, fault.outcome, at: fault.path)
    }

    /// Makes a check, and records its result.
    mutating func check(_ check: Check, _ body: (inout SDJWTChecks) throws(SDJWTError) -> Void) {
        do throws(SDJWTError) {
            try body(&self)
            record(check, .passed)
        } catch {
            record(check, error)
        }
    }

    /// Records checks that there is nothing for.
    mutating func skip(_ checks: [Check], _ reason: String) {
        for check in checks { record(check, .notApplicable(reason)) }
    }

    /// Draws the verdict.
    consuming func verification() -> Verification<VerifiedSDJWT> {
        let verified = verified
        return checklist.verification(of: verified)
    }

    /// The verified SD-JWT so far, if no check has failed.
    var verified: VerifiedSDJWT? {
        guard !isRefused, let issuerJWS, let issuerKey = issuerJWS.publicKey, let payload else { return nil }
        return VerifiedSDJWT(
            sdJWT,
            payload: payload,
            issuerJWS: issuerJWS,
            issuerKey: issuerKey,
            issuerKeySet: issuerKeySet,
            issuerCertificateChain: certificateChain,
            trustedTypes: trustedTypes,
            keyBinding: keyBinding,
            holderKey: keyBinding?.key ?? ownKey,
            typeMetadata: typeMetadata,
            status: status,
            verificationTime: now
        )
    }
}

/// Runs a reading of JOSE objects, and gives its refusal a code of this module.
@inline(__always)
func reading<Value>(
    jose code: SDJWTError.Code,
    _ body: () throws(JOSEError) -> Value
) throws(SDJWTError) -> Value {
    do throws(JOSEError) {
        return try body()
    } catch {
        throw SDJWTError(code, reading: error)
    }
}
