#if Server
import CredentialServingOperations
import IRMAMessages
import IRMAServer
import IdemixCore
import Synchronization
import Testing

@testable import IRMATool

/// Requestors learn that a revocation failed; why, the operator reads in the log.
@Suite struct LoggedRevocationRecordsTests {
    /// Records of a database that fails with an error.
    struct BrokenRecords: RevocationRecords {
        let code: IRMAServerError.Code
        private var error: IRMAServerError { IRMAServerError(code, "the database is away") }

        init(_ code: IRMAServerError.Code) { self.code = code }

        func keyCounters(of _: CredentialTypeIdentifier) async throws(IRMAServerError) -> [UInt] { throw error }
        func accumulator(
            of _: CredentialTypeIdentifier,
            keyCounter _: UInt,
            lastEvents _: Int
        ) async throws(IRMAServerError) -> RevocationUpdate? { throw error }
        func events(
            of _: CredentialTypeIdentifier,
            keyCounter _: UInt,
            in _: Range<UInt64>
        ) async throws(IRMAServerError) -> RevocationEventList? { throw error }
        func replace(
            with _: RevocationUpdate,
            of _: CredentialTypeIdentifier,
            keyCounter _: UInt,
            expecting _: SignedAccumulator?,
            revoking _: [IssuanceRecord],
            at _: Int64
        ) async throws(IRMAServerError) { throw error }
        func add(_: IssuanceRecord) async throws(IRMAServerError) { throw error }
        func records(
            of _: CredentialTypeIdentifier,
            revocationKey _: String
        ) async throws(IRMAServerError) -> [IssuanceRecord] { throw error }
        func deleteExpired(before _: Int64) async throws(IRMAServerError) -> Int { throw error }
        func check() async throws(IRMAServerError) { throw error }
    }

    private static let type: CredentialTypeIdentifier = "demo.bank.card"

    @Test(arguments: [
        (IRMAServerError.Code.storeUnavailable, 5), (.missingTables, 5), (.storeDamaged, 5), (.conflict, 0),
        (.revocationFailed, 0),
    ])
    func logsFaultsOfTheDatabase(code: IRMAServerError.Code, count: Int) async {
        let lines = Mutex<[String]>([])
        let logging = OperationsLogging(write: { line in lines.withLock { $0.append(line) } })
        let records = LoggedRevocationRecords(BrokenRecords(code), logger: logging.logger(label: "test"))
        await #expect(throws: IRMAServerError.self) { try await records.keyCounters(of: Self.type) }
        await #expect(throws: IRMAServerError.self) {
            try await records.accumulator(of: Self.type, keyCounter: 0, lastEvents: 1)
        }
        await #expect(throws: IRMAServerError.self) {
            try await records.events(of: Self.type, keyCounter: 0, in: 0..<1)
        }
        await #expect(throws: IRMAServerError.self) { try await records.records(of: Self.type, revocationKey: "a") }
        await #expect(throws: IRMAServerError.self) { try await records.deleteExpired(before: 0) }
        await #expect(throws: IRMAServerError.self) { try await records.check() }
        let told = lines.withLock { $0 }
        #expect(told.count == count)
        #expect(told.allSatisfy { $0.contains("the database is away") })
    }
}
#endif
