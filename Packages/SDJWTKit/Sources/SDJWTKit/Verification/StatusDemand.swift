public import StatusListKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A verifier's demand for the status of a credential (`status`; Token Status List, section 8.3).
public enum StatusDemand: Sendable {
    /// Finds out a status: where it is found, and the credential, every other check of which holds.
    ///
    /// ``whereNamed(from:signedBy:)`` and ``required(from:signedBy:)`` ask a client for status lists.
    public typealias Resolver = @Sendable (StatusReference, VerifiedSDJWT) async -> StatusVerdict

    /// It is left out.
    case ignored
    /// A credential that names a status must be valid; one that names none is taken.
    case whereNamed(Resolver)
    /// A credential must name a status, and be valid.
    case required(Resolver)
}

extension StatusDemand {
    /// Makes the check.
    func check(_ checks: inout SDJWTChecks) async {
        switch self {
        case .ignored: checks.record(.status, .waived("status"))
        case .whereNamed(let resolver): await Self.check(&checks, resolver, isRequired: false)
        case .required(let resolver): await Self.check(&checks, resolver, isRequired: true)
        }
    }

    private static func check(_ checks: inout SDJWTChecks, _ resolver: Resolver, isRequired: Bool) async {
        guard let credential = checks.verified else { return }
        let verdict: StatusVerdict
        do throws(SDJWTError) {
            guard let reference = try reference(credential) else {
                guard !isRequired else { throw SDJWTError(.missingClaim, "the claim is not there", path: ["status"]) }
                checks.skip([.status], "the credential names no status")
                return
            }
            verdict = await resolver(reference, credential)
        } catch {
            checks.record(.status, error)
            return
        }
        do throws(CheckFault) {
            try CredentialStatus(verdict, asOf: credential.verificationTime).requireValid()
            checks.status = verdict
            checks.record(.status, .passed)
        } catch {
            checks.record(.status, error.outcome)
        }
    }

    /// The reference to the status; nil if the credential names none.
    private static func reference(_ credential: VerifiedSDJWT) throws(SDJWTError) -> StatusReference? {
        guard let claim = credential["status"] else { return nil }
        do throws(StatusListError) {
            if let reference = try StatusReference(status: claim) { return reference }
        } catch {
            throw SDJWTError(.invalidClaim, error.message, path: ["status"], cause: error)
        }
        // An unknown mechanism must not count as valid.
        throw SDJWTError(.statusUnknown, "the status is kept in another way than in a list", path: ["status"])
    }
}

extension CredentialStatus {
    /// The status that a status list gives, asked for at a time.
    fileprivate init(_ verdict: StatusVerdict, asOf time: Date) {
        self =
            switch verdict {
            case .valid: .valid(asOf: time)
            case .invalid: .revoked
            case .suspended: .suspended
            case .applicationSpecific(let status): .application(UInt64(status))
            case .unknown(let error): .unknown("\(error.code): \(error.message)")
            }
    }
}
