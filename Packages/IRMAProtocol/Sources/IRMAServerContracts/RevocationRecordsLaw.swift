public import IRMAServer

/// A law that all records of a revocation authority keep.
///
/// ```swift
/// @Test(arguments: RevocationRecordsLaw.all)
/// func keeps(_ law: RevocationRecordsLaw) async throws {
///     try await law.check([records, theSameRecordsElsewhere])
/// }
/// ```
public struct RevocationRecordsLaw: Sendable, CustomStringConvertible {
    /// The law in a few words.
    public let description: String
    private let body: @Sendable (Stores) async throws -> Void

    /// The instances of a store that share their records.
    struct Stores: Sendable {
        let all: [any RevocationRecords]
        /// The instance that laws read from.
        var reader: any RevocationRecords { all[0] }
        /// The instance that laws write to.
        var writer: any RevocationRecords { all[all.count - 1] }
    }

    init(_ description: String, _ body: @escaping @Sendable (Stores) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Checks the law on instances of one empty store, at least one.
    ///
    /// - Throws: ``RevocationRecordsLawViolation`` if they break it.
    public func check(_ stores: [any RevocationRecords]) async throws {
        try expect(!stores.isEmpty, "a store to check")
        try await body(Stores(all: stores))
    }

    /// All laws.
    public static let all = accumulators + chains + issuances
}

/// A law that a store broke.
public struct RevocationRecordsLawViolation: Error, CustomStringConvertible {
    /// The expectation that did not hold.
    public let description: String
}

/// Throws a violation unless a condition holds.
func expect(_ condition: Bool, _ expectation: @autoclosure () -> String) throws {
    guard condition else { throw RevocationRecordsLawViolation(description: expectation()) }
}

/// Throws a violation unless a call is refused with a code.
func expectRefusal(
    _ code: IRMAServerError.Code,
    _ subject: String,
    _ body: () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let error as IRMAServerError {
        try expect(error.code == code, "\(subject): \(code) expected, refused with \(error)")
        return
    }
    throw RevocationRecordsLawViolation(description: "\(subject): not refused with \(code)")
}
