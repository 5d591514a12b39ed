import CryptoCore
import Foundation
import IRMAMessages
import Testing

@testable import IRMAClient

struct SessionLogEntryTests {
    @Test func isReadAsItWasWritten() throws {
        var entry = SessionLogEntry(
            time: Date(timeIntervalSince1970: 1_800_000_000.25),
            kind: .issuing,
            host: "irma.example",
            requestorName: TranslatedText(["en": "Shop"]),
            disclosed: [
                [LoggedAttribute("demo.bank.card.name", value: "A")], [], [LoggedAttribute("a.b.c", value: nil)],
            ],
            issued: [
                LoggedCredential("demo.bank.card", attributes: [LoggedAttribute("demo.bank.card.name", value: "B")])
            ],
            removed: [LoggedCredential("demo.bank.mail", attributes: [])]
        )
        #expect(try SessionLogEntry(decoding: entry.encoded()) == entry)
        entry = SessionLogEntry(time: Date(timeIntervalSince1970: 0), kind: nil, host: "")
        #expect(try SessionLogEntry(decoding: entry.encoded()) == entry)
    }
}
