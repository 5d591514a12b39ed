import Foundation
import KeyshareServer
import Testing

/// Addresses, templates and messages.
@Suite struct MailTests {
    private func code(_ body: () throws -> Void) -> KeyshareServerError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? KeyshareServerError)?.code
        }
    }

    @Test(arguments: [
        "a@example.org", "a.b+c@mail.example.org", "o'neill@localhost", "a@1.example", "A!#$%&'*+-/=?^_`{|}~@x",
        String(repeating: "a", count: 64) + "@example.org", "\"a\"@example.org", "\"a b@c\\\"\"@example.org",
        "é@example.org", "a@exämple.org", "\"é\"@example.org", "用户@例え.jp",
    ])
    func takesAddresses(text: String) throws {
        #expect(try MailAddress(text).text == text)
        #expect(try MailAddress(mailbox: text).text == text)
        #expect(try MailAddress(mailbox: "Alice <\(text)>").text == text)
    }

    @Test(arguments: [
        "", "a", "@example.org", "a@", "a@b@example.org ", "a b@example.org", ".a@example.org", "a..b@example.org",
        "a.@example.org", "a@-example.org", "a@example-.org", "a@example..org", "a@exa mple.org", "a@[127.0.0.1]",
        "\"a@example.org", "a\"@example.org", "\"a\"b@example.org", "\"a\"\"@example.org", "\"a\\\"@example.org",
        "\"a\r\n\"@example.org", "\"\\\n\"@example.org", "\"\0\"@example.org", "a\u{85}@example.org",
        "a\u{202e}b@example.org",
        "a\u{2028}@example.org", "a\u{a0}b@example.org", "a@example\u{200b}.org", "a\r\nBcc: x@example.org",
        "a@example.org\r\nX: y",
        "a@example.org, b@example.org", String(repeating: "a", count: 65) + "@example.org",
        "a@" + String(repeating: "b.", count: 126) + "b", "a@" + String(repeating: "b", count: 64), "a\0@example.org",
    ])
    func refusesOtherTexts(text: String) {
        #expect(code { _ = try MailAddress(text) } == .invalidMailAddress)
        #expect(code { _ = try MailAddress(mailbox: text) } == .invalidMailAddress)
        #expect(code { _ = try MailAddress(mailbox: "Alice <\(text)>") } == .invalidMailAddress)
    }

    @Test func writesVariables() throws {
        let source = "<a href=\"{{.VerificationURL}}\">{{ .Username }}</a>{{.TokenURL}}{{.Delay}} }} {"
        let template = try MailTemplate(source)
        let text = template.text([.verificationURL: "https://x/?a=1&b=2", .username: "<b>\"'", .delay: "30"])
        #expect(text == "<a href=\"https://x/?a=1&amp;b=2\">&lt;b&gt;&#34;&#39;</a>30 }} {")
        #expect(try MailTemplate("").text([:]).isEmpty)
        // A value is no template.
        #expect(try MailTemplate("{{.Username}}").text([.username: "{{.Email}}", .email: "x"]) == "{{.Email}}")
    }

    @Test(arguments: [
        "{{.VerificationURL}", "{{", "{{}}", "{{.}}", "{{VerificationURL}}", "{{.verificationURL}}", "{{.Password}}",
        "{{if .Email}}x{{end}}", "{{.Email | html}}", "{{- .Email -}}", "{{.Email.Username}}", "{{\"x\"}}",
        "{{/* x */}}",
    ])
    func refusesOtherActions(source: String) {
        #expect(code { _ = try MailTemplate(source) } == .invalidMailTemplate)
        let texts = { try MailTexts(subjects: ["en": "x"], bodies: ["en": "x", "nl": source], default: "en") }
        #expect(code { _ = try texts() } == .invalidMailTemplate)
    }

    @Test func refusesLongTemplates() {
        let source = String(repeating: "a", count: MailTemplate.maximumSize)
        #expect(code { _ = try MailTemplate(source) } == nil)
        #expect(code { _ = try MailTemplate(source + "a") } == .invalidMailTemplate)
    }

    @Test func needsTextsInTheDefaultLanguage() throws {
        #expect(try LocalizedText(["en": "a", "nl": "b"], default: "en").text(in: "nl") == "b")
        #expect(try LocalizedText(["en": "a", "nl": "b"], default: "en").text(in: "de") == "a")
        #expect(code { _ = try LocalizedText(["nl": "b"], default: "en") } == .invalidConfiguration)
        let faulty = [(["nl": "x"], ["en": "x"]), (["en": "x"], ["nl": "x"]), (["en": "a\nb"], ["en": "x"])]
        for (subjects, bodies) in faulty {
            let make = { try MailTexts(subjects: subjects, bodies: bodies, default: "en") }
            #expect(code { _ = try make() } == .invalidConfiguration)
        }
    }

    @Test func writesMessages() throws {
        let (from, to) = (try MailAddress("irma@example.org"), try MailAddress("a@example.org"))
        let message = try MailMessage(from: from, to: [to], subject: "Verify", body: "<p>x</p>")
        let text = String(decoding: message.encoded(at: Date(timeIntervalSince1970: 0)), as: UTF8.self)
        let expected = """
            To: a@example.org
            From: irma@example.org
            Subject: Verify
            Date: Thu, 1 Jan 1970 00:00:00 +0000
            MIME-Version: 1.0
            Content-Type: text/html; charset=UTF-8
            Content-Transfer-Encoding: base64

            PHA+eDwvcD4=

            """
        #expect(text == expected.replacingOccurrences(of: "\n", with: "\r\n"))
        let several = try MailMessage(from: from, to: [to, from], subject: "x", body: "")
        #expect(String(decoding: several.encoded(at: .now), as: UTF8.self).hasPrefix("From: irma@example.org"))
    }

    /// No line of a header is too long, and no word ends within a character.
    @Test func encodesSubjects() throws {
        let from = try MailAddress("irma@example.org")
        let subject = String(repeating: "é€😀 ", count: 40)
        let message = try MailMessage(from: from, to: [from], subject: subject, body: "")
        let text = String(decoding: message.encoded(at: .now), as: UTF8.self)
        let head = text.components(separatedBy: "\r\nDate:")[0].components(separatedBy: "Subject: ")[1]
        let words = head.components(separatedBy: "\r\n ")
        #expect(words.count > 1 && words.allSatisfy { $0.count <= 75 })
        #expect(words.allSatisfy { $0.hasPrefix("=?UTF-8?B?") && $0.hasSuffix("?=") })
        let decoded = try words.map { word in
            let data = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
            return try #require(String(validating: data, as: UTF8.self))
        }
        #expect(decoded.joined() == subject)
    }

    @Test func refusesMessagesThatNoServerMayGet() throws {
        let from = try MailAddress("irma@example.org")
        #expect(code { _ = try MailMessage(from: from, to: [], subject: "x", body: "") } == .invalidMail)
        for subject in ["a\r\nBcc: x@example.org", "a\nb", "a\0", "a\u{7f}"] {
            #expect(code { _ = try MailMessage(from: from, to: [from], subject: subject, body: "") } == .invalidMail)
        }
    }
}
