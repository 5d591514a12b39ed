#if Server
/// The format of a configuration file.
public enum ConfigurationFormat: String, Hashable, Sendable, CaseIterable {
    /// JSON (RFC 8259).
    case json
    /// YAML 1.1 as libyaml reads it, one document.
    case yaml
    /// TOML 1.0.
    case toml

    /// The endings of the names of files in this format.
    public var fileExtensions: [String] {
        switch self {
        case .json: ["json"]
        case .yaml: ["yaml", "yml"]
        case .toml: ["toml"]
        }
    }

    /// The format of a file of this name; nil if its ending is unknown.
    public init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        let ending = fileName[fileName.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.fileExtensions.contains(ending) }) else { return nil }
        self = format
    }

    /// Reads the bytes of a file.
    ///
    /// Messages name a line and a column where the format's reader tells them, and never the text at that place.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the file, UTF-8.
    ///   - source: The name of the file, for errors.
    /// - Throws: ``OperationsError/Code/malformedFile`` or ``OperationsError/Code/duplicateKey``.
    public func value(decoding bytes: [UInt8], from source: String) throws(OperationsError) -> ConfigurationValue {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OperationsError(.malformedFile, "the file is not UTF-8", source: source)
        }
        let value =
            switch self {
            case .json: try JSONConfigurationReader(source: source).value(of: text)
            case .yaml: try YAMLConfigurationReader(source: source).value(of: text)
            case .toml: try TOMLConfigurationReader(source: source).value(of: text)
            }
        guard case .table = value else {
            throw OperationsError(.malformedFile, "the file holds \(value.kindName), not a table", source: source)
        }
        return value
    }
}

/// A count of the values and levels of a file while it is read.
struct ConfigurationBudget {
    private var count = 0

    /// Counts one value.
    mutating func take(depth: Int, source: String) throws(OperationsError) {
        count += 1
        guard depth <= ConfigurationValue.maximumDepth else {
            throw OperationsError(
                .malformedFile,
                "the file nests deeper than \(ConfigurationValue.maximumDepth) levels",
                source: source
            )
        }
        guard count <= ConfigurationValue.maximumCount else {
            throw OperationsError(
                .malformedFile,
                "the file has more than \(ConfigurationValue.maximumCount) values",
                source: source
            )
        }
    }
}
#endif
