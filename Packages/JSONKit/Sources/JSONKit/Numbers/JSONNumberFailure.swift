/// The reason that a number does not fit the requested type.
enum JSONNumberFailure: Error {
    case outOfRange, notExact

    /// The failure as callers see it.
    func error(_ number: String, asking type: Any.Type, offset: Int? = nil, path: JSONPath = JSONPath()) -> JSONError {
        // Numbers may be long, and what is printed should not be.
        let shown = number.utf8.count <= 40 ? number : "\(number.prefix(40))…"
        return switch self {
        case .outOfRange:
            JSONError(.numberOutOfRange, "\(shown) is outside the range of \(type)", offset: offset, path: path)
        case .notExact:
            JSONError(
                .numberNotExact,
                "\(shown) cannot become \(type) without being changed",
                offset: offset,
                path: path
            )
        }
    }
}
