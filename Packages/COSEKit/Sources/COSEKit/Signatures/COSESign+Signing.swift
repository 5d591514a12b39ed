public import CryptoCore

extension COSESign {
    /// Signs a payload with several keys (RFC 9052 section 4.4).
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - detached: Indicates that the message leaves the payload out.
    ///   - headers: The headers of the body.
    ///   - externalAAD: Data that the application authenticates along with the message.
    ///   - signers: The keys, each with the headers of its signature; where those name no algorithm, the signer's goes
    ///     into the protected bucket.
    public static func sign(
        _ payload: [UInt8],
        detached: Bool = false,
        headers: COSEHeaders = COSEHeaders(),
        externalAAD: [UInt8] = [],
        with signers: [(headers: COSEHeaders, signer: any Signer)]
    ) async throws(COSEError) -> COSESign {
        var signerHeaders: [COSEHeaders] = []
        for (headers, signer) in signers { signerHeaders.append(try headers.naming(algorithmOf: signer)) }
        let unsigned = try Unsigned(
            payload: payload,
            detached: detached,
            headers: headers,
            signers: signerHeaders,
            externalAAD: externalAAD
        )
        var signatures: [[UInt8]] = []
        for ((_, signer), bytes) in zip(signers, unsigned.bytesToSign) {
            signatures.append(try await signer.coseSignature(over: bytes))
        }
        return try unsigned.completed(with: signatures)
    }

    /// A COSE_Sign without its signatures, for signatures that are made elsewhere.
    public struct Unsigned: Sendable {
        /// The bytes that each signer signs: the encoded `Sig_structure`, in the order of the signers.
        public let bytesToSign: [[UInt8]]

        private let headers: COSEHeaders
        private let payload: [UInt8]?
        private let signers: [(headers: COSEHeaders, algorithm: COSEAlgorithm)]

        /// Prepares signatures.
        ///
        /// - Parameters:
        ///   - payload: The payload.
        ///   - detached: Indicates that the message leaves the payload out.
        ///   - headers: The headers of the body.
        ///   - signers: The headers of each signature, which must name its algorithm; at least one.
        ///   - externalAAD: Data that the application authenticates along with the message.
        public init(
            payload: [UInt8],
            detached: Bool = false,
            headers: COSEHeaders = COSEHeaders(),
            signers: [COSEHeaders],
            externalAAD: [UInt8] = []
        ) throws(COSEError) {
            self.signers = try within("COSE_Sign") { () throws(COSEError) in
                try headers.validate()
                return try Self.algorithms(of: signers)
            }
            bytesToSign = signers.map { signer in
                COSESign.structure(headers: headers, signer: signer, payload: payload[...], externalAAD: externalAAD)
                    .encoded
            }
            self.headers = headers
            self.payload = detached ? nil : payload
        }

        private static func algorithms(
            of signers: [COSEHeaders]
        ) throws(COSEError) -> [(headers: COSEHeaders, algorithm: COSEAlgorithm)] {
            guard !signers.isEmpty else {
                throw COSEError(.notEnoughSignatures, "a COSE_Sign needs a signer", path: ["signatures"])
            }
            var algorithms: [(headers: COSEHeaders, algorithm: COSEAlgorithm)] = []
            for (index, signer) in signers.enumerated() {
                let algorithm = try within("signatures[\(index)]") { () throws(COSEError) in
                    try signer.signingAlgorithm()
                }
                algorithms.append((signer, algorithm))
            }
            return algorithms
        }

        /// The message with its signatures.
        ///
        /// - Parameter signatures: The signatures over ``bytesToSign``, in the same order; for ECDSA r‖s in fixed width.
        /// - Throws: ``COSEError/Code/notEnoughSignatures`` for another number, ``COSEError/Code/invalidSignature`` for a
        ///   length that an algorithm cannot have.
        public func completed(with signatures: [[UInt8]]) throws(COSEError) -> COSESign {
            guard signatures.count == signers.count else {
                throw COSEError(
                    .notEnoughSignatures,
                    "\(signatures.count) signatures for \(signers.count) signers",
                    path: ["COSE_Sign", "signatures"]
                )
            }
            var completed: [COSESignature] = []
            for (signer, signature) in zip(signers, signatures) {
                try within("COSE_Sign") { () throws(COSEError) in
                    try within("signatures[\(completed.count)]") { () throws(COSEError) in
                        try signer.algorithm.requirePossible(signature)
                    }
                }
                completed.append(COSESignature(headers: signer.headers, signature: signature[...]))
            }
            return COSESign(headers: headers, payload: payload?[...], signatures: completed)
        }
    }
}
