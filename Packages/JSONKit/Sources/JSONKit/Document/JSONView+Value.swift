extension JSONView {
    /// The value, owning its parts and independent of the document.
    ///
    /// A value that is most of the document's text shares it; any other one takes a copy of its part.
    ///
    /// - Throws: ``JSONError/Code/depthLimit`` if it is nested deeper than ``JSONValue/maximumDepth``.
    public func value() throws(JSONError) -> JSONValue {
        guard item.isContainer else { return tape.value(at: index) }
        try tape.refuseDepth(beyond: JSONValue.maximumDepth, at: index)
        // A small value must not keep a large text.
        guard tape.isMostly(index) else {
            return try JSONTape(Array(bytes)[...], limits: .none).value(at: 0)
        }
        return tape.value(at: index)
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
