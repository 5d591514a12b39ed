/// A version of the SQLite library, as the stores of this repository ask for it before they create tables.
public struct SQLiteVersion: Hashable, Sendable, CustomStringConvertible {
    /// The number, such as 3040001 for 3.40.1.
    public let number: CInt

    /// The first version with `STRICT` tables, which refuse values of another type than their column's.
    private static let firstWithStrictTables: CInt = 3_037_000

    /// Takes the number that the library tells (`sqlite3_libversion_number`).
    public init(number: CInt) {
        self.number = number
    }

    /// Refuses a library without `STRICT` tables, which would call them a syntax error.
    ///
    /// - Parameter refusal: Makes the error of a store from a message, such as `SQLite 3.36.0 is too old: 3.37 or later is needed`.
    public func requireStrictTables<Refusal: Error>(_ refusal: (String) -> Refusal) throws(Refusal) {
        guard number < Self.firstWithStrictTables else { return }
        throw refusal("SQLite \(self) is too old: 3.37 or later is needed")
    }

    /// The version as SQLite writes it, such as `3.40.1`.
    public var description: String { "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)" }
}
