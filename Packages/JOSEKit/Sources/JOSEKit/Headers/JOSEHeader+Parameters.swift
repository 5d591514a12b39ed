import JSONKit

extension JOSEHeader {
    /// The algorithm of a JWS (`alg`, RFC 7515, section 4.1.1), or nil if it is absent.
    public func signatureAlgorithm() throws(JOSEError) -> JWSAlgorithm? {
        try string("alg").map { JWSAlgorithm(rawValue: $0) }
    }

    /// The key's identifier (`kid`, RFC 7515, section 4.1.4), or nil; an unverified hint.
    public func keyID() throws(JOSEError) -> String? {
        try string("kid")
    }

    /// The media type of the whole object (`typ`, RFC 7515, section 4.1.9), or nil if it is absent.
    public func type() throws(JOSEError) -> String? {
        try string("typ")
    }

    /// The media type of the content (`cty`, RFC 7515, section 4.1.10), or nil if it is absent.
    public func contentType() throws(JOSEError) -> String? {
        try string("cty")
    }

    /// The extensions that must be understood (`crit`, RFC 7515, section 4.1.11), or nil if it is absent.
    ///
    /// - Throws: ``JOSEError/Code/invalidCritical`` for anything but a list of distinct names that is not empty;
    ///   ``JOSEError/Code/limitExceeded`` for more than 64 names.
    public func critical() throws(JOSEError) -> [String]? {
        guard let value = self["crit"] else { return nil }
        guard let elements = value.arrayValue, !elements.isEmpty else {
            throw JOSEError(.invalidCritical, "crit is a list with at least one name", path: ["crit"])
        }
        // Nobody has yet been authenticated who could make this long to read.
        guard elements.count <= Self.maximumCriticalNames else {
            throw JOSEError(.limitExceeded, "\(elements.count), over \(Self.maximumCriticalNames)", path: ["crit"])
        }
        var names: [String] = []
        for element in elements {
            guard let name = element.stringValue, !names.contains(where: { $0.hasSameBytes(as: name) }) else {
                throw JOSEError(.invalidCritical, "crit is a list of distinct names", path: ["crit"])
            }
            names.append(name)
        }
        return names
    }

    /// The largest number of critical parameters.
    private static let maximumCriticalNames = 64

    /// Returns `true` for a base64url-encoded payload (`b64`, RFC 7797, section 3), which is the default.
    public func encodesPayload() throws(JOSEError) -> Bool {
        guard let value = self["b64"] else { return true }
        guard let encodes = value.boolValue else { throw .expected("a Boolean", at: "b64") }
        return encodes
    }

    /// The key that the header's author claims to own (`jwk`, RFC 7515, section 4.1.3), or nil.
    ///
    /// A key from a header proves nothing unless the caller knows it, for instance by its thumbprint.
    /// - Throws: ``JOSEError/Code/privateMembers`` for a key with a private part, and the errors for an invalid JWK.
    public func jwk() throws(JOSEError) -> JWK? {
        guard let value = self["jwk"] else { return nil }
        return try within("jwk") { () throws(JOSEError) in try JWK(public: value) }
    }

    /// The claimed location of a set with the key (`jku`, RFC 7515, section 4.1.2), or nil; nothing here fetches it.
    public func jwkSetURL() throws(JOSEError) -> String? {
        try string("jku")
    }

    /// The claimed location of the certificate chain (`x5u`, RFC 7515, section 4.1.5), or nil; nothing here fetches it.
    public func certificateURL() throws(JOSEError) -> String? {
        try string("x5u")
    }

    /// A parameter that is a text, or nil if it is absent.
    public func string(_ name: String) throws(JOSEError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else { throw .expected("a string", at: name) }
        return text
    }

    /// A parameter that is an integer, or nil if it is absent.
    public func integer(_ name: String) throws(JOSEError) -> Int? {
        guard let value = self[name] else { return nil }
        guard let number = value.numberValue else { throw .expected("an integer", at: name) }
        do {
            return try number.integer(as: Int.self)
        } catch {
            throw .expected("an integer", at: name, cause: error)
        }
    }

    /// A parameter that is bytes in base64url, or nil if it is absent.
    public func bytes(_ name: String) throws(JOSEError) -> [UInt8]? {
        guard let text = try string(name) else { return nil }
        return try within(name) { () throws(JOSEError) in try Base64URL.decode(text) }
    }
}
