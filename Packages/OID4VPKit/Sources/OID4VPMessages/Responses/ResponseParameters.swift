public import JSONKit

/// The parameters of a response: those of a form or a redirect, or the content of a JWT.
///
/// Nothing in them is verified. In a form everything is text, and objects and arrays are JSON text; in a JWT they are values. A reader says which of the
/// two it has, since a presentation is a text in both.
public struct ResponseParameters: Sendable {
    /// The parameters as received, or as they are to be sent.
    public let members: JSONObject
    /// Indicates that the parameters come from a form, in which everything is text.
    public let isForm: Bool

    /// Takes the values of a JWT or of the object of a platform.
    public init(_ members: JSONObject) {
        self.members = members
        isForm = false
    }

    /// Takes the parameters of a form.
    public init(_ form: FormParameters) {
        members = form.members
        isForm = true
    }

    /// Reads the body of a POST, or the query or the fragment of a redirect.
    ///
    /// - Throws: ``OID4VPError/Code/limitExceeded``, ``OID4VPError/Code/repeatedParameter``,
    ///   ``OID4VPError/Code/invalidURL`` for a malformed encoding.
    public init(form text: some StringProtocol, limits: ResponseLimits = .default) throws(OID4VPError) {
        guard text.utf8.count <= limits.size else {
            throw OID4VPError(.limitExceeded, "the response has more than \(limits.size) bytes")
        }
        self.init(try FormParameters(decoding: text))
    }

    /// Reads the bytes of the body of a POST.
    ///
    /// - Throws: As for a text.
    public init(form bytes: ArraySlice<UInt8>, limits: ResponseLimits = .default) throws(OID4VPError) {
        guard bytes.count <= limits.size else {
            throw OID4VPError(.limitExceeded, "the response has more than \(limits.size) bytes")
        }
        self.init(try FormParameters(decoding: bytes))
    }

    /// Reads the content of a JWT.
    ///
    /// - Throws: ``OID4VPError/Code/malformed`` for anything but a JSON object without duplicate names,
    ///   ``OID4VPError/Code/limitExceeded``.
    public init(decoding bytes: some Collection<UInt8>, limits: ResponseLimits = .default) throws(OID4VPError) {
        guard let members = try Self.json(bytes, limits, at: []).objectValue else {
            throw OID4VPError(.malformed, "the response is no JSON object")
        }
        self.init(members)
    }

    /// The form with the parameters: texts as they are, anything else as JSON text.
    public var form: FormParameters {
        var form = FormParameters()
        for (name, value) in members { form.append(name, value.stringValue ?? value.text()) }
        return form
    }

    /// The verifier's value that the response repeats; nil for none.
    ///
    /// - Throws: ``OID4VPError/Code/invalidParameter`` for anything but a text that is not empty.
    public var state: String? {
        get throws(OID4VPError) { try text("state") }
    }

    /// The code of an error response; `nil` for any other response.
    ///
    /// - Throws: ``OID4VPError/Code/invalidParameter`` for anything but a text that is not empty.
    public var errorCode: AuthorizationErrorCode? {
        get throws(OID4VPError) { try text("error").map { AuthorizationErrorCode($0) } }
    }

    /// A text that is not empty; nil if the parameter is missing.
    ///
    /// - Throws: ``OID4VPError/Code/invalidParameter``.
    public func text(_ name: String) throws(OID4VPError) -> String? {
        try AuthorizationParameters(members).text(name)
    }

    /// Reads JSON within limits.
    static func json(
        _ text: some Collection<UInt8>,
        _ limits: ResponseLimits,
        at path: [String]
    ) throws(OID4VPError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: text, limits: limits.json)
        } catch {
            let exceeded: [JSONError.Code] = [.sizeLimit, .depthLimit, .valueLimit, .stringLimit, .numberLimit]
            throw OID4VPError(
                exceeded.contains(error.code) ? .limitExceeded : path.isEmpty ? .malformed : .invalidParameter,
                "it is not JSON: \(error.message)",
                path: path,
                cause: error
            )
        }
    }
}
