#if Redis
public import CredentialServing
public import Logging

/// Sessions in Redis, for any number of processes on any number of machines.
///
/// A swap is one script on the server, so that no update is lost between processes. Changes are published to all
/// processes while ``run()`` runs; after a connection broke, every reader reads its session again. While the server is
/// away, calls are refused with `unavailable`, or with `outcomeUnknown` where a change was sent and not answered.
///
/// A replica that becomes master may lack the last changes, as Redis replicates without waiting. Redis Cluster is not
/// supported.
public final class RedisSessionStore: SessionStore {
    /// The sizes that the store takes.
    public let limits: SessionLimits
    private let configuration: RedisSessionConfiguration
    private let clock: SessionClock
    private let jitter: @Sendable () -> Double
    private let logger: Logger?
    private let connector: RedisConnector
    private let link: RedisLink
    private let hub = SessionChangeHub()
    private let lifetime = StoreLifetime()
    private let names: RedisNames

    /// A store, which connects when it is first used.
    ///
    /// - Parameters:
    ///   - configuration: The server and how to reach it.
    ///   - limits: The sizes that the store takes.
    ///   - clock: The time that decides which sessions are alive, and the clock of the back-off.
    ///   - jitter: A random number from 0 to 1 for each back-off.
    ///   - logger: Takes connections and their failures at debug level, without keys and values.
    /// - Throws: `SessionStoreError`: `invalidConfiguration` for settings that cannot work.
    public init(
        configuration: RedisSessionConfiguration,
        limits: SessionLimits = .default,
        clock: SessionClock = .system,
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) },
        logger: Logger? = nil
    ) throws(SessionStoreError) {
        guard limits.maximumValueSize < configuration.maximumReplySize else {
            throw SessionStoreError(
                .invalidConfiguration,
                "replies of \(configuration.maximumReplySize) bytes hold no value of \(limits.maximumValueSize) bytes"
            )
        }
        self.configuration = configuration
        self.limits = limits
        self.clock = clock
        self.jitter = jitter
        self.logger = logger
        connector = try RedisConnector(configuration)
        names = RedisNames(prefix: configuration.keyPrefix, database: configuration.database)
        link = RedisLink(connector, channel: names.channel, clock: clock, jitter: jitter)
    }

    /// The number of readers of changes.
    public var subscriptionCount: Int { hub.subscriptionCount }

    /// Inserts a session.
    public func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        try lifetime.check()
        let now = clock.milliseconds
        try limits.checkInsertion(entry, at: now)
        let reply = try await link.run(
            .insert,
            keys: [names.session(entry.key)] + entry.secondaryKeys.map(names.secondary),
            arguments: [
                text(now), text(entry.expiryMilliseconds - now), RedisNames.generation(entry.version),
                text(entry.version.number), text(entry.expiryMilliseconds), entry.value,
                SessionKeyList.encoded(entry.secondaryKeys), entry.key.bytes, names.sessions,
            ],
            isChange: true
        )
        switch reply {
        case .integer(0): return
        case .integer(1): throw SessionStoreError(.keyExists, "a session with the key exists")
        case .integer(2):
            throw SessionStoreError(.secondaryKeyExists, "a session with one of the secondary keys exists")
        default: throw Self.unexpectedReply
        }
    }

    /// The live session of a key, or nil.
    public func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try lifetime.check()
        let fields = ["g", "n", "x", "v", "s"].map { Array($0.utf8) }
        let reply = try await link.call(RedisCommand([Array("HMGET".utf8), names.session(key)] + fields))
        guard let parts = reply.parts, parts.count == 5 else { throw Self.unexpectedReply }
        guard parts[0] != .null else { return nil }
        return try live(parts, key)
    }

    /// The live session that has a secondary key, or nil.
    public func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try lifetime.check()
        let reply = try await link.run(
            .find,
            keys: [names.secondary(key)],
            arguments: [names.sessions],
            isChange: false
        )
        if reply == .null { return nil }
        guard let parts = reply.parts, parts.count == 6, let primary = parts[5].bytes else {
            throw Self.unexpectedReply
        }
        return try live(parts, SessionKey(bytes: primary))
    }

    /// The session of its fields, or nil if it has expired.
    private func live(_ parts: [RedisReply], _ key: SessionKey) throws(SessionStoreError) -> SessionEntry? {
        guard let generation = parts[0].text.flatMap({ UInt64($0, radix: 16) }),
            let number = parts[1].text.flatMap({ UInt64($0) }),
            let expiry = parts[2].text.flatMap({ Int64($0) }),
            let value = parts[3].bytes, let list = parts[4].bytes
        else { throw SessionStoreError(.damaged, "a session with malformed fields") }
        guard expiry > clock.milliseconds else { return nil }
        return SessionEntry(
            key: key,
            secondaryKeys: try SessionKeyList.decoded(list),
            value: value,
            expiryMilliseconds: expiry,
            version: SessionVersion(generation: generation, number: number)
        )
    }

    /// Replaces the value and the expiry of a session, if its version is still that of `entry`.
    @discardableResult
    public func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        try lifetime.check()
        let now = clock.milliseconds
        try limits.checkValue(entry, at: now)
        let next = try entry.version.next()
        let reply = try await link.run(
            .swap,
            keys: [names.session(entry.key)],
            arguments: [
                text(now), text(entry.expiryMilliseconds - now), RedisNames.generation(entry.version),
                text(entry.version.number), text(next.number), text(entry.expiryMilliseconds), entry.value,
                names.secondaries, entry.key.bytes, names.channel,
            ],
            isChange: true
        )
        switch reply {
        case .integer(0):
            hub.signal(entry.key)
            return entry.with(version: next)
        case .integer(3): throw SessionStoreError(.notFound, "no session to swap")
        case .string:
            throw SessionStoreError(.conflict, "the session is at another version than \(entry.version)")
        default: throw Self.unexpectedReply
        }
    }

    /// Deletes a session of a version, or of any, and frees its secondary keys.
    @discardableResult
    public func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        try lifetime.check()
        let reply = try await link.run(
            .delete,
            keys: [names.session(key)],
            arguments: [
                text(clock.milliseconds), version.map(RedisNames.generation) ?? [], text(version?.number ?? 0),
                names.secondaries, key.bytes, names.channel,
            ],
            isChange: true
        )
        switch reply {
        case .integer(0): return false
        case .integer(1):
            hub.signal(key)
            return true
        case .string: throw SessionStoreError(.conflict, "the session is at another version")
        default: throw Self.unexpectedReply
        }
    }

    /// The states of a session after a version, each after it was committed.
    public func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        SessionChanges(of: key, after: version, hub: hub, clock: clock) { () throws(SessionStoreError) in
            try await self.entry(for: key)
        }
    }

    /// Throws an error if the store cannot serve at present.
    public func check() async throws(SessionStoreError) {
        try lifetime.check()
        _ = try await link.call(RedisCommand("PING"))
    }

    /// Receives the changes of other processes, over connections that are made again with a back-off.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.receive() }
            group.addTask { await self.lifetime.waitForEnd() }
            await group.next()
            group.cancelAll()
        }
    }

    /// Receives changes until the shutdown or the task's cancellation.
    private func receive() async {
        var failures = 0
        while true {
            do throws(SessionStoreError) {
                try lifetime.check()
                try await receiveChanges()
                failures = 0
            } catch {
                if error.code == .closed { return }
                failures += 1
                logger?.debug("no notifications from Redis", metadata: ["error": "\(error)"])
            }
            let wait = configuration.backoff(after: max(failures, 1), jitter: jitter())
            guard await lifetime.sleep(for: wait, on: clock.timer) else { return }
        }
    }

    /// Subscribes, and returns when the connection ends.
    private func receiveChanges() async throws(SessionStoreError) {
        let hub = hub
        let connection = try await connector.connect { payload in hub.signal(SessionKey(bytes: payload)) }
        defer { connection.close() }
        try await connection.call(RedisCommand([Array("SUBSCRIBE".utf8), names.channel]))
        logger?.debug("notifications from Redis")
        // Changes up to now may have been missed.
        hub.signalAll()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await connection.waitUntilClosed() }
            group.addTask {
                while await self.lifetime.sleep(for: self.configuration.keepAliveInterval, on: self.clock.timer) {
                    do { try await connection.call(RedisCommand("PING")) } catch { break }
                }
                connection.close()
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Ends all sequences of changes and refuses everything from now on.
    public func close() async {
        lifetime.close()
        hub.close()
        link.close()
    }

    private func text(_ number: some BinaryInteger) -> [UInt8] {
        Array("\(number)".utf8)
    }

    private static var unexpectedReply: SessionStoreError {
        SessionStoreError(.damaged, "a reply that the store does not know")
    }
}

/// The names of a store's keys and its channel.
struct RedisNames: Sendable {
    /// The start of the names of sessions.
    let sessions: [UInt8]
    /// The start of the names of secondary keys.
    let secondaries: [UInt8]
    /// The channel of changes.
    ///
    /// Channels are shared by all databases of a server, so it names the database.
    let channel: [UInt8]

    init(prefix: String, database: Int) {
        sessions = Array("\(prefix)session:".utf8)
        secondaries = Array("\(prefix)secondary:".utf8)
        channel = Array("\(prefix)changes:\(database)".utf8)
    }

    func session(_ key: SessionKey) -> [UInt8] { sessions + key.bytes }

    func secondary(_ key: SessionKey) -> [UInt8] { secondaries + key.bytes }

    /// A generation in 16 hexadecimal digits.
    static func generation(_ version: SessionVersion) -> [UInt8] {
        let digits = String(version.generation, radix: 16)
        return Array((String(repeating: "0", count: 16 - digits.count) + digits).utf8)
    }
}
#endif
