import JSONKit

extension JOSEHeader {
    /// Reads a protected header: the base64url text of a JSON object, or an empty text for none.
    init(encoded text: ArraySlice<UInt8>, limits: JOSELimits) throws(JOSEError) {
        guard !text.isEmpty else {
            self.init()
            return
        }
        let json = try Base64URL.decode(text)
        let object = try reading { () throws(JSONError) in
            try JSONDocument(json, limits: limits.json).root.object().value()
        }
        self.init(object)
    }

    /// Reads an unprotected header: a member that is an object, or is absent.
    init(unprotected view: JSONView?) throws(JOSEError) {
        guard let view else {
            self.init()
            return
        }
        self.init(try reading { () throws(JSONError) in try view.object().value() })
    }

    /// The union of this header and another one, which must not share a name with it (RFC 7515, section 4).
    func union(_ other: JOSEHeader) throws(JOSEError) -> JOSEHeader {
        guard !other.isEmpty else { return self }
        guard !isEmpty else { return other }
        var union = self
        for (name, value) in other.members {
            guard !union.contains(name) else {
                throw JOSEError(.duplicateMember, "the parameter stands in two headers", path: [name])
            }
            union[name] = value
        }
        return union
    }
}
