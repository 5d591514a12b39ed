import SDJWTKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PresentationVerifier {
    /// The verification of the answer to one query: its presentations, then the query on each credential.
    func verification(
        of answer: Submissions.Answer,
        _ result: QueryResult,
        at time: Date
    ) -> Verification<[PresentedCredential]> {
        let count = answer.presentations.count { $0.verification.refusal != nil }
        let allDecide = count == answer.presentations.count || policy.requiresEveryPresentation
        let decisive = answer.presentations.first { presentation in
            presentation.verification.refusal != nil && (allDecide || presentation.isForOtherNonce)
        }
        var checklist = Checklist(
            Self.queryChecks,
            refusedBy: [decisive?.verification.refusal].compactMap { $0 },
            at: time
        )
        for presentation in answer.presentations {
            checklist.add(
                presentation.verification,
                named: presentation.name,
                isMandatory: presentation.name == decisive?.name
            )
        }
        // The nonce refuses the response, whatever else refused the presentation before it was compared.
        for presentation in answer.presentations
        where presentation.isForOtherNonce && !presentation.verification.hasOtherNonce {
            let message = "the holder's proof is over another nonce"
            checklist.record(.nonce, .failed(.claimMismatch, message), at: [presentation.name])
        }
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        let credentials = checklist.check(.submission) { () throws(CheckFault) in
            let credentials = try answer.credentials.get()
            let outcome = result[answer.query]
            guard !credentials.isEmpty else { throw .failed(.credentialNotFound, "there is no credential") }
            guard credentials.count == 1 || outcome?.allowsMultiple == true else {
                throw .failed(.unrequestedCredential, "the query takes one credential")
            }
            return credentials
        }
        guard let credentials else { return checklist.verification(of: nil) }
        checklist.checkQuery(result[answer.query], credentials)
        return checklist.verification(of: credentials)
    }
}

extension Checklist {
    /// The checks of a query, with the reasons of a mismatch that each is about.
    private static let mismatches: [(Check, [QueryMismatch.Reason: Reason])] = [
        (.credentialFormat, [.format: .unexpectedFormat]),
        (.algorithm, [.algorithm: .algorithmNotAllowed]),
        (.credentialType, [.type: .unexpectedType]),
        (.trustedAuthority, [.trustedAuthority: .authorityNotTrusted]),
        (.holderBinding, [.holderBinding: .invalidHolderBinding]),
        (
            .requestedClaims,
            [
                .missingClaims: .missingClaim, .otherValues: .claimMismatch, .claimSets: .missingClaim,
                .limitedDisclosure: .unexpectedFormat, .limitExceeded: .limitExceeded,
            ]
        ),
    ]

    /// Records the outcome of a query for the credentials that answer it; the first mismatch counts.
    fileprivate mutating func checkQuery(_ outcome: QueryOutcome?, _ credentials: [PresentedCredential]) {
        let other = credentials.first { outcome?.match(of: $0.credentialName) == nil }
        guard let other else {
            for (check, _) in Self.mismatches { record(check, .passed) }
            return
        }
        let name = other.credentialName
        guard let mismatch = outcome?.mismatches.first(where: { $0.credential == name }) else {
            record(.requestedClaims, .failed(.claimMismatch, "the credential does not answer"), at: [name.text])
            return
        }
        for (check, reasons) in Self.mismatches {
            if let reason = reasons[mismatch.reason] {
                let claims = mismatch.claims.map(\.description).joined(separator: ", ")
                let message = "the credential does not answer the query: \(mismatch.reason)"
                record(check, .failed(reason, claims.isEmpty ? message : "\(message) (\(claims))"), at: [name.text])
                return
            }
            record(check, .passed)
        }
        record(.requestedClaims, .failed(.claimMismatch, "\(mismatch.reason)"), at: [name.text])
    }
}

/// The choice of the answers that count, and of the refused ones that decide about the response.
struct AnswerSelection {
    /// The queries whose answers are handed out.
    private(set) var accepted: Set<QueryID> = []
    /// The queries whose refused answers refuse the response.
    private(set) var decisive: Set<QueryID> = []
    /// The mismatch between the answers and the request, or `nil` if they match.
    private(set) var fault: CheckFault?

    init(
        _ answers: [(query: QueryID, verification: Verification<[PresentedCredential]>)],
        of query: ResponseExpectation.Query,
        _ result: QueryResult,
        _ policy: PresentationPolicy
    ) {
        let submitted = Set(answers.map { $0.query })
        let refused = Set(answers.compactMap { $0.verification.refusal == nil ? nil : $0.query })
        let verified = refused.isEmpty ? submitted : submitted.subtracting(refused)
        switch query {
        case .dcql(let query): select(query, submitted, verified, refused)
        case .definition(let definition):
            let selection = Dictionary(
                answers.compactMap { query, verification in
                    verification.verified.map { (query, $0.map(\.credentialName)) }
                }
            ) { first, _ in first }
            select(definition, selection, result, refused)
        }
        if policy.requiresEveryPresentation { decisive.formUnion(refused) }
        decisive.formUnion(answers.compactMap { $0.verification.hasOtherNonce ? $0.query : nil })
    }

    private mutating func select(
        _ query: DCQLQuery,
        _ submitted: Set<QueryID>,
        _ verified: Set<QueryID>,
        _ refused: Set<QueryID>
    ) {
        guard !query.credentialSets.isEmpty else {
            accepted = verified
            decisive = refused
            let missing = query.credentials.map(\.id).first { !submitted.contains($0) }
            if let missing { fault = Self.notAnswered(missing.text) }
            return
        }
        var justified: Set<QueryID> = []
        for (place, set) in query.credentialSets.enumerated() {
            let options = set.options.map { Set($0) }
            for option in options {
                if option.isSubset(of: submitted) { justified.formUnion(option) }
                if option.isSubset(of: verified) { accepted.formUnion(option) }
            }
            guard set.isRequired, !options.contains(where: { $0.isSubset(of: verified) }) else { continue }
            let attempted = options.first { $0.isSubset(of: submitted) }
            decisive.formUnion(attempted?.subtracting(verified) ?? [])
            if attempted == nil, fault == nil { fault = Self.notAnswered("credential_sets[\(place)]") }
        }
        if fault == nil, let other = submitted.subtracting(justified).sorted().first {
            fault = .failed(
                .unrequestedCredential,
                "the query belongs to no set that is answered in full",
                path: [other.text]
            )
        }
    }

    private mutating func select(
        _ definition: PresentationDefinition,
        _ selection: [QueryID: [CredentialName]],
        _ result: QueryResult,
        _ refused: Set<QueryID>
    ) {
        do throws(OID4VPError) {
            accepted = Set(try result.plan(choosing: selection).entries.map(\.query))
        } catch {
            decisive = refused
            fault = .failed(.queryNotAnswered, error.messageWithCause)
        }
    }

    private static func notAnswered(_ name: String) -> CheckFault {
        .failed(.queryNotAnswered, "it must be answered", path: [name])
    }
}
