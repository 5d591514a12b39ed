#if Server
/// Reads the environment variables with the schema's prefix into a source.
struct EnvironmentReader {
    private(set) var source: ConfigurationSource
    /// The file named by `PREFIX_CONFIG`.
    private(set) var file: String?

    /// Reads variables; an empty one is as good as none.
    ///
    /// - Parameters:
    ///   - environment: The variables of the process.
    ///   - schema: The declared keys.
    ///   - ignoring: Names of variables with the prefix that belong to others, such as those that Kubernetes sets for
    ///     a service of the same name.
    init(_ environment: [String: String], _ schema: ConfigurationSchema, ignoring: Set<String>) {
        source = ConfigurationSource(name: "environment", schema: schema)
        let prefix = schema.variablePrefix
        for (variable, text) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix(prefix) {
            guard !ignoring.contains(variable) else { continue }
            let origin = "environment variable \(variable)"
            let name = normalized([String(variable.dropFirst(prefix.count))])
            let isKnown = name == "config" || schema.names[name] != nil || schema.roots.contains(name)
            if isKnown, text.isEmpty {
                continue
            } else if name == "config" {
                file = text
            } else if let place = schema.names[name] {
                if schema.declarations[place.index].kind == .structure, !place.isFile {
                    source.setJSON(place, text, origin: origin)
                } else {
                    source.set(place, .plain(text), origin: origin)
                }
            } else if schema.roots.contains(name) {
                source.readJSONTable(text, at: name, origin: origin)
            } else {
                let hint = schema.nearest(to: [name]).map {
                    "; the nearest known variable is \(prefix)\(normalized([$0]).uppercased())"
                }
                source.refuse(.unknownKey, "unknown variable" + (hint ?? ""), path: [variable], origin: origin)
            }
        }
    }
}
#endif
