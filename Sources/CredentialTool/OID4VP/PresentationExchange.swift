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
        let plan: PresentationPlan
        let unsigned: UnsignedPresentations
        do throws(OID4VPError) {
            let result = try asked.evaluate(over: wallet.credentials.queryable, at: time)
            guard result.isSatisfied else { return unsatisfied(result, responder) }
            plan = try result.preferredPlan()
            // What cannot be presented, such as a transaction that no credential authorizes, is not asked about.
            unsigned = try await presentations(of: plan, to: asked, responder)
        } catch {
            // Faults that depend on the credentials are for the holder alone, as long as nobody has consented.
            return refusal(error, .accessDenied, responder)
        }
        let question = try PresentationQuestion(verification, request, asked, plan, of: wallet.credentials)
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

    /// The presentations of a plan, before they are signed.
    private func presentations(
        of plan: PresentationPlan,
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
