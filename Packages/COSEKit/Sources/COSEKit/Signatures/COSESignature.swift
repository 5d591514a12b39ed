import CBORKit
@_spi(Layers) import CryptoCore

/// One signer's part of a COSE_Sign: COSE_Signature (RFC 9052 section 4.1), read and not verified.
public struct COSESignature: Sendable {
    /// The headers of the signer.
    public let headers: COSEHeaders
    /// The signature: for ECDSA r‖s in fixed width.
    public let signature: ArraySlice<UInt8>

    private let received: ArraySlice<UInt8>?

    init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError) {
        let elements = try COSEElements(of: view, count: 3...3)
        headers = try elements.headers(options)
        signature = try elements.bytes(2, "signature")
        received = elements.encodedBytes
    }

    init(headers: COSEHeaders, signature: ArraySlice<UInt8>) {
        self.headers = headers
        self.signature = signature
        received = nil
    }

    func encode(to writer: inout CBORWriter) {
        if let received {
            writer.write(encoded: received)
            return
        }
        writer.beginArray(count: 3)
        headers.encode(to: &writer)
        writer.write(bytes: signature)
    }
}

/// The steps of verifying one signature that COSE_Sign1, COSE_Sign and countersignatures share.
struct SignatureVerification {
    /// The signature as received.
    let signature: ArraySlice<UInt8>
    /// The key of the signer.
    let key: PublicKey

    /// Verifies the signature over the encoded structure.
    func verify(_ structure: AuthenticatedStructure, algorithm: COSEAlgorithm) throws(COSEError) {
        guard let primitive = algorithm.signaturePrimitive else {
            throw algorithm.refusal(expecting: "signature algorithm")
        }
        guard let engine = primitive.algorithm(for: key) else {
            throw COSEError(.keyMismatch, "\(algorithm) does not go with a key of \(key.kindName)", path: ["alg"])
        }
        let (head, rest) = structure.pieces
        guard key.isValidSignature(signature, for: head, followedBy: rest, algorithm: engine, format: .raw) else {
            throw COSEError(.invalidSignature, "the signature does not verify", path: ["signature"])
        }
    }
}

extension PublicKey {
    /// The key's curve or type, for messages.
    var kindName: String { curve?.name ?? "RSA" }
}
