/// The type of a body, such as `application/json` (RFC 9110 section 8.3.1), in lower case and without parameters.
public struct MediaType: Hashable, Sendable, CustomStringConvertible {
    /// Type and subtype, in lower case.
    public let description: String

    private init(known: String) {
        description = known
    }

    /// JSON.
    public static let json = MediaType(known: "application/json")
    /// Fields of a form.
    public static let form = MediaType(known: "application/x-www-form-urlencoded")
    /// An event stream (WHATWG HTML, section 9.2.5).
    public static let eventStream = MediaType(known: "text/event-stream")
    /// A status list token in JWT form (Token Status List, section 5.1).
    public static let statusListJWT = MediaType(known: "application/statuslist+jwt")
    /// A status list token in CWT form (Token Status List, section 5.2).
    public static let statusListCWT = MediaType(known: "application/statuslist+cwt")
    /// An identifier list token (ISO/IEC 18013-5 second edition, 12.3.6).
    public static let identifierListCWT = MediaType(known: "application/identifierlist+cwt")

    /// Reads the value of a `Content-Type` field; parameters are checked and left out.
    ///
    /// - Throws: ``TransportError/Code/invalidMediaType``.
    public init(_ text: some StringProtocol) throws(TransportError) {
        var parts = Self.split(Array(text.utf8))
        let essence = parts.removeFirst()
        let names = essence.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy(Self.isToken), parts.allSatisfy(Self.isParameter) else {
            throw TransportError(.invalidMediaType, "\"\(text.prefix(100))\" is no media type")
        }
        description = ASCII.lowercased(essence)
    }

    /// The parts between semicolons outside of quotes, without the white space around them; at least one.
    private static func split(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var isQuoted = false
        var isEscaped = false
        for (index, byte) in text.enumerated() {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: ";"), !isQuoted {
                parts.append(ASCII.trimmed(text[start..<index]))
                start = index + 1
            }
        }
        return parts + [ASCII.trimmed(text[start...])]
    }

    private static func isToken(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy(ASCII.isToken)
    }

    /// `name=value`, the value a token or in quotes; nothing between two semicolons is a parameter too (RFC 9110
    /// section 5.6.6).
    private static func isParameter(_ text: ArraySlice<UInt8>) -> Bool {
        guard !text.isEmpty else { return true }
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")), isToken(text[..<equals]) else { return false }
        let value = text[(equals + 1)...]
        let isQuoted = value.count >= 2 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"")
        return isQuoted || isToken(value)
    }
}
