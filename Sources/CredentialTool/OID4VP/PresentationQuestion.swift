import CommandSupport
import CryptoCore
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages

/// The question to a holder before a presentation: the verifier with its proof, and exactly the claims that would leave.
struct PresentationQuestion {
    /// One presentation: the query that it answers, the credential, and what leaves of it.
    private struct Part {
        let query: QueryID
        let credential: CredentialName
        let format: CredentialFormat
        let claims: JSONObject
    }

    private let authenticated: AuthenticatedRequest
    private let request: PresentationRequest
    private let deviations: [Deviation]
    private let parts: [Part]

    /// - Parameters:
    ///   - verification: The verification of the request, for the deviations in it.
    ///   - authenticated: The request.
    ///   - request: The request as it was read.
    ///   - plan: The presentations to make.
    ///   - credentials: The credentials of the wallet.
    init(
        _ verification: Verification<AuthenticatedRequest>,
        _ authenticated: AuthenticatedRequest,
        _ request: PresentationRequest,
        _ plan: PresentationPlan,
        of credentials: [PresentableCredential]
    ) throws {
        self.authenticated = authenticated
        self.request = request
        deviations = verification.deviations + request.deviations
        parts = try plan.entries.map { entry in
            guard let credential = credentials.first(where: { $0.name == entry.match.credential }) else {
                throw ToolError("the plan names a credential that is not there")
            }
            return Part(
                query: entry.query,
                credential: credential.name,
                format: credential.queryable.format,
                claims: try credential.disclosedClaims(of: entry.match)
            )
        }
    }

    /// The verifier, the way of the answer, and the presentations.
    var members: [(name: String, value: Outline)] {
        var members: [(name: String, value: Outline)] = [
            ("verifier", .verbatim(authenticated.client?.text.text ?? authenticated.audience)),
            ("proof", .text(authenticated.proof)),
            ("answer", .text(way)),
        ]
        if !request.transactionData.isEmpty {
            members.append(("transactions", .list(request.transactionData.map { .json(.object($0.members)) })))
        }
        if !deviations.isEmpty { members.append(("deviations", .list(deviations.map { .text("\($0)") }))) }
        let presentations = parts.map { part in
            Outline.fields([
                "query": .verbatim(part.query.text), "credential": .verbatim(part.credential.text),
                "format": .text(part.format.text), "claims": .json(.object(part.claims)),
            ])
        }
        members.append(("presentations", .list(presentations)))
        return members
    }

    /// The lines of the question on the terminal.
    var lines: [String] { Outline.labeled(members).lines + ["Send this? [y/N]"] }

    private var way: String {
        let address = request.target.address.map { "to \($0)" } ?? "by the platform"
        guard let encryption = request.encryption else { return "\(address), not encrypted" }
        return "\(address), encrypted with \(encryption.algorithm.rawValue) and \(encryption.encryption.rawValue)"
    }
}

extension AuthenticatedRequest {
    /// The proof that the verifier is the one that it says, in words.
    fileprivate var proof: String {
        if let chain = certificateChain {
            return "signed with the certificate of \(chain.leaf.subject), for which \(chain.anchor.subject) vouches"
        }
        guard let client else { return "none but the origin \(origin ?? interactiveEndpoint ?? "")" }
        guard isSigned else {
            return client.rule == .redirectURI
                ? "none: the answer goes to the address that the verifier is named after"
                : "none: the verifier is a known one, and did not sign"
        }
        switch client.rule {
        case .decentralizedIdentifier: return "signed with a key of the DID"
        case .federation: return "signed with a key that a federation vouches for"
        case .verifierAttestation: return "signed with the key of an attestation by a trusted party"
        default: return "signed with a known key"
        }
    }
}
