#if Server
/// The keys that a program's configuration may have, in the order of its help.
///
/// A file may write a key nested or flat, with `-` or `_`, in any case: `redis: {addr: …}`, `redis_addr` and
/// `redis-addr` are the same key. The flag of `redis.addr` is `--redis-addr`, its variable `PREFIX_REDIS_ADDR`.
public struct ConfigurationSchema: Sendable {
    /// The declared keys, in the order of the help.
    public let declarations: [ConfigurationDeclaration]

    /// The name of the program's configuration: that of its files, and the prefix of its variables in upper case.
    public let name: String

    /// The names of keys without a `*`, normalized.
    let names: [String: Place]
    /// The short flags.
    let letters: [Character: Int]
    /// The paths of keys with a `*`, their aliases among them.
    let patterns: [(components: [String], place: Place)]
    /// The normalized paths in front of a `*`: tables that flags and the environment give as JSON.
    let roots: Set<String>

    /// A declared key, and the form in which it is given.
    struct Place: Hashable, Sendable {
        let index: Int
        let isFile: Bool
    }

    /// The flags that every program has, which no key may be called.
    static let reservedNames: Set<String> = ["help", "config"]

    /// Makes a schema.
    ///
    /// - Parameters:
    ///   - name: The name of the configuration files without their ending, such as `irmaserver`.
    ///   - declarations: The keys, in the order of the help.
    /// - Throws: ``OperationsError/Code/conflictingKeys`` if two keys have a name in common, in any source.
    public init(name: String, _ declarations: [ConfigurationDeclaration]) throws(OperationsError) {
        self.name = name
        self.declarations = declarations
        var builder = Builder()
        for (index, declaration) in declarations.enumerated() { try builder.add(declaration, index) }
        names = builder.names
        letters = builder.letters
        patterns = builder.patterns
        roots = Set(builder.patterns.map { normalized($0.components.prefix { $0 != "*" }) })
        if let clash = roots.first(where: { names[$0] != nil || Self.reservedNames.contains($0) }) {
            throw OperationsError(.conflictingKeys, "a key and a table have the same name", path: [clash])
        }
    }

    /// The prefix of the program's environment variables, with the underscore.
    public var variablePrefix: String { normalized([name]).uppercased() + "_" }

    /// The names while a schema is made.
    private struct Builder {
        var names: [String: Place] = [:]
        var letters: [Character: Int] = [:]
        var patterns: [(components: [String], place: Place)] = []

        mutating func add(_ declaration: ConfigurationDeclaration, _ index: Int) throws(OperationsError) {
            for path in [declaration.path] + declaration.aliases {
                guard !path.isEmpty, path.allSatisfy({ !$0.isEmpty }), path.first != "*", path.last != "*" else {
                    throw OperationsError(.invalidName, "the key has an empty component or ends in *", path: path)
                }
                try add(path, Place(index: index, isFile: false))
                guard declaration.hasFileForm else { continue }
                try add(path.dropLast() + [(path.last ?? "") + "_file"], Place(index: index, isFile: true))
            }
            guard let letter = declaration.letter else { return }
            guard letters.updateValue(index, forKey: letter) == nil, letter != "h" else {
                throw OperationsError(.conflictingKeys, "two keys have the flag -\(letter)", path: declaration.path)
            }
        }

        private mutating func add(_ path: [String], _ place: Place) throws(OperationsError) {
            if path.contains("*") {
                let components = path.map { $0 == "*" ? $0 : normalized([$0]) }
                guard !patterns.contains(where: { $0.components == components }) else {
                    throw OperationsError(.conflictingKeys, "two keys have the same name", path: path)
                }
                patterns.append((components, place))
            } else {
                let name = normalized(path)
                let isReserved = ConfigurationSchema.reservedNames.contains(name)
                guard !isReserved, names.updateValue(place, forKey: name) == nil else {
                    throw OperationsError(.conflictingKeys, "two keys have the same name", path: path)
                }
            }
        }
    }
}

/// The spelling of a path that all its spellings have in common, such as `redis_addr`.
func normalized(_ path: some Sequence<String>) -> String {
    path.map { $0.lowercased() }.joined(separator: "_").map { $0 == "-" ? "_" : String($0) }.joined()
}
#endif
