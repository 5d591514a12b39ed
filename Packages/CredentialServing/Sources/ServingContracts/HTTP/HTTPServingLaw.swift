/// A law that every driver of engines keeps.
///
/// ```swift
/// @Test(arguments: HTTPServingLaw.all)
/// func keeps(_ law: HTTPServingLaw) async throws {
///     try await law.check(world)
/// }
/// ```
public struct HTTPServingLaw: Sendable, CustomStringConvertible {
    /// The law in a few words.
    public let description: String
    private let body: @Sendable (any HTTPServingWorld) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (any HTTPServingWorld) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the law.
    ///
    /// - Throws: ``HTTPServingLawViolation`` if the driver breaks it.
    public func check(_ world: any HTTPServingWorld) async throws {
        try await body(world)
    }

    /// All laws.
    public static let all = messages + bodies + streams + events + times
}
