public import JSONKit

extension ClaimPath {
    /// The values that the path selects; empty if there are none.
    ///
    /// - Parameter root: The credential: for an SD-JWT its processed payload.
    /// - Throws: ``SDJWTError/Code/claimPathMismatch`` if a step to a member meets something else than an object, or
    ///   one to elements something else than an array.
    public func values(in root: JSONValue) throws(SDJWTError) -> [JSONValue] {
        var selected = [root]
        for component in components {
            var next: [JSONValue] = []
            for value in selected { next += try component.children(of: value, path: self) }
            selected = next
        }
        return selected
    }
}

extension ClaimPath.Component {
    fileprivate func children(of value: JSONValue, path: ClaimPath) throws(SDJWTError) -> [JSONValue] {
        switch (self, value) {
        case (.name(let name), .object(let object)): return object[name].map { [$0] } ?? []
        case (.index(let index), .array(let elements)):
            return elements.indices.contains(index) ? [elements[index]] : []
        case (.all, .array(let elements)): return elements
        default: throw mismatch(value.kind, path: path)
        }
    }

    /// The refusal of a value that the step does not lead on from.
    func mismatch(_ kind: JSONKind, path: ClaimPath) -> SDJWTError {
        let wanted: JSONKind = if case .name = self { .object } else { .array }
        return SDJWTError(
            .claimPathMismatch,
            "the path \(path) expects an \(wanted) where there is a value of kind \(kind)"
        )
    }
}
