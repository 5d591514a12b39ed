import KeyshareServer

extension EmailStoreLaw {
    private static func token(
        _ text: String,
        _ address: String = "a@example.org",
        expiry: Int64 = 5000
    ) -> KeyshareEmailToken {
        KeyshareEmailToken(text, for: address, expiry: expiry)
    }

    static let verification = [
        EmailStoreLaw("a token verifies its address once, up to its expiry") { stores in
            try await stores.insert("alice", "bob")
            for (text, expiry) in [("one", Int64(5000)), ("two", 5001)] {
                try await stores.writer.insertVerificationToken(
                    token(text, expiry: expiry),
                    of: "alice",
                    limit: .verification
                )
            }
            try expect(try await stores.emails(of: "alice").isEmpty, "no address before")
            for text in ["One", "on", "", "one\u{0}", "three"] {
                let name = try await stores.reader.redeemVerificationToken(text, at: 1000)
                try expect(name == nil, "no token")
            }
            try expect(try await stores.reader.redeemVerificationToken("one", at: 5001) == nil, "expired")
            try expect(try await stores.reader.redeemVerificationToken("two", at: 5001) == "alice", "the last second")
            try expect(try await stores.writer.redeemVerificationToken("two", at: 5001) == nil, "once")
            try expect(try await stores.emails(of: "alice") == [KeyshareEmail("a@example.org")], "the address")
            try expect(try await stores.emails(of: "bob").isEmpty, "of no other account")
        },
        EmailStoreLaw("one of many redeems a token") { stores in
            try await stores.insert("alice")
            try await stores.writer.insertVerificationToken(token("one"), of: "alice", limit: .verification)
            let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    let store = number % 2 == 0 ? stores.reader : stores.writer
                    group.addTask { try await store.redeemVerificationToken("one", at: 1000) != nil }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            try expect(count == 1, "one, not \(count)")
            try expect(try await stores.emails(of: "alice").count == 1, "one address")
        },
        EmailStoreLaw("as many tokens for an address as the limit says") { stores in
            try await stores.insert("alice", "bob")
            let limit = KeyshareTokenLimit(2, in: 60)
            func insert(_ text: String, _ address: String = "a@example.org", expiry: Int64) async throws {
                try await stores.writer.insertVerificationToken(
                    token(text, address, expiry: expiry),
                    of: text.hasPrefix("b") ? "bob" : "alice",
                    limit: limit
                )
            }
            try await insert("a1", expiry: 5000)
            try await insert("b1", expiry: 5010)
            try await expectRefusal(.tooManyTokens, "a third") { try await insert("a2", expiry: 5059) }
            try await insert("a3", "b@example.org", expiry: 5059)
            try await insert("a4", expiry: 5060)
            try await expectRefusal(.tooManyTokens, "a fourth") { try await insert("a5", expiry: 5060) }
        },
        EmailStoreLaw("a token belongs to an account and is gone with it") { stores in
            try await expectRefusal(.accountNotFound, "a token of nobody") {
                try await stores.writer.insertVerificationToken(token("one"), of: "alice", limit: .verification)
            }
            try await stores.insert("alice")
            try await stores.writer.insertVerificationToken(token("one"), of: "alice", limit: .verification)
            try await stores.writer.addEmail("b@example.org", to: "alice")
            try await stores.writer.delete("alice")
            try await stores.insert("alice")
            try expect(try await stores.reader.redeemVerificationToken("one", at: 1000) == nil, "no token")
            try expect(try await stores.emails(of: "alice").isEmpty, "no address of the earlier account")
        },
        EmailStoreLaw("addresses and tokens that no store takes are refused") { stores in
            try await stores.insert("alice")
            let long = String(repeating: "a", count: KeyshareEmail.maximumSize + 1)
            for address in ["", "a\u{0}b", long] {
                try await expectRefusal(.invalidMailAddress, "an address") {
                    try await stores.writer.addEmail(address, to: "alice")
                }
                try await expectRefusal(.invalidMailAddress, "a token's address") {
                    try await stores.writer.insertVerificationToken(
                        token("x", address),
                        of: "alice",
                        limit: .verification
                    )
                }
            }
            for text in ["", "a\u{0}b", long] {
                try await expectRefusal(.invalidAccount, "a token") {
                    try await stores.writer.insertVerificationToken(token(text), of: "alice", limit: .verification)
                }
            }
            try await expectRefusal(.accountNotFound, "an unknown account") {
                try await stores.writer.addEmail("a@example.org", to: "alice\u{0}b")
            }
            try await stores.writer.addEmail(String(long.dropLast()), to: "alice")
        },
    ]

