import JSONKit

/// Reads the members of what a server of transactions wrote into its store.
struct RecordReader {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    /// A required member.
    func member(_ name: String) throws(TransactionError) -> JSONValue {
        guard let member = value[name] else { throw Self.damage(name) }
        return member
    }

    /// A required text.
    func text(_ name: String) throws(TransactionError) -> String {
        guard let text = value[name]?.stringValue else { throw Self.damage(name) }
        return text
    }

    /// An integer that must be present.
    func integer(_ name: String) throws(TransactionError) -> Int64 {
        guard let number = try? value[name]?.numberValue?.integer(as: Int64.self) else { throw Self.damage(name) }
        return number
    }

    static func damage(_ name: String) -> TransactionError {
        TransactionError(.internalError, "a stored transaction is damaged", path: [name])
    }
}
