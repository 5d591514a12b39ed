public import JSONKit

/// The claims of a JSON Web Token (RFC 7519, section 4): the members of a JSON object, in their order.
///
/// An accessor throws ``JOSEError/Code/invalidClaim`` for a claim of another type than its definition demands.
///
/// ```swift
/// var claims: JWTClaims = ["iss": "https://issuer.example", "sub": "alice"]
/// claims.setExpirationTime(Date(timeIntervalSinceNow: 300))
/// ```
public struct JWTClaims: Sendable {
    /// The claims, in the order in which they stand.
    public private(set) var members: JSONObject

    /// Makes a set of members, by default without any.
    public init(_ members: JSONObject = JSONObject()) {
        self.members = members
    }

    /// Reads a claims set: one JSON object.
    ///
    /// - Throws: ``JOSEError/Code/malformed``, ``JOSEError/Code/duplicateMember``, ``JOSEError/Code/limitExceeded``.
    public init(decoding text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        members = try within("claims") { () throws(JOSEError) in
            try reading { () throws(JSONError) in
                try JSONDocument(text, limits: limits.json).root.object().value()
            }
        }
    }

    /// Any claim; setting nil removes it.
    public subscript(name: String) -> JSONValue? {
        get { members[name] }
        set { members[name] = newValue }
    }

    /// Returns `true` if there is a claim with this name.
    public func contains(_ name: String) -> Bool { members.contains(name) }

    /// The claims as a JSON text without white space.
    public func encoded() -> [UInt8] { JSONValue.object(members).encoded() }

    /// The claims as a type of the caller.
    ///
    /// - Throws: ``JOSEError/Code/invalidClaim``, with the error of the type or of the strict decoder as its cause.
    public func decode<Claims: Decodable>(_ type: Claims.Type = Claims.self) throws(JOSEError) -> Claims {
        do {
            return try StrictJSONDecoder().decode(type, from: encoded())
        } catch {
            throw JOSEError(.invalidClaim, "the claims are not of the type \(type)", path: ["claims"], cause: error)
        }
    }
}

extension JWTClaims: ExpressibleByDictionaryLiteral {
    /// A set of the given claims; of a name that occurs twice the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(JSONObject(elements.map { ($0, $1) }))
    }
}
