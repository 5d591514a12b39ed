public import COSEKit
public import CryptoCore

/// A reader's signature that lacks the signature itself, for readers that sign elsewhere.
public struct UnsignedReaderAuth: Sendable {
    /// The bytes to sign with the key of the reader's certificate.
    public var bytesToSign: [UInt8] { unsigned.bytesToSign }

    /// The algorithm to sign with, which follows from the curve of the reader's key.
    public var algorithm: SignatureAlgorithm { signing.signatureAlgorithm }

    private let signing: MdocSigning
    private let unsigned: COSESign1.Unsigned

    /// Prepares a signature.
    ///
    /// - Parameters:
    ///   - readerAuthentication: The structure to sign.
    ///   - x5chain: The reader's certificate, and intermediate ones if there are any, leaf first.
    ///   - includesX5T: `true` to sign the hash of the reader's certificate too (`x5t`), as the second edition recommends (12.5.4);
    ///     wallets of the first edition may refuse it.
    /// - Throws: ``MdocError`` if there is no certificate, or its key is on no curve of the standard.
    public init(
        _ readerAuthentication: ReaderAuthentication,
        x5chain: [Certificate],
        includesX5T: Bool = false
    ) throws(MdocError) {
        guard let certificate = x5chain.first else {
            throw MdocError(.invalidValue, "x5chain must hold the reader's certificate")
        }
        signing = try MdocSigning(certificate)
        unsigned = try signing.prepare(
            readerAuthentication.taggedBytes,
            detached: true,
            x5chain: x5chain,
            includesX5T: includesX5T
        )
    }

    /// The value of `readerAuth`, or a member of `readerAuthAll`.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: ``MdocError`` with code `signingFailed` if the signature is not one by the key of the certificate.
    public func completed(with signature: [UInt8]) throws(MdocError) -> COSESign1 {
        try signing.complete(unsigned, with: signature)
    }

    /// Signs.
    ///
    /// - Throws: ``MdocError`` with code `signingFailed`.
    public func signed(with signer: any Signer) async throws(MdocError) -> COSESign1 {
        try completed(with: try await signer.mdocSignature(for: bytesToSign))
    }
}

extension DocRequest {
    /// A document request that the reader signs.
    ///
    /// - Parameters:
    ///   - itemsRequest: The items request.
    ///   - sessionTranscript: The transcript of this session.
    ///   - signer: The reader's key.
    ///   - x5chain: The reader's certificate, and intermediate ones if there are any, leaf first.
    /// - Throws: ``MdocError`` with code `signingFailed`, or `invalidValue` for an items request without a type.
    public static func signed(
        _ itemsRequest: ItemsRequest,
        sessionTranscript: SessionTranscript,
        with signer: any Signer,
        x5chain: [Certificate]
    ) async throws(MdocError) -> DocRequest {
        try itemsRequest.requireDocType()
        let authentication = ReaderAuthentication(sessionTranscript: sessionTranscript, itemsRequest: itemsRequest)
        let unsigned = try UnsignedReaderAuth(authentication, x5chain: x5chain)
        return DocRequest(itemsRequest, readerAuth: try await unsigned.signed(with: signer))
    }
}
