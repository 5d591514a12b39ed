public import KeyshareServer

/// A law that every store of accounts keeps.
///
/// ```swift
/// @Test(arguments: AccountStoreLaw.all)
/// func keeps(_ law: AccountStoreLaw) async throws {
///     try await law.check([store, theSameStoreElsewhere])
/// }
/// ```
public struct AccountStoreLaw: Sendable, CustomStringConvertible {
    /// The law in a few words.
    public let description: String
    private let body: @Sendable (Stores) async throws -> Void

    /// The instances of a store that share their accounts.
    struct Stores: Sendable {
        let all: [any KeyshareAccountStore]
        /// The instance that laws read from.
        var reader: any KeyshareAccountStore { all[0] }
        /// The instance that laws write to.
        var writer: any KeyshareAccountStore { all[all.count - 1] }
    }

    init(_ description: String, _ body: @escaping @Sendable (Stores) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the law on instances of one empty store, at least one.
    ///
    /// - Throws: ``AccountStoreLawViolation`` if they break it.
    public func check(_ stores: [any KeyshareAccountStore]) async throws {
        try expect(!stores.isEmpty, "a store to check")
        try await body(Stores(all: stores))
    }

    /// All laws.
    public static let all = rows + versions + eventLaws
}

/// A law that a store broke.
public struct AccountStoreLawViolation: Error, CustomStringConvertible {
    /// The expectation that did not hold.
    public let description: String
}

/// Throws a violation unless a condition holds.
func expect(_ condition: Bool, _ expectation: @autoclosure () -> String) throws {
    guard condition else { throw AccountStoreLawViolation(description: expectation()) }
}

/// Throws a violation unless a call is refused with a code.
func expectRefusal<Value>(
    _ code: KeyshareServerError.Code,
    _ subject: String,
    _ body: () async throws -> Value
) async throws {
    do {
        _ = try await body()
    } catch let error as KeyshareServerError {
        try expect(error.code == code, "\(subject): \(code) expected, refused with \(error)")
        return
    }
    throw AccountStoreLawViolation(description: "\(subject): not refused with \(code)")
}
