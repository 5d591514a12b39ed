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
    ///
    /// - Parameter isRepeated: Indicates that it was sent before, without an answer: the verifier may refuse the second because it
    ///   took the first.
    init?(_ error: OID4VPError, from url: HTTPURL, isRepeated: Bool = false) {
        guard let answer = error.verifierAnswer else { return nil }
        verdict = error.code == .responseRefused && !isRepeated ? "rejected" : "unconfirmed"
        var members: [(name: String, value: Outline)] = [
            ("sent to", .verbatim("\(url)")), ("status", .number(answer.status)), ("message", .text("\(error)")),
        ]
        for name in ["error", "error_description"] {
            if let text = answer.additionalMembers[name]?.stringValue { members.append((name, .verbatim(text))) }
        }
        self.members = members
    }

    /// Sends a response, and once more where no answer says whether it arrived: a verifier that has it answers as before.
    ///
    /// - Throws: As ``ResponseSender/send(_:)`` where the verifier answers neither.
    static func sending(
        _ response: AuthorizationResponse,
        to url: HTTPURL,
        with sender: ResponseSender
    ) async throws(OID4VPError) -> PresentationDelivery {
        var isRepeated = false
        while true {
            do throws(OID4VPError) {
                return PresentationDelivery(try await sender.send(response), from: url)
            } catch {
                if !isRepeated, error.isWithoutAnswer {
                    isRepeated = true
                    continue
                }
                guard let delivery = PresentationDelivery(error, from: url, isRepeated: isRepeated) else { throw error }
                return delivery
            }
        }
    }

    /// The report of the answer with the verdict of its delivery.
    func verdict(of answer: [(name: String, value: Outline)]) -> [(name: String, value: Outline)] {
        guard let verdict else { return answer }
        return answer.map { $0.name == "verdict" ? ($0.name, .text(verdict)) : $0 }
    }
}

extension OID4VPError {
    /// Indicates a response that may have arrived.
    fileprivate var isWithoutAnswer: Bool {
        guard code == .responseNotSent, let cause = cause as? TransportError else { return false }
        return [.exchangeFailed, .timedOut, .incompleteBody].contains(cause.code)
    }
}
