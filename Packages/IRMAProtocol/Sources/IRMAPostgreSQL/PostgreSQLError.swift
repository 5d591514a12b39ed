#if PostgreSQL
package import VerificationCore

/// The reason that a statement was not carried out.
///
/// Nothing in an error comes from a row or a parameter: of the server's own errors, it has the SQLSTATE alone.
package struct PostgreSQLError: CodedError {
    /// The parts of the error.
    package let details: ErrorDetails<Code>

    /// Makes an error from its parts.
    package init(_ details: ErrorDetails<Code>) {
        self.details = details
    }

    /// The kind of an error.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        package let description: String

        private init(_ name: String) {
            description = name
        }

        /// Settings that cannot work.
        package static let invalidConfiguration = Code("invalidConfiguration")
        /// No connection to the server, no answer in time, or too many calls at once.
        package static let unavailable = Code("unavailable")
        /// A change was sent to be committed, and not answered.
        package static let outcomeUnknown = Code("outcomeUnknown")
        /// The server has another database or column, or the user may not use it.
        package static let refused = Code("refused")
        /// The database lacks a table.
        package static let missingTable = Code("missingTable")
        /// A value that the column does not take.
        package static let invalidValue = Code("invalidValue")
        /// A duplicate row, or one that a constraint forbids.
        package static let constraint = Code("constraint")
        /// Other transactions were in the way; a repetition may succeed.
        package static let contention = Code("contention")
        /// A value of another type than the reference's tables have.
        package static let damaged = Code("damaged")
        /// The store was closed.
        package static let closed = Code("closed")
        /// The caller's task was cancelled while it waited for a connection.
        package static let cancelled = Code("cancelled")
    }

    /// The error for a SQLSTATE (PostgreSQL, appendix A).
    package init(sqlState: String) {
        let code: Code
        switch (sqlState.prefix(2), sqlState) {
        case ("22", _): code = .invalidValue
        case ("23", _): code = .constraint
        case ("40", _): code = .contention
        case (_, "42P01"): code = .missingTable
        case ("3D", _), ("3F", _), ("42", _), ("28", _): code = .refused
        // 25006: a server that was the primary and is a standby now.
        default: code = .unavailable
        }
        self.init(code, "the server refused a statement with SQLSTATE \(sqlState)")
    }
}

extension CodedError {
    /// The error of a store for one that a transaction threw; one of the store's own stays as it is.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - other: The code for all kinds that the store has no code of its own for.
    ///   - code: The store's code for a kind, or `nil`.
    package init(
        postgreSQL error: any Error,
        otherwise other: Code,
        _ code: (PostgreSQLError.Code) -> Code?
    ) {
        if let error = error as? Self {
            self = error
            return
        }
        guard let error = error as? PostgreSQLError else {
            self.init(other, "the database failed")
            return
        }
        self.init(code(error.code) ?? other, error.message, path: ["PostgreSQL"] + error.path)
    }
}
#endif
