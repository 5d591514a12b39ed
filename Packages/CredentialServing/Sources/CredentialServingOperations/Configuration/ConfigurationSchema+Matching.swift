#if Server
extension ConfigurationSchema {
    /// The meaning of a path in a file.
    enum Match {
        /// A declared key, and the names that stand for its `*`.
        case key(Place, names: [String])
        /// A table that has declared keys.
        case table
        /// Neither.
        case unknown
    }

    /// Finds the declared key of a path.
    ///
    /// - Parameters:
    ///   - path: The names as written, outermost first.
    ///   - isTable: Indicates that the value there is a table.
    func match(_ path: [String], isTable: Bool) -> Match {
        let name = normalized(path)
        let key = key(path, name)
        let isPrefix = isPrefix(path, name)
        if let key, !(isTable && isPrefix) || declarations[key.place.index].kind == .structure {
            return .key(key.place, names: key.names)
        }
        return isPrefix ? .table : .unknown
    }

    private func key(_ path: [String], _ name: String) -> (place: Place, names: [String])? {
        if let place = names[name] { return (place, []) }
        for pattern in patterns where pattern.components.count == path.count {
            if let names = Self.names(in: path, matching: pattern.components) { return (pattern.place, names) }
        }
        return nil
    }

    private func isPrefix(_ path: [String], _ name: String) -> Bool {
        names.keys.contains { $0.hasPrefix(name + "_") }
            || patterns.contains { pattern in
                path.count < pattern.components.count
                    && Self.names(in: path, matching: Array(pattern.components.prefix(path.count))) != nil
            }
    }

    /// The components that stand for `*`; nil if the path does not match.
    private static func names(in path: [String], matching pattern: [String]) -> [String]? {
        var names: [String] = []
        for (component, expected) in zip(path, pattern) {
            if expected == "*" {
                names.append(component)
            } else if normalized([component]) != expected {
                return nil
            }
        }
        return names
    }

    /// The declared name most like an unknown one; nil if none is like it.
    func nearest(to path: [String]) -> String? {
        let name = normalized(path)
        var candidates = names.keys.map { ($0, $0) }
        candidates += patterns.filter { $0.components.count == path.count }.map { pattern in
            // The operator's own names are taken as they are, so that only the fixed parts count.
            let filled = zip(pattern.components, path).map { $0 == "*" ? $1 : $0 }
            return (normalized(filled), filled.joined(separator: "."))
        }
        candidates += roots.map { ($0, $0) }
        let limit = max(2, name.utf8.count / 3)
        return candidates.map { (distance: distance(name, $0.0, limit: limit), name: $0.1) }
            .filter { $0.distance <= limit }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }
}

/// The number of single-byte edits between two names, or something larger than the limit.
private func distance(_ first: String, _ second: String, limit: Int) -> Int {
    let a = Array(first.utf8.prefix(100))
    let b = Array(second.utf8.prefix(100))
    guard abs(a.count - b.count) <= limit else { return .max }
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, y) in b.enumerated() {
            let substituted = diagonal + (x == y ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[b.count]
}
#endif
