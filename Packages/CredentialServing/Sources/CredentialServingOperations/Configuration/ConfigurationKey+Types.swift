#if Server
public import JSONKit

extension ConfigurationKey<String> {
    /// A key that holds text.
    ///
    /// - Parameters:
    ///   - path: The path of the key, its components separated by dots.
    ///   - value: The default.
    ///   - help: One or two sentences on the key.
    ///   - aliases: Other names of the key.
    ///   - letter: The letter of the short flag.
    ///   - hasFileForm: Indicates that a file that holds the value can be named instead.
    ///   - isRequired: Indicates that a configuration without a value is refused.
    public static func text(
        _ path: String,
        default value: String? = nil,
        help: String,
        aliases: [String] = [],
        letter: Character? = nil,
        hasFileForm: Bool = false,
        isRequired: Bool = false
    ) -> ConfigurationKey<String> {
        ConfigurationKey(
            Names(
                path: path,
                help: help,
                aliases: aliases,
                letter: letter,
                hasFileForm: hasFileForm,
                isRequired: isRequired
            ),
            .text,
            default: value,
            text: value,
            { value throws(ConfigurationFault) in try value.requiredText() }
        )
    }

    /// A key that holds one of several words.
    public static func choice(
        _ path: String,
        of words: [String],
        default value: String? = nil,
        help: String,
        aliases: [String] = [],
        isRequired: Bool = false
    ) -> ConfigurationKey<String> {
        ConfigurationKey(
            Names(path: path, help: help, aliases: aliases, isRequired: isRequired),
            .choice(words),
            default: value,
            text: value
        ) { value throws(ConfigurationFault) in
            let text = try value.requiredText()
            guard words.contains(text) else {
                throw ConfigurationFault("\(quotedForMessage(text)) is not one of \(words.joined(separator: ", "))")
            }
            return text
        }
    }
}

extension ConfigurationKey<Sensitive<String>> {
    /// A key that holds a secret: it is never printed, and can be given as the name of a file that holds it.
    ///
    /// A line break at the end of the file does not belong to the value.
    public static func secret(
        _ path: String,
        help: String,
        aliases: [String] = [],
        hasFileForm: Bool = true,
        isRequired: Bool = false
    ) -> ConfigurationKey<Sensitive<String>> {
        ConfigurationKey(
            Names(
                path: path,
                help: help,
                aliases: aliases,
                isSecret: true,
                hasFileForm: hasFileForm,
                isRequired: isRequired
            ),
            .text,
            default: nil,
            text: nil,
            { value throws(ConfigurationFault) in Sensitive(try value.requiredText()) }
        )
    }
}

extension ConfigurationKey<Int> {
    /// A key that holds a whole number.
    public static func integer(
        _ path: String,
        default value: Int? = nil,
        in range: ClosedRange<Int>,
        help: String,
        aliases: [String] = [],
        letter: Character? = nil,
        isRequired: Bool = false
    ) -> ConfigurationKey<Int> {
        ConfigurationKey(
            Names(path: path, help: help, aliases: aliases, letter: letter, isRequired: isRequired),
            .integer(range),
            default: value,
            text: value.map(String.init),
            { value throws(ConfigurationFault) in try value.requiredInteger(in: range) }
        )
    }

    /// A key that counts the mentions of its flag, as `-vv` does.
    public static func count(
        _ path: String,
        maximum: Int,
        help: String,
        aliases: [String] = [],
        letter: Character? = nil
    ) -> ConfigurationKey<Int> {
        ConfigurationKey(
            Names(path: path, help: help, aliases: aliases, letter: letter),
            .count(maximum: maximum),
            default: 0,
            text: "0",
            { value throws(ConfigurationFault) in try value.requiredInteger(in: 0...max(0, maximum)) }
        )
    }

    /// A key that holds a number of bytes, such as `65536`, `64KiB` or `1 MiB`.
    public static func byteCount(
        _ path: String,
        default value: Int? = nil,
        in range: ClosedRange<Int>,
        help: String,
        aliases: [String] = []
    ) -> ConfigurationKey<Int> {
        ConfigurationKey(
            Names(path: path, help: help, aliases: aliases),
            .byteCount(range),
            default: value,
            text: value.map(String.init),
            { value throws(ConfigurationFault) in try value.requiredByteCount(in: range) }
        )
    }
}

extension ConfigurationKey<Bool> {
    /// A key that holds true or false.
    public static func boolean(
        _ path: String,
        default value: Bool? = nil,
        help: String,
        aliases: [String] = [],
        letter: Character? = nil
    ) -> ConfigurationKey<Bool> {
        ConfigurationKey(
            Names(path: path, help: help, aliases: aliases, letter: letter),
            .boolean,
            default: value,
            text: value.map { $0 ? "true" : "false" },
            { value throws(ConfigurationFault) in try value.requiredBoolean() }
        )
    }
}

extension ConfigurationKey<[String]> {
    /// A key that holds several texts.
    public static func list(
        _ path: String,
        default value: [String]? = nil,
        help: String,
        aliases: [String] = []
    ) -> ConfigurationKey<[String]> {
        ConfigurationKey(
            Names(path: path, help: help, aliases: aliases),
            .list,
            default: value,
            text: value.map { $0.isEmpty ? "none" : $0.joined(separator: ",") },
            { value throws(ConfigurationFault) in try value.requiredList() }
        )
    }
}

extension ConfigurationKey<Duration> {
    /// A key that holds a time.
    ///
    /// A bare number counts `unit`; `500ms`, `90s`, `15m` and `1h` say their own unit.
    public static func duration(
        _ path: String,
        default value: Duration? = nil,
        unit: ConfigurationTimeUnit,
        in range: ClosedRange<Duration>,
        help: String,
        aliases: [String] = []
    ) -> ConfigurationKey<Duration> {
        ConfigurationKey(
            Names(path: path, help: help, aliases: aliases),
            .duration(unit, range),
            default: value,
            text: value.map(unit.text),
            { value throws(ConfigurationFault) in try value.requiredDuration(unit, in: range) }
        )
    }
}

extension ConfigurationKey<JSONValue> {
    /// A key that holds a value of any shape.
    ///
    /// Flags and the environment give it as JSON.
    public static func structure(
        _ path: String,
        default value: JSONValue? = nil,
        help: String,
        aliases: [String] = [],
        isSecret: Bool = false
    ) -> ConfigurationKey<JSONValue> {
        ConfigurationKey(
            Names(path: path, help: help, aliases: aliases, isSecret: isSecret),
            .structure,
            default: value,
            text: value.map { "\($0)" },
            { value throws(ConfigurationFault) in value.jsonValue }
        )
    }
}
#endif
