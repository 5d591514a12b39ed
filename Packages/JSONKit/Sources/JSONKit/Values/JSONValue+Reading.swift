extension JSONValue {
    /// Reads a JSON text as a value that owns its parts, and may keep the array, see ``JSONValue``.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path;
    ///   ``JSONError/Code/depthLimit`` beyond ``maximumDepth``, too.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) {
        self = try JSONTape(bytes[...], limits: limits.forOwnedValues).root()
    }

    /// Reads a part of a larger text as a value, which may keep the array that the part belongs to.
    ///
    /// - Throws: As for an array.
    public init(parsing bytes: ArraySlice<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        self = try JSONTape(bytes, limits: limits.forOwnedValues).root()
    }

    /// Reads a copy of a JSON text as a value that owns its parts.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path;
    ///   ``JSONError/Code/depthLimit`` beyond ``maximumDepth``, too.
    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .default) throws(JSONError) {
        try self.init(parsing: Array(bytes), limits: limits)
    }

    /// Reads a JSON text as a value that owns its parts.
    ///
    /// - Throws: ``JSONError`` with a code of syntax or limits, the offset and the path;
    ///   ``JSONError/Code/depthLimit`` beyond ``maximumDepth``, too.
    public init(parsing text: some StringProtocol, limits: JSONLimits = .default) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}

extension JSONLimits {
    /// The limits with a depth that owned values can have.
    var forOwnedValues: JSONLimits {
        var limits = self
        limits.depth = min(depth, JSONValue.maximumDepth)
        return limits
    }

    /// No limits: for a part of a text that kept to some.
    static let none = JSONLimits(size: .max, depth: .max, values: .max, stringLength: .max, numberLength: .max)
}
