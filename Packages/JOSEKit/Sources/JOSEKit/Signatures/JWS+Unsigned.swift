import CryptoCore

extension JWS {
    /// A JWS without its signature, for signatures that are made elsewhere: on a card, in a wallet's backend.
    public struct Unsigned: Sendable {
        /// The bytes to sign: the header's and the payload's text with a period between them (RFC 7515, section 5.1).
        public let bytesToSign: [UInt8]

        /// The algorithm that the headers name.
        public let algorithm: JWSAlgorithm

        private let primitive: JWSPrimitive
        private let signature: JWSSignature
        private let earlier: [JWSSignature]
        private let payload: [UInt8]?
        private let encodedPayload: ArraySlice<UInt8>

        /// Prepares a signature.
        ///
        /// - Parameters:
        ///   - payload: The payload.
        ///   - detached: Indicates that the object leaves the payload out.
        ///   - header: The protected header.
        ///   - unprotectedHeader: The unsigned header; for the JSON serializations only.
        /// - Throws: ``JOSEError/Code/missingAlgorithm``, ``JOSEError/Code/unsupportedAlgorithm``, and the errors of
        ///   the headers.
        public init(
            payload: [UInt8],
            detached: Bool = false,
            header: JOSEHeader,
            unprotectedHeader: JOSEHeader = JOSEHeader()
        ) throws(JOSEError) {
            let signature = try JWSSignature(protected: header, unprotected: unprotectedHeader)
            let encoded = PayloadText.encode(payload, isEncoded: signature.encodesPayload)
            try self.init(signature, payload: detached ? nil : payload, encodedPayload: encoded, earlier: [])
        }

        /// Prepares one more signature over the payload of an object.
        ///
        /// - Parameters:
        ///   - object: The object with the signatures that there are.
        ///   - header: The protected header.
        ///   - unprotectedHeader: The unsigned header.
        ///   - detachedPayload: The payload, where the object does not carry it.
        /// - Throws: As for the first signature; ``JOSEError/Code/invalidHeader`` if `b64` is not the same as before.
        public init(
            addingTo object: JWS,
            header: JOSEHeader,
            unprotectedHeader: JOSEHeader = JOSEHeader(),
            detachedPayload: [UInt8]? = nil
        ) throws(JOSEError) {
            let signature = try JWSSignature(protected: header, unprotected: unprotectedHeader)
            let earlier = object.signatures.filter { $0.fault == nil }
            guard earlier.allSatisfy({ $0.encodesPayload == signature.encodesPayload }) else {
                throw JOSEError(.invalidHeader, "b64 differs between the signatures", path: ["JWS", "b64"])
            }
            let (_, encoded) = try object.resolve(detachedPayload, signature)
            try self.init(
                signature,
                payload: object.unverifiedPayload,
                encodedPayload: encoded,
                earlier: object.signatures
            )
        }

        private init(
            _ signature: JWSSignature,
            payload: [UInt8]?,
            encodedPayload: ArraySlice<UInt8>,
            earlier: [JWSSignature]
        ) throws(JOSEError) {
            guard let algorithm = try signature.header.signatureAlgorithm() else {
                throw JOSEError(.missingAlgorithm, "the headers name no algorithm", path: ["JWS", "alg"])
            }
            guard let primitive = algorithm.primitive else { throw algorithm.unsupported }
            self.algorithm = algorithm
            self.primitive = primitive
            self.signature = signature
            self.earlier = earlier
            self.payload = payload
            self.encodedPayload = encodedPayload
            bytesToSign = signature.signingInput(encodedPayload)
        }

        /// The object with its signature.
        ///
        /// - Parameter bytes: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
        /// - Throws: ``JOSEError/Code/invalidSignature`` for a length that the algorithm cannot have.
        public func completed(with bytes: [UInt8]) throws(JOSEError) -> JWS {
            guard primitive.allows(signatureSize: bytes.count) else {
                let message = "\(bytes.count) bytes are no signature of \(algorithm): JOSE has r‖s of fixed width"
                throw JOSEError(.invalidSignature, message, path: ["JWS", "signature"])
            }
            return JWS(
                signatures: earlier + [try signature.with(bytes)],
                payload: payload,
                encodedPayload: payload == nil ? nil : encodedPayload,
                isDetached: payload == nil
            )
        }

        func authenticated(with key: SecretBytes, allowsShortKey: Bool) throws(JOSEError) -> JWS {
            guard case .hmac(let hash) = primitive else {
                throw SignatureCheck.mismatch("a symmetric key", algorithm)
            }
            try PublicKeyEncodings.refuse(key, at: "key")
            return try completed(
                with: try SignatureCheck.mac(over: bytesToSign[...], key: key, hash, allowsShortKey: allowsShortKey)
            )
        }
    }
}

extension JWSSignature {
    /// Headers whose signature is still to be made.
    fileprivate init(protected: JOSEHeader, unprotected: JOSEHeader) throws(JOSEError) {
        try self.init(
            protectedHeader: protected,
            unprotectedHeader: unprotected,
            encodedHeader: protected.isEmpty ? [] : Base64URL.encodedBytes(protected.encoded())[...],
            signature: []
        )
    }

    /// The same headers with a signature.
    fileprivate func with(_ signature: [UInt8]) throws(JOSEError) -> JWSSignature {
        try JWSSignature(
            protectedHeader: protectedHeader,
            unprotectedHeader: unprotectedHeader,
            encodedHeader: encodedHeader,
            signature: signature
        )
    }
}

/// The text form of a payload in a JWS: base64url, or unencoded if `b64` is false (RFC 7797).
enum PayloadText {
    /// The payload of the compact serialization.
    static func decode(_ text: ArraySlice<UInt8>, isEncoded: Bool) throws(JOSEError) -> [UInt8] {
        guard !isEncoded else { return try Base64URL.decode(text) }
        try requireCompact(text)
        return Array(text)
    }

    /// The text that stands for a payload.
    static func encode(_ payload: [UInt8], isEncoded: Bool) -> ArraySlice<UInt8> {
        isEncoded ? Base64URL.encodedBytes(payload)[...] : payload[...]
    }

    /// Refuses a payload that the compact serialization cannot carry unencoded (RFC 7797, section 5.2).
    static func requireCompact(_ payload: ArraySlice<UInt8>) throws(JOSEError) {
        let period = UInt8(ascii: ".")
        guard payload.allSatisfy({ (0x20...0x7e).contains($0) && $0 != period }) else {
            throw JOSEError(
                .notSerializable,
                "an unencoded payload in the compact serialization is printable ASCII without periods",
                path: ["payload"]
            )
        }
    }
}
