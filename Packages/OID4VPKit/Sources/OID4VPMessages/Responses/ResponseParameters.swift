public import JSONKit

/// The parameters of a response: those of a form or a redirect, or the content of a JWT.
///
/// Nothing in them is verified. In a form everything is text, and objects and arrays are JSON text; in a JWT they are values. A reader says which of the
/// two it has, since a presentation is a text in both.
public struct ResponseParameters: Sendable {
    private enum Content {
        case members(JSONObject)
        case form(FormParameters)
    }

    private let content: Content

    /// Takes the values of a JWT or of the object of a platform.
    public init(_ members: JSONObject) {
        content = .members(members)
    }

    /// Takes the parameters of a form; one without a value is as good as none (RFC 6749, section 3.1).
    public init(_ form: FormParameters) {
        content = .form(form)
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
        guard let members = try Self.json(Array(bytes)[...], limits, at: []).objectValue else {
            throw OID4VPError(.malformed, "the response is no JSON object")
        }
        self.init(members)
    }

    /// The parameters as received, or as they are to be sent; those of a form are made into texts at each call.
    public var members: JSONObject {
        switch content {
        case .members(let members): members
        case .form(let form): form.members
        }
    }

    /// Indicates that the parameters come from a form, in which everything is text.
    public var isForm: Bool {
        guard case .form = content else { return false }
        return true
    }

    /// Returns `true` if the parameter is present.
    public func contains(_ name: String) -> Bool {
        switch content {
        case .members(let members): members.contains(name)
        case .form(let form): form.presentBytes(name) != nil
        }
    }

    /// The value of a parameter, or nil.
    public subscript(name: String) -> JSONValue? {
        switch content {
        case .members(let members): members[name]
        case .form(let form): form.presentBytes(name).map { .string(String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// The UTF-8 of a parameter that is a text; nil if it is missing or something else.
    ///
    /// That of a form is a part of it, and no copy.
    public func textBytes(_ name: String) -> ArraySlice<UInt8>? {
        switch content {
        case .members(let members): members[name]?.stringValue.map { Array($0.utf8)[...] }
        case .form(let form): form.presentBytes(name)
        }
    }

    /// The form with the parameters: texts as they are, anything else as JSON text.
    public var form: FormParameters {
        if case .form(let form) = content { return form }
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
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
            throw OID4VPError(.invalidParameter, .emptyText, path: [name])
        }
        return text
    }

    /// Reads JSON within limits.
    static func json(
        _ text: ArraySlice<UInt8>,
        _ limits: ResponseLimits,
        at path: [String]
    ) throws(OID4VPError) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue(parsing: text, limits: limits.json)
        } catch {
            let exceeded: [JSONError.Code] = [.sizeLimit, .depthLimit, .valueLimit, .stringLimit, .numberLimit]
            throw OID4VPError(
                exceeded.contains(error.code) ? .limitExceeded : path.isEmpty ? .malformed : .invalidParameter,
                "it is not JSON",
                path: path,
                cause: error
            )
        }
    }
}

extension ResponseParameters: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of parameters, without those.
    public var description: String {
        switch content {
        case .members(let members): "parameters: \(members.count)"
        case .form(let form): form.description
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
