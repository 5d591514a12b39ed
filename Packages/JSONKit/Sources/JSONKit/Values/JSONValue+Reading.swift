extension JSONValue {
    /// Reads a JSON text as a value that owns its parts.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path;
    ///   ``JSONError/Code/depthLimit`` beyond ``maximumDepth``, too.
    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        self = try JSONDocument(bytes, limits: limits.forOwnedValues).root.value()
    }

    /// Reads a JSON text as a value that owns its parts.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path;
    ///   ``JSONError/Code/depthLimit`` beyond ``maximumDepth``, too.
    public init(parsing text: some StringProtocol, limits: JSONLimits = .default) throws(JSONError) {
        self = try JSONDocument(text, limits: limits.forOwnedValues).root.value()
    }
}

extension JSONLimits {
    /// The limits with a depth that owned values can have.
    var forOwnedValues: JSONLimits {
        var limits = self
        limits.depth = min(depth, JSONValue.maximumDepth)
        return limits
    }
}

extension JSONView {
    /// The value, owning its parts and independent of the document.
    ///
    /// - Throws: ``JSONError/Code/depthLimit`` if it is nested deeper than ``JSONValue/maximumDepth``.
    public func value() throws(JSONError) -> JSONValue {
        if let scalar = tape.scalar(at: index) { return scalar }
        try tape.refuseDepth(beyond: JSONValue.maximumDepth, at: index)
        return JSONValueBuilder.value(at: index, of: tape)
    }
}

extension JSONObjectView {
    /// The members, independent of the document.
    ///
    /// - Throws: ``JSONError/Code/depthLimit`` if the object is nested deeper than ``JSONValue/maximumDepth``.
    public func value() throws(JSONError) -> JSONObject {
        try view.value().objectValue ?? JSONObject()
    }
}
