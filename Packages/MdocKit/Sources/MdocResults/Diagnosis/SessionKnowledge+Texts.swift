import MdocKit
import MdocProximity

extension SessionKnowledge {
    /// The prefixes of client identifiers in OpenID4VP 1.0 and its drafts.
    private static let clientIDPrefixes = [
        "redirect_uri:", "x509_san_dns:", "x509_san_uri:", "x509_hash:", "verifier_attestation:",
        "decentralized_identifier:", "openid_federation:", "web-origin:", "origin:",
    ]

    /// The client identifier with and without prefixes.
    var clientIDs: [Variant<String>] {
        guard let clientID else { return [] }
        let prefix = Self.clientIDPrefixes.first { clientID.utf8.starts(with: $0.utf8) }
        let bare = String(Substring(clientID.utf8.dropFirst(prefix?.utf8.count ?? 0)))
        let prefixed = Self.clientIDPrefixes.map { Variant($0 + bare, .clientID(prefix: $0)) }
        return [Variant<String>](clientID, or: [Variant(bare, .clientIDWithoutPrefix)] + prefixed)
    }

    /// The client identifier; that of an unsigned request over the Digital Credentials API is its origin.
    var draft24ClientIDs: [Variant<String>] {
        guard let origin, !origin.isEmpty else { return clientIDs }
        let unsigned = "web-origin:\(origin)"
        guard let clientID else { return [Variant(unsigned)] }
        return [Variant<String>](clientID, or: clientIDs + [Variant(unsigned, .clientID(prefix: "web-origin:"))])
    }

    /// The origin in its spellings.
    var origins: [Variant<String>] {
        guard let origin else { return [] }
        let others = [Variant(Self.togglingSlash(origin), .originTrailingSlash)]
        return [Variant<String>](
            origin,
            or: others + ["origin:", "web-origin:"].map { Variant($0 + origin, .origin(prefix: $0)) }
        )
    }

    /// The URI that the response went to.
    var responseURIs: [Variant<String>] {
        let redirect = redirectURI.map { [Variant($0, .redirectURI)] } ?? []
        guard let uri = responseURI ?? redirectURI else { return [] }
        return [Variant<String>](
            uri,
            or: redirect + [Variant(Self.togglingSlash(uri), .responseURITrailingSlash)]
        )
    }

    /// The wallet's nonce, in and out of base64url.
    var generatedNonces: [Variant<String>] {
        guard let mdocGeneratedNonce else { return [] }
        var others = [Variant(MdocBase64URL.encode(mdocGeneratedNonce.utf8), .generatedNonceEncoded)]
        if let decoded = MdocBase64URL.decode(mdocGeneratedNonce.utf8),
            let text = String(validating: decoded, as: UTF8.self)
        {
            others.append(Variant(text, .generatedNonceDecoded))
        }
        return [Variant<String>](mdocGeneratedNonce, or: others)
    }

    private static func togglingSlash(_ text: String) -> String {
        text.utf8.last == UInt8(ascii: "/") ? String(Substring(text.utf8.dropLast())) : text + "/"
    }
}
