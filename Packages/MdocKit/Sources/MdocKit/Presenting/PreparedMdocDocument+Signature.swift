import COSEKit
public import CryptoCore

extension PreparedMdocDocument {
    /// A device signature that lacks the signature itself, for wallets that sign elsewhere.
    public struct UnsignedSignature: Sendable {
        /// The bytes to sign with the device key.
        public var bytesToSign: [UInt8] { unsigned.bytesToSign }

        /// The algorithm to sign with, which follows from the curve of the device key.
        public var algorithm: SignatureAlgorithm { signing.signatureAlgorithm }

        fileprivate let document: PreparedMdocDocument
        fileprivate let signing: MdocSigning
        fileprivate let unsigned: COSESign1.Unsigned

        /// The document with its signature.
        ///
        /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
        /// - Throws: ``MdocError`` with code `signingFailed` if the signature is not one by the device key.
        public func completed(with signature: [UInt8]) throws(MdocError) -> MdocDocument {
            let deviceSignature = try signing.complete(unsigned, with: signature)
            return try document.document("deviceSignature", deviceSignature.encoded(tagged: false))
        }
    }

    /// Prepares the signature of the device key.
    ///
    /// - Throws: ``MdocError`` with code `unsupportedKey` if the device key's curve has no signatures.
    public func unsignedSignature() throws(MdocError) -> UnsignedSignature {
        let signing = try MdocSigning(try deviceKey)
        let unsigned = try signing.prepare(deviceAuthentication.taggedBytes, detached: true)
        return UnsignedSignature(document: self, signing: signing, unsigned: unsigned)
    }

    /// Signs with the device key (12.4.6).
    ///
    /// - Throws: ``MdocError`` with code `keyMismatch` if the signer has another key than the credential, or
    ///   `signingFailed`.
    public func signed(with signer: any Signer) async throws(MdocError) -> MdocDocument {
        guard signer.publicKey == (try deviceKey) else {
            throw MdocError(.keyMismatch, "the credential is bound to another key than the signer's")
        }
        let unsigned = try unsignedSignature()
        return try unsigned.completed(with: try await signer.mdocSignature(for: unsigned.bytesToSign))
    }
}
