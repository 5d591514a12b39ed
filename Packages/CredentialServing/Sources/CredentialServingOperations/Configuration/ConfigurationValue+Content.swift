#if Server
import Configuration

extension ConfigurationValue {
    /// The value as a type of swift-configuration; nil if it has another.
    ///
    /// - Parameters:
    ///   - type: The type asked for.
    ///   - kind: The declared type, which gives the unit of times; nil for a value without a declaration.
    func content(as type: ConfigType, _ kind: ConfigurationDeclaration.Kind? = nil) -> ConfigContent? {
        switch type {
        case .string: (text ?? (kind == .structure ? "\(jsonValue)" : nil)).map(ConfigContent.string)
        case .int: integer(kind).map(ConfigContent.int)
        case .double: double(kind).map(ConfigContent.double)
        case .bool: (try? requiredBoolean()).map(ConfigContent.bool)
        case .bytes: text.map { .bytes(Array($0.utf8)) }
        case .stringArray: (try? requiredList()).map(ConfigContent.stringArray)
        case .intArray: elements { $0.integer(nil) }.map(ConfigContent.intArray)
        case .doubleArray: elements { $0.double(nil) }.map(ConfigContent.doubleArray)
        case .boolArray: elements { try? $0.requiredBoolean() }.map(ConfigContent.boolArray)
        case .byteChunkArray: (try? requiredList()).map { .byteChunkArray($0.map { Array($0.utf8) }) }
        }
    }

    /// A whole number; for a time, that of the key's unit.
    private func integer(_ kind: ConfigurationDeclaration.Kind?) -> Int? {
        switch kind {
        case .duration(let unit, let range):
            guard let duration = try? requiredDuration(unit, in: range) else { return nil }
            let milliseconds = duration / .milliseconds(1)
            return Int(exactly: milliseconds / Double(unit.milliseconds))
        case .byteCount(let range): return try? requiredByteCount(in: range)
        default: return try? requiredInteger(in: .min ... .max)
        }
    }

    private func double(_ kind: ConfigurationDeclaration.Kind?) -> Double? {
        switch self {
        case .number(let number): number
        case .plain(let text): Double(text)
        default: integer(kind).map(Double.init)
        }
    }

    private func elements<Element>(_ read: (ConfigurationValue) -> Element?) -> [Element]? {
        let values: [ConfigurationValue]
        switch self {
        case .list(let list): values = list
        case .plain(let text): values = text.split(separator: ",").map { .plain($0.trimmingSpaces()) }
        default: return nil
        }
        let elements = values.compactMap(read)
        return elements.count == values.count ? elements : nil
    }
}
#endif