    static let login = [
        EmailStoreLaw("a token logs in to the accounts of its address, once") { stores in
            try await stores.insert("alice", "bob", "carol")
            try await expectRefusal(.addressNotFound, "an unknown address") {
                try await stores.writer.insertLoginToken(token("one"), limit: .login, at: 1000)
            }
            try await stores.writer.addEmail("a@example.org", to: "bob")
            try await stores.writer.addEmail("a@example.org", to: "alice")
            try await stores.writer.addEmail("c@example.org", to: "carol")
            try await stores.writer.insertLoginToken(token("one"), limit: .login, at: 1000)
            try await expectRefusal(.tooManyTokens, "a second") {
                try await stores.writer.insertLoginToken(token("two"), limit: .login, at: 1000)
            }
            let candidates = try await stores.reader.loginCandidates("one", at: 5000)
            let expected = ["alice", "bob"].map { KeyshareLoginCandidate(username: $0, lastSeen: 1000) }
            try expect(candidates == expected, "both accounts")
            try expect(try await stores.reader.loginCandidates("one", at: 5001).isEmpty, "expired")
            try expect(try await stores.reader.loginCandidates("two", at: 1000).isEmpty, "unknown")
            for name in ["carol", "dave", "alice\u{0}"] {
                let isIn = try await stores.writer.redeemLoginToken("one", for: name, at: 1000)
                try expect(!isIn, "no account of the address")
            }
            try expect(try await !stores.writer.redeemLoginToken("one", for: "alice", at: 5001), "expired")
            try expect(try await stores.writer.redeemLoginToken("one", for: "alice", at: 5000), "the last second")
            try expect(try await !stores.writer.redeemLoginToken("one", for: "bob", at: 1000), "once")
        },
        EmailStoreLaw("an address that is to be deleted logs in until then") { stores in
            try await stores.insert("alice")
            try await stores.writer.addEmail("a@example.org", to: "alice")
            let scheduled = try await stores.writer.scheduleDeletion(
                ofEmail: "a@example.org",
                of: "alice",
                on: 2000
            )
            try expect(scheduled, "there is an address")
            try await stores.writer.insertLoginToken(token("one"), limit: .login, at: 2000)
            try await expectRefusal(.addressNotFound, "after its time") {
                try await stores.writer.insertLoginToken(token("two", expiry: 9000), limit: .login, at: 2001)
            }
            try expect(try await stores.reader.loginCandidates("one", at: 2000).count == 1, "before")
            try expect(try await stores.reader.loginCandidates("one", at: 2001).isEmpty, "after")
            try expect(try await !stores.writer.redeemLoginToken("one", for: "alice", at: 2001), "after")
        },
    ]

