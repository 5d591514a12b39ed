#if SMTP
package import KeyshareServer

/// The mail server that takes an operator's e-mail.
package struct SMTPConfiguration: Sendable {
    /// The name and password of an account at the mail server (SASL's PLAIN, RFC 4616).
    package struct Credentials: Sendable {
        let username: String
        let password: String

        /// An account.
        package init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }

    let host: String
    let port: UInt16
    let tlsName: String?
    let credentials: Credentials?
    let certificatesPath: String?
    let timeout: Duration

    /// A mail server.
    ///
    /// Without a name for TLS, STARTTLS is used where the server offers it.
    ///
    /// - Parameters:
    ///   - address: Host and port, such as `mail.example.org:587`.
    ///   - tlsName: The name in the server's certificate, which demands STARTTLS; `nil` to take a server without it.
    ///   - credentials: The account; `nil` for a server that asks for none.
    ///   - certificatesPath: The path of a file with the certificates in PEM that vouch for the server; `nil` for those of the system.
    ///   - timeout: The time for a message.
    /// - Throws: `KeyshareServerError`: `invalidConfiguration` for an address without host or port, and for an account without a
    ///   name for TLS, unless the server is on this machine.
    package init(
        _ address: String,
        tlsName: String? = nil,
        credentials: Credentials? = nil,
        certificatesPath: String? = nil,
        timeout: Duration = .seconds(10)
    ) throws(KeyshareServerError) {
        guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]),
            port > 0,
            Self.isHost(address[..<colon])
        else { throw Self.refusal("not a host and a port, such as localhost:25", "server") }
        host = String(address[..<colon])
        self.port = port
        if let tlsName, !Self.isHost(tlsName[...]) { throw Self.refusal("not the name of a host", "hostname") }
        // Without it, a machine in between can claim that the server has no TLS, and read the password.
        guard credentials == nil || tlsName != nil || ["localhost", "127.0.0.1", "[::1]"].contains(host) else {
            throw Self.refusal("an account at a server that is neither on this machine nor named for TLS", "hostname")
        }
        self.tlsName = tlsName
        self.credentials = credentials
        self.certificatesPath = certificatesPath
        self.timeout = timeout
    }

    private static func isHost(_ text: Substring) -> Bool {
        let inner = text.first == "[" && text.last == "]" ? text.dropFirst().dropLast() : text
        return (1...253).contains(inner.utf8.count)
            && inner.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                    || byte == UInt8(ascii: ":") && inner.startIndex != text.startIndex
            }
    }

    private static func refusal(_ message: String, _ name: String) -> KeyshareServerError {
        KeyshareServerError(.invalidConfiguration, message, path: [name])
    }
}
#endif
