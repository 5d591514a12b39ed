import CBORKit
public import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension COSEKey {
    /// The thumbprint: a hash of the members that make the key (RFC 9679).
    ///
    /// The hash covers the deterministic encoding of the required public members, with `y` in full; for a symmetric key
    /// it covers `k`, so that the thumbprint of a weak key gives it away.
    ///
    /// - Parameter hash: The hash function.
    /// - Throws: As ``publicKey()``.
    public func thumbprint(_ hash: HashAlgorithm = .sha256) throws(COSEError) -> [UInt8] {
        hash.digest(of: try thumbprintInput())
    }

    /// The thumbprint as a URI: `urn:ietf:params:oauth:ckt:sha-256:…` (RFC 9679 section 5.6).
    public func thumbprintURI() throws(COSEError) -> String {
        let base64 = Data(try thumbprint(.sha256)).base64EncodedString()
        let base64url = base64.compactMap { character -> Character? in
            switch character {
            case "+": "-"
            case "/": "_"
            case "=": nil
            default: character
            }
        }
        return "urn:ietf:params:oauth:ckt:sha-256:" + String(base64url)
    }

    /// The bytes that a thumbprint hashes (RFC 9679 sections 3 and 4).
    public func thumbprintInput() throws(COSEError) -> [UInt8] {
        if case .symmetric(let key) = material {
            return COSEKey(symmetricKey: key).encoded()
        }
        return try COSEKey(publicKey: publicKey()).encoded()
    }
}
