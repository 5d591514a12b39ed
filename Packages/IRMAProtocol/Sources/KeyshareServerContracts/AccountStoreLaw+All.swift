import KeyshareServer

extension AccountStoreLaw {
    private static func account(_ name: String, coreData: [UInt8] = [1, 2, 3]) -> KeyshareAccount {
        KeyshareAccount(username: name, language: "nl", coreData: coreData, lastSeen: 1_800_000_000)
    }

    private static func read(_ name: String, in store: any KeyshareAccountStore) async throws -> StoredKeyshareAccount {
        guard let stored = try await store.account(named: name) else {
            throw AccountStoreLawViolation(description: "the account \(name) is there")
        }
        return stored
    }

    static let rows = [
        AccountStoreLaw("an account is read as it was inserted") { stores in
            var account = account("alice")
            account.pinCounter = 7
            account.pinBlockDate = 1_900_000_000
            account.deleteOn = 2_000_000_000
            try await stores.writer.insert(account)
            try expect(try await read("alice", in: stores.reader).account == account, "the same fields")
            try expect(try await stores.reader.account(named: "bob") == nil, "no other account")
            try await stores.writer.check()
        },
        AccountStoreLaw("an update replaces every field but the name") { stores in
            try await stores.writer.insert(account("alice"))
            var stored = try await read("alice", in: stores.reader)
            stored.account.language = "en"
            stored.account.coreData = [9]
            stored.account.lastSeen = 1
            stored.account.pinCounter = 2
            stored.account.pinBlockDate = 3
            stored.account.deleteOn = 4
            let updated = try await stores.writer.update(stored, recording: [])
            try expect(updated.account == stored.account, "the answer has the new fields")
            let row = try await read("alice", in: stores.reader)
            try expect(row.account == stored.account && row.version == updated.version, "they are read back")
            stored = updated
            stored.account.deleteOn = nil
            try await stores.writer.update(stored, recording: [])
            let last = try await read("alice", in: stores.reader)
            try expect(last.account.deleteOn == nil, "a date of deletion is taken back")
        },
        AccountStoreLaw("a name belongs to one account, byte for byte") { stores in
            for name in ["alice", "Alice", "e\u{301}", "\u{e9}", "a' OR 1=1 --"] {
                try await stores.writer.insert(account(name, coreData: Array(name.utf8)))
            }
            try await expectRefusal(.nameTaken, "a second account") { try await stores.reader.insert(account("alice")) }
            for name in ["alice", "Alice", "e\u{301}", "\u{e9}", "a' OR 1=1 --"] {
                let row = try await read(name, in: stores.reader)
                try expect(row.account.coreData == Array(name.utf8), "the account of \(name)")
            }
        },
        AccountStoreLaw("a name with U+0000 is no other account's name") { stores in
            try await stores.writer.insert(account("alice"))
            try await expectRefusal(.invalidAccount, "an insertion") {
                try await stores.writer.insert(account("alice\u{0}b"))
            }
            try expect(try await stores.reader.account(named: "alice\u{0}b") == nil, "no account")
            try expect(try await stores.reader.events(of: "alice\u{0}b", atMost: 9).isEmpty, "no events")
            try expect(try await !stores.writer.delete("alice\u{0}b"), "none to delete")
            try expect(try await stores.reader.account(named: "alice") != nil, "the account is still there")
        },
        AccountStoreLaw("accounts of sizes that none has are refused") { stores in
            let long = String(repeating: "a", count: KeyshareAccount.maximumNameSize + 1)
            let data = [UInt8](repeating: 0, count: KeyshareAccount.maximumCoreDataSize + 1)
            for account in [account(""), account(long), account("a", coreData: []), account("a", coreData: data)] {
                try await expectRefusal(.invalidAccount, "an insertion") { try await stores.writer.insert(account) }
            }
            try await stores.writer.insert(account(String(long.dropLast()), coreData: data.dropLast()))
            try await stores.writer.insert(account("a"))
            var stored = try await read("a", in: stores.reader)
            stored.account.language = long
            try await expectRefusal(.invalidAccount, "an update") { [stored] in
                try await stores.writer.update(stored, recording: [])
            }
        },
        AccountStoreLaw("a deleted account is gone, with its events") { stores in
            try await stores.writer.insert(account("alice"))
            let stored = try await read("alice", in: stores.reader)
            try await stores.writer.update(stored, recording: [KeyshareAccountEvent(.session, at: 1)])
            try expect(try await stores.writer.delete("alice"), "there was an account")
            try expect(try await !stores.writer.delete("alice"), "there is none any more")
            try expect(try await stores.reader.account(named: "alice") == nil, "no account")
            try await expectRefusal(.accountNotFound, "an update") {
                try await stores.reader.update(stored, recording: [])
            }
            try await stores.writer.insert(account("alice"))
            let events = try await stores.reader.events(of: "alice", atMost: 10)
            try expect(events.isEmpty, "no events of the earlier account")
        },
    ]

