public import JSONKit

/// The parameters of a request, from a URL or from a request object.
///
/// In a URL everything is text, and objects and arrays are JSON text. In a request object they are values; their text form
/// is read there, too, since verifiers that encode twice are met.
public struct AuthorizationParameters: Sendable {
    /// The parameters as received.
    public let members: JSONObject
    private let limits: RequestLimits

    /// Takes the members of a request object.
    public init(_ members: JSONObject, limits: RequestLimits = .default) {
        self.members = members
        self.limits = limits
    }

    /// Takes the parameters of a URL; one without a value is as good as none (RFC 6749, section 3.1).
    public init(_ form: FormParameters, limits: RequestLimits = .default) {
        self.init(form.members, limits: limits)
    }

    /// Returns `true` if the parameter is present.
    public func contains(_ name: String) -> Bool { members.contains(name) }

    /// A text that is not empty; nil if the parameter is missing.
    ///
    /// - Throws: ``OID4VPError/Code/invalidParameter``.
    public func text(_ name: String) throws(OID4VPError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.stringValue, !text.isEmpty else {
            throw OID4VPError(.invalidParameter, .emptyText, path: [name])
        }
        return text
    }

    /// A text that is not empty.
    ///
    /// - Throws: ``OID4VPError/Code/missingParameter``, ``OID4VPError/Code/invalidParameter``.
    public func requiredText(_ name: String) throws(OID4VPError) -> String {
        guard let text = try text(name) else { throw OID4VPError(.missingParameter, .missing, path: [name]) }
        return text
    }

    /// A value other than text: as it is, or read from its JSON text; nil if the parameter is missing.
    ///
    /// - Throws: ``OID4VPError/Code/invalidParameter`` for text that is not JSON, ``OID4VPError/Code/limitExceeded``.
    public func value(_ name: String) throws(OID4VPError) -> JSONValue? {
        guard let value = members[name] else { return nil }
        guard let text = value.stringValue else { return value }
        do throws(JSONError) {
            return try JSONValue(parsing: text, limits: limits.json)
        } catch {
            throw OID4VPError(.invalidParameter, "it is not JSON", path: [name], cause: error)
        }
    }

    /// An object; nil if the parameter is missing.
    ///
    /// - Throws: As for any value, and for another one.
    public func object(_ name: String) throws(OID4VPError) -> JSONObject? {
        guard let value = try value(name) else { return nil }
        guard let object = value.objectValue else {
            throw OID4VPError(.invalidParameter, "it must be an object", path: [name])
        }
        return object
    }
}

/// Limits for requests from untrusted input; each bound is the largest accepted.
public struct RequestLimits: Hashable, Sendable {
    /// The length of the URL in bytes.
    public var urlLength: Int
    /// The length of a request object, of key sets and of other documents in bytes.
    public var documentSize: Int
    /// The length of a presentation definition in bytes.
    public var definitionSize: Int
    /// The depth of JSON.
    public var depth: Int
    /// The number of entries of a list of transaction data or of the verifier's information.
    public var entries: Int

    /// The default of each limit.
    public static let `default` = RequestLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(
        urlLength: Int = 32 << 10,
        documentSize: Int = 64 << 10,
        definitionSize: Int = 256 << 10,
        depth: Int = 64,
        entries: Int = 64
    ) {
        self.urlLength = urlLength
        self.documentSize = documentSize
        self.definitionSize = definitionSize
        self.depth = depth
        self.entries = entries
    }

    /// The limits for JSON.
    public var json: JSONLimits { JSONLimits(size: max(documentSize, definitionSize), depth: depth) }
}
