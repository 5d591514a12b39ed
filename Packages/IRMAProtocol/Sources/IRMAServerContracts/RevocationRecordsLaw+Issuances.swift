import IRMAServer
import IdemixCore

extension RevocationRecordsLaw {
    private static let type = SampleChain.type

    /// A record of the sample's type.
    static func record(
        _ revocationKey: String,
        issued: Int64 = 1_800_000_000_000_000_001,
        type: CredentialTypeIdentifier = SampleChain.type,
        validUntil: Int64 = 1_900_000_000_000_000_000
    ) -> IssuanceRecord {
        IssuanceRecord(
            revocationKey: revocationKey,
            credentialType: type,
            issued: issued,
            keyCounter: 3,
            attribute: BigInteger(bytes: [0x81] + [UInt8](repeating: 7, count: 24)),
            validUntil: validUntil
        )
    }

    static let issuances = [
        RevocationRecordsLaw("a record is read as it was added, the oldest of a name first") { stores in
            var odd = record("a", issued: 1, validUntil: .max)
            odd.keyCounter = 0
            odd.attribute = 1
            odd.revokedAt = 77
            let records = [record("a", issued: 9), odd, record("a", issued: 5)]
            for record in records { try await stores.writer.add(record) }
            let read = try await stores.reader.records(of: type, revocationKey: "a")
            try expect(read == [odd, records[2], records[0]], "the same records")
            try expect(try await stores.reader.records(of: type, revocationKey: "b").isEmpty, "none of another name")
        },
        RevocationRecordsLaw("names belong to their records byte for byte") { stores in
            let names = ["alice", "Alice", "", "e\u{301}", "\u{e9}", "a' OR 1=1 --", "%", "\u{1F511}"]
            for (number, name) in names.enumerated() {
                try await stores.writer.add(record(name, issued: Int64(number)))
            }
            for (number, name) in names.enumerated() {
                let read = try await stores.reader.records(of: type, revocationKey: name)
                try expect(read.map(\.issued) == [Int64(number)], "the record of \(name)")
            }
            let other = CredentialTypeIdentifier("demo.bank.other")
            try await stores.writer.add(record("alice", type: other))
            let read = try await stores.reader.records(of: other, revocationKey: "alice")
            try expect(read == [record("alice", type: other)], "the record of the other type")
        },
        RevocationRecordsLaw("a name with U+0000 is no other record's name") { stores in
            try await stores.writer.add(record("a"))
            try await expectRefusal(.revocationFailed, "a record") {
                try await stores.writer.add(record("a\u{0}b"))
            }
            let read = try await stores.reader.records(of: type, revocationKey: "a\u{0}b")
            try expect(read.isEmpty, "no record")
        },
        RevocationRecordsLaw("there is one record of a name and time") { stores in
            try await stores.writer.add(record("a"))
            try await expectRefusal(.conflict, "a second one") {
                try await stores.reader.add(record("a", validUntil: 1))
            }
            try await stores.reader.add(record("a", issued: 2))
            try await stores.reader.add(record("b"))
            let read = try await stores.reader.records(of: type, revocationKey: "a")
            try expect(read == [record("a", issued: 2), record("a")], "the first one stays")
        },
        RevocationRecordsLaw("records are revoked with the accumulator, once") { stores in
            let first = SampleChain()
            try await first.put(1, in: stores.writer, expecting: nil)
            for issued in [1, 2, 3] as [Int64] { try await stores.writer.add(record("a", issued: issued)) }
            var second = first
            second.revoke(101)
            let revoked = [record("a", issued: 1), record("a", issued: 3)]
            try await second.put(1, in: stores.writer, expecting: first, revoking: revoked, at: 50)
            var third = second
            third.revoke(103)
            try await third.put(1, in: stores.writer, expecting: second, revoking: [record("a", issued: 3)], at: 60)
            let times = try await stores.reader.records(of: type, revocationKey: "a").map(\.revokedAt)
            try expect(times == [50, nil, 50], "the time of each, not \(times)")
        },
        RevocationRecordsLaw("records of expired credentials are deleted, and no others") { stores in
            for (number, time) in ([10, 11, 12, .max] as [Int64]).enumerated() {
                try await stores.writer.add(record("a", issued: Int64(number), validUntil: time))
            }
            try expect(try await stores.writer.deleteExpired(before: 12) == 2, "two are deleted")
            let rest = try await stores.reader.records(of: type, revocationKey: "a").map(\.validUntil)
            try expect(rest == [12, .max], "the others stay")
            try expect(try await stores.writer.deleteExpired(before: 12) == 0, "none are left")
        },
    ]
}
