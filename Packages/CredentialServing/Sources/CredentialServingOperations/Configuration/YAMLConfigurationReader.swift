#if Server
import Yams

/// Reads a configuration in YAML, one document.
///
/// Plain scalars keep their text, so that the key's type decides what they are: `1.10` stays `1.10` for a key that
/// holds text. Tags make no difference.
struct YAMLConfigurationReader {
    let source: String

    func value(of text: String) throws(OperationsError) -> ConfigurationValue {
        let root: Node?
        // The parser recurses; libyaml stops it at 1,000 levels.
        do {
            root = try Parser(yaml: text).singleRoot()
        } catch let error as YamlError {
            throw fault(error)
        } catch {
            throw OperationsError(.malformedFile, "the text is not YAML", source: source)
        }
        guard let root else { return .table([]) }
        var budget = ConfigurationBudget()
        return try value(of: root, depth: 0, &budget)
    }

    private func value(
        of node: Node,
        depth: Int,
        _ budget: inout ConfigurationBudget
    ) throws(OperationsError) -> ConfigurationValue {
        // Aliases share nodes, so that a short text can stand for a huge tree: the budget counts what they expand to.
        try budget.take(depth: depth, source: source)
        switch node {
        case .scalar(let scalar): return try value(of: scalar)
        case .sequence(let sequence):
            var values: [ConfigurationValue] = []
            for element in sequence { values.append(try value(of: element, depth: depth + 1, &budget)) }
            return .list(values)
        case .mapping(let mapping):
            var members: [ConfigurationValue.Member] = []
            for (key, member) in mapping {
                guard case .scalar(let name) = key else {
                    throw OperationsError(.malformedFile, "a name is not a text\(place(key.mark))", source: source)
                }
                members.append(.init(name.string, try value(of: member, depth: depth + 1, &budget)))
            }
            return .table(sorting: members)
        case .alias:
            throw OperationsError(.malformedFile, "an alias without its value\(place(node.mark))", source: source)
        }
    }

    private func value(of scalar: Node.Scalar) throws(OperationsError) -> ConfigurationValue {
        switch scalar.style {
        case .plain, .any:
            return ["", "~", "null", "Null", "NULL"].contains(scalar.string) ? .null : .plain(scalar.string)
        default: return .string(scalar.string)
        }
    }

    /// The fault with its line and column; Yams's own description quotes the line, which may be a secret.
    private func fault(_ error: YamlError) -> OperationsError {
        switch error {
        case .duplicatedKeysInMapping(let names, let context):
            OperationsError(
                .duplicateKey,
                "duplicate key\(place(context.mark))",
                path: Array(names.prefix(1)),
                source: source
            )
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _):
            OperationsError(.malformedFile, "the text is not YAML\(place(mark))", source: source)
        default:
            OperationsError(.malformedFile, "the text is not YAML", source: source)
        }
    }

    private func place(_ mark: Mark?) -> String {
        mark.map { " at line \($0.line), column \($0.column)" } ?? ""
    }
}
#endif
