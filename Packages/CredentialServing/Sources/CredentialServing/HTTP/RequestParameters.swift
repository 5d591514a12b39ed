/// Parameters of a path or a query: names with values, each percent-decoded once.
///
/// Names compare as bytes. Values are bytes; ``text(_:)`` takes them as UTF-8.
public struct RequestParameters: Sendable {
    private let place: String
    private let entries: [(name: [UInt8], value: [UInt8])]

    init(_ place: String, _ entries: [(name: [UInt8], value: [UInt8])]) {
        self.place = place
        self.entries = entries
    }

    /// The parameters of a query, `name=value` between ampersands, a plus sign for a space (WHATWG URL, section 5.1).
    ///
    /// - Throws: ``ServingError/Code/invalidRequest`` for invalid percent-encoding.
    init(query: String) throws(ServingError) {
        var entries: [(name: [UInt8], value: [UInt8])] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard
                let name = PercentEncoding.decode(part[..<equals], plusIsSpace: true),
                let value = PercentEncoding.decode(part[equals...].dropFirst(), plusIsSpace: true)
            else { throw ServingError(.invalidRequest, "invalid percent-encoding", path: ["query"]) }
            entries.append((name, value))
        }
        self.init("query", entries)
    }

    /// The number of parameters, duplicates included.
    public var count: Int { entries.count }

    /// The bytes of every parameter with a name, in order.
    public func all(_ name: String) -> [[UInt8]] {
        entries.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
    }

    /// The bytes of a parameter, or nil if it is missing.
    ///
    /// - Throws: ``ServingError/Code/invalidParameter`` for a duplicate parameter.
    public func bytes(_ name: String) throws(ServingError) -> [UInt8]? {
        let values = all(name)
        guard values.count < 2 else { throw ServingError(.invalidParameter, "duplicate", path: [place, name]) }
        return values.first
    }

    /// The text of a parameter, or nil if it is missing.
    ///
    /// - Throws: ``ServingError/Code/invalidParameter`` for a duplicate parameter, and for one that is not UTF-8.
    public func textIfPresent(_ name: String) throws(ServingError) -> String? {
        guard let bytes = try bytes(name) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ServingError(.invalidParameter, "not UTF-8", path: [place, name])
        }
        return text
    }

    /// The text of a parameter.
    ///
    /// - Throws: ``ServingError/Code/invalidParameter`` for a missing or duplicate parameter, and for one that is not UTF-8.
    public func text(_ name: String) throws(ServingError) -> String {
        guard let text = try textIfPresent(name) else {
            throw ServingError(.invalidParameter, "missing", path: [place, name])
        }
        return text
    }
}
