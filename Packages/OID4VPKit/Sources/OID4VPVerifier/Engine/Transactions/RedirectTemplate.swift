import CredentialTransport

/// The address to which a wallet sends the user's browser after its response, with a place for the response code.
///
/// ```swift
/// let template = try RedirectTemplate("https://shop.example/done#response_code={response_code}")
/// ```
///
/// The code is fresh and random. Only the browser that follows the redirect has it, so that the result does not go to
/// an attacker who made another person scan or open the request (OpenID4VP 1.0, section 14.2).
public struct RedirectTemplate: Hashable, Sendable {
    /// The template as given.
    public let text: String

    private static let place = "{response_code}"
    private static let sample = "AAAAAAAAAAAAAAAAAAAAAA"

    /// Reads a template: https, or a scheme of the requestor's own app in reverse order of a domain name.
    ///
    /// - Throws: ``TransactionError/Code-swift.struct/invalidRequest`` for another scheme, for a malformed URL, and
    ///   unless `{response_code}` occurs once and behind the host.
    public init(_ text: String) throws(TransactionError) {
        self.text = text
        let parts = text.split(separator: Self.place, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw Self.refusal("{response_code} must occur once")
        }
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) }) else {
            throw Self.refusal("it is too long, or has characters that no URL has")
        }
        let scheme = text.prefix { $0 != ":" }
        if scheme.lowercased() == "https" {
            try Self.checkHTTPS(text, prefix: parts[0])
        } else {
            let isOwn = scheme.utf8.contains(UInt8(ascii: ".")) && scheme.utf8.allSatisfy(Self.isOfScheme)
            guard isOwn, parts[0].utf8.count > scheme.utf8.count else {
                throw Self.refusal("its scheme must be https, or a domain name in reverse")
            }
        }
    }

    private static func checkHTTPS(_ text: String, prefix: Substring) throws(TransactionError) {
        let filled = text.replacing(place, with: sample)
        let url = filled.prefix { $0 != "#" }
        // The code stands behind the host, so that no user can be sent to a host of another party's choice.
        guard (try? HTTPURL(url)) != nil, prefix.dropFirst("https://".count).utf8.contains(where: Self.endsAuthority)
        else { throw refusal("it is no https URL with the code behind the host") }
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func isOfScheme(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
    }

    private static func refusal(_ message: String) -> TransactionError {
        TransactionError(.invalidRequest, message, path: ["redirect_uri"])
    }

    /// The address with a code.
    func address(responseCode: String) -> String { text.replacing(Self.place, with: responseCode) }
}
