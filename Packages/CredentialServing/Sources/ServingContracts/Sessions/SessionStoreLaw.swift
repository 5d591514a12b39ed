public import CredentialServing
import Foundation

/// A law that every store keeps.
///
/// ```swift
/// @Test(arguments: SessionStoreLaw.all)
/// func keeps(_ law: SessionStoreLaw) async throws {
///     try await law.check(world())
/// }
/// ```
public struct SessionStoreLaw: Sendable, CustomStringConvertible {
    /// The law in a few words.
    public let description: String
    private let body: @Sendable (SessionStoreWorld) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (SessionStoreWorld) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the law on stores that are empty.
    ///
    /// - Throws: ``SessionStoreLawViolation`` if a store breaks it.
    public func check(_ world: SessionStoreWorld) async throws {
        try await world.run { try await body(world) }
    }

    /// All laws.
    public static let all = writing + refusals + expiry + changes
}

/// The stores of one test: several instances that share their sessions, and their time.
public struct SessionStoreWorld: Sendable {
    /// The instances.
    public let stores: [any SessionStore]
    /// The time of all instances.
    public let time: SessionTestTime
    /// Counts the readers of changes of all instances.
    public let subscriptionCount: @Sendable () -> Int

    /// The stores of a test.
    ///
    /// - Parameters:
    ///   - stores: The instances: one, or several that share their sessions.
    ///   - time: The time of all instances.
    ///   - subscriptionCount: Counts the readers of changes of all instances.
    public init(
        _ stores: [any SessionStore],
        time: SessionTestTime,
        subscriptionCount: @escaping @Sendable () -> Int
    ) {
        self.stores = stores
        self.time = time
        self.subscriptionCount = subscriptionCount
    }

    /// The instance that laws read from.
    var reader: any SessionStore { stores[0] }
    /// The instance that laws write to.
    var writer: any SessionStore { stores[stores.count - 1] }

    /// A date some seconds from now.
    func date(in seconds: TimeInterval) -> Date { time.date + seconds }

    /// A session that lives for an hour.
    func entry(
        _ key: String,
        secondary: [String] = [],
        value: [UInt8] = [1],
        lifetime: TimeInterval = 3600
    ) -> SessionEntry {
        SessionEntry(
            key: SessionKey(key),
            secondaryKeys: secondary.map { SessionKey($0) },
            value: value,
            expiry: date(in: lifetime)
        )
    }

    /// Runs a function while the instances do their work in the background, and shuts them down.
    func run(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { await store.run() } }
            do {
                try await body()
            } catch {
                group.cancelAll()
                for store in stores { await store.close() }
                throw error
            }
            for store in stores { await store.close() }
            try await group.waitForAll()
        }
    }

    /// Awaits something while periodic work goes on.
    func ticking<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        let time = time
        let ticker = Task {
            while !Task.isCancelled {
                time.tick()
                await Task.yield()
            }
        }
        defer { ticker.cancel() }
        return try await body()
    }
}

/// A law that a store broke.
public struct SessionStoreLawViolation: Error, CustomStringConvertible {
    /// The expectation that did not hold.
    public let description: String
}

/// Throws a violation unless a condition holds.
func expect(_ condition: Bool, _ expectation: @autoclosure () -> String) throws {
    guard condition else { throw SessionStoreLawViolation(description: expectation()) }
}

/// Throws a violation unless a call is refused with a code.
func expectRefusal<Value>(
    _ code: SessionStoreError.Code,
    _ subject: String,
    _ body: () async throws -> Value
) async throws {
    do {
        _ = try await body()
    } catch let error as SessionStoreError {
        try expect(error.code == code, "\(subject): \(code) expected, refused with \(error)")
        return
    }
    throw SessionStoreLawViolation(description: "\(subject): not refused with \(code)")
}
