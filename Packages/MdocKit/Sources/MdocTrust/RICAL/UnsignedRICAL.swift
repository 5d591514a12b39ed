public import CryptoCore
public import MdocKit

/// A RICAL that lacks the provider's signature, for providers that sign elsewhere.
public struct UnsignedRICAL: Sendable {
    /// The bytes to sign with the signer's key.
    public var bytesToSign: [UInt8] { list.bytesToSign }

    /// The algorithm to sign with, which follows from the curve of the signer's key.
    public var algorithm: SignatureAlgorithm { list.algorithm }

    let list: UnsignedTrustList

    /// The list with its signature.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: ``MdocError`` with code `signingFailed` where the signature is not one by the key of the signer's
    ///   certificate.
    public func completed(with signature: [UInt8]) throws(MdocError) -> RICAL {
        try RICAL(decoding: list.completed(with: signature), options: .building)
    }
}
