#if Server
public import Configuration

/// The settings of one source: the flags, the environment, or a file.
///
/// A source is a `ConfigProvider`, so that code that takes a `ConfigReader` reads what was checked here.
public struct ConfigurationSource: Sendable {
    /// The name of the source: `flags`, `environment`, or the path of the file.
    public let name: String

    let schema: ConfigurationSchema
    private(set) var settings: [Slot: Setting] = [:]
    private(set) var faults: [OperationsError] = []
    /// The normalized paths of the tables with names of the operator's choice that this source has, be they empty.
    private(set) var roots: Set<String> = []

    /// A declared key, and the names that stand for its `*`.
    struct Slot: Hashable, Sendable {
        let index: Int
        let names: [String]
    }

    /// A value as found.
    struct Setting: Sendable {
        let value: ConfigurationValue
        /// Indicates that the value is the name of a file that holds the key's value.
        let isFile: Bool
        /// The name of the file that the value was read from; nil for a value that stands in the source.
        var file: String?
        /// The place for messages, such as `flag --port`.
        let origin: String
    }

    init(name: String, schema: ConfigurationSchema) {
        self.name = name
        self.schema = schema
    }

    /// Records a fault, to be reported with the others; the hundredth is the last.
    mutating func refuse(
        _ code: OperationsError.Code,
        _ message: @autoclosure () -> String,
        path: [String] = [],
        origin: String
    ) {
        guard faults.count < 100 else { return }
        faults.append(OperationsError(code, message(), path: path, source: origin))
    }

    /// Notes that the source has a table with names of the operator's choice.
    mutating func note(root: String) {
        if schema.roots.contains(root) { roots.insert(root) }
    }

    /// Takes the value of a key; a second one is a fault.
    mutating func set(
        _ place: ConfigurationSchema.Place,
        _ value: ConfigurationValue,
        names: [String] = [],
        origin: String
    ) {
        guard value != .null else { return }
        let slot = Slot(index: place.index, names: names)
        let declaration = schema.declarations[place.index]
        if let earlier = settings[slot] {
            let message = earlier.isFile == place.isFile ? "given twice" : "given both as a value and as a file"
            refuse(.duplicateKey, message + ", first by \(earlier.origin)", path: declaration.path, origin: origin)
            return
        }
        settings[slot] = Setting(value: value, isFile: place.isFile, origin: origin)
    }

    /// Replaces the value of a key.
    mutating func replace(_ slot: Slot, _ setting: Setting) {
        settings[slot] = setting
    }

    /// Takes the values of a table.
    ///
    /// - Parameters:
    ///   - value: The table.
    ///   - path: The path of the table, as written.
    ///   - origin: The place for messages.
    mutating func read(_ value: ConfigurationValue, at path: [String] = [], origin: String) {
        guard case .table(let members) = value else { return }
        for member in members {
            let path = path + [member.name]
            let isTable = if case .table = member.value { true } else { false }
            switch schema.match(path, isTable: isTable) {
            case .key(let place, let names): set(place, member.value, names: names, origin: origin)
            case .table where isTable:
                note(root: normalized(path))
                read(member.value, at: path, origin: origin)
            case .table:
                guard member.value != .null else { continue }
                refuse(.invalidValue, "the value is \(member.value.kindName), not a table", path: path, origin: origin)
            case .unknown:
                let nearest = { [schema] in schema.nearest(to: path).map { "; the nearest known key is \($0)" } ?? "" }
                refuse(.unknownKey, "unknown key" + nearest(), path: path, origin: origin)
            }
        }
    }

    /// Drops what a source of higher precedence gives as a whole table.
    mutating func drop(roots: Set<String>) {
        settings = settings.filter { $0.key.names.isEmpty || !roots.contains(root(of: $0.key)) }
    }

    private func root(of slot: Slot) -> String { normalized(schema.declarations[slot.index].fixedPath) }
}

extension ConfigurationSource: ConfigProvider {
    /// The name of the source.
    public var providerName: String { name }

    /// The value of a key, by its path.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let encodedKey = key.components.joined(separator: ".")
        guard case .key(let place, let names) = schema.match(key.components, isTable: false),
            let setting = settings[Slot(index: place.index, names: names)]
        else { return LookupResult(encodedKey: encodedKey, value: nil) }
        let declaration = schema.declarations[place.index]
        guard let content = setting.value.content(as: type, declaration.kind) else {
            throw OperationsError(
                .invalidValue,
                "the value is \(setting.value.kindName), not \(type.rawValue)",
                path: declaration.path,
                source: setting.origin
            )
        }
        return LookupResult(encodedKey: encodedKey, value: ConfigValue(content, isSecret: declaration.isSecret))
    }

    /// The value of a key, by its path.
    nonisolated(nonsending) public func fetchValue(
        forKey key: AbsoluteConfigKey,
        type: ConfigType
    ) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    /// The value of a key, which does not change.
    nonisolated(nonsending) public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler:
            nonisolated(nonsending) (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws ->
            Return
    ) async throws -> Return {
        try await watchValueFromValue(forKey: key, type: type, updatesHandler: updatesHandler)
    }

    /// The source itself, which does not change.
    public func snapshot() -> any ConfigSnapshot { self }

    /// The source itself, which does not change.
    nonisolated(nonsending) public func watchSnapshot<Return: ~Copyable>(
        updatesHandler:
            nonisolated(nonsending) (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        try await watchSnapshotFromSnapshot(updatesHandler: updatesHandler)
    }
}

extension ConfigurationSource: ConfigSnapshot, CustomStringConvertible {
    /// The source's name and the number of its settings.
    public var description: String { "\(name): \(settings.count) settings" }
}
#endif
