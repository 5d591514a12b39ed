import CBORKit
import TestSupport
import Testing

/// IP addresses and characters by number in diagnostic notation.
@Suite struct DiagnosticAddressTests {
    /// The first ones are examples of draft-ietf-cbor-edn-literals, section "ip".
    @Test(arguments: [
        ("ip'192.0.2.42'", "44c000022a"), ("IP'192.0.2.42'", "d83444c000022a"),
        ("IP'192.0.2.0/24'", "d83482181843c00002"), ("IP'2001:db8::42'", "d8365020010db8000000000000000000000042"),
        ("IP'2001:db8::/64'", "d8368218404420010db8"),
        ("ip'2001:db8::/56'", "8218384420010db8"), ("ip'0.0.0.0/0'", "820040"), ("ip'::/0'", "820040"),
        ("ip'255.255.255.255/32'", "82182044ffffffff"), ("ip'192.0.2.128/25'", "82181944c0000280"),
        ("ip'::'", "5000000000000000000000000000000000"), ("ip'::1'", "5000000000000000000000000000000001"),
        ("ip'1::'", "5000010000000000000000000000000000"),
        ("ip'1:2:3:4:5:6:7:8'", "5000010002000300040005000600070008"),
        ("ip'1:2:3:4:5:6:7::'", "5000010002000300040005000600070000"),
        ("ip'::FFFF:192.0.2.1'", "5000000000000000000000ffffc0000201"),
        ("ip'1:2:3:4:5:6:192.0.2.1'", "50000100020003000400050006c0000201"),
        ("(_ ip'192.0.2.42', h'00')", "5f44c000022a4100ff"),
    ])
    func addresses(_ text: String, _ hex: String) throws {
        #expect(try CBORDiagnosticNotation.encode(text).hex == hex)
    }

    @Test(arguments: [
        "", "192.0.2", "192.0.2.256", "192.0.2.1.1", "192.0.02.1", "192.0.2.1 ", "192.0.2.a", "192..2.1",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1::", ":1", "1:", ":::", "12345::", "g::", "+1::",
        "192.0.2.1::", "1:2:3:4:5:6:7:192.0.2.1", "fe80::1%eth0", "[::1]",
        "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/024", "192.0.2.0/-1", "192.0.2.0/24/24", "192.0.2.1/24", "::1/127",
        "192.0.2.0/25x", "::/129",
    ])
    func refusesWhatIsNoAddress(_ text: String) {
        for prefix in ["ip", "IP"] { refuses("\(prefix)'\(text)'", at: 0) }
    }

    @Test func taggedAddressIsNoChunk() {
        refuses("(_ IP'192.0.2.42')", at: 3)
        refuses("(_ ip'192.0.2.0/24')", at: 3)
    }

    @Test(arguments: [
        (#""\u{41}""#, "6141"), (#""\u{0}\u{000000e9}""#, "6300c3a9"),
        (#""\u{1F600}\u{10ffff}""#, "68f09f9880f48fbfbf"),
    ])
    func charactersByNumber(_ text: String, _ hex: String) throws {
        #expect(try CBORDiagnosticNotation.encode(text).hex == hex)
    }

    @Test(arguments: [#"\u{}"#, #"\u{110000}"#, #"\u{d800}"#, #"\u{g}"#, #"\u{41"#, #"\u{1234567}"#, #"\u{ 41}"#])
    func refusesWhatIsNoCharacter(_ escape: String) {
        refuses("\"\(escape)\"", at: 1)
    }

    private func refuses(_ notation: String, at offset: Int) {
        let error = #expect(throws: CBORError.self, "\(notation)") { try CBORDiagnosticNotation.encode(notation) }
        #expect(error?.code == .invalidNotation, "\(notation)")
        #expect(error?.offset == offset, "\(notation)")
    }
}
