#if PostgreSQL
import CLibPQ
import VerificationCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection of libpq, driven without blocking inside the library, so that each wait has an end.
///
/// It is for one thread at a time.
@safe final class PostgreSQLLink {
    private let configuration: PostgreSQLConfiguration
    private var handle: OpaquePointer?
    private var isBroken = false

    init(_ configuration: PostgreSQLConfiguration) {
        self.configuration = configuration
    }

    deinit {
        if let handle = unsafe handle { unsafe PQfinish(handle) }
    }

    /// Indicates a connection that takes statements.
    var isUsable: Bool { unsafe handle != nil && !isBroken }

    // MARK: Connecting

    /// Connects, logs in, and bounds the time of statements also on the server, where they may hold locks.
    func connect() throws(PostgreSQLError) {
        let parameters = [
            ("dbname", configuration.connectionString), ("client_encoding", "UTF8"),
            ("fallback_application_name", "swift-credentials"),
        ]
        let opened = unsafe CStrings(parameters.map(\.0)).withPointers { names in
            unsafe CStrings(parameters.map(\.1)).withPointers { values in
                unsafe PQconnectStartParams(names, values, 1)
            }
        }
        guard let opened = unsafe opened else { throw PostgreSQLError(.unavailable, "libpq has no memory") }
        unsafe handle = opened
        unsafe irma_pq_drop_notices(opened)
        try unsafe login(opened)
        guard unsafe PQsetnonblocking(opened, 1) == 0 else { throw lost("the connection cannot be set up") }
        let time = Self.milliseconds(configuration.statementTimeout)
        _ = try execute(
            """
            SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $1, false),
                set_config('idle_in_transaction_session_timeout', $1, false)
            """,
            [.text("\(time)")]
        )
    }

    private func login(_ handle: OpaquePointer) throws(PostgreSQLError) {
        let deadline = ContinuousClock.now + configuration.connectTimeout
        guard unsafe PQstatus(handle) != CONNECTION_BAD else { throw failedConnection() }
        var state = PGRES_POLLING_WRITING
        while state != PGRES_POLLING_OK {
            guard state != PGRES_POLLING_FAILED else { throw failedConnection() }
            try wait(for: state == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline)
            state = unsafe PQconnectPoll(handle)
        }
    }

    /// The error of libpq, which names host, port, user and database; it is left out if it has a secret of the settings.
    private func failedConnection() -> PostgreSQLError {
        guard let handle = unsafe handle, let message = unsafe PQerrorMessage(handle) else {
            return lost("no connection")
        }
        let text = unsafe String(cString: message)
        var secrets = ConnectionString.secrets(in: configuration.connectionString)
        if let password = unsafe PQpass(handle) { secrets.append(unsafe String(cString: password)) }
        guard !secrets.contains(where: { !$0.isEmpty && text.contains($0) }) else { return lost("no connection") }
        return lost("no connection: " + text.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(300))
    }

    // MARK: Statements

    /// Runs one statement, and reads its answer.
    func execute(
        _ statement: StaticString,
        _ parameters: [PostgreSQLValue]
    ) throws(PostgreSQLError) -> PostgreSQLResult {
        guard let handle = unsafe handle, !isBroken else {
            throw PostgreSQLError(.unavailable, "the connection has ended")
        }
        guard !parameters.contains(where: \.hasZero) else {
            throw PostgreSQLError(.invalidValue, "a text with the character U+0000")
        }
        let deadline = ContinuousClock.now + configuration.statementTimeout + .seconds(1)
        guard unsafe send(statement, parameters, to: handle) else { throw lost("a statement cannot be sent") }
        while case let state = unsafe PQflush(handle), state != 0 {
            guard state > 0 else { throw lost("a statement cannot be sent") }
            try wait(for: POLLIN | POLLOUT, until: deadline)
            guard unsafe PQconsumeInput(handle) == 1 else { throw lost("the connection ended") }
        }
        var answer: Result<PostgreSQLResult, PostgreSQLError>?
        while let result = unsafe try nextResult(handle, until: deadline) {
            defer { unsafe PQclear(result) }
            if answer == nil { answer = unsafe read(result) }
        }
        guard let answer else { throw lost("the connection ended") }
        if unsafe PQstatus(handle) != CONNECTION_OK { isBroken = true }
        return try answer.get()
    }

    private func send(_ statement: StaticString, _ parameters: [PostgreSQLValue], to handle: OpaquePointer) -> Bool {
        let values = parameters.map(\.binary)
        let lengths = values.map { Int32(clamping: $0?.count ?? 0) }
        let types = parameters.map(\.type)
        let formats = [Int32](repeating: 1, count: values.count)
        return unsafe CStrings(values).withPointers { pointers in
            unsafe PQsendQueryParams(
                handle,
                "\(statement)",
                Int32(clamping: values.count),
                types,
                pointers,
                lengths,
                formats,
                1
            ) == 1
        }
    }

    private func nextResult(
        _ handle: OpaquePointer,
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> OpaquePointer? {
        while unsafe PQisBusy(handle) == 1 {
            try wait(for: POLLIN, until: deadline)
            guard unsafe PQconsumeInput(handle) == 1 else { throw lost("the connection ended") }
        }
        return unsafe PQgetResult(handle)
    }

    private func read(_ result: OpaquePointer) -> Result<PostgreSQLResult, PostgreSQLError> {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            let columns = unsafe PQnfields(result)
            let types = (0..<columns).map { unsafe PQftype(result, $0) }
            let rows = (0..<(unsafe PQntuples(result))).map { row in
                PostgreSQLRow(values: (0..<columns).map { unsafe Self.value(result, row, $0) }, types: types)
            }
            let count = unsafe PQcmdTuples(result).flatMap { unsafe Int(String(cString: $0)) }
            return .success(PostgreSQLResult(rows: rows, count: count ?? 0))
        default:
            guard let state = unsafe irma_pq_sqlstate(result) else { return .failure(lost("the connection ended")) }
            let sqlState = unsafe String(cString: state)
            // A server that shuts down, or that is a standby now: the next call looks for another one.
            if sqlState.hasPrefix("57P") || sqlState == "25006" { isBroken = true }
            return .failure(PostgreSQLError(sqlState: sqlState))
        }
    }

    private static func value(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> [UInt8]? {
        guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
            return nil
        }
        let count = max(0, Int(unsafe PQgetlength(result, row, column)))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    // MARK: Waiting

    /// Waits until the socket can be read or written.
    private func wait(
        for events: some BinaryInteger,
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) {
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            guard rest > .zero, let handle = unsafe handle else { throw lost("no answer in time") }
            var entry = pollfd(fd: unsafe PQsocket(handle), events: Int16(truncatingIfNeeded: events), revents: 0)
            let count = unsafe poll(&entry, 1, Self.milliseconds(rest))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw lost("the connection ended") }
        }
    }

    /// A duration in milliseconds, at least 1 and at most an hour.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        Int32(min(max((duration / .milliseconds(1)).rounded(.up), 1), 3_600_000))
    }

    private func lost(_ message: String) -> PostgreSQLError {
        isBroken = true
        return PostgreSQLError(.unavailable, message)
    }
}
#endif
