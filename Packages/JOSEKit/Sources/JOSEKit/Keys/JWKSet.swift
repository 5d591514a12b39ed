public import JSONKit

/// Keys in JSON: a JWK Set (RFC 7517, section 5).
public struct JWKSet: Sendable {
    /// The keys that are understood, in the order of the set.
    public let keys: [JWK]

    /// The elements that were skipped, as RFC 7517, section 5 advises: malformed, or of a type or curve that is not
    /// implemented.
    public let ignored: [Ignored]

    /// An element that was skipped.
    public struct Ignored: Sendable {
        /// Its place in the set, counted from 0.
        public let index: Int
        /// Its identifier (`kid`), or nil if it has none.
        public let keyID: String?
        /// The reason that the key was skipped.
        public let reason: JOSEError
    }

    /// A set of keys.
    public init(_ keys: [JWK]) {
        self.keys = keys
        ignored = []
    }

    /// Reads a set from a JSON text.
    ///
    /// - Throws: ``JOSEError/Code/malformed`` for a text that is not an object with the list `keys`,
    ///   ``JOSEError/Code/duplicateMember``, ``JOSEError/Code/limitExceeded``.
    public init(decoding text: some Collection<UInt8>, limits: JOSELimits = .default) throws(JOSEError) {
        let value = try within("JWK Set") { () throws(JOSEError) in
            try reading { () throws(JSONError) in try JSONValue(parsing: text, limits: limits.json) }
        }
        try self.init(json: value, limits: limits)
    }

    /// Reads a set from a JSON text.
    ///
    /// - Throws: As for a text in bytes.
    public init(decoding text: some StringProtocol, limits: JOSELimits = .default) throws(JOSEError) {
        try self.init(decoding: Array(text.utf8), limits: limits)
    }

    /// Takes a set from a JSON value.
    ///
    /// - Throws: As for a text.
    public init(json value: JSONValue, limits: JOSELimits = .default) throws(JOSEError) {
        guard let elements = value["keys"]?.arrayValue else {
            throw JOSEError(.malformed, "a set is a JSON object with the list keys", path: ["JWK Set"])
        }
        guard elements.count <= limits.keys else {
            throw JOSEError(.limitExceeded, "\(elements.count) keys, over \(limits.keys)", path: ["JWK Set"])
        }
        var keys: [JWK] = []
        var ignored: [Ignored] = []
        for (index, element) in elements.enumerated() {
            do throws(JOSEError) {
                keys.append(try JWK(json: element, limits: limits))
            } catch {
                let reason = error.inside("JWK Set[\(index)]")
                ignored.append(Ignored(index: index, keyID: element["kid"]?.stringValue, reason: reason))
            }
        }
        self.keys = keys
        self.ignored = ignored
    }

    /// The keys with an identifier, in the order of the set; identifiers need not be unique.
    public func keys(withID keyID: String) -> [JWK] {
        keys.filter { $0.keyID?.hasSameBytes(as: keyID) ?? false }
    }

    /// The public parts of the keys as a JSON text; symmetric keys are left out.
    public func encoded() -> [UInt8] {
        let keys = keys.compactMap(\.publicJWK).map { JSONValue.object($0.members) }
        return JSONValue.object(["keys": .array(keys)]).encoded()
    }
}
