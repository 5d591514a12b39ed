import CommandSupport
import CredentialTransport
import JSONKit
import OID4VPKit
import OID4VPMessages

/// The delivery of a wallet's answer, for its report.
struct PresentationDelivery {
    /// The fields behind those of the answer.
    let members: [(name: String, value: Outline)]
    /// The verdict in place of that of the answer; nil if the answer arrived, or goes another way.
    private let verdict: String?

    /// Indicates that the verifier did not take the answer, or did not say so.
    var isRefusal: Bool { verdict != nil }

    /// An answer that the command does not send.
    init(_ members: [(name: String, value: Outline)]) {
        self.members = members
        verdict = nil
    }

    /// An answer that the verifier took.
    init(_ answer: VerifierAnswer, from url: HTTPURL) {
        var members: [(name: String, value: Outline)] = [("sent to", .verbatim("\(url)"))]
        if let address = answer.redirectURI { members.append(("redirect_uri", .verbatim(address))) }
        if let address = answer.refusedRedirectURI {
            members.append(("redirect_uri that is not to be opened", .verbatim(address)))
        }
        self.init(members)
    }

    /// An answer that the verifier refused, or whose reception it stated in another form than it must; nil for an error without
    /// an answer of the verifier.
    init?(_ error: OID4VPError, from url: HTTPURL) {
        guard let answer = error.verifierAnswer else { return nil }
        verdict = error.code == .responseRefused ? "rejected" : "unconfirmed"
        var members: [(name: String, value: Outline)] = [
            ("sent to", .verbatim("\(url)")), ("status", .number(answer.status)), ("message", .text("\(error)")),
        ]
        for name in ["error", "error_description"] {
            if let text = answer.additionalMembers[name]?.stringValue { members.append((name, .verbatim(text))) }
        }
        self.members = members
    }

    /// The report of the answer with the verdict of its delivery.
    func verdict(of answer: [(name: String, value: Outline)]) -> [(name: String, value: Outline)] {
        guard let verdict else { return answer }
        return answer.map { $0.name == "verdict" ? ($0.name, .text(verdict)) : $0 }
    }
}
