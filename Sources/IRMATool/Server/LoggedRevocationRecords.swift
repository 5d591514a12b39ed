#if Server
import IRMAMessages
import IRMAServer
import IdemixCore
import Logging

/// Records of revocation whose faults are in the log: a database that is away, or holds what nobody wrote.
struct LoggedRevocationRecords: RevocationRecords {
    private let records: any RevocationRecords
    private let logger: Logger

    init(_ records: any RevocationRecords, logger: Logger) {
        self.records = records
        self.logger = logger
    }

    private func logging<Value>(
        _ body: () async throws(IRMAServerError) -> Value
    ) async throws(IRMAServerError) -> Value {
        do throws(IRMAServerError) {
            return try await body()
        } catch {
            if [.storeUnavailable, .missingTables, .storeDamaged].contains(error.code) {
                logger.error("the records of revocation failed", metadata: ["error": "\(error)"])
            }
            throw error
        }
    }

    func keyCounters(of type: CredentialTypeIdentifier) async throws(IRMAServerError) -> [UInt] {
        try await logging { () async throws(IRMAServerError) in try await records.keyCounters(of: type) }
    }

    func accumulator(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        lastEvents count: Int
    ) async throws(IRMAServerError) -> RevocationUpdate? {
        try await logging { () async throws(IRMAServerError) in
            try await records.accumulator(of: type, keyCounter: keyCounter, lastEvents: count)
        }
    }

    func events(
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        in range: Range<UInt64>
    ) async throws(IRMAServerError) -> RevocationEventList? {
        try await logging { () async throws(IRMAServerError) in
            try await records.events(of: type, keyCounter: keyCounter, in: range)
        }
    }

    func replace(
        with update: RevocationUpdate,
        of type: CredentialTypeIdentifier,
        keyCounter: UInt,
        expecting previous: SignedAccumulator?,
        revoking revoked: [IssuanceRecord],
        at time: Int64
    ) async throws(IRMAServerError) {
        try await logging { () async throws(IRMAServerError) in
            try await records.replace(
                with: update,
                of: type,
                keyCounter: keyCounter,
                expecting: previous,
                revoking: revoked,
                at: time
            )
        }
    }

    func add(_ record: IssuanceRecord) async throws(IRMAServerError) {
        try await logging { () async throws(IRMAServerError) in try await records.add(record) }
    }

    func records(
        of type: CredentialTypeIdentifier,
        revocationKey: String
    ) async throws(IRMAServerError) -> [IssuanceRecord] {
        try await logging { () async throws(IRMAServerError) in
            try await records.records(of: type, revocationKey: revocationKey)
        }
    }

    func deleteExpired(before time: Int64) async throws(IRMAServerError) -> Int {
        try await logging { () async throws(IRMAServerError) in try await records.deleteExpired(before: time) }
    }

    func check() async throws(IRMAServerError) { try await records.check() }
}
#endif
