import CBORKit
import COSEKit
public import CryptoCore

/// A VICAL that lacks the provider's signature, for providers that sign elsewhere.
public struct UnsignedVICAL: Sendable {
    /// The bytes to sign with the signer's key.
    public var bytesToSign: [UInt8] { unsigned.bytesToSign }

    /// The algorithm to sign with, which follows from the curve of the signer's key.
    public var algorithm: SignatureAlgorithm { signing.signatureAlgorithm }

    let unsigned: COSESign1.Unsigned
    let signing: MdocSigning

    /// The list with its signature.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: ``MdocError`` with code `signingFailed` where the signature is not one by the key of the signer's
    ///   certificate.
    public func completed(with signature: [UInt8]) throws(MdocError) -> VICAL {
        let signed = try signing.complete(unsigned, with: signature)
        let encoded = CBORWriter.bytes { signed.encode(to: &$0, tagged: false) }
        return try VICAL(decoding: encoded, options: .building)
    }
}
