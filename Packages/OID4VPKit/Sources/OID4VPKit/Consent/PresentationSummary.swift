import CredentialTransport
public import CryptoCore
public import JSONKit
public import OID4VPMessages
public import SDJWTKit

/// The summary for a holder's consent: the claims that leave the wallet, and the verifier with its proof.
///
/// ```swift
/// let summary = try request.summary(of: plan, for: asked, from: credentials)
/// for line in summary.lines { print(line) }
/// ```
///
/// The verifier's unverified word stands only in ``Credential/purposes``, ``Transaction/members``, ``excess`` and
/// ``unanswered``. Escape these before they are shown, as ``lines`` does. The name that the metadata of a request give to the
/// verifier is not here: nothing vouches for it.
public struct PresentationSummary: Sendable {
    /// The verified identity of the verifier.
    public enum Proof: Hashable, Sendable {
        /// The verifier signed the request, as the rule of its identifier demands.
        case verified(ClientIdentifier.Rule)
        /// There is no signature: only the recipient of the answer is known.
        case unsigned
    }

    /// The party that asks, and gets the answer.
    public struct Verifier: Sendable {
        /// The identifier; nil for an unsigned request over the Digital Credentials API.
        public let client: ClientIdentifier?
        /// The verified identity.
        public let proof: Proof
        /// The certificate chain of the signer; nil for other kinds of keys.
        public let certificateChain: ValidatedCertificateChain?
        /// The name for the user, as the wallet's registration of the client or its federation states it; nil for a client of which
        /// neither does.
        public let name: String?
        /// The address of the logo, from the same source as ``name``.
        public let logoURI: String?
        /// The host of the response's address, or the origin of the page or app; nil where the caller takes the response.
        public let recipient: String?
    }

    /// A claim that leaves.
    public struct Element: Hashable, Sendable {
        /// The place in the credential, as queries name it.
        public let path: ClaimPath
        /// The value: a text, a number, a truth value, null, or an empty object or array.
        public let value: JSONValue
        /// Indicates that the verifier asks for it; `false` for a claim that the credential cannot be presented without.
        public let isRequested: Bool
        /// Indicates that the verifier intends to retain it beyond the transaction.
        public let isRetained: Bool
    }

    /// A credential that leaves.
    public struct Credential: Sendable {
        /// The query that it answers.
        public let query: QueryID
        /// The name of the credential in the wallet.
        public let credential: CredentialName
        /// The format.
        public let format: CredentialFormat
        /// The types.
        public let types: [ExactText]
        /// The claims that leave, in the order of the credential.
        public let elements: [Element]
        /// The members that leave and are about the credential itself, such as `iss`, `vct`, `cnf`, `exp` and `status`.
        public let technical: JSONObject
        /// The purposes that the verifier states for the query; empty for none.
        public let purposes: [String]
    }

    /// A transaction that the answer authorizes.
    public struct Transaction: Sendable {
        /// The type, which the wallet supports.
        public let type: ExactText
        /// The members that describe the transaction, without those of OpenID4VP.
        public let members: JSONObject
        /// The queries of which the presentation for one authorizes it.
        public let queries: [QueryID]
    }

    /// The verifier.
    public let verifier: Verifier
    /// The credentials that leave, in the order of the plan.
    public let credentials: [Credential]
    /// The transactions that the answer authorizes, in the order of the request.
    public let transactions: [Transaction]
    /// The claims that the request asks for beyond a verified registration of the verifier, by query; empty for none.
    public let excess: [QueryID: [ClaimPath]]
    /// The queries that no credential answers, in the order of the request.
    public let unanswered: [QueryID]
}

extension AuthenticatedRequest {
    /// Summarizes an answer and its recipient, for the holder to see before it is built.
    ///
    /// - Parameters:
    ///   - plan: The plan that the holder is about to agree to.
    ///   - asked: The content of this request.
    ///   - credentials: The credentials of the wallet; those that the plan does not name are skipped.
    ///   - registrations: The attestations about the verifier, as ``verifierInfo(of:verifiedBy:at:)`` gives them; none by default.
    /// - Throws: `OID4VPError` with code `invalidSelection` for a plan that names an unknown credential, `presentationFailed`
    ///   for a claim that a credential lacks.
    public func summary(
        of plan: PresentationPlan,
        for asked: PresentationRequest,
        from credentials: [PresentableCredential],
        registrations: [VerifierInfoFinding] = []
    ) throws(OID4VPError) -> PresentationSummary {
        let leaving = try plan.entries.map { entry throws(OID4VPError) in
            guard let credential = credentials.first(where: { $0.name == entry.match.credential }) else {
                throw OID4VPError(.invalidSelection, "the plan names a credential that is not there")
            }
            // A credential that answers several descriptors is presented once.
            let all = plan.entries.map(\.match).filter { $0.credential == entry.match.credential }
            return try PresentationSummary.Credential(
                entry,
                credential,
                sharedBy: asked.query.definition == nil ? [entry.match] : all,
                asked.query
            )
        }
        let answered = Set(plan.entries.map(\.query))
        var excess: [QueryID: [ClaimPath]] = [:]
        for registration in registrations.compactMap({ $0.verification?.verified }) {
            excess.merge(registration.excess) { $0 + $1 }
        }
        return PresentationSummary(
            verifier: PresentationSummary.Verifier(self),
            credentials: leaving,
            transactions: asked.transactionData.map { PresentationSummary.Transaction($0, answered) },
            excess: excess,
            unanswered: asked.query.names.filter { !answered.contains($0) }
        )
    }
}

extension PresentationSummary.Verifier {
    fileprivate init(_ request: AuthenticatedRequest) {
        client = request.client
        proof = request.isSigned ? request.client.map { .verified($0.rule) } ?? .unsigned : .unsigned
        certificateChain = request.certificateChain
        recipient =
            request.origin
            ?? request.target.address.flatMap { address in
                (try? HTTPURL(address))?.host.description ?? address.split(separator: ":").first.map { "\($0):" }
            }
        let vouched: JSONObject? =
            switch request.metadataSource {
            case .wallet(let known): known
            case .federation(let resolved): resolved
            // Its sender states whatever it likes.
            case .request: nil
            }
        name = vouched?["client_name"]?.stringValue
        logoURI = vouched?["logo_uri"]?.stringValue
    }
}

extension PresentationSummary.Transaction {
    fileprivate init(_ entry: TransactionDataEntry, _ answered: Set<QueryID>) {
        type = entry.type
        let own: Set = ["type", "credential_ids", "transaction_data_hashes_alg"]
        members = JSONObject(entry.members.filter { !own.contains($0.name) })
        queries = entry.credentials.filter(answered.contains)
    }
}
