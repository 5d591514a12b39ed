import Foundation
import IRMAMessages
import JSONKit
import Testing

/// Pointers and links to sessions, written and read.
@Suite struct SessionLinkTests {
    private let pointer = SessionPointer(url: "https://example.com/irma/session/abc?x=\"y z\"", kind: .disclosing)

    @Test(arguments: SessionLink.Form.allCases)
    func linksAreReadAsWritten(form: SessionLink.Form) throws {
        let link = SessionLink(pointer, form: form)
        let text = try link.text(at: Date(timeIntervalSince1970: 1_800_000_000.5))
        #expect(try SessionLink(text) == link)
        #expect(try SessionPointer(scanned: text) == pointer)
        #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\"") })
    }

    @Test func linksHaveTheReferencesForm() throws {
        let pointer = SessionPointer(url: "https://a.b/c", kind: .signing)
        let encoded = "%7B%22u%22%3A%22https%3A%2F%2Fa.b%2Fc%22%2C%22irmaqr%22%3A%22signing%22%7D"
        let time = Date(timeIntervalSince1970: 1.5)
        #expect(try SessionLink(pointer, form: .universal).text(at: time) == "https://irma.app/-/session#" + encoded)
        #expect(
            try SessionLink(pointer, form: .intent).text(at: time)
                == "intent://qr/json/\(encoded)#Intent;package=org.irmacard.cardemu;scheme=irma;l.timestamp=1500;end"
        )
    }

    @Test func codesAndUnencodedLinksAreRead() throws {
        let text = try pointer.qrText()
        #expect(try SessionPointer(scanned: text) == pointer)
        let plain = #"{"u":"https://a.b/c","irmaqr":"issuing"}"#
        #expect(try SessionPointer(scanned: "irma://qr/json/" + plain).kind == .issuing)
        #expect(try SessionPointer(scanned: "https://open.yivi.app/-/session#" + plain).url == "https://a.b/c")
    }

    @Test func redirectsAreFollowedOnce() throws {
        let code = #"{"u":"https://a.b/irma/session/name","irmaqr":"redirect"}"#
        #expect(try SessionPointer(scanned: code).isRedirect)
        let target = Array(#"{"u":"https://a.b/irma/session/abc","irmaqr":"disclosing"}"#.utf8)
        #expect(try !SessionPointer(redirectTarget: target).isRedirect)
        expectRefusal(.malformed, at: "irmaqr") { try SessionPointer(redirectTarget: Array(code.utf8)) }
    }

    @Test(
        arguments: [
            "", "https://example.com", "irma://qr/json/", "irma://qr/json/%7", "irma://qr/json/%GG", "{", "{}",
            #"{"u":"","irmaqr":"disclosing"}"#, #"{"u":3,"irmaqr":"disclosing"}"#, #"{"u":"x"}"#,
            "intent://qr/json/%7B%7D", "intent://qr/json/%7B%7D#Else;end",
        ]
    )
    func otherTextsAreRefused(text: String) {
        expectRefusal(.malformed) { try SessionPointer(scanned: text) }
    }

    @Test func lengthIsLimited() {
        let long = String(repeating: "a", count: SessionLink.maximumLength)
        expectRefusal(.limitExceeded) { try SessionPointer(scanned: "irma://qr/json/" + long) }
        expectRefusal(.limitExceeded) { try SessionPointer(scanned: "{" + long) }
    }
}
