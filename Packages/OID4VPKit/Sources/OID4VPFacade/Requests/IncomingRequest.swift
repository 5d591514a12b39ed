import JSONKit
import OID4VPMessages

/// A request as the app received it, after the checks that need no trust.
struct IncomingRequest: Sendable {
    /// The request as a URL, with what switches change.
    let url: String
    /// The client identifier.
    let clientID: String
    /// The client identifier scheme, or the prefix; `pre-registered` for none.
    let scheme: String
    /// The parameters of the URL.
    let parameters: [(name: String, value: String)]

    private static let className = "AuthorizationRequest"
    /// The parameters that must not be the text of an absent value.
    private static let texts = [
        "client_id", "client_id_scheme", "response_type", "response_mode", "response_uri", "nonce", "state",
    ]

    /// Reads the text of a URL.
    init(_ text: String, _ settings: OpenID4VPSettings) throws(OpenID4VPException) {
        guard let question = text.firstIndex(of: "?") else {
            throw InvalidQueryParams(
                message: "Query parameters are missing in the Authorization request",
                className: Self.className
            )
        }
        guard text.utf8.count <= settings.reading.limits.urlLength else {
            throw InvalidQueryParams(message: "The Authorization request is too long", className: Self.className)
        }
        let query = text[question...].dropFirst().prefix { $0 != "#" }
        let form: FormParameters
        do throws(OID4VPError) {
            form = try FormParameters(decoding: query)
        } catch {
            throw InvalidQueryParams(message: error.message, className: Self.className, cause: error)
        }
        try self.init(form, settings)
    }

    /// Takes parameters as values.
    init(_ map: [String: Any], _ settings: OpenID4VPSettings) throws(OpenID4VPException) {
        var form = FormParameters()
        for (name, value) in map.sorted(by: { $0.key < $1.key }) {
            let json = try JSONValue(plain: value)
            form.append(name, json.stringValue ?? json.text())
        }
        try self.init(form, settings)
    }

    private init(_ form: FormParameters, _ settings: OpenID4VPSettings) throws(OpenID4VPException) {
        for name in Self.texts {
            guard let value = form[name] else { continue }
            if value.isEmpty || value == "null" || value == "nil" {
                throw InvalidInput(fieldPath: [name], .empty, className: Self.className)
            }
        }
        guard let clientID = form["client_id"] else {
            throw MissingInput(fieldPath: ["client_id"], className: Self.className)
        }
        self.clientID = clientID
        let prefix = clientID.firstIndex(of: ":").map { String(clientID[..<$0]) }
        scheme = form["client_id_scheme"] ?? prefix ?? ClientIdScheme.preRegistered.rawValue
        var changed = FormParameters()
        let isPost =
            settings.readsRedirectURIAsResponseAddress && scheme == ClientIdScheme.redirectUri.rawValue
            && form["response_uri"] == nil && form["response_mode"] == nil
        for (name, value) in form.items {
            switch name {
            case "request_uri_method" where settings.toleratesMethodCase: changed.append(name, value.lowercased())
            case "redirect_uri" where isPost:
                changed.append("response_uri", value)
                changed.append("response_mode", ResponseMode.directPost.text)
            default: changed.append(name, value)
            }
        }
        parameters = changed.items
        url = "openid4vp://authorize?" + changed.text
    }

    /// The value of a parameter of the URL, or nil.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Indicates that the parameters that count are those of the URL.
    var isByValue: Bool { self["request"] == nil && self["request_uri"] == nil }
}
