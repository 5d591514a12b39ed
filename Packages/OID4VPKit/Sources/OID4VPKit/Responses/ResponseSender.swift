@_spi(Layers) public import CredentialTransport
import JSONKit
public import OID4VPMessages

/// Posts responses to verifiers, and reads their answers (OpenID4VP 1.0, section 8.2).
///
/// Each call posts the response once, even if that fails: the nonce of the request may be used up. After a failure of the network
/// an app sends the same response again, and does not build another: see <doc:Answer-a-request>. No redirect is followed.
///
/// ```swift
/// let sender = ResponseSender(transport: transport, appSchemes: ["wallet.example"])
/// let answer = try await sender.send(response)
/// if let url = answer.redirectURI { open(url) }
/// ```
public struct ResponseSender: Sendable {
    private let transport: any HTTPTransport
    private let appSchemes: Set<String>
    private let tolerances: Set<AnswerTolerance>
    private let limits: HTTPLimits

    /// 64 KiB for an answer and as much for that of an error, within 30 seconds.
    public static let defaultLimits = HTTPLimits(maximumErrorBodySize: 64 * 1024, timeout: .seconds(30))

    /// Makes a sender.
    ///
    /// - Parameters:
    ///   - transport: Posts responses; it guards against private addresses and follows no redirects.
    ///   - appSchemes: The schemes of the app's own URLs that a verifier may send the user to, beside https.
    ///   - tolerances: The deviations of answers that are accepted, and reported; none by default.
    ///   - limits: The limits for the size of an answer and the time until it is complete.
    public init(
        transport: any HTTPTransport,
        appSchemes: Set<String> = [],
        tolerances: Set<AnswerTolerance> = [],
        limits: HTTPLimits = defaultLimits
    ) {
        self.transport = transport
        self.appSchemes = Set(appSchemes.map { $0.lowercased() })
        self.tolerances = tolerances
        self.limits = limits
    }

    /// Posts a response.
    ///
    /// - Returns: The verifier's answer.
    /// - Throws: `OID4VPError` with code `nothingToSend` for a response that goes another way; `responseNotSent` if the
    ///   address may not be contacted or no complete answer came; `responseRefused` for an answer with another status
    ///   than 200, also for a redirect; `invalidAnswer` for one that is not a JSON object. `verifierAnswer` of the last
    ///   two has the answer.
    public func send(_ response: AuthorizationResponse) async throws(OID4VPError) -> VerifierAnswer {
        guard case .post(let url, let form) = response.delivery else {
            throw OID4VPError(.nothingToSend, "the wallet does not post a response of this mode")
        }
        let answer: HTTPTransportResponse
        do throws(TransportError) {
            var statuses: AcceptedStatuses = [200]
            if tolerances.contains(.otherStatus) { statuses = .successful }
            answer = try await transport.response(
                to: .post(
                    url,
                    body: Array(form.text.utf8),
                    type: .form,
                    accepting: .any,
                    statuses: statuses,
                    limits: limits
                )
            )
        } catch {
            // The address is a secret of wallet and verifier.
            let isAnswer = error.code == .unexpectedStatus || error.code == .redirected
            throw OID4VPError(
                isAnswer ? .responseRefused : .responseNotSent,
                isAnswer ? "the verifier did not take the response" : "the response was not sent, or not answered",
                path: ["response_uri"],
                cause: error.withoutPlace
            )
        }
        return try read(answer)
    }

    private func read(_ response: HTTPTransportResponse) throws(OID4VPError) -> VerifierAnswer {
        var deviations: [Deviation] = []
        func tolerate(_ tolerance: AnswerTolerance) throws(OID4VPError) {
            guard tolerances.contains(tolerance) else {
                let cause = TransportError(.contentTypeNotAccepted, tolerance.finding, answer: response)
                throw OID4VPError(
                    .invalidAnswer,
                    "the verifier's answer is malformed",
                    path: ["response_uri"],
                    cause: cause
                )
            }
            deviations.append(Deviation(tolerance.description, at: ["response_uri"], tolerance.finding))
        }
        if response.status != 200 { try tolerate(.otherStatus) }
        let limits = JSONLimits(size: limits.maximumBodySize, depth: 64)
        let members = (try? JSONValue(parsing: response.body, limits: limits))?.objectValue
        if members == nil {
            try tolerate(.notJSON)
        } else if response.contentType != .json {
            try tolerate(.otherContentType)
        }
        return VerifierAnswer(response, members ?? [:], deviations, appSchemes: appSchemes)
    }
}

/// A deviation of an answer that verifiers show: the response was taken nevertheless.
public struct AnswerTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String
    /// The deviation, for a developer.
    let finding: String

    private init(_ description: String, _ finding: String) {
        self.description = description
        self.finding = finding
    }

    /// A body that is empty or no JSON object, which is kept as it is.
    public static let notJSON = AnswerTolerance("notJSON", "the answer is no JSON object")
    /// A JSON object with another content type than `application/json`.
    public static let otherContentType = AnswerTolerance(
        "otherContentType",
        "the content type of the answer is not application/json"
    )
    /// A status of success other than 200.
    public static let otherStatus = AnswerTolerance("otherStatus", "the status is not 200")
}

extension Set<AnswerTolerance> {
    /// The known deviations of deployed verifiers.
    public static let deployed: Set<AnswerTolerance> = [.notJSON, .otherContentType, .otherStatus]
}
