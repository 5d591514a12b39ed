import CommandSupport
import CryptoCore
import Foundation
import OID4VPKit
import OID4VPMessages

/// The answer of a wallet to one authenticated request.
struct PresentationExchange {
    var wallet: FileWallet
    let verification: Verification<AuthenticatedRequest>
    let request: AuthenticatedRequest
    let resolver: QueryResolver
    /// The transactions that the wallet authorizes.
    let transactions: TransactionDataTypes
    /// Indicates that every credential that fits is presented where the verifier takes several.
    let presentsAllMatching: Bool
    let time: Date

    /// The wallet's answer, before it is sent.
    struct Answer {
        /// The report for the user.
        let members: [(name: String, value: Outline)]
        /// Indicates that credentials are presented.
        let isPresentation: Bool
        /// Makes the response.
        let response: () async throws -> AuthorizationResponse
    }

    /// Reads the request, chooses credentials, and asks the holder.
    ///
    /// - Parameter isPermitted: Asks the holder.
    func answer(_ isPermitted: (PresentationQuestion) async -> Bool) async throws -> Answer {
        let responder = AuthorizationResponder(request)
        let asked: PresentationRequest
        do throws(OID4VPError) {
            asked = try await request.presentationRequest(
                support: PresentationRequest.Support(transactionData: transactions),
                resolvingWith: resolver
            )
        } catch {
            return refusal(error, error.authorizationCode, responder)
        }
        let wallet = try await self.wallet.adapted(to: asked, at: time)
        let plan: PresentationPlan
        let further: Int
        let unsigned: UnsignedPresentations
        do throws(OID4VPError) {
            let result = try asked.evaluate(over: wallet.credentials.queryable, at: time)
            guard result.isSatisfied else { return unsatisfied(result, responder) }
            plan = try self.plan(of: result)
            further = result.matchCount(beyond: plan)
            // What cannot be presented, such as a transaction that no credential authorizes, is not asked about.
            unsigned = try await presentations(of: plan, from: wallet, to: asked, responder)
        } catch {
            // Faults that depend on the credentials are for the holder alone, as long as nobody has consented.
            return refusal(error, .accessDenied, responder)
        }
        let question = try PresentationQuestion(
            verification,
            request,
            asked,
            plan,
            of: wallet.credentials,
            furtherMatches: further
        )
        guard await isPermitted(question) else {
            return Answer(members: [(name: "verdict", value: "declined")] + question.members, isPresentation: false) {
                try await responder.errorResponse(.accessDenied, at: time)
            }
        }
        return Answer(members: [(name: "verdict", value: "presented")] + question.members, isPresentation: true) {
            try await responder.response(
                with: try await unsigned.signed(with: try await wallet.signers(for: plan, at: time)),
                to: asked,
                at: time
            )
        }
    }

    /// The credentials to present: the first that fits each query, or all where the holder wants that and the verifier takes
    /// several (OpenID4VP 1.0, section 6.1).
    private func plan(of result: QueryResult) throws(OID4VPError) -> PresentationPlan {
        let preferred = try result.preferredPlan()
        guard presentsAllMatching else { return preferred }
        var selection: [QueryID: [CredentialName]] = [:]
        for entry in preferred.entries {
            let outcome = result[entry.query]
            let takesAll = outcome?.allowsMultiple ?? false
            selection[entry.query] =
                takesAll ? outcome?.matches.map(\.credential) : [entry.match.credential]
        }
        return try result.plan(choosing: selection)
    }

    /// The presentations of a plan, before they are signed.
    private func presentations(
        of plan: PresentationPlan,
        from wallet: FileWallet,
        to asked: PresentationRequest,
        _ responder: AuthorizationResponder
    ) async throws(OID4VPError) -> UnsignedPresentations {
        let binding = try PresentationBinding(request, asked, mdocGeneratedNonce: responder.mdocGeneratedNonce)
        let builder = PresentationBuilder(asked, binding, options: PresentationOptions(prover: wallet.prover))
        return try await builder.prepare(
            plan,
            of: wallet.credentials,
            keys: HolderKeys(holders: wallet.holders),
            at: time
        )
    }

    // MARK: Refusals

    private func refusal(
        _ error: OID4VPError,
        _ code: AuthorizationErrorCode,
        _ responder: AuthorizationResponder
    ) -> Answer {
        Answer(
            members: [
                ("verdict", "refused"), ("reason", .text("\(error.code)")), ("message", .text("\(error)")),
                ("error response", .text(code.text)),
            ],
            isPresentation: false
        ) {
            try await responder.errorResponse(code, for: error, at: time)
        }
    }

    /// The reasons that no credential answers are for the holder alone.
    private func unsatisfied(_ result: QueryResult, _ responder: AuthorizationResponder) -> Answer {
        let queries = result.queries.filter { $0.matches.isEmpty }.map { outcome in
            let reasons = outcome.mismatches.map { mismatch in
                (name: mismatch.credential.text, value: Outline.text("\(mismatch.reason)"))
            }
            return (name: outcome.id.text, value: Outline.fields(reasons))
        }
        return Answer(
            members: [
                ("verdict", "refused"), ("reason", .text("\(OID4VPError.Code.unsatisfied)")),
                ("message", "no credential answers a query that must be answered"), ("queries", .fields(queries)),
            ],
            isPresentation: false
        ) {
            try await responder.errorResponse(.accessDenied, at: time)
        }
    }
}

extension QueryResult {
    /// The number of credentials that the verifier would take, too, for the queries that a plan answers.
    fileprivate func matchCount(beyond plan: PresentationPlan) -> Int {
        let answered = Set(plan.entries.map(\.query))
        return queries.filter { $0.allowsMultiple && answered.contains($0.id) }.reduce(0) { count, query in
            count + query.matches.count - plan.entries.filter { $0.query == query.id }.count
        }
    }
}
