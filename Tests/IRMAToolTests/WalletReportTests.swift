#if Server && Client && SQLite
import CommandSupport
import IRMAClient
import IRMAMessages
import JSONKit
import Testing

@testable import IRMATool

/// Attributes in the reports of `irma wallet`.
@Suite struct WalletReportTests {
    private func report(_ name: String, _ value: String?) -> (people: String, machines: JSONValue)? {
        let outline = LoggedAttribute(AttributeIdentifier(name), value: value).member.value
        guard case .forms(.text(let people), let machines) = outline else { return nil }
        return (people, machines)
    }

    @Test func tellsAnAbsentAttributeFromACredentialAsAWhole() throws {
        let absent = try #require(report("demo.bank.card.prefix", nil))
        #expect(absent.people == "absent")
        #expect(absent.machines == .null)
        let whole = try #require(report("demo.bank.card", nil))
        #expect(whole.people == "present")
        #expect(whole.machines == .null)
        #expect(report("demo.bank.card.name", "Bob") == nil)
    }
}
#endif