    static let pages = [
        EmailStoreLaw("an address is there once, and its deletion is taken back") { stores in
            try await stores.insert("alice")
            for _ in 0..<2 { try await stores.writer.addEmail("a@example.org", to: "alice") }
            try await stores.writer.addEmail("A@example.org", to: "alice")
            try expect(
                try await stores.emails(of: "alice").map(\.address) == ["a@example.org", "A@example.org"],
                "byte for byte"
            )
            func schedule(_ address: String, _ name: String = "alice") async throws -> Bool {
                try await stores.writer.scheduleDeletion(ofEmail: address, of: name, on: 2000)
            }
            for (address, name) in [("b@example.org", "alice"), ("a@example.org", "bob"), ("a\u{0}", "alice")] {
                try expect(try await !schedule(address, name), "no such address")
            }
            try expect(try await schedule("a@example.org"), "there is one")
            try expect(try await !schedule("a@example.org"), "under way")
            let email = try await stores.emails(of: "alice", at: 2000).first
            try expect(email == KeyshareEmail("a@example.org", deleteOn: 2000), "with its time")
            try expect(try await stores.emails(of: "alice", at: 2001).count == 1, "not after it")
            try await stores.writer.addEmail("a@example.org", to: "alice")
            try expect(try await stores.emails(of: "alice", at: 2001).count == 2, "back again")
        },
        EmailStoreLaw("an account without secrets is seen, and used no more") { stores in
            try await stores.insert("alice")
            try await stores.writer.addEmail("a@example.org", to: "alice")
            guard let stored = try await stores.reader.account(named: "alice") else {
                throw AccountStoreLawViolation(description: "the account is there")
            }
            try await stores.writer.update(stored, recording: [KeyshareAccountEvent(.session, at: 1)])
            try expect(try await stores.reader.summary(of: "alice", at: 1)?.isBeingDeleted == false, "before")
            try expect(try await stores.writer.scheduleDeletion(of: "alice", on: 2000), "there is one")
            try expect(try await !stores.writer.scheduleDeletion(of: "alice", on: 3000), "under way")
            try expect(try await !stores.writer.scheduleDeletion(of: "bob", on: 3000), "no such account")
            let summary = try await stores.reader.summary(of: "alice", at: 1000)
            let expected = KeyshareAccountSummary(
                username: "alice",
                language: "nl",
                emails: [KeyshareEmail("a@example.org")],
                isBeingDeleted: true
            )
            try expect(summary == expected, "name, language and addresses")
            try expect(try await stores.reader.summary(of: "bob", at: 1000) == nil, "no other account")
            try expect(try await stores.reader.account(named: "alice") == nil, "no secrets")
            try expect(try await stores.reader.events(of: "alice", atMost: 9).count == 1, "its events")
            try await expectRefusal(.accountNotFound, "an update") {
                try await stores.writer.update(stored, recording: [])
            }
        },
        EmailStoreLaw("a use is noted, and takes the deletion of an unused account back") { stores in
            try await stores.insert("alice", "bob")
            guard var stored = try await stores.reader.account(named: "alice") else {
                throw AccountStoreLawViolation(description: "the account is there")
            }
            stored.account.deleteOn = 2000
            stored = try await stores.writer.update(stored, recording: [])
            try expect(try await stores.writer.markSeen("alice", at: 1500), "there is one")
            let seen = try await stores.reader.account(named: "alice")
            try expect(seen?.account.lastSeen == 1500 && seen?.account.deleteOn == nil, "the time")
            try await expectRefusal(.conflict, "the version before") { [stored] in
                try await stores.writer.update(stored, recording: [])
            }
            try expect(try await stores.writer.scheduleDeletion(of: "bob", on: 2000), "there is one")
            try expect(try await stores.writer.markSeen("bob", at: 1999), "without secrets")
            try await stores.writer.deleteExpiredAccounts(at: 2001, unusedFor: 0)
            try expect(try await stores.reader.summary(of: "bob", at: 1) == nil, "its deletion goes on")
            try expect(try await !stores.writer.markSeen("bob", at: 1), "no such account")
        },
        EmailStoreLaw("events are read from an offset on") { stores in
            try await stores.insert("alice")
            guard let stored = try await stores.reader.account(named: "alice") else {
                throw AccountStoreLawViolation(description: "the account is there")
            }
            let events = (1...5).map { KeyshareAccountEvent(.session, at: $0) }
            try await stores.writer.update(stored, recording: events)
            let times = try await stores.reader.events(of: "alice", skipping: 1, atMost: 2).map(\.time)
            try expect(times == [4, 3], "the latest first, not \(times)")
            try expect(try await stores.reader.events(of: "alice", skipping: 5, atMost: 2).isEmpty, "no more")
            try expect(try await stores.reader.events(of: "alice", skipping: -1, atMost: -1).isEmpty, "none")
        },
    ]

