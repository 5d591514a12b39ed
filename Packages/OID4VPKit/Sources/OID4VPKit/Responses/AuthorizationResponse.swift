public import CredentialTransport
public import JSONKit
public import OID4VPMessages

/// A response that is complete, and the way it takes: a pure value, which sends nothing.
///
/// ``AuthorizationResponder`` makes one of an authenticated request alone. ``ResponseSender`` posts those that the wallet
/// posts; the others are for the browser, for the platform or for the app.
///
/// ```swift
/// switch response.delivery {
/// case .post: let answer = try await sender.send(response)
/// case .open(let url): open(url)
/// case .page(let form): show(form.html)
/// case .platform(_, let data): complete(data)
/// case .app(let members): send(members)
/// }
/// ```
public struct AuthorizationResponse: Sendable {
    /// The ways of a response.
    public enum Delivery: Sendable {
        /// The wallet posts the form to the address, and reads the answer.
        case post(HTTPURL, FormParameters)
        /// The browser opens the URL.
        case open(String)
        /// The browser loads a page that submits itself.
        case page(FormPage)
        /// The platform takes the object, as the answer to a request of the protocol.
        case platform(ExactText, JSONObject)
        /// The app sends the members to the authorization server that asked; nothing is posted here.
        case app(JSONObject)
    }

    /// The way, with the message that takes it.
    public let delivery: Delivery
    /// The parameters as they go on the wire: those of the response, or `response` with a JWT of them.
    public let parameters: JSONObject
    /// The code of an error response; nil for presentations.
    public let errorCode: AuthorizationErrorCode?
    /// The reason that an error response takes the place of presentations; nil if there was none to take.
    ///
    /// It is for the app. Nothing of it is in the response.
    public let failure: OID4VPError?
    /// The deviations from the wallet's profile that it tolerates.
    public let deviations: [Deviation]

    init(
        _ parameters: JSONObject,
        to target: ResponseTarget,
        platformProtocol: ExactText?,
        errorCode: AuthorizationErrorCode? = nil,
        failure: OID4VPError? = nil,
        deviations: [Deviation] = []
    ) throws(OID4VPError) {
        self.parameters = parameters
        self.errorCode = errorCode
        self.failure = failure
        self.deviations = deviations
        delivery = try Self.delivery(of: parameters, to: target, platformProtocol)
    }

    /// A response that only a platform takes.
    init(platform protocolIdentifier: ExactText, _ data: JSONObject, errorCode: AuthorizationErrorCode? = nil) {
        parameters = data
        self.errorCode = errorCode
        failure = nil
        deviations = []
        delivery = .platform(protocolIdentifier, data)
    }

    private static func delivery(
        of parameters: JSONObject,
        to target: ResponseTarget,
        _ platformProtocol: ExactText?
    ) throws(OID4VPError) -> Delivery {
        let form = ResponseParameters(parameters).form
        switch (target.mode.address, target.address) {
        case (.platform, _):
            guard let platformProtocol else {
                throw OID4VPError(.invalidResponse, "the request did not come from a platform")
            }
            return .platform(platformProtocol, parameters)
        case (.optionalResponseURI, _): return .app(parameters)
        case (.responseURI, let address?):
            return .post(try HTTPURL(secure: address, .invalidResponseAddress, at: "response_uri"), form)
        case (.redirectURI, let address?): return redirect(to: address, with: form, target.mode)
        default: throw OID4VPError(.invalidResponseAddress, "the response has no address")
        }
    }

    private static func redirect(
        to address: String,
        with form: FormParameters,
        _ mode: ResponseMode
    ) -> Delivery {
        switch mode.base {
        case .formPost: return .page(FormPage(address: address, form: form))
        case .query:
            let hasQuery = address.utf8.contains(UInt8(ascii: "?"))
            let separator = !hasQuery ? "?" : address.hasSuffix("?") || address.hasSuffix("&") ? "" : "&"
            return .open(address + separator + form.text)
        // The fragment is the way of `jwt` for a `vp_token`, too (JARM, section 2.3.4).
        default: return .open(address + "#" + form.text)
        }
    }
}

/// A page for the browser with a form that submits itself (OAuth 2.0 Form Post Response Mode).
public struct FormPage: Sendable {
    /// The address that the form goes to.
    public let address: String
    /// The fields.
    public let form: FormParameters

    /// The page; everything in it that others wrote is escaped.
    public var html: String {
        let fields = form.items.map {
            "<input type=\"hidden\" name=\"\(Self.escaped($0.name))\" value=\"\(Self.escaped($0.value))\">"
        }
        return """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title></title></head>
            <body onload="document.forms[0].submit()">
            <form method="post" action="\(Self.escaped(address))" accept-charset="utf-8">
            \(fields.joined(separator: "\n"))
            <noscript><button>&rarr;</button></noscript>
            </form></body></html>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&", "<", ">", "\"", "'": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}

extension AuthorizationResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The way and the code of an error; the parameters and the address may be secret.
    public var description: String { "response \(delivery)" + (errorCode.map { ", error \($0)" } ?? "") }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension AuthorizationResponse.Delivery: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name of the way, without the address and the message.
    public var description: String {
        switch self {
        case .post: "by post"
        case .open: "by URL"
        case .page: "by page"
        case .platform: "by platform"
        case .app: "by app"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension FormPage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size of the form; its fields and the address may be secret.
    public var description: String { "page with \(form)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
