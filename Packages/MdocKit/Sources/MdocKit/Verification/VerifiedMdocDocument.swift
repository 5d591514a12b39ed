public import CBORKit
public import CryptoCore
public import VerificationCore

/// A document that passed every check; only ``MdocVerifier`` makes one.
public struct VerifiedMdocDocument: Sendable {
    private let document: MdocDocument
    private let credential: VerifiedIssuerSigned

    init(_ document: MdocDocument, _ credential: VerifiedIssuerSigned) {
        self.document = document
        self.credential = credential
    }

    /// The type of the document.
    public var docType: DocType { credential.issuerSigned.docType }

    /// When the credential was signed and when it may be used.
    public var validityInfo: ValidityInfo { credential.issuerSigned.mobileSecurityObject.validityInfo }

    /// The references to the credential's revocation status, if it can be revoked.
    public var status: MobileSecurityObject.Status? { credential.issuerSigned.mobileSecurityObject.status }

    /// The key that the credential is bound to.
    public var deviceKey: PublicKey { credential.deviceKey }

    /// The issuer's certificate chain with the trust anchor behind it.
    public var signer: ValidatedCertificateChain { credential.signer }

    /// The entry of the verifier's configuration by which the issuer is trusted: the first one that names the trust
    /// anchor for documents of this type.
    public var trustAnchor: TrustAnchor { credential.trustAnchor }

    /// The elements, those of the issuer first, then those of the device.
    public var elements: DataElements<VerifiedElement> {
        var elements = DataElements<VerifiedElement>()
        for group in credential.issuerSigned.nameSpaces {
            elements.append(
                group.nameSpace,
                group.items.map { ($0.elementIdentifier, VerifiedElement(source: .issuer, view: $0.elementValue)) }
            )
        }
        for group in document.deviceSigned.nameSpaces.groups {
            for (identifier, view) in group.elements {
                elements[group.nameSpace, identifier] = VerifiedElement(source: .device, view: view)
            }
        }
        return elements
    }

    /// One element; nil if it was not returned.
    public subscript(nameSpace: NameSpace, identifier: DataElementIdentifier) -> VerifiedElement? {
        if let item = credential.issuerSigned[nameSpace, identifier] {
            return VerifiedElement(source: .issuer, view: item.elementValue)
        }
        return document.deviceSigned.nameSpaces[nameSpace, identifier]
            .map { VerifiedElement(source: .device, view: $0) }
    }
}

extension Verification<[VerifiedMdocDocument]> {
    /// The verification of each document of the response, in its order; empty if the wallet reports an error.
    public var documents: [Verification<VerifiedMdocDocument>] {
        parts.compactMap { $0.verification(as: VerifiedMdocDocument.self) }
    }

    /// The documents that are verified, even though others are refused.
    public var verifiedDocuments: [VerifiedMdocDocument] {
        parts.compactMap { $0.verified(as: VerifiedMdocDocument.self) }
    }
}

/// A data element of a verified document.
public struct VerifiedElement: Sendable {
    /// The party that vouches for an element.
    public enum Source: Hashable, Sendable {
        /// The issuer, by its signature.
        case issuer
        /// The device, as far as the issuer authorized its key to.
        case device
    }

    /// The party that vouches for the element.
    public let source: Source
    /// The value, not decoded further.
    public let view: CBORView

    /// The value, decoded.
    public var value: CBOR { view.value() }
}
