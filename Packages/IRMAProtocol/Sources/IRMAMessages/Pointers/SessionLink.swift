import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A link that opens a wallet with a session's pointer.
public struct SessionLink: Hashable, Sendable {
    /// The forms of a link.
    public enum Form: Hashable, Sendable, CaseIterable {
        /// `https://irma.app/-/session#…`
        case universal
        /// `https://open.yivi.app/-/session#…`
        case universalYivi
        /// `intent://qr/json/…#Intent;…;end`, for Android.
        case intent
        /// `irma://qr/json/…`
        case irma
        /// `open.yivi://qr/json/…`
        case yivi
    }

    /// The pointer.
    public var pointer: SessionPointer
    /// The form.
    public var form: Form

    /// The largest length of a link or of a QR code's text, in bytes.
    public static let maximumLength = 16_384

    /// Describes a link.
    public init(_ pointer: SessionPointer, form: Form) {
        self.pointer = pointer
        self.form = form
    }

    /// Reads a link of any form.
    ///
    /// - Throws: ``IRMAError/Code/malformed`` for another text, ``IRMAError/Code/limitExceeded``.
    public init(_ text: some StringProtocol) throws(IRMAError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw IRMAError(.limitExceeded, "\(text.utf8.count) bytes, \(Self.maximumLength) allowed")
        }
        let found = Form.allCases.first { text.utf8.starts(with: $0.prefix.utf8) }
        guard let form = found else { throw IRMAError(.malformed, "the text is no link to a session") }
        var rest = text.utf8.dropFirst(form.prefix.utf8.count)
        if form == .intent {
            guard let end = rest.firstIndex(of: UInt8(ascii: "#")), rest[end...].starts(with: "#Intent;".utf8) else {
                throw IRMAError(.malformed, "the link has no end")
            }
            rest = rest[..<end]
        }
        pointer = try SessionPointer(
            decoding: Self.percentDecoded(rest),
            limits: JSONLimits(size: Self.maximumLength, depth: 8)
        )
        self.form = form
    }

    /// The text of the link.
    ///
    /// - Parameter time: The time that a link of the form ``Form/intent`` names.
    /// - Throws: As ``SessionPointer/qrText()``.
    public func text(at time: Date) throws(IRMAError) -> String {
        let link = form.prefix + Self.percentEncoded(try pointer.json().encoded())
        guard form == .intent else { return link }
        let milliseconds = Int64(max(-9e15, min(9e15, (time.timeIntervalSince1970 * 1000).rounded(.down))))
        return link
            + "#Intent;package=org.irmacard.cardemu;scheme=irma;l.timestamp=\(milliseconds);end"
    }

    private static func percentEncoded(_ bytes: [UInt8]) -> String {
        bytes.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    private static func percentDecoded(_ text: some Sequence<UInt8>) throws(IRMAError) -> [UInt8] {
        var bytes: [UInt8] = []
        var iterator = text.makeIterator()
        while let byte = iterator.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                throw IRMAError(.malformed, "a percent sign without two digits")
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension SessionLink.Form {
    /// The text before the pointer.
    var prefix: String {
        switch self {
        case .universal: "https://irma.app/-/session#"
        case .universalYivi: "https://open.yivi.app/-/session#"
        case .intent: "intent://qr/json/"
        case .irma: "irma://qr/json/"
        case .yivi: "open.yivi://qr/json/"
        }
    }
}

extension SessionPointer {
    /// Reads a pointer from what a camera or the system hands to a wallet: the text of a QR code, or a link of any form.
    ///
    /// - Throws: ``IRMAError/Code/malformed``, ``IRMAError/Code/limitExceeded``.
    public init(scanned text: some StringProtocol) throws(IRMAError) {
        guard text.utf8.first == UInt8(ascii: "{") else {
            self = try SessionLink(text).pointer
            return
        }
        guard text.utf8.count <= SessionLink.maximumLength else {
            throw IRMAError(.limitExceeded, "\(text.utf8.count) bytes, \(SessionLink.maximumLength) allowed")
        }
        try self.init(decoding: Array(text.utf8), limits: JSONLimits(size: SessionLink.maximumLength, depth: 8))
    }
}
