public import LinkedDataKit
public import MdocKit
public import SDJWTKit

/// The verifiers of the formats that a relying party takes, each with the issuers that it trusts and its own policy.
///
/// ```swift
/// let verifiers = FormatVerifiers(
///     mdoc: MdocVerifier(trustAnchors: vical.trustAnchors),
///     sdJWT: SDJWTVerifier(policy: .credential(algorithms: [.es256]), issuerKeys: X509IssuerKeys(anchors: [root]))
/// )
/// ```
///
/// Their clocks and their rules for status count for presentations too.
public struct FormatVerifiers: Sendable {
    /// The verifier for mdocs: its anchors, perhaps of a VICAL; nil refuses the format.
    public var mdoc: MdocVerifier?
    /// The verifier for SD-JWT VCs; nil refuses the format.
    public var sdJWT: SDJWTVerifier?
    /// The verifier for W3C credentials, with linked-data proofs and as tokens, as far as its policy takes them; nil
    /// refuses both.
    ///
    /// Queries find claims by their names. A credential that uses names which it defines itself and no signature of its issuer covers is
    /// refused unless the policy lists its contexts in `contexts`, or has the tolerance `ownContext`.
    public var w3c: W3CCredentialVerifier?

    /// Sets the verifiers.
    public init(mdoc: MdocVerifier? = nil, sdJWT: SDJWTVerifier? = nil, w3c: W3CCredentialVerifier? = nil) {
        self.mdoc = mdoc
        self.sdJWT = sdJWT
        self.w3c = w3c
    }

    /// The formats that are taken.
    public var formats: [CredentialFormat] {
        var formats: [CredentialFormat] = []
        if mdoc != nil { formats.append(.mdoc) }
        if sdJWT != nil { formats.append(.sdJWT) }
        if w3c?.policy.proofs != nil { formats.append(.linkedData) }
        if w3c?.policy.tokens != nil { formats.append(.jwt) }
        return formats
    }
}