    static let tasks = [
        EmailStoreLaw("what has expired is deleted, and nothing else") { stores in
            try await stores.insert("alice")
            try await stores.writer.addEmail("a@example.org", to: "alice")
            try await stores.writer.addEmail("b@example.org", to: "alice")
            _ = try await stores.writer.scheduleDeletion(ofEmail: "b@example.org", of: "alice", on: 2000)
            let verification = token("one", expiry: 2000)
            try await stores.writer.insertVerificationToken(verification, of: "alice", limit: .verification)
            try await stores.writer.insertLoginToken(token("two", expiry: 2000), limit: .login, at: 1000)
            func counts() async throws -> [Int] {
                let candidates = try await stores.reader.loginCandidates("two", at: 0)
                return [candidates.count, try await stores.emails(of: "alice", at: 0).count]
            }
            try await stores.writer.deleteExpiredTokens(at: 2000)
            try await stores.writer.deleteExpiredEmails(at: 2000)
            try expect(try await counts() == [1, 2], "in the last second")
            try await stores.writer.deleteExpiredTokens(at: 2001)
            try await stores.writer.deleteExpiredEmails(at: 2001)
            try expect(try await counts() == [0, 1], "after it")
            try expect(try await stores.reader.redeemVerificationToken("one", at: 0) == nil, "no token")
        },
        EmailStoreLaw("accounts are deleted after their time, unless they were used") { stores in
            try await stores.insert("unused", "without secrets", "without a time")
            try await stores.insert("used", lastSeen: 1950)
            for name in ["unused", "used"] {
                let isScheduled = try await stores.writer.scheduleDeletion(ofUnused: name, since: 1951, on: 2000)
                try expect(isScheduled, "an unused account")
            }
            _ = try await stores.writer.scheduleDeletion(of: "without secrets", on: 2000)
            func names() async throws -> [String] {
                var names: [String] = []
                for name in ["unused", "used", "without secrets", "without a time"] {
                    if try await stores.reader.summary(of: name, at: 0) != nil { names.append(name) }
                }
                return names
            }
            try await stores.writer.deleteExpiredAccounts(at: 2000, unusedFor: 50)
            try expect(try await names().count == 4, "in the last second")
            try await stores.writer.deleteExpiredAccounts(at: 2001, unusedFor: 50)
            try expect(try await names() == ["used", "without a time"], "after it")
        },
        EmailStoreLaw("unused accounts are those with addresses, before their deletion") { stores in
            try await stores.insert("alice", "bob", "carol", "without an address")
            try await stores.insert("used", lastSeen: 2000)
            for name in ["alice", "bob", "carol", "used"] {
                try await stores.writer.addEmail("a@example.org", to: name)
            }
            let isScheduled = try await stores.writer.scheduleDeletion(ofUnused: "bob", since: 2000, on: 9000)
            try expect(isScheduled, "an unused account")
            for (name, since) in [("bob", 2000), ("used", 2000), ("nobody", 2000), ("alice", Int64(1000))] {
                let isScheduled = try await stores.writer.scheduleDeletion(ofUnused: name, since: since, on: 9000)
                try expect(!isScheduled, "\(name) stays as it is")
            }
            let unused = try await stores.reader.unusedAccounts(since: 2000, atMost: 10)
            try expect(unused.map(\.username) == ["alice", "carol"], "not \(unused.map(\.username))")
            try expect(unused.first?.emails == [KeyshareEmail("a@example.org")], "with their addresses")
            let first = try await stores.reader.unusedAccounts(since: 2000, atMost: 1)
            try expect(first.map(\.username) == ["alice"], "so many")
            try expect(try await stores.reader.unusedAccounts(since: 1000, atMost: 10).isEmpty, "since then")
        },
    ]
}
