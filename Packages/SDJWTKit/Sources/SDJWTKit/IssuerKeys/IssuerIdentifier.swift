import CredentialTransport

/// An issuer's name that is an https URL with host, port and path alone (SD-JWT VC, JWT VC Issuer Metadata).
struct IssuerIdentifier {
    private static let scheme = "https://"
    private static let wellKnownPath = "/.well-known/jwt-vc-issuer"

    private let url: HTTPURL
    private let text: String

    /// - Throws: ``SDJWTError/Code/issuerKeyNotFound`` for anything else.
    init(_ text: String) throws(SDJWTError) {
        guard text.utf8.starts(with: Self.scheme.utf8), !text.utf8.contains(where: { "?#".utf8.contains($0) }) else {
            throw SDJWTError(.issuerKeyNotFound, "the issuer is no https URL without query and fragment", path: ["iss"])
        }
        do throws(TransportError) {
            url = try HTTPURL(text)
        } catch {
            throw SDJWTError(.issuerKeyNotFound, error.message, path: ["iss"], cause: error)
        }
        self.text = text
    }

    /// The host's name, or its address as text.
    var host: String { url.host.description }

    /// Indicates that the host is an address.
    var isAddress: Bool {
        if case .name = url.host { false } else { true }
    }

    /// The URL of the issuer's metadata: the well-known path goes between host and path.
    func metadataURL() throws(SDJWTError) -> HTTPURL {
        let (authority, path) = parts
        return try Self.url(authority + Self.wellKnownPath + path)
    }

    /// The URL with the well-known path behind the issuer's path; nil for an issuer without one.
    func appendedMetadataURL() throws(SDJWTError) -> HTTPURL? {
        let (authority, path) = parts
        return path.isEmpty ? nil : try Self.url(authority + path + Self.wellKnownPath)
    }

    /// Host with port, and path without the slash at its end.
    private var parts: (authority: Substring, path: Substring) {
        // By bytes: a slash with an accent behind it is a character of its own.
        let slash = UInt8(ascii: "/")
        let rest = text.utf8.dropFirst(Self.scheme.utf8.count)
        let authority = rest.prefix { $0 != slash }
        let path = rest[authority.endIndex...]
        return (Substring(authority), Substring(path.last == slash ? path.dropLast() : path))
    }

    private static func url(_ rest: Substring) throws(SDJWTError) -> HTTPURL {
        do throws(TransportError) {
            return try HTTPURL(scheme + rest)
        } catch {
            throw SDJWTError(.issuerKeyNotFound, error.message, path: ["iss"], cause: error)
        }
    }
}
