extension JSONDecodingSession {
    /// The error that leaves the decoder for one that a type or a container has thrown.
    func completedError(_ error: any Error) -> JSONError {
        if let error = error as? JSONError { return error }
        guard let error = error as? DecodingError else {
            return JSONError(.invalidValue, "a type refused its value", cause: error)
        }
        let (code, context) = error.codeAndContext
        if let cause = context.underlyingError as? JSONError { return cause }
        let (path, index) = locate(context.codingPath)
        let offset = view(at: index).offset
        return JSONError(code, context.debugDescription, offset: offset, path: path, cause: error)
    }

    /// Follows a coding path through the document as far as it leads.
    private func locate(_ codingPath: [any CodingKey]) -> (path: JSONPath, index: Int) {
        var path = JSONPath()
        var view = view(at: 0)
        for key in codingPath {
            let isIndex = view.kind == .array
            path.components.append(isIndex ? .index(key.intValue ?? 0) : .name(key.stringValue))
            view = (isIndex ? view[key.intValue ?? 0] : view[key.stringValue]) ?? view
        }
        return (path, view.index)
    }
}

extension DecodingError {
    fileprivate var codeAndContext: (JSONError.Code, Context) {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context): (.typeMismatch, context)
        case .keyNotFound(_, let context): (.missingMember, context)
        case .dataCorrupted(let context): (.invalidValue, context)
        @unknown default: (.invalidValue, Context(codingPath: [], debugDescription: "\(self)"))
        }
    }
}
