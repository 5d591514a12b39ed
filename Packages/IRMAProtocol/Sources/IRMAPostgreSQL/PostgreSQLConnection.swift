#if PostgreSQL
import Dispatch
import VerificationCore

/// One connection, with a queue of its own on which it waits for the server.
final class PostgreSQLConnection: @unchecked Sendable {
    // The link is used on the queue only: libpq's connections are for one thread at a time.
    private let link: PostgreSQLLink
    private let queue = DispatchQueue(label: "PostgreSQL connection")

    private init(_ configuration: PostgreSQLConfiguration) {
        link = PostgreSQLLink(configuration)
    }

    /// The outcome of a transaction.
    struct Outcome<Value: Sendable>: Sendable {
        let result: Result<Value, any Error>
        /// Indicates a connection for the next transaction.
        let isUsable: Bool
        /// Indicates that the body ran; without it, the connection had ended before.
        let hasBegun: Bool
    }

    /// Connects, and logs in.
    static func open(
        _ configuration: PostgreSQLConfiguration
    ) async throws(PostgreSQLError) -> PostgreSQLConnection {
        let connection = PostgreSQLConnection(configuration)
        let result = await connection.onQueue { link in
            Result { () throws(PostgreSQLError) in try link.connect() }
        }
        try result.get()
        return connection
    }

    /// Runs a transaction: all changes of its body, or none if the body throws an error.
    func perform<Value: Sendable>(
        _ access: PostgreSQLAccess,
        _ body: @escaping @Sendable (borrowing PostgreSQLTransaction) throws -> Value
    ) async -> Outcome<Value> {
        await onQueue { link in
            do throws(PostgreSQLError) {
                _ = try link.execute(access.beginning, [])
            } catch {
                return Outcome(result: .failure(error), isUsable: false, hasBegun: false)
            }
            do {
                let value = try body(PostgreSQLTransaction(link))
                try Self.commit(access, link)
                return Outcome(result: .success(value), isUsable: link.isUsable, hasBegun: true)
            } catch {
                if link.isUsable { _ = try? link.execute("ROLLBACK", []) }
                return Outcome(result: .failure(error), isUsable: link.isUsable, hasBegun: true)
            }
        }
    }

    private static func commit(_ access: PostgreSQLAccess, _ link: PostgreSQLLink) throws(PostgreSQLError) {
        do throws(PostgreSQLError) {
            _ = try link.execute("COMMIT", [])
        } catch {
            guard access == .change, !link.isUsable else { throw error }
            throw PostgreSQLError(.outcomeUnknown, "no answer to a change that was committed", cause: error)
        }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable (PostgreSQLLink) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body(self.link)) }
        }
    }
}

/// The kind of a transaction.
package enum PostgreSQLAccess: Sendable {
    /// Reads one state of the tables.
    case read
    /// Changes rows; it sees the rows that others committed, and waits for those that others change.
    case change

    var beginning: StaticString {
        switch self {
        case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case .change: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        }
    }
}

/// A transaction that is under way.
package struct PostgreSQLTransaction: ~Copyable {
    private let link: PostgreSQLLink

    init(_ link: PostgreSQLLink) {
        self.link = link
    }

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - statement: The statement; values stand in it as `$1`, `$2`.
    ///   - parameters: The values.
    @discardableResult
    package func execute(
        _ statement: StaticString,
        _ parameters: PostgreSQLValue...
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        try link.execute(statement, parameters)
    }
}
#endif
