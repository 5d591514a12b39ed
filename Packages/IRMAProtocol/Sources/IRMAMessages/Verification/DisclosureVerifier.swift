public import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies the answers of wallets: disclosures, and disclosures with commitments for credentials.
///
/// ```swift
/// let verifier = DisclosureVerifier(schemes: snapshot)
/// let outcome = verifier.verify(response, answering: request, at: now)
/// switch outcome.verification.verdict {
/// case .verified(let attributes): use(attributes.disclosed)
/// case .refused(let refusal): log(refusal)   // which check, which disjunction
/// }
/// ```
public struct DisclosureVerifier: Sendable {
    /// The schemes, whose keys are the only ones that count.
    public let schemes: SchemeSnapshot
    /// The demands.
    public let policy: DisclosurePolicy

    /// A verifier that knows schemes.
    public init(schemes: SchemeSnapshot, policy: DisclosurePolicy = DisclosurePolicy()) {
        self.schemes = schemes
        self.policy = policy
    }

    /// The checks of a disclosure, in their order.
    ///
    /// All checks of IdemixCore come between the key and the values, with the list's verification as the part `proofList`.
    public static let checks: [Check] = [
        .structure, .issuerKey, .attributeValues, .singletons, .requestedAttributes, .validity,
    ]

    /// Verifies an answer to a disclosure request.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request, with the nonce that the server set.
    ///   - time: The time at which credentials must be valid.
    ///   - accumulators: The verifier's own knowledge about accumulators.
    public func verify(
        _ response: DisclosureResponse,
        answering request: SessionRequest,
        at time: Date,
        accumulators: KnownAccumulators = [:]
    ) -> DisclosureOutcome {
        verify(
            response.proofs,
            indices: response.indices,
            answering: request,
            issuing: [],
            at: time,
            accumulators: accumulators
        )
    }

    /// Verifies the proofs of an issuance session: disclosures, then one commitment for each credential.
    ///
    /// - Parameters:
    ///   - proofs: The proofs, with the answers of keyshare servers merged in.
    ///   - indices: The places of the attributes that answer the request.
    ///   - request: The request, with the nonce that the server set.
    ///   - expectations: The issuer's knowledge about the commitments, one for each credential in the request's order.
    ///   - time: The time at which credentials must be valid.
    ///   - accumulators: The verifier's own knowledge about accumulators.
    public func verify(
        _ proofs: IdemixProofList,
        indices: [[AttributePosition]],
        answering request: SessionRequest,
        issuing expectations: [IdemixIssuanceExpectation],
        at time: Date,
        accumulators: KnownAccumulators = [:]
    ) -> DisclosureOutcome {
        var run = DisclosureVerification(
            schemes: schemes,
            policy: policy,
            proofs: proofs,
            indices: indices,
            request: request,
            issuing: expectations,
            challenge: request.parameters.challenge(),
            time: time,
            accumulators: accumulators
        )
        var checklist = Checklist(Self.checks, at: time)
        run.makeChecks(in: &checklist)
        return run.outcome(checklist)
    }
}
