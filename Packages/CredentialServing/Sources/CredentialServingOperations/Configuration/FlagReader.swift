#if Server
import JSONKit

/// Reads the flags of a command line into a source.
///
/// A flag is `--name value`, `--name=value`, `-l value` or `-lvalue`; one that is true or false stands alone or says
/// `=true` or `=false`; one that counts is repeated, as in `-vv`. Lists are repeated or separated by commas. A secret may begin
/// with dashes, as a key in PEM does.
struct FlagReader {
    private(set) var source: ConfigurationSource
    /// Indicates that the help was asked for.
    private(set) var wantsHelp = false
    /// The file named by `--config`.
    private(set) var file: String?

    private let arguments: [String]
    private var position = 0
    private var lists: [Int: (values: [ConfigurationValue], origin: String)] = [:]
    private var counts: [Int: (value: Int, origin: String)] = [:]

    /// Reads flags.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the program's name and its subcommand.
    ///   - schema: The declared keys.
    init(_ arguments: [String], _ schema: ConfigurationSchema) {
        self.arguments = arguments
        source = ConfigurationSource(name: "flags", schema: schema)
        while position < self.arguments.count {
            let argument = self.arguments[position]
            position += 1
            if Self.isLongFlag(argument) {
                readLong(argument.dropFirst(2))
            } else if argument.hasPrefix("-"), !argument.hasPrefix("--"), argument.count > 1 {
                readShort(argument.dropFirst())
            } else {
                // The argument is not shown, since it may be the value of a misplaced secret.
                source.refuse(.unknownKey, "argument \(position) is not a flag", origin: "flags")
            }
        }
        for (index, list) in lists {
            source.set(.init(index: index, isFile: false), .list(list.values), origin: list.origin)
        }
        for (index, count) in counts {
            source.set(.init(index: index, isFile: false), .integer(count.value), origin: count.origin)
        }
    }

    /// Returns `true` for two dashes and a name, or its value behind `=`: text of another form, such as a key in PEM, is no flag.
    private static func isLongFlag(_ argument: String) -> Bool {
        let name = argument.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }
        return argument.hasPrefix("--") && !name.isEmpty && name.first != UInt8(ascii: "-")
            && name.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    private mutating func readLong(_ flag: Substring) {
        let parts = flag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let spelling = String(parts[0])
        let value = parts.count > 1 ? String(parts[1]) : nil
        let origin = "flag --" + spelling
        let name = normalized([spelling])
        switch name {
        case "help": wantsHelp = true
        case "config": takeFile(value, origin)
        default:
            if let place = source.schema.names[name] {
                take(place, value, origin)
            } else if source.schema.roots.contains(name) {
                guard let text = argument(value, origin) else { return }
                source.readJSONTable(text, at: name, origin: origin)
            } else {
                let hint =
                    source.schema.nearest(to: [spelling]).map { "; the nearest known flag is \(flagName($0))" } ?? ""
                source.refuse(.unknownKey, "unknown flag" + hint, path: [spelling], origin: origin)
                skipValue(of: value)
            }
        }
    }

    private mutating func readShort(_ letters: Substring) {
        var rest = letters
        while let letter = rest.popFirst() {
            let origin = "flag -\(letter)"
            if letter == "h", source.schema.letters["h"] == nil {
                wantsHelp = true
                continue
            }
            if letter == "c", source.schema.letters["c"] == nil {
                let value = rest.hasPrefix("=") ? rest.dropFirst() : rest
                return takeFile(rest.isEmpty ? nil : String(value), origin)
            }
            guard let index = source.schema.letters[letter] else {
                source.refuse(.unknownKey, "unknown flag", path: [String(letter)], origin: origin)
                return skipValue(of: nil)
            }
            let place = ConfigurationSchema.Place(index: index, isFile: false)
            switch source.schema.declarations[index].kind {
            case .boolean, .count: take(place, nil, origin)
            default:
                let value = rest.hasPrefix("=") ? rest.dropFirst() : rest
                return take(place, rest.isEmpty ? nil : String(value), origin)
            }
        }
    }

    /// Takes the name of the file to read.
    private mutating func takeFile(_ value: String?, _ origin: String) {
        guard let name = argument(value, origin) else { return }
        if file != nil { source.refuse(.duplicateKey, "given twice", path: ["config"], origin: origin) }
        file = name
    }

    /// Takes the value of a declared flag.
    private mutating func take(_ place: ConfigurationSchema.Place, _ value: String?, _ origin: String) {
        let kind = place.isFile ? .text : source.schema.declarations[place.index].kind
        switch kind {
        case .boolean: source.set(place, .plain(value ?? "true"), origin: origin)
        case .count where value == nil: counts[place.index, default: (0, origin)].value += 1
        case .list:
            guard let text = argument(value, origin) else { return }
            let elements = (try? ConfigurationValue.plain(text).requiredList()) ?? []
            lists[place.index, default: ([], origin)].values += elements.map(ConfigurationValue.string)
        case .structure:
            guard let text = argument(value, origin) else { return }
            source.setJSON(place, text, origin: origin)
        default:
            let isSecret = !place.isFile && source.schema.declarations[place.index].isSecret
            guard let text = argument(value, origin, isSecret: isSecret) else { return }
            source.set(place, .plain(text), origin: origin)
        }
    }

    /// The value of a flag: after `=`, or the next argument unless that looks like a flag; a secret may look like one.
    private mutating func argument(_ value: String?, _ origin: String, isSecret: Bool = false) -> String? {
        if let value { return value }
        guard position < arguments.count, isSecret || !arguments[position].hasPrefix("--") else {
            source.refuse(.missingArgument, "the flag needs a value", origin: origin)
            return nil
        }
        position += 1
        return arguments[position - 1]
    }

    /// Passes over the argument after an unknown flag if it looks like its value.
    private mutating func skipValue(of value: String?) {
        guard value == nil, position < arguments.count, !arguments[position].hasPrefix("-") else { return }
        position += 1
    }
}

/// The flag of a key or of a normalized name, such as `--redis-addr`.
func flagName(_ name: String) -> String {
    "--" + String(name.map { $0 == "_" || $0 == "." ? "-" : $0 })
}

extension ConfigurationSource {
    /// Takes the value of a key of any shape, given as JSON.
    mutating func setJSON(_ place: ConfigurationSchema.Place, _ text: String, origin: String) {
        guard let value = json(text, origin, at: schema.declarations[place.index].path) else { return }
        set(place, value, origin: origin)
    }

    /// Takes a table with names of the operator's choice, given as JSON.
    mutating func readJSONTable(_ text: String, at root: String, origin: String) {
        guard let pattern = schema.patterns.first(where: { Self.root($0.components) == root }) else { return }
        let path = Array(pattern.components.prefix { $0 != "*" })
        guard let value = json(text, origin, at: path) else { return }
        guard case .table = value else {
            return refuse(.invalidValue, "the value is \(value.kindName), not a table", path: path, origin: origin)
        }
        note(root: root)
        read(value, at: path, origin: origin)
    }

    private static func root(_ components: [String]) -> String {
        normalized(components.prefix { $0 != "*" })
    }

    private mutating func json(_ text: String, _ origin: String, at path: [String]) -> ConfigurationValue? {
        do throws(OperationsError) {
            return try JSONConfigurationReader(source: origin).value(of: text)
        } catch {
            refuse(.invalidValue, error.message, path: path, origin: origin)
            return nil
        }
    }
}
#endif
