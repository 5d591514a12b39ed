import CryptoCore
import JOSEKit
import JSONKit
import StatusListKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The checks of one SD-JWT, in their order and without I/O: what must be fetched in between is handed in.
struct SDJWTChecks {
    let sdJWT: SDJWT
    let policy: SDJWTVerificationPolicy
    let demand: KeyBindingDemand
    let now: Date

    /// The index of the signature that is verified: the first with an accepted algorithm.
    ///
    /// Its header alone decides, so that a sender cannot make a recipient try one signature after the other.
    let signatureIndex: Int
    /// The header of that signature, as far as it is signed.
    let issuerHeader: JOSEHeader

    private(set) var outcomes: [SDJWTCheckOutcome] = []
    private(set) var refusal: SDJWTRefusal?

    // The results of the checks, for later checks.
    var header: JOSEHeader?
    var issuerKey: PublicKey?
    var issuerJWK: JWK?
    var certificateChain: ValidatedCertificateChain?
    var hash: HashAlgorithm?
    var payload: SDJWTPayload?
    var holderKey: JWSKey?
    var keyBindingClaims: JWTClaims?
    var keyBinding: VerifiedKeyBinding?
    var typeMetadata: TypeMetadata?
    var status: StatusVerdict?

    init(_ sdJWT: SDJWT, policy: SDJWTVerificationPolicy, demand: KeyBindingDemand, at now: Date) {
        self.sdJWT = sdJWT
        self.policy = policy
        self.demand = demand
        self.now = now
        let signatures = sdJWT.issuerSignedJWT.signatures
        signatureIndex = policy.issuerAlgorithms.firstAccepted(signatures)
        issuerHeader = signatures.isEmpty ? JOSEHeader() : signatures[signatureIndex].protectedHeader
        outcomes.reserveCapacity(SDJWTCheck.all.count)
    }

    /// The time for which claims are checked.
    var time: VerificationTime { VerificationTime(now: now, leeway: policy.leeway) }

    /// Records the outcome of a check.
    mutating func record(_ check: SDJWTCheck, _ verdict: SDJWTCheckOutcome.Verdict) {
        outcomes.append(SDJWTCheckOutcome(check: check, verdict: verdict))
        if refusal == nil, case .failed(let error) = verdict { refusal = SDJWTRefusal(check: check, error: error) }
    }

    /// Makes a check, and records its outcome.
    mutating func check(_ check: SDJWTCheck, _ body: (inout SDJWTChecks) throws(SDJWTError) -> Void) {
        do throws(SDJWTError) {
            try body(&self)
            record(check, .passed)
        } catch {
            record(check, .failed(error))
        }
    }

    /// Records checks that cannot be made.
    mutating func skip(_ checks: [SDJWTCheck], _ reason: String) {
        for check in checks { record(check, .notMade(reason)) }
    }

    /// Draws the verdict.
    func verification() -> SDJWTVerification {
        if let refusal { return SDJWTVerification(verdict: .refused(refusal), checks: outcomes) }
        guard let verified else {
            let error = SDJWTError(.malformed, "the checks are not complete")
            return SDJWTVerification(
                verdict: .refused(SDJWTRefusal(check: .disclosures, error: error)),
                checks: outcomes
            )
        }
        return SDJWTVerification(verdict: .verified(verified), checks: outcomes)
    }

    /// The verified SD-JWT so far, if no check has failed.
    var verified: VerifiedSDJWT? {
        guard refusal == nil, let header, let issuerKey, let payload else { return nil }
        return VerifiedSDJWT(
            header: header,
            payload: payload,
            issuerKey: issuerKey,
            issuerJWK: issuerJWK,
            issuerCertificateChain: certificateChain,
            keyBinding: keyBinding,
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
