#if Server
public import Configuration

/// A file in TOML for swift-configuration, as `JSONSnapshot` and `YAMLSnapshot` are for their formats.
///
/// ```swift
/// let provider = try await FileProvider<TOMLSnapshot>(filePath: "/etc/service.toml")
/// ```
public struct TOMLSnapshot: FileConfigSnapshot {
    /// The options of reading.
    public struct ParsingOptions: FileParsingOptions {
        /// The keys, their components separated by dots, whose values are secret.
        public var secretsSpecifier: SecretsSpecifier<String, Void>

        /// No secrets.
        public static var `default`: ParsingOptions { ParsingOptions() }

        /// Sets the options.
        public init(secretsSpecifier: SecretsSpecifier<String, Void> = .none) {
            self.secretsSpecifier = secretsSpecifier
        }
    }

    /// The name of the provider.
    public let providerName: String
    private let root: ConfigurationValue
    private let options: ParsingOptions

    /// Reads a file.
    ///
    /// - Throws: ``OperationsError/Code/malformedFile`` for bytes that are not TOML.
    public init(data: RawSpan, providerName: String, parsingOptions: ParsingOptions) throws {
        let bytes = data.byteOffsets.map { data.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        root = try ConfigurationFormat.toml.value(decoding: bytes, from: providerName)
        self.providerName = providerName
        options = parsingOptions
    }

    /// The value of a key, by its path.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let encodedKey = key.components.joined(separator: ".")
        let value = key.components.reduce(ConfigurationValue?.some(root)) { $0?[$1] }
        guard let value else { return LookupResult(encodedKey: encodedKey, value: nil) }
        guard let content = value.content(as: type) else {
            throw OperationsError(
                .invalidValue,
                "the value is \(value.kindName), not \(type.rawValue)",
                path: key.components,
                source: providerName
            )
        }
        let isSecret = options.secretsSpecifier.isSecret(key: encodedKey, value: ())
        return LookupResult(encodedKey: encodedKey, value: ConfigValue(content, isSecret: isSecret))
    }
}

extension TOMLSnapshot: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The provider's name.
    public var description: String { providerName }

    /// The provider's name.
    public var debugDescription: String { providerName }

    /// A mirror without children, since the values may be secret.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension ConfigurationValue {
    /// The value of a member of a table; nil if absent, or if this is not a table.
    subscript(name: String) -> ConfigurationValue? {
        guard case .table(let members) = self else { return nil }
        return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
#endif
