import CBORKit
import COSEKit
import CryptoCore
import MdocKit

/// A trust list that lacks the provider's signature.
struct UnsignedTrustList: Sendable {
    private let unsigned: COSESign1.Unsigned
    private let signing: MdocSigning

    /// Prepares the provider's signature.
    ///
    /// - Parameters:
    ///   - content: The list.
    ///   - x5chain: The signer's certificate, and intermediate ones if there are any, leaf first.
    ///   - bucket: The header for the certificates.
    init(_ content: CBOR, x5chain: [Certificate], in bucket: X5chainBucket) throws(MdocError) {
        guard let certificate = x5chain.first else {
            throw MdocError(.invalidValue, "x5chain must hold the signer's certificate")
        }
        signing = try MdocSigning(certificate)
        unsigned = try signing.prepare(content.encoded(), detached: false, x5chain: x5chain, in: bucket)
    }

    /// The bytes to sign with the signer's key.
    var bytesToSign: [UInt8] { unsigned.bytesToSign }
    /// The algorithm to sign with.
    var algorithm: SignatureAlgorithm { signing.signatureAlgorithm }

    /// The encoded list, once the signature is found to be one by the signer's key.
    func completed(with signature: [UInt8]) throws(MdocError) -> [UInt8] {
        let signed = try signing.complete(unsigned, with: signature)
        return CBORWriter.bytes { signed.encode(to: &$0, tagged: false) }
    }
}
