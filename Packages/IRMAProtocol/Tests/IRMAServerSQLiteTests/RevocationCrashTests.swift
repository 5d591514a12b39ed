#if SQLite && os(Linux)
import Foundation
import GRDB
import IRMAServer
import IRMAServerSQLite
import IdemixCore
import SQLiteTesting
import Testing

/// A process that is killed while it writes, at one step after the other.
@Suite(.serialized) struct RevocationCrashTests {
    /// The writer makes this number of revocations, each of a credential that it recorded before.
    private static let rounds: UInt8 = 6
    private static let completeExit: Int32 = 3
    private static let type = CredentialTypeIdentifier("demo.bank.pass")

    @Test(.timeLimit(.minutes(5)))
    func survivesAKillAtAnyWrite() async throws {
        var kills = 0
        var step = 1
        var isComplete = false
        while !isComplete {
            let count = step
            try await withFolder { folder in
                let outcome = await #expect(processExitsWith: .failure) {
                    [folder = folder as String, count = count as Int] in
                    try await Self.write(in: folder, killedAt: count)
                }
                let exit = try #require(outcome).exitStatus
                isComplete = exit == .exitCode(Self.completeExit)
                if !isComplete {
                    #expect(exit == .signal(SIGKILL))
                    kills += 1
                }
                try await Self.verify(folder)
            }
            // Every early step, and then ever wider strides to the last one.
            step += 1 + step / 16
        }
        print("revocation: killed at \(kills) steps of a writer, nothing that was acknowledged is lost")
        #expect(kills >= 20)
    }

    private static func record(_ round: UInt8) -> IssuanceRecord {
        IssuanceRecord(
            revocationKey: "credential",
            credentialType: type,
            issued: Int64(round),
            keyCounter: 3,
            attribute: BigInteger(Int(round) + 100),
            validUntil: .max
        )
    }

    private static func put(
        _ event: RevocationEvent,
        _ round: UInt8,
        in records: SQLiteRevocationRecords
    ) async throws {
        try await records.replace(
            with: RevocationUpdate(
                signedAccumulator: SignedAccumulator(data: [round], keyCounter: 3),
                events: try RevocationEventList([event])
            ),
            of: type,
            keyCounter: 3,
            expecting: round == 0 ? nil : SignedAccumulator(data: [round - 1], keyCounter: 3),
            revoking: round == 0 ? [] : [record(round)],
            at: 50
        )
    }

    /// The work of the process that is killed: it notes each revocation that was acknowledged.
    private static func write(in folder: String, killedAt step: Int) async throws {
        guard FileManager.default.createFile(atPath: folder + "/acknowledged", contents: nil) else { exit(1) }
        let note = FileHandle(forWritingAtPath: folder + "/acknowledged")
        let records = try SQLiteRevocationRecords(path: folder + "/records.sqlite")
        WriteCalls.killAfter(step)
        try await put(.first, 0, in: records)
        var last = RevocationEvent.first
        for round in 1...rounds {
            try await records.add(record(round))
            last = RevocationEvent(index: UInt64(round), prime: record(round).attribute, parent: last.hash)
            try await put(last, round, in: records)
            try note?.write(contentsOf: Data([round]))
        }
        exit(completeExit)
    }

    /// Looks at what the killed process left: the state after the last acknowledged revocation, or after a later write.
    private static func verify(_ folder: String) async throws {
        let acknowledged = try Data(contentsOf: URL(fileURLWithPath: folder + "/acknowledged")).last ?? 0
        let path = folder + "/records.sqlite"
        let records = try SQLiteRevocationRecords(path: path)
        let update = try await records.accumulator(of: type, keyCounter: 3)
        let last = update?.signedAccumulator.data.first ?? 0
        #expect(last == acknowledged || last == acknowledged + 1, "\(last) after \(acknowledged)")
        #expect((update?.events?.lastIndex ?? 0) == UInt64(last), "the events are the accumulator's")
        let issued = try await records.records(of: type, revocationKey: "credential")
        #expect(issued.count == Int(last) || issued.count == Int(last) + 1)
        #expect(issued.filter { $0.revokedAt != nil }.count == Int(last), "revoked with the accumulator")
        try records.close()
        let integrity = try await DatabaseQueue(path: path).read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check")
        }
        #expect(integrity == ["ok"])
    }
}
#endif
