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
