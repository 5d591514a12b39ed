#if Server
import TOMLKit

/// Reads a configuration in TOML; dates and times become text.
struct TOMLConfigurationReader {
    let source: String

    func value(of text: String) throws(OperationsError) -> ConfigurationValue {
        // The library hands over C strings, which would end at a zero.
        guard !text.utf8.contains(0), !text.contains("\\u0000"), !text.contains("\\U00000000") else {
            throw OperationsError(.malformedFile, "the text has a zero character", source: source)
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            // The error's own message may show the text at fault, which may be a secret.
            throw OperationsError(
                .malformedFile,
                "the text is not TOML at line \(error.source.begin.line), column \(error.source.begin.column)",
                source: source
            )
        } catch {
            throw OperationsError(.malformedFile, "the text is not TOML", source: source)
        }
        var budget = ConfigurationBudget()
        let value = try value(of: table, depth: 0, &budget)
        // Nested tables and arrays are views into the root, which must outlive them.
        withExtendedLifetime(table) {}
        return value
    }

    private func value(
        of table: TOMLTable,
        depth: Int,
        _ budget: inout ConfigurationBudget
    ) throws(OperationsError) -> ConfigurationValue {
        try budget.take(depth: depth, source: source)
        var members: [ConfigurationValue.Member] = []
        for name in table.keys {
            guard let member = table[name] else { continue }
            members.append(.init(name, try value(of: member, depth: depth + 1, &budget)))
        }
        return .table(sorting: members)
    }

    private func value(
        of node: any TOMLValueConvertible,
        depth: Int,
        _ budget: inout ConfigurationBudget
    ) throws(OperationsError) -> ConfigurationValue {
        if let table = node.table { return try value(of: table, depth: depth, &budget) }
        try budget.take(depth: depth, source: source)
        if let array = node.array {
            var values: [ConfigurationValue] = []
            for element in array { values.append(try value(of: element, depth: depth + 1, &budget)) }
            return .list(values)
        }
        if let text = node.string { return .string(text) }
        if let flag = node.bool { return .boolean(flag) }
        if let integer = node.int { return .integer(integer) }
        if let number = node.double { return .number(number) }
        return .string(node.debugDescription)
    }
}
#endif