    static let versions = [
        AccountStoreLaw("an update at another version is refused and changes nothing") { stores in
            try await stores.writer.insert(account("alice"))
            let old = try await read("alice", in: stores.reader)
            var new = old
            new.account.pinCounter = 1
            let updated = try await stores.writer.update(new, recording: [])
            try expect(updated.version != old.version, "the version changes")
            let event = KeyshareAccountEvent(.session, at: 1)
            try await expectRefusal(.conflict, "the old version") {
                try await stores.reader.update(old, recording: [event])
            }
            let row = try await read("alice", in: stores.reader)
            try expect(row.account.pinCounter == 1, "the first update stays")
            try expect(try await stores.reader.events(of: "alice", atMost: 10).isEmpty, "no event")
        },
        AccountStoreLaw("no version fits an account that was made again") { stores in
            try await stores.writer.insert(account("alice"))
            let old = try await read("alice", in: stores.reader)
            try await stores.writer.delete("alice")
            try await stores.writer.insert(account("alice", coreData: [4]))
            try await expectRefusal(.conflict, "the version of the deleted account") {
                try await stores.writer.update(old, recording: [])
            }
            let row = try await read("alice", in: stores.reader)
            try expect(row.account.coreData == [4] && row.version != old.version, "the new account stays")
        },
        AccountStoreLaw("no change is lost among many writers") { stores in
            try await stores.writer.insert(account("alice"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    let store = stores.all[number % stores.all.count]
                    group.addTask {
                        try await store.change("alice", attempts: 10_000) { account in
                            account.pinCounter += 1
                            return KeyshareAccountChange(
                                (),
                                recording: [KeyshareAccountEvent(.session, at: account.pinCounter)]
                            )
                        }
                    }
                }
                try await group.waitForAll()
            }
            let row = try await read("alice", in: stores.reader)
            try expect(row.account.pinCounter == 20, "20 changes, not \(row.account.pinCounter)")
            let times = try await stores.reader.events(of: "alice", atMost: 100).map(\.time)
            try expect(times == (1...20).reversed().map { Int64($0) }, "each event once, not \(times)")
        },
    ]

    static let eventLaws = [
        AccountStoreLaw("events are read as they were recorded, the latest first, also where one was recorded late") {
            stores in
            try await stores.writer.insert(account("alice"))
            try await stores.writer.insert(account("bob"))
            let first = [
                KeyshareAccountEvent(.pinCheckFailed, at: 5, parameter: 0),
                KeyshareAccountEvent(.pinCheckBlocked, at: 5, parameter: 60),
            ]
            let second = [
                KeyshareAccountEvent(KeyshareAccountEvent.Kind("OTHER"), at: 4),
                KeyshareAccountEvent(.session, at: 6),
            ]
            var stored = try await read("alice", in: stores.reader)
            stored = try await stores.writer.update(stored, recording: first)
            try await stores.writer.update(stored, recording: second)
            let expected = [second[1], first[1], first[0], second[0]]
            try expect(try await stores.reader.events(of: "alice", atMost: 10) == expected, "all events")
            try expect(try await stores.reader.events(of: "alice", atMost: 2) == Array(expected.prefix(2)), "the last")
            try expect(try await stores.reader.events(of: "alice", atMost: 0).isEmpty, "none")
            try expect(try await stores.reader.events(of: "bob", atMost: 10).isEmpty, "none of another account")
        }
    ]
}
