extension DecodingError {
    /// The error of the Codable world for an error of the reader, which stays as the underlying one.
    init(_ error: CBORError, for type: Any.Type) {
        let context = Context(
            codingPath: error.path.codingPath,
            debugDescription: error.description,
            underlyingError: error
        )
        self = error.code == .typeMismatch ? .typeMismatch(type, context) : .dataCorrupted(context)
    }

    /// The error for null where a value is needed.
    static func null(_ type: Any.Type, at view: CBORView) -> DecodingError {
        let error = CBORError(.typeMismatch, "expected \(type), found null", at: view)
        return .valueNotFound(
            type,
            Context(codingPath: error.path.codingPath, debugDescription: error.description, underlyingError: error)
        )
    }

    /// The error for an array that ends before a value.
    static func end(_ type: Any.Type, of view: CBORView, at index: Int) -> DecodingError {
        let error = CBORError(.missingItem, "the array has no element \(index)", at: view)
        let path = error.path.codingPath + [PathKey(index: index)]
        return .valueNotFound(
            type,
            Context(codingPath: path, debugDescription: error.description, underlyingError: error)
        )
    }

    /// The error for a key that is missing.
    static func missing(_ key: any CodingKey, in view: CBORView) -> DecodingError {
        let error = CBORError.missingKey(.key(key.stringValue), in: view)
        return .keyNotFound(
            key,
            Context(codingPath: error.path.codingPath, debugDescription: error.description, underlyingError: error)
        )
    }
}

/// A step of a path as a coding key.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }
}

extension CBORPath {
    /// The steps as coding keys.
    var codingPath: [any CodingKey] {
        steps.map { step in
            switch step {
            case .index(let index): PathKey(index: index)
            case .key(let key): PathKey(stringValue: key)
            case .label(let label):
                Int(exactly: label).map { PathKey(intValue: $0) } ?? PathKey(stringValue: "\(label)")
            case .otherKey, .keyItem, .tag, .embedded: PathKey(stringValue: step.description)
            }
        }
    }
}
