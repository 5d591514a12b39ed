import CBORKit
import COSEKit
public import CryptoCore

/// A credential that lacks the issuer's signature, for issuers that sign elsewhere.
public struct UnsignedIssuerSigned: Sendable {
    /// The bytes to sign with the document signer's key.
    public var bytesToSign: [UInt8] { unsigned.bytesToSign }

    /// The algorithm to sign with, which follows from the curve of the document signer's key.
    public var algorithm: SignatureAlgorithm { signing.signatureAlgorithm }

    private let unsigned: COSESign1.Unsigned
    private let signing: MdocSigning
    private let encodedNameSpaces: [UInt8]?

    init(
        mobileSecurityObjectBytes: [UInt8],
        encodedNameSpaces: [UInt8]?,
        x5chain: [Certificate],
        includesX5T: Bool,
        signing: MdocSigning
    ) throws(MdocError) {
        self.signing = signing
        unsigned = try signing.prepare(
            mobileSecurityObjectBytes,
            detached: false,
            x5chain: x5chain,
            includesX5T: includesX5T
        )
        self.encodedNameSpaces = encodedNameSpaces
    }

    /// The credential with its signature.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: ``MdocError`` with code `signingFailed` if the signature is not one by the key of the document
    ///   signer's certificate.
    public func completed(with signature: [UInt8]) throws(MdocError) -> IssuerSigned {
        let issuerAuth = try signing.complete(unsigned, with: signature)
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: encodedNameSpaces == nil ? 1 : 2)
            if let encodedNameSpaces {
                writer.write(text: "nameSpaces")
                writer.write(encoded: encodedNameSpaces)
            }
            writer.write(text: "issuerAuth")
            issuerAuth.encode(to: &writer, tagged: false)
        }
        return try IssuerSigned(decoding: encoded, options: .building)
    }
}
