public import CryptoCore
import JSONKit

extension JWK {
    /// The thumbprint: a digest over the members that make the key (RFC 7638; RFC 8037, section 2).
    ///
    /// The thumbprint of a symmetric key tells something about it; it is no public value.
    public func thumbprint(_ hash: HashAlgorithm = .sha256) -> [UInt8] {
        // Names in the order of their code points, no white space; values are base64url and names of curves, which need no
        // escapes.
        let members = thumbprintMembers.sorted { $0.0 < $1.0 }.map { "\"\($0.0)\":\"\($0.1)\"" }
        return hash.digest(of: Array("{\(members.joined(separator: ","))}".utf8))
    }

    /// The thumbprint as a URI (RFC 9278), such as `urn:ietf:params:oauth:jwk-thumbprint:sha-256:…`.
    public func thumbprintURI(_ hash: HashAlgorithm = .sha256) -> String {
        // The names of the registry "Named Information Hash Algorithm" are those of FIPS 180-4 in lower case.
        "urn:ietf:params:oauth:jwk-thumbprint:\(hash.name.lowercased()):\(Base64URL.encode(thumbprint(hash)))"
    }

    private var thumbprintMembers: [(String, String)] {
        var found = [("kty", keyType.rawValue)]
        if case .symmetric(let key) = material { found.append(("k", Base64URL.encode(secret: key))) }
        for name in keyType.publicNumbers {
            if let text = members[name]?.stringValue { found.append((name, text)) }
        }
        return found
    }
}

extension JWKType {
    /// The members that make a public key of the type, beside `kty`.
    fileprivate var publicNumbers: [String] {
        switch self {
        case .ec: ["crv", "x", "y"]
        case .okp: ["crv", "x"]
        case .rsa: ["e", "n"]
        case .oct: []
        }
    }
}
