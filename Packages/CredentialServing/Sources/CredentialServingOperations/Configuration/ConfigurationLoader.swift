#if Server
/// Reads a program's configuration from flags, the environment and a file, in this order of precedence.
///
/// ```swift
/// let loader = ConfigurationLoader(schema, folders: [".", "/etc/irmaserver", "~/.irmaserver"])
/// switch try loader.load(arguments: Array(CommandLine.arguments.dropFirst()), environment: environment) {
/// case .help: print(schema.helpText(program: "irma server", summary: "Runs an IRMA server."))
/// case .configuration(let configuration): try await run(configuration)
/// }
/// ```
///
/// The file is the one that `--config` or the variable `PREFIX_CONFIG` names, or else the first one found in the
/// folders. A table with names of the operator's choice comes whole from the source of highest precedence that has it.
public struct ConfigurationLoader: Sendable {
    /// The declared keys.
    public let schema: ConfigurationSchema
    /// The folders that are searched for the file, in order.
    public let folders: [String]
    /// Variables with the schema's prefix that belong to other programs.
    public let ignoredVariables: Set<String>
    private let files: ConfigurationFiles

    /// The result of reading.
    public enum Outcome: Sendable {
        /// The operator asked for help.
        case help
        /// The configuration, checked.
        case configuration(ServerConfiguration)
    }

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - schema: The declared keys.
    ///   - folders: The folders that are searched for the file, in order.
    ///   - ignoredVariables: Variables with the schema's prefix that belong to others, such as
    ///     `IRMASERVER_SERVICE_HOST` which Kubernetes sets for a service called `irmaserver`.
    ///   - files: Access to files.
    public init(
        _ schema: ConfigurationSchema,
        folders: [String] = ["."],
        ignoredVariables: Set<String> = [],
        files: ConfigurationFiles = .local
    ) {
        self.schema = schema
        self.folders = folders
        self.ignoredVariables = ignoredVariables
        self.files = files
    }

    /// Reads and checks the configuration.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name and its subcommand.
    ///   - environment: The variables of the process.
    /// - Throws: ``OperationsError`` for the first fault, with all others in ``OperationsError/others``.
    public func load(arguments: [String], environment: [String: String]) throws(OperationsError) -> Outcome {
        let flags = FlagReader(arguments, schema)
        guard !flags.wantsHelp else { return .help }
        let variables = EnvironmentReader(environment, schema, ignoring: ignoredVariables)
        var sources = [flags.source, variables.source]
        if let file = try fileSource(named: flags.file ?? variables.file) { sources.append(file) }
        var faults = sources.flatMap(\.faults)
        Self.keepWholeTables(&sources)
        faults += readFileForms(&sources)
        faults += check(sources)
        if let error = OperationsError.combining(faults) { throw error }
        return .configuration(ServerConfiguration(schema: schema, sources: sources, files: files))
    }

    /// Lets the source of highest precedence that has a named table give all of it.
    private static func keepWholeTables(_ sources: inout [ConfigurationSource]) {
        var roots: Set<String> = []
        for index in sources.indices {
            sources[index].drop(roots: roots)
            roots.formUnion(sources[index].roots)
        }
    }

    /// The settings of the file; nil if no file is named and none is found.
    private func fileSource(named name: String?) throws(OperationsError) -> ConfigurationSource? {
        let found: String? = if let name { name } else { try foundFile() }
        guard let path = found else { return nil }
        guard let bytes = try files.bytes(of: path) else {
            throw OperationsError(.unreadableFile, "there is no file \(quotedForMessage(path))", path: ["config"])
        }
        guard let format = ConfigurationFormat(fileName: path) else {
            let endings = ConfigurationFormat.allCases.flatMap(\.fileExtensions).joined(separator: ", ")
            throw OperationsError(
                .malformedFile,
                "the file \(quotedForMessage(path)) ends in none of \(endings)",
                path: ["config"]
            )
        }
        var source = ConfigurationSource(name: path, schema: schema)
        source.read(try format.value(decoding: bytes, from: path), origin: path)
        return source
    }

    /// The file of the first folder that has one.
    private func foundFile() throws(OperationsError) -> String? {
        for folder in folders {
            var found: [String] = []
            for ending in ConfigurationFormat.allCases.flatMap(\.fileExtensions) {
                let path = folder + "/" + schema.name + "." + ending
                if try files.bytes(of: path) != nil { found.append(path) }
            }
            guard found.count < 2 else {
                throw OperationsError(
                    .ambiguousFile,
                    "the folder has \(found.joined(separator: " and "))",
                    path: ["config"]
                )
            }
            if let path = found.first { return path }
        }
        return nil
    }

    /// Puts the contents of files in the place of their names.
    private func readFileForms(_ sources: inout [ConfigurationSource]) -> [OperationsError] {
        var faults: [OperationsError] = []
        var settled: Set<ConfigurationSource.Slot> = []
        for index in sources.indices {
            for (slot, setting) in sources[index].settings {
                // Only a value that counts is read: a higher source may replace a file that is gone.
                guard settled.insert(slot).inserted, setting.isFile else { continue }
                do throws(OperationsError) {
                    sources[index].replace(slot, try contents(of: setting, path: schema.declarations[slot.index].path))
                } catch {
                    faults.append(error)
                }
            }
        }
        return faults.sorted { $0.path.joined() < $1.path.joined() }
    }

    private func contents(
        of setting: ConfigurationSource.Setting,
        path: [String]
    ) throws(OperationsError) -> ConfigurationSource.Setting {
        guard let name = setting.value.text, !name.isEmpty else {
            throw OperationsError(.invalidValue, "the value is no name of a file", path: path, source: setting.origin)
        }
        let text = try files.text(of: name, for: path, origin: setting.origin)
        let origin = setting.origin + ", file " + name
        return .init(value: .string(text), isFile: true, file: name, origin: origin)
    }

    /// Checks every value that counts, and that no required one is missing.
    private func check(_ sources: [ConfigurationSource]) -> [OperationsError] {
        var faults: [OperationsError] = []
        for (index, declaration) in schema.declarations.enumerated() {
            let slots = Set(sources.flatMap { $0.settings.keys.filter { $0.index == index } })
            for slot in slots.sorted(by: { $0.names.joined() < $1.names.joined() }) {
                guard let setting = sources.lazy.compactMap({ $0.settings[slot] }).first else { continue }
                do throws(ConfigurationFault) {
                    try declaration.check(setting.value)
                } catch {
                    let path = declaration.path(with: slot.names)
                    faults.append(OperationsError(.invalidValue, error.message, path: path, source: setting.origin))
                }
            }
            if declaration.isRequired, !declaration.isNamed, slots.isEmpty {
                let names = "\(flagName(declaration.name)) or \(schema.variableName(of: declaration))"
                faults.append(
                    OperationsError(.missingValue, "no value; give one with \(names)", path: declaration.path)
                )
            }
        }
        return faults
    }
}

extension ConfigurationDeclaration {
    /// The path with names in the place of each `*`.
    func path(with names: [String]) -> [String] {
        var rest = names[...]
        return path.map { $0 == "*" ? rest.popFirst() ?? $0 : $0 }
    }
}

extension ConfigurationSchema {
    /// The environment variable of a key.
    func variableName(of declaration: ConfigurationDeclaration) -> String {
        variablePrefix + normalized(declaration.path).uppercased()
    }
}
#endif
