import CommandSupport
import CryptoCore
import JOSEKit
import JSONKit
import OID4VPKit
import OID4VPMessages
import SDJWTKit

/// The question to a holder before a presentation: the library's summary, the protection of the answer, the attestations that came
/// with the request, and its deviations.
struct PresentationQuestion {
    private let summary: PresentationSummary
    private let protection: String
    private let deviations: [Deviation]
    private let furtherMatches: Int
    private let attestations: [VerifierInfo]

    /// - Parameters:
    ///   - verification: The verification of the request, for the deviations in it.
    ///   - authenticated: The request.
    ///   - request: The request as it was read.
    ///   - plan: The presentations to make.
    ///   - credentials: The credentials of the wallet.
    ///   - furtherMatches: The number of credentials that the verifier would take, too.
    init(
        _ verification: Verification<AuthenticatedRequest>,
        _ authenticated: AuthenticatedRequest,
        _ request: PresentationRequest,
        _ plan: PresentationPlan,
        of credentials: [PresentableCredential],
        furtherMatches: Int
    ) throws(OID4VPError) {
        summary = try authenticated.summary(of: plan, for: request, from: credentials)
        protection =
            request.encryption.map { "encrypted with \($0.algorithm.rawValue) and \($0.encryption.rawValue)" }
            ?? "not encrypted"
        deviations = verification.deviations + request.deviations
        self.furtherMatches = furtherMatches
        attestations = request.verifierInfo
    }

    /// The summary in lines for people and in members for machines, the protection, the attestations about the verifier, what else
    /// could be presented, and the deviations.
    var members: [(name: String, value: Outline)] {
        var members: [(name: String, value: Outline)] = [
            ("summary", .forms(people: .block(summary.lines.joined(separator: "\n")), machines: summary.json)),
            ("answer", .text(protection)),
        ]
        if !attestations.isEmpty { members.append(("attestations", attestations.outline)) }
        if furtherMatches > 0 {
            let offer = "the verifier takes several credentials, and \(furtherMatches) more fit"
            members.append(("hint", .text("\(offer): --all-matching presents them")))
        }
        if !deviations.isEmpty { members.append(("deviations", .list(deviations.map { .text("\($0)") }))) }
        return members
    }

    /// The lines of the question on the terminal.
    var lines: [String] { Outline.labeled(members).lines + ["Send this? [y/N]"] }
}

extension [VerifierInfo] {
    /// The largest number of attestations that are listed for people: the verifier may send any.
    private static var mostListed: Int { 8 }

    /// The attestations about a verifier (OpenID4VP 1.0, section 5.1), none of which this wallet verifies.
    ///
    /// The specification leaves their content, and what binds them to a verifier, to the ecosystem that defines the format.
    fileprivate var outline: Outline {
        let more = count - Self.mostListed
        let listed = prefix(Self.mostListed).map(\.outline)
        return .forms(
            people: .list(listed + (more > 0 ? [.text("\(more) more, not verified")] : [])),
            machines: .array(map(\.json))
        )
    }
}

extension VerifierInfo {
    fileprivate var outline: Outline {
        .fields([
            "format": .verbatim(format.text),
            "queries": credentials.map { .list($0.map { .verbatim($0.text) }) },
            "verified": .flag(false),
        ])
    }

    fileprivate var json: JSONValue {
        var object: JSONObject = ["format": .string(format.text)]
        object["queries"] = credentials.map { .array($0.map { .string($0.text) }) }
        object["verified"] = false
        return .object(object)
    }
}

extension PresentationSummary {
    /// The summary for machines.
    fileprivate var json: JSONValue {
        var object: JSONObject = ["verifier": verifier.json, "credentials": .array(credentials.map(\.json))]
        if !transactions.isEmpty { object["transactions"] = .array(transactions.map(\.json)) }
        if !unanswered.isEmpty { object["unanswered"] = .array(unanswered.map { .string($0.text) }) }
        return .object(object)
    }
}

extension PresentationSummary.Verifier {
    /// The verifier: `proof` has the line for people, beside the parts that it is made of.
    fileprivate var json: JSONValue {
        var object: JSONObject = ["proof": .string(description), "signed": .bool(proof != .unsigned)]
        object["client"] = client.map { .string($0.text.text) }
        object["name"] = name.map { .string($0) }
        object["recipient"] = recipient.map { .string($0) }
        if let certificateChain {
            object["subject"] = .string("\(certificateChain.leaf.subject)")
            object["anchor"] = .string("\(certificateChain.anchor.subject)")
        }
        return .object(object)
    }
}

extension PresentationSummary.Credential {
    fileprivate var json: JSONValue {
        let claims = elements.map { element -> JSONValue in
            [
                "path": element.path.json, "value": element.value, "requested": .bool(element.isRequested),
                "retained": .bool(element.isRetained),
            ]
        }
        return [
            "query": .string(query.text), "credential": .string(credential.text), "format": .string(format.text),
            "types": .array(types.map { .string($0.text) }), "claims": .array(claims),
            "technical": .object(technical), "purposes": .array(purposes.map { .string($0) }),
        ]
    }
}

extension PresentationSummary.Transaction {
    fileprivate var json: JSONValue {
        [
            "type": .string(type.text), "members": .object(members),
            "queries": .array(queries.map { .string($0.text) }),
        ]
    }
}
