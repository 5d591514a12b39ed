public import CryptoCore
import JOSEKit
import JSONKit
public import SDJWTKit

/// The properties of a presentation that profiles are about.
public struct PresentationTraits: Sendable {
    /// The kinds of presentations.
    public enum Kind: Sendable {
        /// An SD-JWT VC.
        ///
        /// - Parameters:
        ///   - holderKeyIsJWK: The issuer bound a key to the credential by `cnf.jwk`.
        ///   - hasKeyBinding: The presentation has a KB-JWT.
        ///   - certificates: The issuer's certificates as received.
        case sdJWT(holderKeyIsJWK: Bool, hasKeyBinding: Bool, certificates: [Certificate])
        /// A response with mdocs.
        ///
        /// - Parameters:
        ///   - documents: The number of documents.
        ///   - areSigned: Each document is authenticated by the device's signature.
        case mdoc(documents: Int, areSigned: Bool)
        /// Any other format.
        case other
    }

    /// The format that the query asked for.
    public var format: CredentialFormat
    /// The kind.
    public var kind: Kind
    /// Indicates that the query requires proof of possession of the holder's key, or that an SD-JWT names one.
    public var requiresHolderBinding: Bool
    /// Indicates that an SD-JWT names a status that is not in a status list.
    public var hasOtherStatus: Bool

    /// Describes a presentation.
    public init(
        format: CredentialFormat,
        kind: Kind,
        requiresHolderBinding: Bool = true,
        hasOtherStatus: Bool = false
    ) {
        self.format = format
        self.kind = kind
        self.requiresHolderBinding = requiresHolderBinding
        self.hasOtherStatus = hasOtherStatus
    }

    /// Reads the properties of an SD-JWT, which is not verified here.
    public init(_ token: SDJWT, format: CredentialFormat = .sdJWT, requiresHolderBinding: Bool = true) {
        let payload = token.issuerSignedJWT.unverifiedPayload ?? []
        let claims = try? JSONValue(parsing: payload)
        let (confirmation, status) = (claims?["cnf"], claims?["status"])
        let header = token.issuerSignedJWT.signatures.first?.protectedHeader
        let chain = header.flatMap { try? $0.certificateChain() } ?? []
        self.init(
            format: format,
            kind: .sdJWT(
                holderKeyIsJWK: confirmation?["jwk"]?.objectValue != nil,
                hasKeyBinding: token.keyBindingJWT != nil,
                certificates: chain.compactMap { try? Certificate(der: $0) }
            ),
            // The holder proves possession of a key wherever the credential names one (HAIP 1.0, section 6.1.1.1).
            requiresHolderBinding: requiresHolderBinding || confirmation != nil,
            hasOtherStatus: status != nil && status?["status_list"]?.objectValue == nil
        )
    }
}

extension PresentationProfile {
    /// The rules that a presentation breaks, each as a deviation.
    public func deviations(of presentation: PresentationTraits, at path: [String] = []) -> [Deviation] {
        deviations(broken(by: presentation), at: path)
    }

    /// Checks a presentation.
    ///
    /// - Returns: The breaches that are tolerated.
    /// - Throws: ``OID4VPError/Code/profileViolation``.
    public func check(
        _ presentation: PresentationTraits,
        at path: [String] = []
    ) throws(OID4VPError) -> [Deviation] {
        try enforce(broken(by: presentation), at: path)
    }

    private func broken(by presentation: PresentationTraits) -> [ProfileRule] {
        var broken: [ProfileRule] = []
        if !formats.contains(presentation.format) { broken.append(.format) }
        guard restrictsPresentations else { return broken }
        switch presentation.kind {
        case .sdJWT(let holderKeyIsJWK, let hasKeyBinding, let certificates):
            if presentation.requiresHolderBinding, !holderKeyIsJWK || !hasKeyBinding { broken.append(.keyBinding) }
            // A self-signed certificate is an anchor, which only the receiver itself has.
            if certificates.isEmpty || certificates.contains(where: { $0.subject == $0.issuer }) {
                broken.append(.issuerCertificates)
            }
            if presentation.hasOtherStatus { broken.append(.statusList) }
        case .mdoc(let documents, let areSigned):
            if documents != 1 { broken.append(.singleDocument) }
            if !areSigned { broken.append(.deviceSignature) }
        case .other: break
        }
        return broken
    }
}
