import JSONKit
import SDJWTKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies the presentations of a response: each of them and each credential, then the query over the verified claims.
///
/// ```swift
/// let verifier = PresentationVerifier(party.verifiers)
/// let verification = await verifier.verify(response, for: transaction.expectation)
/// switch verification.verdict {
/// case .verified(let response): admit(response["pid"])
/// case .refused(let refusal): log(refusal)
/// }
/// ```
///
/// A verifier keeps nothing between two calls. It can be kept and used from many tasks.
public struct PresentationVerifier: Sendable {
    /// The verifiers of the formats.
    public let verifiers: FormatVerifiers
    /// The demands on responses.
    public let policy: PresentationPolicy

    let clock: @Sendable () -> Date

    /// Makes a verifier.
    ///
    /// - Parameters:
    ///   - verifiers: The verifiers of the formats, with the trusted issuers.
    ///   - policy: The demands on responses.
    ///   - clock: Returns the time of the answer. The verifiers of the formats have clocks of their own.
    public init(
        _ verifiers: FormatVerifiers,
        policy: PresentationPolicy = PresentationPolicy(),
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.verifiers = verifiers
        self.policy = policy
        self.clock = clock
    }

    /// Verifies a response for its transaction.
    ///
    /// Each query that the response answers is a part of the verification, named after the query; the presentations are
    /// parts of it, and in them stands the verification of the format. A refused presentation is left out; the response
    /// is refused if the queries are not answered without it.
    ///
    /// - Parameters:
    ///   - response: The response as read.
    ///   - expectation: The expectation of the transaction.
    public func verify(
        _ response: PresentationResponse,
        for expectation: ResponseExpectation
    ) async -> Verification<VerifiedResponse> {
        let time = clock()
        let session: ResponseSession
        do throws(CheckFault) {
            session = try ResponseSession(response, expectation)
        } catch {
            var checklist = Checklist(Self.responseChecks, at: time)
            checklist.record(.structure, error.outcome, at: error.path)
            return checklist.verification(of: nil)
        }
        let submissions = await submissions(response, session)
        let result = session.expectation.query.evaluate(submissions.credentials, policy)
        let order = expectation.queryIDs
        let answers = submissions.answers
            .sorted {
                (order.firstIndex(of: $0.query) ?? order.count) < (order.firstIndex(of: $1.query) ?? order.count)
            }
            .map { ($0.query, verification(of: $0, result, at: time)) }
        let selection = AnswerSelection(answers, of: expectation.query, result, policy)
        return await conclude(answers, selection, submissions, session, at: time)
    }

    private func conclude(
        _ answers: [(query: QueryID, verification: Verification<[PresentedCredential]>)],
        _ selection: AnswerSelection,
        _ submissions: Submissions,
        _ session: ResponseSession,
        at time: Date
    ) async -> Verification<VerifiedResponse> {
        let decisive = answers.filter { selection.decisive.contains($0.query) }.compactMap { $0.verification.refusal }
        var checklist = Checklist(Self.responseChecks, refusedBy: decisive, at: time)
        for deviation in session.deviations { checklist.add(deviation) }
        checklist.record(.structure, .passed)
        for (query, verification) in answers {
            checklist.add(verification, named: query.text, isMandatory: selection.decisive.contains(query))
        }
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        checklist.check(.query) { () throws(CheckFault) in
            if let fault = selection.fault { throw fault }
            if let name = submissions.unrequested.first {
                throw .failed(.unrequestedCredential, "a credential answers no query", path: [name.text])
            }
        }
        let value = VerifiedResponse(
            answers.compactMap { query, verification in
                guard selection.accepted.contains(query), let credentials = verification.verified else { return nil }
                return VerifiedResponse.Answer(query: query, credentials: credentials)
            }
        )
        checklist.check(.transactionData) { () throws(CheckFault) in try session.requireAuthorization(by: value) }
        await checklist.make(policy.additionalChecks, of: value)
        return checklist.verification(of: value)
    }
}

extension ResponseExpectation.Query {
    /// Evaluates the query over credentials that were presented.
    fileprivate func evaluate(
        _ credentials: [PresentedCredential],
        _ policy: PresentationPolicy
    ) -> QueryResult {
        switch self {
        case .dcql(let query):
            query.evaluate(
                over: credentials,
                options: DCQLEvaluationOptions(isTrusted: policy.isTrustedAuthority ?? { _, _ in false })
            )
        case .definition(let definition): definition.evaluate(over: credentials)
        }
    }
}
