import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Hands e-mail over to a mail server.
public protocol MailSender: Sendable {
    /// Sends a message to all of its recipients.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/mailNotSent`` if the mail server did not take the message.
    func send(_ message: MailMessage) async throws(KeyshareServerError)
}

/// An e-mail in HTML.
public struct MailMessage: Hashable, Sendable {
    /// The sender.
    public let sender: MailAddress
    /// The recipients; several do not learn of each other.
    public let recipients: [MailAddress]
    /// The subject, without line breaks.
    public let subject: String
    /// The body in HTML.
    public let body: String

    /// A message.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/invalidMail`` for no recipient, and for a subject with control
    ///   characters, which could end its header.
    public init(
        from sender: MailAddress,
        to recipients: [MailAddress],
        subject: String,
        body: String
    ) throws(KeyshareServerError) {
        guard !recipients.isEmpty else { throw KeyshareServerError(.invalidMail, "no recipient", path: ["recipients"]) }
        guard Self.isSubject(subject) else {
            throw KeyshareServerError(.invalidMail, "a control character", path: ["subject"])
        }
        self.sender = sender
        self.recipients = recipients
        self.subject = subject
        self.body = body
    }

    /// Indicates a text without control characters.
    static func isSubject(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The message in the Internet Message Format (RFC 5322), with the body in base64 (RFC 2045, section 6.8).
    ///
    /// The header `To` is left out for several recipients.
    ///
    /// - Parameter date: The time of sending.
    public func encoded(at date: Date) -> [UInt8] {
        var lines: [String] = []
        if recipients.count == 1 { lines.append("To: \(recipients[0])") }
        lines += [
            "From: \(sender)", "Subject: \(Self.encodedWords(subject))", "Date: \(MailDate(date).text)",
            "MIME-Version: 1.0", "Content-Type: text/html; charset=UTF-8", "Content-Transfer-Encoding: base64", "",
        ]
        lines += Self.lines(of: Array(body.utf8))
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    /// The bytes in base64, 76 characters to a line.
    private static func lines(of bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 57).map { start in
            JSONBase64.base64.encode(Array(bytes[start..<min(start + 57, bytes.count)]))
        }
    }

    /// A text as a header takes it: encoded words (RFC 2047, section 2) where it is not ASCII or too long for a line.
    private static func encodedWords(_ text: String) -> String {
        guard text.utf8.count > 900 || !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var words: [[UInt8]] = [[]]
        for character in text.unicodeScalars {
            let bytes = Array(String(character).utf8)
            // A word has at most 75 characters and whole characters of the text.
            if words[words.count - 1].count + bytes.count > 45 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?UTF-8?B?\(JSONBase64.base64.encode($0))?=" }.joined(separator: "\r\n ")
    }
}

/// A date as mail has it (RFC 5322, section 3.3), in UTC.
private struct MailDate {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    let text: String

    init(_ date: Date) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        let day = Self.days[((parts.weekday ?? 1) - 1) % 7]
        let month = Self.months[((parts.month ?? 1) - 1) % 12]
        let time = [parts.hour, parts.minute, parts.second].map(two).joined(separator: ":")
        text = "\(day), \(parts.day ?? 1) \(month) \(parts.year ?? 1970) \(time) +0000"
    }
}
