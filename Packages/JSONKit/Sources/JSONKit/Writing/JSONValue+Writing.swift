extension JSONValue {
    /// The value as a JSON text in UTF-8.
    ///
    /// Members keep their order and numbers their text; in strings only quotes, backslashes and control characters are
    /// escaped, unless the format escapes more.
    public func encoded(_ format: JSONFormat = .compact) -> [UInt8] {
        if format == .compact { return JSONWriter.text(of: self, style: JSONCompactStyle()) }
        return JSONWriter.text(
            of: self,
            style: JSONPlainStyle(indentation: format.indentation, escapesInvisible: format.escapesInvisible)
        )
    }

    /// The value as a JSON text.
    public func text(_ format: JSONFormat = .compact) -> String {
        String(decoding: encoded(format), as: UTF8.self)
    }

    /// The canonical form of RFC 8785 (JCS), in UTF-8: what signatures and digests over JSON data are made of.
    ///
    /// Numbers are written as ECMAScript writes the nearest `Double`. A number that would mean something else then is
    /// refused: an integer with more digits than a `Double` holds, and one beyond the range of `Double`
    /// (section 3.1 demands data that IEEE 754 double precision can express).
    ///
    /// - Throws: ``JSONError`` with code ``JSONError/Code/numberNotExact`` or ``JSONError/Code/numberOutOfRange`` and
    ///   the path of the number.
    public func canonicalized() throws(JSONError) -> [UInt8] {
        try JSONWriter.text(of: self, style: JSONCanonicalStyle())
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as a JSON text without white space, with invisible characters escaped.
    public var description: String { text(.compact.escapingInvisible) }
}

extension JSONObject: CustomStringConvertible {
    /// The object as a JSON text without white space, with invisible characters escaped.
    public var description: String { JSONValue.object(self).description }
}
