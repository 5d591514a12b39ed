import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JWTClaims {
    /// The issuer of the token (`iss`), or nil.
    public func issuer() throws(JOSEError) -> String? { try string("iss") }

    /// The subject of the token (`sub`), or nil.
    public func subject() throws(JOSEError) -> String? { try string("sub") }

    /// The audience of the token (`aud`): one or several, or nil.
    public func audience() throws(JOSEError) -> [String]? {
        guard let value = self["aud"] else { return nil }
        if let only = value.stringValue { return [only] }
        guard let elements = value.arrayValue else { throw Self.expected("a string or a list of strings", at: "aud") }
        var audience: [String] = []
        for element in elements {
            guard let name = element.stringValue else { throw Self.expected("a list of strings", at: "aud") }
            audience.append(name)
        }
        return audience
    }

    /// When the token expires (`exp`), or nil if it is absent.
    public func expirationTime() throws(JOSEError) -> Date? { try date("exp") }

    /// When the token becomes valid (`nbf`), or nil if it is absent.
    public func notBefore() throws(JOSEError) -> Date? { try date("nbf") }

    /// When the token was issued (`iat`), or nil if it is absent.
    public func issuedAt() throws(JOSEError) -> Date? { try date("iat") }

    /// The token's identifier (`jti`), or nil if it is absent.
    public func tokenID() throws(JOSEError) -> String? { try string("jti") }

    /// The value that ties the token to a request (`nonce`), or nil.
    public func nonce() throws(JOSEError) -> String? { try string("nonce") }

    /// The key whose possession the presenter proves (`cnf`, RFC 7800), or nil if it is absent.
    ///
    /// - Throws: ``JOSEError/Code/invalidClaim``, and the errors for an invalid key.
    public func confirmation() throws(JOSEError) -> JWTConfirmation? {
        guard let value = self["cnf"] else { return nil }
        return try within("cnf") { () throws(JOSEError) in try JWTConfirmation(json: value) }
    }

    /// Sets the issuer of the token.
    public mutating func setIssuer(_ issuer: String) { self["iss"] = .string(issuer) }

    /// Sets the subject of the token.
    public mutating func setSubject(_ subject: String) { self["sub"] = .string(subject) }

    /// Sets the audience of the token: one as a string, several as a list.
    public mutating func setAudience(_ audience: [String]) {
        if audience.count == 1, let only = audience.first {
            self["aud"] = .string(only)
        } else {
            self["aud"] = .array(audience.map { .string($0) })
        }
    }

    /// Sets when the token expires, in whole seconds.
    public mutating func setExpirationTime(_ date: Date) { self["exp"] = Self.numericDate(date) }

    /// Sets when the token becomes valid, in whole seconds.
    public mutating func setNotBefore(_ date: Date) { self["nbf"] = Self.numericDate(date) }

    /// Sets when the token is issued, in whole seconds.
    public mutating func setIssuedAt(_ date: Date) { self["iat"] = Self.numericDate(date) }

    /// A claim that is a text, or nil if it is absent.
    public func string(_ name: String) throws(JOSEError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else { throw Self.expected("a string", at: name) }
        return text
    }

    /// A claim that is a NumericDate: seconds since 1970, with or without a fraction (RFC 7519, section 2); nil if it
    /// is absent.
    public func date(_ name: String) throws(JOSEError) -> Date? {
        guard let value = self[name] else { return nil }
        guard let number = value.numberValue else { throw Self.expected("a number of seconds", at: name) }
        do {
            return Date(timeIntervalSince1970: try number.nearestDouble())
        } catch {
            throw Self.expected("a number of seconds", at: name, cause: error)
        }
    }

    private static func numericDate(_ date: Date) -> JSONValue {
        .integer(Int64(max(-9e15, min(9e15, date.timeIntervalSince1970.rounded(.down)))))
    }

    static func expected(_ kind: String, at name: String, cause: (any Error)? = nil) -> JOSEError {
        JOSEError(.invalidClaim, "\(name) is not \(kind)", path: [name], cause: cause)
    }
}
