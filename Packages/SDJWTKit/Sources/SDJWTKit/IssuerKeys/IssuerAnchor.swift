public import CryptoCore
public import VerificationCore

/// A certificate that vouches for issuers, and the types of credentials that it is trusted for.
public struct IssuerAnchor: Hashable, Sendable {
    /// The trusted certificate.
    public let certificate: Certificate
    /// The types of credentials that issuers below it are trusted for, by `vct`; nil for all.
    public let credentialTypes: Set<ExactText>?

    /// Trusts a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The trusted certificate.
    ///   - credentialTypes: The types of credentials that issuers below it are trusted for, by `vct`; nil for all.
    public init(_ certificate: Certificate, credentialTypes: Set<ExactText>?) {
        self.certificate = certificate
        self.credentialTypes = credentialTypes
    }
}

extension Sequence<IssuerAnchor> {
    /// The types of each certificate: of several entries, those that any of them names.
    var typesByCertificate: [Certificate: Set<ExactText>?] {
        reduce(into: [:]) { types, anchor in
            guard let known = types[anchor.certificate] else {
                types[anchor.certificate] = .some(anchor.credentialTypes)
                return
            }
            let all = known.flatMap { known in anchor.credentialTypes.map(known.union) }
            types[anchor.certificate] = .some(all)
        }
    }
}
