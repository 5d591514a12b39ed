#if PostgreSQL
import VerificationCore

/// A parameter of a statement.
package enum PostgreSQLValue: Sendable {
    /// NULL.
    case null
    /// A `bigint`, and what it is assigned to.
    case integer(Int64)
    /// A `text`.
    case text(String)
    /// A `bytea`.
    case bytes([UInt8])

    /// A number, or NULL.
    package static func optional(_ number: Int64?) -> PostgreSQLValue { number.map { .integer($0) } ?? .null }

    /// A text, or NULL.
    package static func optional(_ text: String?) -> PostgreSQLValue { text.map { .text($0) } ?? .null }

    /// The identifier of the type (`pg_type.h`); 0 leaves it to the server.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .integer: 20
        case .text: 25
        case .bytes: 17
        }
    }

    /// The value in the server's binary format, or nil for NULL.
    var binary: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        }
    }

    /// Indicates a text with the one character that no text of the server has.
    var hasZero: Bool {
        guard case .text(let text) = self else { return false }
        return text.utf8.contains(0)
    }
}

/// A row of an answer: values in the server's binary format, read by their place.
package struct PostgreSQLRow: Sendable {
    let values: [[UInt8]?]
    let types: [UInt32]

    /// A number of 2, 4 or 8 bytes.
    package func integer(_ column: Int) throws(PostgreSQLError) -> Int64 {
        guard let number = try optionalInteger(column) else { throw Self.damaged("NULL for a number", column) }
        return number
    }

    /// A number of 2, 4 or 8 bytes, or nil for NULL.
    package func optionalInteger(_ column: Int) throws(PostgreSQLError) -> Int64? {
        guard let bytes = try value(column, of: [21, 23, 20]) else { return nil }
        guard [2, 4, 8].contains(bytes.count) else { throw Self.damaged("a number of another size", column) }
        let isNegative = bytes[0] & 0x80 != 0
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// A text.
    package func text(_ column: Int) throws(PostgreSQLError) -> String {
        guard let text = try optionalText(column) else { throw Self.damaged("NULL for a text", column) }
        return text
    }

    /// A text, or nil for NULL.
    package func optionalText(_ column: Int) throws(PostgreSQLError) -> String? {
        guard let bytes = try value(column, of: [25, 1043]) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.damaged("no UTF-8", column) }
        return text
    }

    /// Bytes.
    package func bytes(_ column: Int) throws(PostgreSQLError) -> [UInt8] {
        guard let bytes = try value(column, of: [17]) else { throw Self.damaged("NULL for bytes", column) }
        return bytes
    }

    private func value(_ column: Int, of types: [UInt32]) throws(PostgreSQLError) -> [UInt8]? {
        guard values.indices.contains(column) else { throw Self.damaged("no such column", column) }
        guard types.contains(self.types[column]) else { throw Self.damaged("a column of another type", column) }
        return values[column]
    }

    private static func damaged(_ message: String, _ column: Int) -> PostgreSQLError {
        PostgreSQLError(.damaged, message, path: ["column \(column + 1)"])
    }
}

/// The answer to a statement.
package struct PostgreSQLResult: Sendable {
    /// The rows.
    package let rows: [PostgreSQLRow]
    /// The number of rows that the statement inserted, updated or deleted; those that it returned for a query.
    package let count: Int
}
#endif
