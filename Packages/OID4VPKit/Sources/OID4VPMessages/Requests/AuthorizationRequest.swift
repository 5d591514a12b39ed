public import CredentialTransport
public import JSONKit

/// A request as the wallet receives it in a URL: by value or by reference, not authenticated (section 5; RFC 9101).
///
/// ```swift
/// let request = try AuthorizationRequest(url: text)
/// if case .reference(let reference) = request.form { try await fetch(reference) }
/// ```
public struct AuthorizationRequest: Sendable {
    /// The forms of a request.
    public enum Form: Sendable {
        /// All parameters in the URL, not signed.
        case parameters(AuthorizationParameters)
        /// A request object in the URL, in the compact serialization.
        case object(String)
        /// A reference to a request object.
        case reference(RequestReference)
    }

    /// The client identifier in the URL.
    public let clientID: String
    /// The scheme of the identifier in the URL, as draft 21 has it; nil for other versions.
    public let clientIDScheme: String?
    /// The form.
    public let form: Form
    /// The deviations that tolerances let pass.
    public let deviations: [Deviation]

    /// Reads a URL of any scheme, such as `openid4vp://authorize?…`.
    ///
    /// - Throws: ``OID4VPError/Code/invalidURL``, ``OID4VPError/Code/limitExceeded``,
    ///   ``OID4VPError/Code/repeatedParameter``, ``OID4VPError/Code/missingParameter``,
    ///   ``OID4VPError/Code/contradictoryParameters``, ``OID4VPError/Code/invalidRequestURI``,
    ///   ``OID4VPError/Code/invalidRequestURIMethod``.
    public init(url: String, options: RequestReadingOptions = .strict) throws(OID4VPError) {
        guard url.utf8.count <= options.limits.urlLength else {
            throw OID4VPError(.limitExceeded, "the URL has more than \(options.limits.urlLength) bytes")
        }
        let form = try FormParameters(decoding: try Self.query(of: url))
        // An empty method is neither get nor post.
        let method = form["request_uri_method"]
        try self.init(AuthorizationParameters(form, limits: options.limits), method: method, options)
    }

    /// Reads parameters that the app has from elsewhere, such as the answer of an authorization server.
    ///
    /// Objects and arrays are values, or JSON text as in a URL.
    ///
    /// - Throws: As for a URL.
    public init(parameters: JSONObject, options: RequestReadingOptions = .strict) throws(OID4VPError) {
        let limit = max(options.limits.documentSize, options.limits.definitionSize)
        guard JSONValue.object(parameters).encoded().count <= limit else {
            throw OID4VPError(.limitExceeded, "the parameters have more than \(limit) bytes")
        }
        let outer = AuthorizationParameters(parameters, limits: options.limits)
        try self.init(outer, method: try Self.text("request_uri_method", outer), options)
    }

    private init(
        _ outer: AuthorizationParameters,
        method: String?,
        _ options: RequestReadingOptions
    ) throws(OID4VPError) {
        clientID = try outer.requiredText("client_id")
        clientIDScheme = try outer.text("client_id_scheme")
        var deviations: [Deviation] = []
        let (object, uri) = (try Self.text("request", outer), try Self.text("request_uri", outer))
        switch (object, uri) {
        case (_?, _?):
            throw OID4VPError(.contradictoryParameters, "request and request_uri exclude each other", path: ["request"])
        case (let object?, nil): self.form = .object(object)
        case (nil, let uri?): self.form = .reference(try RequestReference(uri, method: method))
        case (nil, nil): self.form = .parameters(outer)
        }
        if uri == nil, method != nil {
            try options.tolerate(.methodWithoutURI, at: ["request_uri_method"], &deviations, .contradictoryParameters)
        }
        self.deviations = deviations
    }

    private static func text(_ name: String, _ outer: AuthorizationParameters) throws(OID4VPError) -> String? {
        guard let value = outer.members[name] else { return nil }
        guard let text = value.stringValue else {
            throw OID4VPError(.invalidParameter, "it must be a text", path: [name])
        }
        return text
    }

    /// The query of a URL, without its fragment.
    private static func query(of url: String) throws(OID4VPError) -> ArraySlice<UInt8> {
        let bytes = Array(url.utf8)
        let (colon, question) = (bytes.firstIndex(of: UInt8(ascii: ":")), bytes.firstIndex(of: UInt8(ascii: "?")))
        guard let colon, let question, colon < question, Self.isScheme(bytes[..<colon]) else {
            throw OID4VPError(.invalidURL, "the text is no URL with a query")
        }
        let query = bytes[question...].dropFirst()
        return query[..<(FormParameters.place(of: UInt8(ascii: "#"), in: query) ?? query.endIndex)]
    }

    /// A scheme of RFC 3986, section 3.1.
    private static func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        guard let first = text.first, isLetter(first) else { return false }
        return text.allSatisfy { byte in
            isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.".utf8.contains(byte)
        }
    }
}

/// A reference to a request object (RFC 9101, section 5.2; OpenID4VP 1.0, section 5.10).
public struct RequestReference: Sendable {
    /// The methods to fetch it with.
    public enum Method: String, Sendable {
        /// GET.
        case get
        /// POST, with the wallet's metadata and nonce.
        case post
    }

    /// The address.
    public let url: HTTPURL
    /// The method.
    public let method: Method

    /// Reads the parameters `request_uri` and `request_uri_method`.
    ///
    /// - Throws: ``OID4VPError/Code/invalidRequestURI`` for anything but an https URL,
    ///   ``OID4VPError/Code/invalidRequestURIMethod``; case counts.
    public init(_ uri: String, method: String?) throws(OID4VPError) {
        url = try HTTPURL(secure: uri, .invalidRequestURI, at: "request_uri")
        guard let method else {
            self.method = .get
            return
        }
        guard let known = Method(rawValue: method), known.rawValue.hasSameBytes(as: method) else {
            throw OID4VPError(.invalidRequestURIMethod, "it must be get or post", path: ["request_uri_method"])
        }
        self.method = known
    }
}

extension HTTPURL {
    /// Reads an https URL from a parameter.
    package init(secure text: String, _ code: OID4VPError.Code, at name: String) throws(OID4VPError) {
        do throws(TransportError) {
            try self.init(text)
        } catch {
            throw OID4VPError(code, "it is no HTTP URL", path: [name], cause: error)
        }
        guard scheme == .https else { throw OID4VPError(code, "it must be an https URL", path: [name]) }
    }
}
