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
        let rest = text.dropFirst(Self.scheme.count)
        let authority = rest.prefix { $0 != "/" }
        var path = rest.dropFirst(authority.count)
        if path.hasSuffix("/") { path.removeLast() }
        do throws(TransportError) {
            return try HTTPURL("\(Self.scheme)\(authority)\(Self.wellKnownPath)\(path)")
        } catch {
            throw SDJWTError(.issuerKeyNotFound, error.message, path: ["iss"], cause: error)
        }
    }
}
