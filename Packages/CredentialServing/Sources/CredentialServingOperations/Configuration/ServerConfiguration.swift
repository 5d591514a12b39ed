#if Server
public import Configuration

/// A program's configuration: every value of every source was checked against its key.
public struct ServerConfiguration: Sendable {
    /// The declared keys.
    public let schema: ConfigurationSchema

    /// The sources, the highest precedence first.
    public let sources: [ConfigurationSource]

    /// The configuration for code that takes a reader of swift-configuration.
    ///
    /// Defaults are not in it: such code brings its own.
    public var reader: ConfigReader { ConfigReader(providers: sources) }

    private let files: ConfigurationFiles

    init(schema: ConfigurationSchema, sources: [ConfigurationSource], files: ConfigurationFiles) {
        self.schema = schema
        self.sources = sources
        self.files = files
    }

    /// The value of a key, from the source of highest precedence or else its default; nil if there is none.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - names: The names that stand for each `*` in its path.
    /// - Throws: ``OperationsError/Code/unknownKey`` for a key that the schema does not declare.
    public func valueIfPresent<Value>(
        of key: ConfigurationKey<Value>,
        named names: String...
    ) throws(OperationsError) -> Value? {
        try value(key, names)
    }

    /// The value of a key, from the source of highest precedence or else its default.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - names: The names that stand for each `*` in its path.
    /// - Throws: ``OperationsError/Code/missingValue`` if there is no value and no default,
    ///   ``OperationsError/Code/unknownKey`` for a key that the schema does not declare.
    public func value<Value>(of key: ConfigurationKey<Value>, named names: String...) throws(OperationsError) -> Value {
        if let value = try value(key, names) { return value }
        throw OperationsError(.missingValue, "no value", path: key.declaration.path(with: names))
    }

    /// The place that a key's value comes from, such as `flag --port`; nil for the default.
    public func origin<Value>(of key: ConfigurationKey<Value>, named names: String...) -> String? {
        guard let index = index(of: key.declaration) else { return nil }
        return setting(.init(index: index, names: names))?.origin
    }

    /// The name of the file that a key's value was read from; nil for a value that stands in its source, and for the default.
    public func file<Value>(of key: ConfigurationKey<Value>, named names: String...) -> String? {
        guard let index = index(of: key.declaration) else { return nil }
        return setting(.init(index: index, names: names))?.file
    }

    /// The value of a key as its file has it now; a value from elsewhere is that of ``valueIfPresent(of:named:)``.
    ///
    /// It is for what is replaced while a program runs, such as a certificate.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - names: The names that stand for each `*` in its path.
    /// - Throws: ``OperationsError/Code/unreadableFile`` for a file that is missing, too large or cannot be read,
    ///   ``OperationsError/Code/invalidValue`` for a content that the key does not take,
    ///   ``OperationsError/Code/unknownKey`` for a key that the schema does not declare.
    public func currentValueIfPresent<Value>(
        of key: ConfigurationKey<Value>,
        named names: String...
    ) throws(OperationsError) -> Value? {
        guard let index = index(of: key.declaration), let setting = setting(.init(index: index, names: names)),
            let file = setting.file
        else { return try value(key, names) }
        let path = key.declaration.path(with: names)
        let text = try files.text(of: file, for: path, origin: setting.origin)
        do throws(ConfigurationFault) {
            return try key.read(.string(text))
        } catch {
            throw OperationsError(.invalidValue, error.message, path: path, source: setting.origin)
        }
    }

    /// The operator's names in a table, such as those of `requestors`, in the order of their bytes.
    ///
    /// - Parameter table: The path of the table, its components separated by dots.
    public func names(in table: String) -> [String] {
        let root = normalized(table.split(separator: ".").map(String.init))
        let names = sources.flatMap { source in
            source.settings.keys.filter { normalized(schema.declarations[$0.index].fixedPath) == root }
                .compactMap(\.names.first)
        }
        return Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func value<Value>(_ key: ConfigurationKey<Value>, _ names: [String]) throws(OperationsError) -> Value? {
        guard let index = index(of: key.declaration) else {
            throw OperationsError(.unknownKey, "the schema has no such key", path: key.declaration.path)
        }
        guard let setting = setting(.init(index: index, names: names)) else { return key.defaultValue }
        do throws(ConfigurationFault) {
            return try key.read(setting.value)
        } catch {
            // A key of the same path and another type than that of the schema.
            throw OperationsError(.invalidValue, error.message, path: key.declaration.path, source: setting.origin)
        }
    }

    private func index(of declaration: ConfigurationDeclaration) -> Int? {
        let path = normalized(declaration.path)
        return schema.declarations.firstIndex { normalized($0.path) == path }
    }

    private func setting(_ slot: ConfigurationSource.Slot) -> ConfigurationSource.Setting? {
        sources.lazy.compactMap { $0.settings[slot] }.first
    }
}

extension ServerConfiguration: CustomStringConvertible, CustomReflectable {
    /// The values that differ from their defaults, a line each with its source; secrets are struck out.
    public var description: String {
        var lines: [String] = []
        for (index, declaration) in schema.declarations.enumerated() {
            let slots = Set(sources.flatMap { $0.settings.keys.filter { $0.index == index } })
            for slot in slots.sorted(by: { $0.names.joined() < $1.names.joined() }) {
                guard let setting = setting(slot) else { continue }
                let value = declaration.isSecret ? redactedText : setting.value.text ?? "\(setting.value.jsonValue)"
                let path = declaration.path(with: slot.names).joined(separator: ".")
                lines.append("\(path) = \(value) (\(setting.origin))".escapedForLog())
            }
        }
        return lines.joined(separator: "\n")
    }

    /// A mirror without children, since the sources hold secrets.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension ConfigurationSource: CustomReflectable, CustomDebugStringConvertible {
    /// The source's name and the number of its settings.
    public var debugDescription: String { description }

    /// A mirror without children, since the settings may be secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
#endif
