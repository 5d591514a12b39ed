public import StatusListKit
public import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds out the status of credentials (`status`; Token Status List, section 8.3).
public struct SDJWTStatusChecker: Sendable {
    /// Finds out a status: where it is found, and the credential, every other check of which holds.
    public typealias Resolver = @Sendable (StatusReference, VerifiedSDJWT) async -> StatusFinding

    let status: Resolver

    /// A checker of the caller's own.
    ///
    /// - Parameter status: Returns `valid` only if a party entitled to speak about the credential said so, and `unknown` in
    ///   every other case without an answer.
    public init(_ status: @escaping Resolver) {
        self.status = status
    }

    /// Finds out statuses in status lists.
    ///
    /// ```swift
    /// let client = StatusListClient(transport: transport, policy: StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: []))
    /// let verifier = SDJWTVerifier(
    ///     policy: .credential(algorithms: [.es256]),
    ///     issuerKeys: X509IssuerKeys(anchors: [root]),
    ///     statusChecker: .lists(from: client, signedBy: .issuerKey)
    /// )
    /// ```
    ///
    /// The list of a credential (one with `vct`) must be in JWT form (SD-JWT VC, status).
    ///
    /// - Parameters:
    ///   - client: Fetches and caches the lists.
    ///   - signer: The party whose signature on a list is accepted.
    public static func lists(from client: StatusListClient, signedBy signer: StatusListSigner) -> SDJWTStatusChecker {
        SDJWTStatusChecker { reference, credential in
            let time = credential.verificationTime
            do throws(StatusListError) {
                let key = try await signer.key(for: credential)
                func finding(_ key: StatusListKey) async throws(StatusListError) -> StatusFinding {
                    let forms: Set<StatusListToken.Form>? = credential.credentialType == nil ? nil : [.jwt]
                    let list = try await client.list(at: reference.uri, signedBy: key, forms: forms, at: time)
                    return StatusFinding(list.status(at: reference.index), deviations: list.deviations)
                }
                do throws(StatusListError) {
                    return try await finding(key)
                } catch {
                    guard error.code == .refused,
                        let renewed = await signer.renewedKey(for: credential, insteadOf: key)
                    else { throw error }
                    return try await finding(renewed)
                }
            } catch {
                return StatusFinding(.unknown(error))
            }
        }
    }
}

extension SDJWTChecks {
    /// Makes the check of the status.
    ///
    /// - Parameter checker: Finds the status; `nil` without a checker.
    mutating func checkStatus(_ checker: SDJWTStatusChecker?) async {
        guard let credential = verified else { return }
        var reference: StatusReference?
        if policy.status != .waived {
            do throws(SDJWTError) {
                reference = try Self.statusReference(credential)
            } catch {
                record(.status, error)
                return
            }
        }
        status = await checkStatus(policy.status, named: reference) { reference in
            await checker?.status(reference, credential)
                ?? .unknown("the credential can be revoked, and the verifier has no status checker")
        }
    }

    /// The reference to the status; nil if the credential names none.
    private static func statusReference(_ credential: VerifiedSDJWT) throws(SDJWTError) -> StatusReference? {
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
