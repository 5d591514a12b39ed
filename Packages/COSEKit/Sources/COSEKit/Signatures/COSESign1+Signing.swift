public import CryptoCore

extension COSESign1 {
    /// Signs a payload (RFC 9052 section 4.4).
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - detached: Indicates that the message leaves the payload out.
    ///   - headers: The headers; where they name no algorithm, the signer's goes into the protected bucket.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - signer: The key, wherever it lives.
    public static func sign(
        _ payload: [UInt8],
        detached: Bool = false,
        headers: COSEHeaders = COSEHeaders(),
        externalAAD: [UInt8] = [],
        with signer: any Signer
    ) async throws(COSEError) -> COSESign1 {
        let unsigned = try Unsigned(
            payload: payload,
            detached: detached,
            headers: headers.naming(algorithmOf: signer),
            externalAAD: externalAAD
        )
        return try unsigned.completed(with: try await signer.coseSignature(over: unsigned.bytesToSign))
    }

    /// A COSE_Sign1 without its signature, for signatures that are made elsewhere: on a card, in a wallet's backend.
    public struct Unsigned: Sendable {
        /// The bytes to sign: the encoded `Sig_structure`.
        public let bytesToSign: [UInt8]
        /// The algorithm that the headers name.
        public let algorithm: COSEAlgorithm

        private let headers: COSEHeaders
        private let payload: [UInt8]?

        /// Prepares a signature.
        ///
        /// - Parameters:
        ///   - payload: The payload.
        ///   - detached: Indicates that the message leaves the payload out.
        ///   - headers: The headers, which must name the algorithm.
        ///   - externalAAD: Data that the application authenticates along with the message.
        public init(
            payload: [UInt8],
            detached: Bool = false,
            headers: COSEHeaders,
            externalAAD: [UInt8] = []
        ) throws(COSEError) {
            algorithm = try within("COSE_Sign1") { () throws(COSEError) in try headers.signingAlgorithm() }
            bytesToSign =
                COSESign1.structure(headers: headers, payload: payload[...], externalAAD: externalAAD).encoded
            self.headers = headers
            self.payload = detached ? nil : payload
        }

        /// The message with its signature.
        ///
        /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
        /// - Throws: ``COSEError/Code/invalidSignature`` for a length that the algorithm cannot have.
        public func completed(with signature: [UInt8]) throws(COSEError) -> COSESign1 {
            try within("COSE_Sign1") { () throws(COSEError) in try algorithm.requirePossible(signature) }
            return COSESign1(headers: headers, payload: payload?[...], signature: signature[...])
        }
    }
}
