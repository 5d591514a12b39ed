#if Server
/// A key of a configuration and the type of its value.
///
/// ```swift
/// let portKey = ConfigurationKey.integer("port", default: 8088, in: 0...65535, help: "Port that the server listens at.")
/// let port = try configuration.value(of: portKey)
/// ```
///
/// A path component `*` stands for a name of the operator's choice; such keys are read with
/// ``ServerConfiguration/value(of:named:)``.
public struct ConfigurationKey<Value: Sendable>: Sendable {
    /// The names, type, default and help of the key.
    public let declaration: ConfigurationDeclaration

    /// The value where no source has one; nil for none.
    public let defaultValue: Value?

    let read: @Sendable (ConfigurationValue) throws(ConfigurationFault) -> Value

    /// The key with a condition on its values, which the default need not meet.
    ///
    /// - Parameters:
    ///   - expectation: The description of a value that meets it, such as `an https URL`; it stands in messages.
    ///   - condition: Returns `true` for a value that meets it.
    public func requiring(
        _ expectation: String,
        _ condition: @escaping @Sendable (Value) -> Bool
    ) -> ConfigurationKey {
        let read = read
        return ConfigurationKey(declaration, default: defaultValue) { value throws(ConfigurationFault) in
            let result = try read(value)
            guard condition(result) else { throw ConfigurationFault("the value is not \(expectation)") }
            return result
        }
    }

    private init(
        _ declaration: ConfigurationDeclaration,
        default value: Value?,
        _ read: @escaping @Sendable (ConfigurationValue) throws(ConfigurationFault) -> Value
    ) {
        defaultValue = value
        self.read = read
        var declaration = declaration
        declaration.check = { value throws(ConfigurationFault) in _ = try read(value) }
        self.declaration = declaration
    }

    /// The parts of a declaration that every type of key has.
    struct Names {
        let path: String
        let help: String
        var aliases: [String] = []
        var letter: Character?
        var isSecret = false
        var hasFileForm = false
        var isRequired = false
    }

    init(
        _ names: Names,
        _ kind: ConfigurationDeclaration.Kind,
        default value: Value?,
        text: String?,
        _ read: @escaping @Sendable (ConfigurationValue) throws(ConfigurationFault) -> Value
    ) {
        defaultValue = value
        self.read = read
        declaration = ConfigurationDeclaration(
            path: separatedByDots(names.path),
            kind: kind,
            defaultText: names.isSecret ? nil : text,
            help: names.help,
            aliases: names.aliases.map(separatedByDots),
            letter: names.letter,
            isSecret: names.isSecret,
            hasFileForm: names.hasFileForm,
            isRequired: names.isRequired,
            check: { value throws(ConfigurationFault) in _ = try read(value) }
        )
    }
}

/// The components of a path such as `redis.addr`.
private func separatedByDots(_ path: String) -> [String] {
    path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
}
#endif
