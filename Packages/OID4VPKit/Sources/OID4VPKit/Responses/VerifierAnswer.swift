import CredentialTransport
public import JSONKit
public import OID4VPMessages

/// The answer of a verifier to a response (OpenID4VP 1.0, section 8.2).
public struct VerifierAnswer: Sendable {
    /// The status.
    public let status: Int
    /// The address that the user is to be sent to: https, or of a scheme of the app's own; nil for none.
    public let redirectURI: String?
    /// An address that must not be opened: of another scheme, malformed, or naming an address instead of a host; nil for none.
    public let refusedRedirectURI: String?
    /// The other members of the answer.
    public let additionalMembers: JSONObject
    /// The body as received.
    public let body: [UInt8]
    /// The names and values of the header's fields, as received.
    public let headers: [(name: String, value: String)]
    /// The deviations that tolerances let pass.
    public let deviations: [Deviation]

    init(
        _ response: HTTPTransportResponse,
        _ members: JSONObject,
        _ deviations: [Deviation],
        appSchemes: Set<String>,
        isSuccess: Bool = true
    ) {
        status = response.status
        body = response.body
        headers = response.headers
        self.deviations = deviations
        var members = members
        let address = members.removeValue(forName: "redirect_uri")?.stringValue
        additionalMembers = members
        let isOpenable = isSuccess && address.map { Self.isOpenable($0, appSchemes) } ?? false
        redirectURI = isOpenable ? address : nil
        refusedRedirectURI = isOpenable ? nil : address
    }

    /// Returns `true` for an https URL with a named host, and for a URL of one of the app's schemes.
    private static func isOpenable(_ text: String, _ appSchemes: Set<String>) -> Bool {
        guard text.utf8.count <= HTTPURL.maximumLength, text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }) else {
            return false
        }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard scheme.count < text.count else { return false }
        guard scheme == "https" else {
            // These run code or read files, whatever the app says.
            let isDangerous = ["http", "javascript", "data", "file", "blob", "about"].contains(scheme)
            return !isDangerous && appSchemes.contains(scheme)
        }
        // The fragment has the response code; all else is read as strictly as an address to contact.
        guard let url = try? HTTPURL(text.prefix { $0 != "#" }), case .name = url.host else { return false }
        return url.scheme == .https
    }
}

extension OID4VPError {
    /// The verifier's answer to a response that it refused or answered in another form than it must; nil for other errors.
    ///
    /// The body is bounded by the limits of the ``ResponseSender``, and empty for a longer one. An address in it is refused.
    public var verifierAnswer: VerifierAnswer? {
        guard let answer = (cause as? TransportError)?.answer else { return nil }
        let members = (try? JSONValue(parsing: answer.body))?.objectValue ?? [:]
        return VerifierAnswer(answer, members, [], appSchemes: [], isSuccess: false)
    }
}

extension VerifierAnswer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the size of the body; the address for the user may have a secret code.
    public var description: String { "answer with status \(status), \(body.count) bytes" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
