#if SQLite
import GRDB

/// The kind and the message of a database's error, from which a store makes its own error.
///
/// The arguments of a statement may be secrets, or names of people: of SQLite's errors, the result code alone is kept.
public struct SQLiteFailure: Hashable, Sendable {
    /// The kind of the failure.
    public let kind: Kind
    /// A description for a developer, in one sentence, with SQLite's result code.
    public let message: String

    /// Reads an error that a call of the database threw.
    public init(_ error: any Error) {
        if error is CancellationError {
            (kind, message) = (.cancelled, "the task was cancelled")
            return
        }
        guard let code = (error as? DatabaseError)?.resultCode else {
            (kind, message) = (.unavailable, "the database failed")
            return
        }
        kind = Kind(code)
        message =
            kind == .damaged ? "the file is no sound database: \(code)" : "the database is busy or failed: \(code)"
    }

    /// The kind of a failure: an open set, so that a new kind breaks no store.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        init(_ code: ResultCode) {
            switch code {
            case .SQLITE_CONSTRAINT: self = .conflict
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH: self = .damaged
            case .SQLITE_FULL: self = .full
            case .SQLITE_MISUSE: self = .closed
            default: self = .unavailable
            }
        }

        /// The caller's task was cancelled.
        public static let cancelled = Kind("cancelled")
        /// A duplicate row, or one that a constraint forbids.
        public static let conflict = Kind("conflict")
        /// The file is no sound database.
        public static let damaged = Kind("damaged")
        /// The disk has no room.
        public static let full = Kind("full")
        /// The database was closed.
        public static let closed = Kind("closed")
        /// The database is busy, or failed in another way.
        public static let unavailable = Kind("unavailable")
    }
}
#endif
